extension Observability {
    /// How a client's metrics are named, and their labels.
    public struct MetricOptions: Hashable, Sendable {
        /// What the names of all metrics begin with, before a dot. Default: `helium`.
        public var labelPrefix = "helium"

        /// Whether metrics carry the label `server`: host, and port where it is not the scheme's own, of the client's base
        /// URL, also for requests that a redirect led elsewhere. Default: no.
        public var includesServer = false

        /// Labels of your own that every metric carries, for example which tenant or region the client serves. Default:
        /// none. Keep their values few: each combination is a time series.
        public var dimensions: [String: String] = [:]

        /// The defaults.
        public init() {}
    }
}
