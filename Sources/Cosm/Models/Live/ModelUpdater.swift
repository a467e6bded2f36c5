internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// Keeps a model up to date from the first call of `subscribe` until the subscription ends: it opens the subscription and
/// reads it. Callers of `subscribe` share it. Releasing it ends it.
final class ModelUpdater: Sendable {
    private struct State: Sendable {
        var opening: Task<Void, any Error>?
        var reading: Task<Void, Never>?
        var close: (@Sendable () async -> Void)?
        var isEnded = false
        /// The number of callers that wait for the confirmation.
        var waiting = 0
        /// Whether a caller has returned with the confirmation, and relies on it.
        var isWanted = false
    }

    private let state = Guarded(State())

    deinit {
        state.withLock { state in
            state.opening?.cancel()
            state.reading?.cancel()
        }
    }

    /// Whether the server has confirmed the subscription, and it has not ended.
    var isConfirmed: Bool { state.withLock { $0.reading != nil && !$0.isEnded } }

    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Starts to open the subscription.
    ///
    /// - Parameter open: Returns when the server has confirmed.
    func begin(_ open: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.opening = Task { try await open() } }
    }

    /// The number of callers that wait for the confirmation.
    var waiterCount: Int { state.withLock { $0.waiting } }

    /// Adds a caller that waits for the confirmation.
    ///
    /// Called under the model's lock, as ``leave(isSatisfied:)`` is: no caller joins an updater that another is about to end.
    func join() { state.withLock { $0.waiting += 1 } }

    /// Removes a caller that waited.
    ///
    /// - Parameter isSatisfied: Whether the server has confirmed.
    /// - Returns: Whether no caller wants the subscription any more.
    func leave(isSatisfied: Bool) -> Bool {
        state.withLock { state in
            state.waiting -= 1
            if isSatisfied { state.isWanted = true }
            return state.waiting == 0 && !state.isWanted
        }
    }

    /// Waits for the server's confirmation, unless the calling task is cancelled.
    func confirmation() async throws {
        guard let opening = state.withLock({ $0.opening }) else { return }
        try await Deadline(after: nil, clock: SystemClock()).race { try await opening.value }
    }

    /// Notes the confirmation, and starts to read.
    ///
    /// - Parameters:
    ///   - close: Ends the subscription, and returns when the server has confirmed that.
    ///   - read: Reads the updates until they end.
    /// - Returns: Whether the updater has not ended.
    func confirm(
        close: @escaping @Sendable () async -> Void,
        read: @escaping @Sendable () async -> Void
    ) -> Bool {
        state.withLock { state in
            if state.isEnded { return false }
            state.close = close
            state.reading = Task { await read() }
            return true
        }
    }

    /// Notes that the subscription has ended by itself.
    ///
    /// - Returns: Whether it had not ended before.
    func end() -> Bool {
        state.withLock { state in
            defer { state.isEnded = true }
            return !state.isEnded
        }
    }

    /// Ends the subscription, and returns when no update can arrive any more.
    ///
    /// - Returns: Whether it had not ended before.
    func close() async -> Bool {
        guard end() else { return false }
        let (opening, reading, close) = state.withLock { ($0.opening, $0.reading, $0.close) }
        opening?.cancel()
        _ = await opening?.result
        await close?()
        await reading?.value
        return true
    }
}
