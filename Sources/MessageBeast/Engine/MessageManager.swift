public import AppNet
internal import HeliumConcurrency
internal import HeliumDatabase
internal import HeliumFiles

/// The offline-first engine for the messages of one account.
///
/// The engine mirrors channels of the service into a database. All reads use the database.
///
/// ```swift
/// let manager = try MessageManager(client: client, account: "1", store: .file(path))
/// try await manager.start()
/// let journal = try await manager.privateChannel(ofType: "net.app.ohai.journal").id
/// try await manager.fullSync(of: journal).run()
/// for message in try await manager.page(of: journal, limit: 50).messages {
///     print(message.message.text ?? "")
/// }
/// ```
///
/// An engine has one account and one store. Several processes may have engines for the same file. The client remains
/// open when the engine is stopped. The engine cannot use a client that was closed.
public actor MessageManager {
    /// The location of the database.
    public enum Store: Sendable, Hashable {
        /// A file, which is created if it is missing. Only its owner can read it. The text is a path, also if SQLite
        /// could read it as a URI or a special name.
        ///
        /// Symbolic links are followed, so a store that is opened by several names is one store. Hard links are not: SQLite
        /// cannot share a file that has several names of its own.
        case file(String)
        /// Memory. The data is lost with the engine.
        case memory
    }

    nonisolated let context: EngineContext
    nonisolated let locks = ChannelLocks()
    nonisolated let directory: ChannelDirectory
    nonisolated let outbox: OutboxRunner
    nonisolated let geocoding: GeocodeWorker?
    private let connectivity: (any Connectivity)?

    /// The running newest-fetches, which later callers join.
    private(set) var newestFetches: [AppNetChannel.ID: Signal<FetchOutcome>] = [:]
    private var news = ChannelNews()
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var lastTask = 0
    private var hasStarted = false

    /// Creates an engine and opens its store. No request is made.
    ///
    /// - Parameters:
    ///   - client: The transport. The engine makes a sibling of it that does not retry requests by itself.
    ///   - account: The id of the user who owns the client's token; `nil` for the account of an existing file. With an
    ///     account and a token, the store belongs to the client's service from then on: later ones need the same scheme,
    ///     host and port, because another service can have an account with the same id.
    ///   - store: The location of the database.
    ///   - configuration: The settings that decide what is derived from messages.
    ///   - options: Other settings.
    ///   - geocoder: Finds names for coordinates. Default: `nil`, no geocoding requests.
    ///   - connectivity: Reports whether the service can be reached. Default: `nil`, an outage is detected by failed
    ///     requests.
    /// - Throws: ``MessageBeastError`` of the kinds ``MessageBeastError/Kind/superseded``,
    ///   ``MessageBeastError/Kind/otherAccount``, ``MessageBeastError/Kind/damaged``,
    ///   ``MessageBeastError/Kind/notADatabase`` and the kinds for file errors if the store cannot be used; the store
    ///   is unchanged in that case. `AppNetError` if the sibling of the client cannot be made.
    public init(
        client: AppNetClient,
        account: AppNetUser.ID?,
        store: Store,
        configuration: MessageManagerConfiguration = MessageManagerConfiguration(),
        options: Options = Options(),
        geocoder: (any Geocoder)? = nil,
        connectivity: (any Connectivity)? = nil
    ) throws {
        // One path for the database, its locks and its files, by whatever name the database is opened.
        let store = store.resolved
        let database =
            switch store {
            case .file(let path):
                try BeastDatabase.open(
                    path,
                    account: account?.text,
                    durability: options.durability,
                    isReadOnly: options.isReadOnly,
                    migrated: { options.reached?(.migrating) }
                )
            case .memory: try BeastDatabase.memory(account: account?.text)
            }
        if account != nil { try ServiceOrigin(client)?.claim(database, isReadOnly: options.isReadOnly) }
        let name = client.environment.random.uuid()
        let owners: any ClaimOwners =
            switch store {
            // An engine that only reads claims nothing.
            case .file(let path): options.isReadOnly ? SoleOwner(own: name) : try FileOwners(database: path, name: name)
            case .memory: SoleOwner(own: name)
            }
        let staged: any StagedFiles =
            switch store {
            case .file(let path): StagedFolder(database: path)
            case .memory: StagedMemory()
            }
        try self.init(
            client: client,
            account: AppNetUser.ID(database.account),
            database: database,
            owners: owners,
            configuration: configuration,
            options: options,
            geocoder: geocoder,
            connectivity: connectivity,
            staged: staged
        )
    }

    init(
        client: AppNetClient,
        account: AppNetUser.ID,
        database: BeastDatabase,
        owners: any ClaimOwners,
        configuration: MessageManagerConfiguration,
        options: Options,
        geocoder: (any Geocoder)?,
        connectivity: (any Connectivity)? = nil,
        staged: any StagedFiles = StagedMemory()
    ) throws {
        var settings = client.settings
        settings.environment = client.environment
        settings.options.retry = .never
        let options = options.bounded
        context = EngineContext(
            client: try AppNetClient(configuration: settings),
            account: account,
            database: database,
            configuration: configuration,
            options: options,
            events: EventBroadcast(limit: options.eventLimit),
            life: EngineLife(),
            staged: staged
        )
        directory = ChannelDirectory(context: context)
        outbox = OutboxRunner(context: context, owners: owners)
        geocoding = geocoder.map { [context] in GeocodeWorker(context: context, geocoder: $0) }
        self.connectivity = connectivity
    }

    deinit {
        context.life.stop()
        context.events.finish()
        context.observers.finish()
        for task in tasks.values { task.cancel() }
        outbox.abandon()
    }
}

