internal import GRDB
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumDatabase
internal import Synchronization

/// The observers of an engine's database, and the task that checks for changes of other processes while there are
/// observers (Docs/Protocols/MessageBeast.md §8.3).
final class ObserverList: Sendable {
    /// The time between two checks for changes of other processes.
    private static let interval = Duration.milliseconds(500)

    private struct State {
        var observers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastID = 0
        var isFinished = false
        /// The version of the database at the last check; `nil` before the first one.
        var version: Int64?
        var poller: Task<Void, Never>?
    }

    private let state = Guarded(State())

    /// The number of observers.
    var count: Int { state.withLock { $0.observers.count } }

    /// Whether the task that checks for changes of other processes runs.
    var isPolling: Bool { state.withLock { $0.poller != nil } }

    /// Adds an observer of tables.
    ///
    /// - Returns: The changes from now on; `nil` after ``finish()``.
    func add(_ tables: [String], of access: DatabaseAccess, clock: any HeliumClock) async throws -> ObservedChanges? {
        // Changes that were not consumed yet are combined into one.
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.lastID += 1
            state.observers[state.lastID] = continuation
            return state.lastID
        }
        guard let id else { return nil }
        let changes = ObservedChanges(list: self, id: id, stream: stream)
        changes.hold(try await access.observe(tables) { continuation.yield() })
        if access.isShared { try await beginPolling(access, clock) }
        return changes
    }

    func remove(_ id: Int) {
        let (continuation, poller) = state.withLock { state in
            let continuation = state.observers.removeValue(forKey: id)
            guard state.observers.isEmpty else { return (continuation, nil as Task<Void, Never>?) }
            return (continuation, state.poller.take())
        }
        continuation?.finish()
        poller?.cancel()
    }

    /// Ends all observations, including later ones.
    func finish() {
        let (continuations, poller) = state.withLock { state in
            state.isFinished = true
            defer { state.observers = [:] }
            return (Self.sorted(state.observers), state.poller.take())
        }
        for continuation in continuations { continuation.finish() }
        poller?.cancel()
    }

    // MARK: Other processes

    /// Notifies all observers if another process has written since the last check.
    func look(at access: DatabaseAccess) async throws {
        let version = try await access.dataVersion()
        let continuations = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            guard state.version != version, !state.observers.isEmpty else { return [] }
            state.version = version
            return Self.sorted(state.observers)
        }
        for continuation in continuations { continuation.yield() }
    }

    private func beginPolling(_ access: DatabaseAccess, _ clock: any HeliumClock) async throws {
        guard !isPolling else { return }
        // This runs before the observer reads for the first time, so that no later write is missed.
        let version = try await access.dataVersion()
        state.withLock { state in
            guard state.poller == nil, !state.isFinished, !state.observers.isEmpty else { return }
            state.version = version
            state.poller = Task { [weak self] in
                // Weak: the task does not keep the list of a released engine alive.
                while (try? await clock.sleep(for: Self.interval)) != nil, let self {
                    // A failed check is repeated.
                    try? await self.look(at: access)
                }
            }
        }
    }

    private static func sorted(
        _ observers: [Int: AsyncStream<Void>.Continuation]
    ) -> [AsyncStream<Void>.Continuation] {
        observers.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// The changes that one observer waits for. Releasing this removes the observer from the list.
final class ObservedChanges: Sendable {
    let stream: AsyncStream<Void>
    private let list: ObserverList
    private let id: Int
    private let observation = Guarded<AnyDatabaseCancellable?>(nil)

    init(list: ObserverList, id: Int, stream: AsyncStream<Void>) {
        self.list = list
        self.id = id
        self.stream = stream
    }

    deinit { list.remove(id) }

    /// Keeps the database observation alive as long as this instance.
    func hold(_ observation: AnyDatabaseCancellable) { self.observation.withLock { $0 = observation } }
}
