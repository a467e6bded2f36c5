internal import HeliumCore
internal import Synchronization

/// The entry of a device in its token store.
///
/// Its operations run one after the other, each in a task of its own, so that cancelling a caller neither interrupts
/// nor reorders them. Reading waits for all earlier changes.
final class DeviceEntry: Sendable {
    /// A change of the entry. Its value is the error of the store.
    typealias Change = Task<HeliumError?, Never>

    /// The state of a registration that is saved.
    struct Current {
        var registration: DeviceRegistration
        /// Tokens that the store may still contain and that are replaced.
        var formerTokens: [String]
    }

    /// A save that has not run yet.
    private final class Save: Sendable {
        let isNew: Atomic<Bool>

        init(isNew: Bool) { self.isNew = Atomic(isNew) }
    }

    private struct Queue {
        var last: Change?
        /// The save that is ``last``, until it runs. It will still save the current registration.
        var waitingSave: Save?
    }

    private let store: any TokenStore
    private let key: TokenStoreKey
    private let summary: RequestSummary
    private let queue = Guarded(Queue())

    init(store: any TokenStore, key: TokenStoreKey, summary: RequestSummary) {
        self.store = store
        self.key = key
        self.summary = summary
    }

    /// Whether a token may only be used once it is saved.
    var isRequired: Bool { store.failurePolicy == .fail }
}

// MARK: Reading

extension DeviceEntry {
    /// Returns the stored registration. With ``StoreFailurePolicy/startAfresh``, a store that cannot be read counts as
    /// empty.
    ///
    /// - Throws: ``HeliumError``; `CancellationError` if the calling task is cancelled, because an interrupted read says
    ///   nothing about the store.
    func load() async throws -> DeviceRegistration? {
        _ = await queue.withLock { $0.last }?.value
        do {
            return try await store.load(key)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            if !isRequired, !(error is CancellationError) { return nil }
            throw failure(error)
        }
    }

    /// Throws before the server issues a token that could not be saved, unless the store's policy is to continue.
    func checkWritable() async throws {
        guard isRequired else { return }
        do { try await store.checkWritable() } catch {
            if Task.isCancelled { throw CancellationError() }
            throw failure(error)
        }
    }
}

// MARK: Changing

extension DeviceEntry {
    /// Saves the registration that `current` returns when the save runs. A save that has not run yet serves all callers
    /// in the meantime.
    ///
    /// - Parameter isNew: Whether the token was issued to this process and replaces any other one. A changed clock offset
    ///   or description of an older token is not saved over the token of another process.
    @discardableResult
    func save(isNew: Bool, _ current: @escaping @Sendable () -> Current?) -> Change {
        queue.withLock { queue in
            if let waiting = queue.waitingSave, let last = queue.last {
                if isNew { waiting.isNew.store(true, ordering: .relaxed) }
                return last
            }
            let save = Save(isNew: isNew)
            let change = append(to: &queue) { [self] in
                self.queue.withLock { queue in if queue.waitingSave === save { queue.waitingSave = nil } }
                let token = try await save.isNew.load(ordering: .relaxed) ? nil : storedToken()
                guard let current = current() else { return }
                if let token, token != current.registration.token, !current.formerTokens.contains(token) { return }
                try await store.save(current.registration, for: key)
            }
            queue.waitingSave = save
            return change
        }
    }

    private func storedToken() async throws -> String? {
        do {
            return try await store.load(key)?.token
        } catch {
            if isRequired { throw error }
            return nil
        }
    }

    /// Deletes a rejected token if it is still the stored one.
    func clear(_ token: String) -> Change {
        queue.withLock { queue in
            append(to: &queue) { [self] in _ = try await store.clear(token: token, for: key) }
        }
    }

    /// Deletes the entry.
    func remove() -> Change {
        queue.withLock { queue in
            append(to: &queue) { [self] in try await store.remove(key) }
        }
    }

    private func append(to queue: inout Queue, _ work: @escaping @Sendable () async throws -> Void) -> Change {
        let previous = queue.last
        let change = Change { [self] in
            _ = await previous?.value
            do {
                try await work()
                return nil
            } catch {
                return failure(error)
            }
        }
        queue.last = change
        // A later save must run after this change.
        queue.waitingSave = nil
        return change
    }

    private func failure(_ error: any Error) -> HeliumError {
        HeliumError(
            .tokenStoreFailed,
            request: summary,
            delivery: .notSent,
            // The error of a custom store may contain secrets, so only its type is named.
            message: "the token store failed: \((error as? TokenStoreError)?.description ?? "\(type(of: error))")",
            underlying: error
        )
    }
}
