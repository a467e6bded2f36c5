extension Observability {
    /// What a client's tracer is asked for.
    public struct TraceOptions: Hashable, Sendable {
        /// Whether the trace's context is written into requests, by the tracer and in its format, for most W3C's
        /// `traceparent` and `tracestate`. Default: yes. Switch it off for servers that must not see it.
        public var propagatesContext = true

        /// The defaults.
        public init() {}
    }
}