// MARK: Starting and stopping

extension MessageManager {
    /// Upgrades the indexes of an older store, derives the rows of stored messages again if the configuration changed,
    /// and starts the background work.
    ///
    /// The upgrade reports ``Event/storeUpgrading(_:)``. It consists of short transactions, so the store can be read and
    /// written at the same time. After an interruption it continues at the next start. If there is nothing to do,
    /// nothing is written.
    ///
    /// Does nothing if the engine was started before, or if it only reads. It can be called again after an error.
    ///
    /// - Throws: ``MessageBeastError``, `CancellationError`.
    public func start() async throws {
        let term = try context.life.term()
        guard !hasStarted, !context.options.isReadOnly else { return }
        try await upgrade(term)
        try await outbox.restorePause()
        let channels = try await context.read { try OutboxTable(database: $0).channels() }
        // Another call may have finished in the meantime. Nothing below throws.
        guard !hasStarted else { return }
        hasStarted = true
        if let geocoding { run { await geocoding.run() } }
        if let connectivity {
            let clock = context.clock
            run { [weak self] in
                await connectivity.run(clock: clock) { [weak self] change in await self?.handle(change) }
            }
        }
        outbox.files.wake()
        for channel in channels { outbox.wake(AppNetChannel.ID(channel)) }
    }

    /// Upgrades the indexes and derives rows again, in steps. Does not wait for other writers if nothing is to be done.
    private func upgrade(_ term: EngineLife.Term) async throws {
        let derivation = Rederivation(configuration: context.configuration, now: context.now)
        let isNeeded = try await context.read { database in
            (
                upgrade: try IndexUpgrade(database: database).isNeeded(),
                derivation: try derivation.isNeeded(in: database)
            )
        }
        while isNeeded.upgrade {
            let progress = try await context.write(term) { try IndexUpgrade(database: $0).step() }
            guard let progress else { break }
            context.events.send(.storeUpgrading(progress))
            try Task.checkCancellation()
        }
        while isNeeded.derivation, try await context.write(term, { try derivation.step(in: $0) }) {
            try Task.checkCancellation()
        }
    }

    /// Ends the background work and waits for it. Later writes throw ``MessageBeastError/Kind/stopped``.
    public func stop() async {
        context.life.stop()
        let running = tasks.values
        for task in running { task.cancel() }
        for task in running { await task.value }
        await outbox.stop()
        context.events.finish()
        context.observers.finish()
    }

    /// Ends the background work as ``stop()`` does, and closes the file. Later calls throw.
    ///
    /// An engine that is released without this call may leave the log of the database beside it: SQLite removes it with the
    /// last connection, if that one may write, and the connections of an engine are released in no certain order. What
    /// cannot be closed is closed by the end of the process, and loses nothing.
    package func close() async {
        await stop()
        try? context.database.access.close()
    }

