public import AppNet
internal import HeliumConcurrency

/// Finds or creates the channels of an app and synchronizes them in order: the target before the actions on its
/// messages.
///
/// ```swift
/// let sync = ChannelSyncManager(
///     manager: manager,
///     specs: TargetWithActionChannelsSpecSet(
///         target: ChannelSpec(type: "net.app.ohai.journal"),
///         actionTypes: ["com.example.favorite"]
///     )
/// )
/// try await sync.initializeChannels()
/// try await sync.runFullSync()
/// let results = try await sync.fetchNewest()
/// ```
public actor ChannelSyncManager {
    /// The engine.
    public nonisolated let manager: MessageManager

    private enum Specs {
        case plain(ChannelSpecSet)
        case target(TargetWithActionChannelsSpecSet)
    }

    private let specs: Specs
    /// The channels, in the order of the specs. After an interrupted initialization, these are the channels found so
    /// far.
    public private(set) var channels: [StoredChannel] = []
    private let initialization = AsyncLock()

    /// Creates a manager for several channels.
    public init(manager: MessageManager, specs: ChannelSpecSet) {
        self.manager = manager
        self.specs = .plain(specs)
        for spec in specs.specs { Self.set(spec, of: manager) }
    }

    /// Creates a manager for a channel and the actions on its messages.
    public init(manager: MessageManager, specs: TargetWithActionChannelsSpecSet) {
        self.manager = manager
        self.specs = .target(specs)
        Self.set(specs.target, of: manager)
    }

    /// Makes the filter of a channel known before its first message can arrive.
    private static func set(_ spec: ChannelSpec, of manager: MessageManager) {
        if let filter = spec.filter { manager.context.filters.set(filter, ofType: spec.type) }
    }
}

// MARK: Channels

extension ChannelSyncManager {
    /// The channel of the messages that the actions are on; `nil` for plain channels and before initialization.
    public var targetChannel: StoredChannel? {
        guard case .target = specs else { return nil }
        return channels.first
    }

    /// The initialized action channels, by action type.
    public var actionChannels: [String: StoredChannel] {
        var found: [String: StoredChannel] = [:]
        for channel in channels {
            if case .actions(let type, _) = channel.role { found[type] = channel }
        }
        return found
    }

    /// Finds or creates all channels, one after another. Initialized channels make no request.
    ///
    /// - Throws: ``ChannelInitializationError`` with the first channel that failed, `CancellationError`.
    public func initializeChannels() async throws {
        try await initialization.lock()
        defer { initialization.unlock() }
        switch specs {
        case .plain(let set):
            for (index, spec) in set.specs.enumerated() { _ = try await initialize(spec, at: index) }
        case .target(let set):
            let target = try await initialize(set.target, at: 0)
            for (index, type) in set.actionTypes.enumerated() {
                let channel = try await naming(actions: type) { [manager] in
                    try await manager.actionChannel(ofType: type, target: target)
                }
                keep(channel, at: index + 1)
            }
        }
        manager.context.events.send(.channelsInitialized(channels.map(\.id)))
    }

    /// Keeps a channel in the place of the one that was found for the same spec before. Others remain usable meanwhile.
    private func keep(_ channel: StoredChannel, at index: Int) {
        if index < channels.count {
            channels[index] = channel
        } else {
            channels.append(channel)
        }
    }

    private func initialize(_ spec: ChannelSpec, at index: Int) async throws -> AppNetChannel.ID {
        let channel = try await naming(type: spec.type) { [manager] in
            try await manager.privateChannel(ofType: spec.type, parameters: spec.parameters)
        }
        keep(channel, at: index)
        return channel.id
    }

    private func naming(
        type: String = MessageBeastNames.actionChannelType,
        actions: String? = nil,
        _ body: @Sendable () async throws -> StoredChannel
    ) async throws -> StoredChannel {
        do {
            return try await body()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw ChannelInitializationError(channelType: type, actionType: actions, underlying: error)
        }
    }
}

