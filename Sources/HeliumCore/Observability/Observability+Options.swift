public import Logging
public import Tracing

extension Observability {
    /// The levels at which a client logs, and the amount of content.
    public struct LogOptions: Hashable, Sendable {
        /// The level for the start of a call, the end of an attempt and the successful end of a call. Default: debug.
        public var calls = Logger.Level.debug

        /// The level for a call that will be attempted again. Default: info.
        public var retries = Logger.Level.info

        /// The level for a failed call. Default: warning.
        public var failures = Logger.Level.warning

        /// The level for a call that was cancelled by its caller. Default: debug.
        public var cancellations = Logger.Level.debug

        /// The level for fields and bodies, if they are included. Default: trace.
        public var content = Logger.Level.trace

        /// Whether the fields of requests and responses are logged, with credentials masked. Default: `false`.
        ///
        /// The fields of a request are logged before it is authorized.
        public var includesFields = false

        /// Whether the beginnings of text bodies are logged, at most 1,024 characters. The values of members whose name
        /// indicates a secret are masked. Streamed bodies are not logged. Default: `false`.
        ///
        /// Masking covers such names and the client's own secrets. It can't recognize other confidential content of a
        /// body.
        public var includesBodies = false

        /// Creates the default options.
        public init() {}
    }
}

extension Observability {
    /// The names and labels of a client's metrics.
    public struct MetricOptions: Hashable, Sendable {
        /// The prefix of all metric names, which is followed by a dot. Default: `helium`.
        public var labelPrefix = "helium"

        /// Whether metrics carry the label `server`: the host of the client's base URL, with the port if it is not the
        /// scheme's default. Requests that were redirected to another server have the same value. Default: `false`.
        public var includesServer = false

        /// Additional labels that every metric carries, for example the tenant or the region of the client. Default:
        /// none. Use few values, because each combination is a separate time series.
        public var dimensions: [String: String] = [:]

        /// Creates the default options.
        public init() {}
    }
}

extension Observability {
    /// The options of a client's traces.
    public struct TraceOptions: Sendable {
        /// Whether the trace context is written into requests, for most tracers as W3C's `traceparent` and
        /// `tracestate`. Default: `true`. Use `false` for servers that must not see it.
        public var propagatesContext = true

        /// Writes the context in place of the tracer, for example an instrument that adds baggage. Default: `nil`.
        public var propagator: (any Instrument)?

        /// Creates the default options.
        public init() {}
    }
}
