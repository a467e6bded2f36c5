extension MessageManager {
    /// The settings of the engine that do not change what is stored.
    public struct Options: Sendable {
        /// The number of messages that a page of the service has at most. 1 to 200. Default: 200.
        public var pageSize = 200

        /// The number of times that a failed read is tried, before its error is thrown. Default: 5.
        public var maximumReadAttempts = 5

        /// The number of attempts with an unknown outcome after which a message is parked. Default: 8.
        public var maximumSendAttempts = 8

        /// The number of messages that may wait to be sent. Default: 100,000.
        public var maximumUnsent = 100_000

        /// The number of files that are uploaded at the same time. Default: 2.
        public var maximumUploads = 2

        /// The number of bytes that staged files may have together. Default: 1 GiB.
        public var maximumStagedBytes: Int64 = 1 << 30

        /// The meaning of failed requests.
        public var failureClasses = FailureClasses()

        /// Whether messages and deletions are sent by themselves: when they are stored, at the start, and again after a while.
        /// Otherwise they wait for ``MessageManager/sendAll(in:)`` and for fetches. Default: `true`.
        public var sendsAutomatically = true

        /// Whether a channel with unsent messages or pending deletions is fetched. Default: ``FetchPolicy/sendThenFetch``.
        public var fetchPolicy = FetchPolicy.sendThenFetch

        /// The age of the last comparison of an action channel with the service, from which on a newest-fetch compares it
        /// again: a fetch does not show which actions were taken off on other devices. Default: 24 hours.
        public var actionReconciliationInterval = Duration.seconds(86_400)

        /// The number of events that a subscriber may be behind, before it loses the oldest. Default: 256.
        public var eventLimit = 256

        /// The guarantee that a finished write survives. Default: ``Durability/process``.
        public var durability = Durability.process

        /// The time between two requests to the geocoder. Default: one second.
        public var geocoderInterval = Duration.seconds(1)

        /// The time limit of a request to the geocoder. Default: 30 seconds.
        public var geocoderTimeout = Duration.seconds(30)

        /// Called when the engine reaches a crash point. For tests that kill it there.
        package var reached: (@Sendable (CrashPoint) -> Void)?

        /// The default settings.
        public init() {}
    }

    /// The rule for fetching a channel that has something to send.
    public enum FetchPolicy: Sendable, Hashable {
        /// Sends first. What cannot be sent blocks the fetch, which reports ``FetchOutcome/blocked(_:)``.
        case sendThenFetch
        /// Fetches in any case.
        case fetchAnyway
    }

    /// The guarantee that a finished write survives.
    public enum Durability: Sendable, Hashable {
        /// The end of the process. A power failure may undo the last writes.
        case process
        /// A power failure.
        case power
    }
}
