public import Logging

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
