import HeliumCore
import HeliumKit
import Synchronization

/// A token store in memory whose operations a test can hold back and let fail.
final class StagedStore: TokenStore {
    struct Full: Error {}

    /// An operation on the store.
    enum Operation: Hashable, Sendable { case load, save, clear, remove }

    let failurePolicy: StoreFailurePolicy
    /// The operations that fail.
    let failing = Guarded<Set<Operation>>([])
    /// The tokens that were saved so far.
    let saved = Guarded<Set<String>>([])
    let memory: MemoryTokenStore
    private let before: @Sendable (Operation) async throws -> Void
    private let loaded: @Sendable (String?) -> Void
    private let checking: @Sendable () async -> Void

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - before: Called before each operation.
    ///   - loaded: Receives the token that was read, and `nil` also for a failed read of a store that starts afresh.
    ///   - checking: Called while the store is checked before a registration.
    init(
        failurePolicy: StoreFailurePolicy = .fail,
        memory: MemoryTokenStore = MemoryTokenStore(),
        before: @escaping @Sendable (Operation) async throws -> Void = { _ in },
        loaded: @escaping @Sendable (String?) -> Void = { _ in },
        checking: @escaping @Sendable () async -> Void = {}
    ) {
        self.loaded = loaded
        self.checking = checking
        self.failurePolicy = failurePolicy
        self.memory = memory
        self.before = before
    }

    private func begin(_ operation: Operation) async throws {
        try await before(operation)
        if failing.withLock({ $0.contains(operation) }) { throw Full() }
    }

    func load(_ key: TokenStoreKey) async throws -> DeviceRegistration? {
        do {
            try await begin(.load)
        } catch let error as Full {
            if failurePolicy == .startAfresh { loaded(nil) }
            throw error
        }
        let registration = await memory.load(key)
        loaded(registration?.token)
        return registration
    }

    func checkWritable() async throws { await checking() }

    func save(_ registration: DeviceRegistration, for key: TokenStoreKey) async throws {
        try await begin(.save)
        // Before another client can read it.
        if let token = registration.token { saved.withLock { _ = $0.insert(token) } }
        await memory.save(registration, for: key)
    }

    func clear(token: String, for key: TokenStoreKey) async throws -> Bool {
        try await begin(.clear)
        return await memory.clear(token: token, for: key)
    }

    func remove(_ key: TokenStoreKey) async throws {
        try await begin(.remove)
        await memory.remove(key)
    }
}

extension StagedStore {
    /// Creates a store whose saves wait until a test lets them pass.
    ///
    /// - Returns: The store, the saves that have begun, and the function that lets all saves pass.
    static func holdingSaves() -> (store: StagedStore, saves: AsyncStream<Void>, letSavesPass: @Sendable () -> Void) {
        let (saves, begin) = AsyncStream<Void>.makeStream()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let store = StagedStore { operation in
            guard operation == .save else { return }
            begin.yield()
            for await _ in gate { break }
        }
        return (store, saves, { open.finish() })
    }
}
