public import Logging
public import Tracing

extension Observability {
    /// At which levels a client logs, and with how much content.
    public struct LogOptions: Hashable, Sendable {
        /// A call starts, an attempt ends, a call ends well. Default: debug.
        public var calls = Logger.Level.debug

        /// A call will be attempted again. Default: info.
        public var retries = Logger.Level.info

        /// A call failed. Default: warning.
        public var failures = Logger.Level.warning

        /// A call was cancelled by its caller. Default: debug.
        public var cancellations = Logger.Level.debug

        /// Fields and bodies, where they are asked for. Default: trace.
        public var content = Logger.Level.trace

        /// Whether the fields of requests and answers are logged, credentials masked. Default: no.
        ///
        /// A request's fields are logged before it is authorized.
        public var includesFields = false

        /// Whether the beginnings of text bodies are logged, at most 1,024 characters, with the values of members whose name
        /// says that they are secret masked. Bodies that are streamed are not. Default: no.
        ///
        /// Masking knows names and the client's own secrets; it can't know what else in a body is confidential.
        public var includesBodies = false

        /// The defaults.
        public init() {}
    }
}

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

extension Observability {
    /// What a client's tracer is asked for.
    public struct TraceOptions: Sendable {
        /// Whether the trace's context is written into requests, for most tracers as W3C's `traceparent` and `tracestate`.
        /// Default: yes. Switch it off for servers that must not see it.
        public var propagatesContext = true

        /// Writes the context, in place of the tracer: for example an instrument that adds baggage. Default: `nil`.
        public var propagator: (any Instrument)?

        /// The defaults.
        public init() {}
    }
}
