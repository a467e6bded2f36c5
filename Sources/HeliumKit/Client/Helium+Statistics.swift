public import HeliumCurl

extension Helium {
    /// How a client stands at one moment: the first question when calls are slow.
    public struct Statistics: Sendable {
        /// Calls under way; a streamed answer counts until its body has ended.
        public let runningCalls: Int

        /// Calls that wait for their turn (`ConcurrencyLimits`).
        public let waitingCalls: Int

        /// Retries that the `RetryBudget` still allows.
        public let remainingRetries: Int

        /// Transfers and connections; `nil` with a transport of your own.
        public let transport: CurlTransport.Statistics?
    }

    /// How the client stands now. Requests don't pay for it.
    public var statistics: Statistics {
        get async {
            let (running, waiting) = pipeline.load
            return Statistics(
                runningCalls: running,
                waitingCalls: waiting,
                remainingRetries: pipeline.remainingRetries,
                transport: await (pipeline.transport as? CurlTransport)?.statistics
            )
        }
    }
}
