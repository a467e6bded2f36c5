public import HeliumCurl

extension Helium {
    /// The state of a client at one moment. It helps to find out why calls are slow.
    public struct Statistics: Sendable {
        /// The number of calls in progress. A streamed response counts until its body has ended.
        public let runningCalls: Int

        /// The number of calls that wait in the queue (`ConcurrencyLimits`).
        public let waitingCalls: Int

        /// The number of retries that the `RetryBudget` still allows.
        public let remainingRetries: Int

        /// The transfers and connections; `nil` with a custom transport.
        public let transport: CurlTransport.Statistics?
    }

    /// The current state of the client. It is computed on access and costs requests nothing.
    public var statistics: Statistics {
        get async {
            let (running, waiting) = pipeline.load
            return Statistics(
                runningCalls: running,
                waitingCalls: waiting,
                remainingRetries: pipeline.remainingRetries,
                transport: await curlTransport?.statistics
            )
        }
    }
}