/// The error thrown when a channel could be neither found nor created.
public struct ChannelInitializationError: Error, Sendable, CustomStringConvertible {
    /// The type of the channel.
    public let channelType: String

    /// The type of the actions; `nil` for other channels.
    public let actionType: String?

    /// The reason: an `AppNetError` or a ``MessageBeastError``.
    public let underlying: any Error

    /// The channel and the reason.
    public var description: String {
        "the channel of type \(channelType)\(actionType.map { " for \($0)" } ?? "") cannot be initialized: \(underlying)"
    }
}

// MARK: Synchronizing

extension ChannelSyncManager {
    /// Returns the combined state of the channels.
    ///
    /// - Throws: ``MessageBeastError``.
    public func fullSyncState() async throws -> FullSyncState {
        try await manager.fullSyncState(of: channels.map(\.id))
    }

    /// Runs the full sync of all channels that are not complete, in order. Stops at the first channel that fails.
    ///
    /// - Throws: `AppNetError` for a request that failed repeatedly, ``MessageBeastError``, `CancellationError`.
    public func runFullSync() async throws {
        for channel in channels { try await manager.fullSync(of: channel.id).run() }
    }

    /// Runs the full sync if it is due.
    ///
    /// - Parameters:
    ///   - resumes: Whether an interrupted full sync is continued. Default: `true`.
    ///   - willRun: Called before the full sync begins or continues, with the state, for example to show its progress. Not
    ///     called if no request is made. Default: `nil`.
    /// - Returns: The state before the call. If it is ``FullSyncState/started`` and `resumes` is `false`, no request
    ///   was made.
    /// - Throws: `AppNetError` for a request that failed repeatedly, ``MessageBeastError``, `CancellationError`.
    @discardableResult
    public func checkFullSync(
        resumes: Bool = true,
        willRun: (@Sendable (FullSyncState) async -> Void)? = nil
    ) async throws -> FullSyncState {
        let state = try await fullSyncState()
        if state == .notStarted || (state == .started && resumes) {
            await willRun?(state)
            try await runFullSync()
        }
        return state
    }

    /// Fetches the newest messages of all channels, in order. A channel that fails or is blocked does not stop the
    /// others.
    ///
    /// - Throws: `CancellationError`.
    public func fetchNewest() async throws -> ChannelRefreshResultSet {
        var results: [ChannelRefreshResult] = []
        for channel in channels {
            let result: Result<FetchOutcome, any Error>
            do {
                result = .success(try await manager.fetchNewest(in: channel.id))
            } catch {
                try Task.checkCancellation()
                result = .failure(error)
            }
            results.append(ChannelRefreshResult(channel: channel, result: result))
        }
        return ChannelRefreshResultSet(results: results)
    }
}

/// The result of a fetch of one of several channels.
public struct ChannelRefreshResult: Sendable {
    /// The channel.
    public let channel: StoredChannel

    /// The outcome, or the error of the fetch.
    public let result: Result<FetchOutcome, any Error>

    /// The changes; `nil` if the fetch was blocked or failed.
    public var summary: FetchSummary? {
        if case .success(.fetched(let summary)) = result { summary } else { nil }
    }

    /// The work that blocks the channel; `nil` if the channel is not blocked.
    public var blockingWork: BlockingWork? {
        if case .success(.blocked(let work)) = result { work } else { nil }
    }

    /// The error; `nil` if the fetch did not fail.
    public var error: (any Error)? {
        if case .failure(let error) = result { error } else { nil }
    }
}

/// The results of a fetch of several channels, in their order.
public struct ChannelRefreshResultSet: Sendable {
    /// The results.
    public let results: [ChannelRefreshResult]

    /// Returns the result of a channel; `nil` if the channel is not in the set.
    public subscript(channel: AppNetChannel.ID) -> ChannelRefreshResult? { results.first { $0.channel.id == channel } }
}