    /// Removes everything from the store. Running requests write nothing afterwards.
    ///
    /// No word of a message remains in the file, in its log or in an index. While another process reads the file, the
    /// log cannot be emptied. It is emptied later, at the latest when the last process that may write closes the file. If the process
    /// ends during the call, call it again.
    ///
    /// - Throws: ``MessageBeastError``.
    public func wipe() async throws {
        context.life.renew()
        context.unreported.clear()
        try await outbox.wipe()
    }

    /// The events from now on. Each subscriber receives all events.
    nonisolated public var events: Events { context.events.events }

    /// The settings that decide what is derived from messages.
    nonisolated public var configuration: MessageManagerConfiguration { context.configuration }

    /// The user whose messages are stored.
    nonisolated public var account: AppNetUser.ID { context.account }

    /// Runs work that belongs to the engine rather than to a caller.
    private func run(_ work: @escaping @Sendable () async -> Void) {
        lastTask += 1
        let id = lastTask
        // Weak: background work does not keep an engine alive after its last owner released it.
        tasks[id] = Task { [weak self] in
            await work()
            await self?.removeTask(id)
        }
    }

    private func removeTask(_ id: Int) { tasks[id] = nil }

    private func handle(_ change: ConnectivityChange) async {
        switch change {
        case .reachable:
            try? await outbox.setReachable(true)
            for channel in news.resume() { runNewsFetch(of: channel) }
        case .unreachable: try? await outbox.setReachable(false)
        case .newMessages(let channel):
            if news.record(channel) { runNewsFetch(of: channel) }
        }
    }

    private func runNewsFetch(of channel: AppNetChannel.ID) {
        run { [weak self] in
            while let self, await self.takeNews(of: channel) {
                if await !self.fetchNews(of: channel) { await self.putBackNews(of: channel) }
            }
        }
    }

    private func takeNews(of channel: AppNetChannel.ID) -> Bool { !Task.isCancelled && news.take(channel) }

    private func putBackNews(of channel: AppNetChannel.ID) { news.putBack(channel) }

    /// Fetches the newest messages of a channel with a fetch that begins now.
    ///
    /// - Returns: Whether the fetch succeeded.
    private func fetchNews(of channel: AppNetChannel.ID) async -> Bool {
        // A running fetch may have read its last page before the news.
        while let running = newestFetches[channel], !Task.isCancelled { _ = try? await running.value() }
        guard case .fetched = try? await fetchNewest(in: channel) else { return false }
        return true
    }
}

// MARK: Fetching

extension MessageManager {
    /// Fetches everything newer than the stored messages, without gaps.
    ///
    /// A second call for a channel joins the first and returns the same result, unless either has a filter. Cancelling
    /// a caller does not end the fetch.
    ///
    /// - Parameters:
    ///   - channel: A channel that the engine has stored.
    ///   - filter: Excludes messages from being stored. Excluded messages are not fetched again. Default: `nil`, none.
    /// - Throws: `AppNetError` for a request that failed repeatedly, ``MessageBeastError``.
    public func fetchNewest(in channel: AppNetChannel.ID, excluding filter: MessageFilter? = nil) async throws
        -> FetchOutcome
    {
        _ = try context.life.term()
        if filter == nil, let running = newestFetches[channel] { return try await running.value() }
        let outcome = Signal<FetchOutcome>()
        if filter == nil { newestFetches[channel] = outcome }
        let (locks, fetch) = (locks, channelFetch(channel, filter))
        let actions = ActionReconciliation(context: context, channel: channel)
        run {
            let result: Result<FetchOutcome, any Error>
            do {
                result = .success(
                    try await locks.lock(for: channel).withLock {
                        let outcome = try await fetch.newest()
                        await actions.runIfDue(after: outcome)
                        return outcome
                    }
                )
            } catch {
                result = .failure(error)
            }
            if filter == nil { await self.endNewestFetch(in: channel) }
            outcome.settle(result)
        }
        return try await outcome.value()
    }

    private func channelFetch(_ channel: AppNetChannel.ID, _ filter: MessageFilter?) -> ChannelFetch {
        ChannelFetch(context: context, channel: channel, filter: filter) { [outbox] channel in
            _ = try await outbox.drain(channel, isExplicit: false)
        }
    }

    private func endNewestFetch(in channel: AppNetChannel.ID) { newestFetches[channel] = nil }

