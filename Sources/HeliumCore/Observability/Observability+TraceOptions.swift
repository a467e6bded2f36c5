public import Tracing

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
