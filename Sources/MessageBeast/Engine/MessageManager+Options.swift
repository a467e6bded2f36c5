internal import HeliumConcurrency

extension MessageManager {
    /// The settings of the engine that do not change what is stored.
    ///
    /// The engine uses the nearest valid value in place of one that is out of range.
    public struct Options: Sendable {
        /// The maximum number of messages on a page of the service, from 1 to 200. Default: 200.
        public var pageSize = 200

        /// The maximum number of attempts of a read before its error is thrown. Default: 5.
        public var maximumReadAttempts = 5

        /// The number of attempts with an unknown outcome after which a message is parked. Default: 8.
        public var maximumSendAttempts = 8

        /// The maximum number of unsent messages. Default: 100,000.
        public var maximumUnsent = 100_000

        /// The maximum number of simultaneous file uploads. Default: 2.
        public var maximumUploads = 2

        /// The maximum total size of staged files, in bytes. Default: 1 GiB.
        public var maximumStagedBytes: Int64 = 1 << 30

        /// The consequences of failed requests.
        public var failureClasses = FailureClasses()

        /// Whether messages and deletions are sent automatically: when they are stored, when the engine starts, and
        /// again after a delay. If `false`, they wait for ``MessageManager/sendAll(in:)`` and for fetches. Default:
        /// `true`.
        public var sendsAutomatically = true

        /// The rule for fetching a channel with unsent messages or pending deletions. Default:
        /// ``FetchPolicy/sendThenFetch``.
        public var fetchPolicy = FetchPolicy.sendThenFetch

        /// The interval between two comparisons of an action channel with the service. Default: 24 hours.
        ///
        /// A newest-fetch compares the channel when the last comparison is this old, because a fetch does not show
        /// which actions other devices removed.
        public var actionReconciliationInterval = Duration.seconds(86_400)

        /// The maximum number of events that a subscriber may be behind before it loses the oldest ones. Default: 256.
        public var eventLimit = 256

        /// The failure that a finished write survives. Default: ``Durability/process``.
        public var durability = Durability.process

        /// Whether the engine only reads its store. Default: `false`.
        ///
        /// Reads then never wait for a write of another engine, not even for one of a suspended process. The store must
        /// exist. Its schema may be that of the previous version, whose indexes are used as they are. A store of version
        /// 1 is the exception: opening it migrates it, which is a write. Writes throw
        /// ``MessageBeastError/Kind/readOnly``, and ``MessageManager/start()`` does nothing.
        ///
        /// A store in a folder that cannot be written is read without locks. If its newest changes are only in its
        /// `-wal` file, which SQLite can't read there, opening it throws ``MessageBeastError/Kind/readOnly``. If a process
        /// with other rights writes to it afterwards, reads throw ``MessageBeastError/Kind/locked``.
        public var isReadOnly = false

        /// The minimum time between two requests to the geocoder. Default: one second.
        public var geocoderInterval = Duration.seconds(1)

        /// The timeout of a request to the geocoder. Default: 30 seconds.
        public var geocoderTimeout = Duration.seconds(30)

        /// A function to call when the engine reaches a crash point, for tests that kill it there.
        package var reached: (@Sendable (CrashPoint) -> Void)?

        /// Creates the default settings.
        public init() {}

        /// The settings with values that the engine can compute with.
        var bounded: Self {
            var options = self
            options.pageSize = min(max(pageSize, 1), 200)
            options.maximumReadAttempts = max(maximumReadAttempts, 1)
            options.maximumSendAttempts = max(maximumSendAttempts, 1)
            options.maximumUnsent = max(maximumUnsent, 0)
            options.maximumUploads = max(maximumUploads, 1)
            options.maximumStagedBytes = max(maximumStagedBytes, 0)
            options.eventLimit = max(eventLimit, 1)
            options.actionReconciliationInterval = max(actionReconciliationInterval.withinCentury, .zero)
            options.geocoderInterval = max(geocoderInterval.withinCentury, .zero)
            options.geocoderTimeout = max(geocoderTimeout.withinCentury, .zero)
            return options
        }
    }

    /// The rule for fetching a channel that has something to send.
    public enum FetchPolicy: Sendable, Hashable {
        /// Sends first. Work that cannot be sent blocks the fetch, which returns ``FetchOutcome/blocked(_:)``.
        case sendThenFetch
        /// Fetches in any case.
        case fetchAnyway
    }

    /// The failure that a finished write survives.
    public enum Durability: Sendable, Hashable {
        /// The end of the process. A power failure may undo the last writes.
        case process
        /// A power failure.
        case power
    }
}