    /// Fetches the page below the oldest known message. Makes no request if the channel is complete.
    ///
    /// - Parameters:
    ///   - channel: A channel that the engine has stored.
    ///   - filter: Excludes messages from being stored. Excluded messages are not fetched again. Default: `nil`, none.
    /// - Throws: `AppNetError` for a request that failed repeatedly, ``MessageBeastError``, `CancellationError`.
    public func fetchMore(in channel: AppNetChannel.ID, excluding filter: MessageFilter? = nil) async throws
        -> FetchOutcome
    {
        let fetch = channelFetch(channel, filter)
        return try await locks.lock(for: channel).withLock { try await fetch.more() }
    }

    /// Returns the full sync of a channel, which continues an interrupted one.
    ///
    /// - Parameters:
    ///   - channel: A channel that the engine has stored.
    ///   - filter: Excludes messages from being stored. Excluded messages are not fetched again. Default: `nil`, none.
    nonisolated public func fullSync(of channel: AppNetChannel.ID, excluding filter: MessageFilter? = nil) -> FullSync {
        FullSync(manager: self, channel: channel, filter: filter)
    }

    func fullSyncPage(of sync: FullSync) async throws -> StoredPage? {
        let fetch = channelFetch(sync.channel, sync.filter)
        return try await locks.lock(for: sync.channel).withLock { try await fetch.fullSyncPage() }
    }

    nonisolated func report(_ progress: SyncProgress) {
        context.events.send(.syncProgress(progress))
        if progress.isComplete { context.events.send(.syncFinished(progress.channelID)) }
    }

    /// Fetches a message again. Unsent messages do not block this.
    ///
    /// An unsent message is returned from the store, without a request.
    ///
    /// - Parameters:
    ///   - id: The id of the message, which may be temporary.
    ///   - channel: The channel of the message.
    /// - Throws: `AppNetError` for a request that failed repeatedly, ``MessageBeastError``, including the kind
    ///   ``MessageBeastError/Kind/invalidArgument`` for a message that is stored in another channel; `CancellationError`.
    public func refresh(_ id: Message.ID, in channel: AppNetChannel.ID) async throws -> RefreshOutcome {
        try await MessageRefresh(context: context, channel: channel).refresh(id)
    }

    /// Fetches messages again, 200 with each request. Messages that the service does not return are
    /// unchanged. So are those that cannot be decoded or that were not requested, which the warning
    /// ``Event/Warning/unreadable(_:in:)`` reports. The others are stored. With more than 200 ids, messages that were stored
    /// before an error remain stored.
    ///
    /// - Parameters:
    ///   - ids: The ids of the messages, which may be temporary. Unsent messages are ignored.
    ///   - channel: The channel of the messages.
    /// - Returns: The stored form of the messages that the service returned, newest first.
    /// - Throws: `AppNetError` for a request that failed repeatedly, ``MessageBeastError``, `CancellationError`.
    public func refresh(_ ids: [Message.ID], in channel: AppNetChannel.ID) async throws -> [MessagePlus] {
        try await MessageRefresh(context: context, channel: channel).refresh(ids)
    }

    /// Compares the stored messages of a channel with the service, and removes messages that were deleted there.
    ///
    /// Use it daily and at the user's request, because a fetch does not report deletions. After an interruption it
    /// continues where it stopped.
    ///
    /// - Throws: `AppNetError` for a request that failed repeatedly, ``MessageBeastError``, `CancellationError`.
    public func reconcile(_ channel: AppNetChannel.ID) async throws -> ReconcileSummary {
        let reconciliation = Reconciliation(context: context, channel: channel)
        return try await locks.lock(for: channel).withLock { try await reconciliation.run() }
    }

    /// Removes old messages of a channel from this device. The service keeps them. Unsent messages are never removed.
    ///
    /// Later fetches do not load them again. Actions on removed messages remain. Messages that were removed before an error
    /// remain removed.
    ///
    /// - Returns: The number of removed messages.
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/invalidArgument`` for negative
    ///   limits and for action channels; `CancellationError`.
    @discardableResult
    public func apply(_ retention: MessageRetention, to channel: AppNetChannel.ID) async throws -> Int {
        try await Retention(context: context, channel: channel).apply(retention)
    }
}

extension MessageManager.Store {
    /// The same location by an absolute path without symbolic links.
    fileprivate var resolved: Self {
        switch self {
        case .file(let path): .file(FileFacts.resolvedPath(path))
        case .memory: .memory
        }
    }
}
