internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// The updater of a model, from the first call of `subscribe` until the subscription ends. It opens the subscription
/// and reads it. All callers of `subscribe` share it. Releasing it ends the subscription.
final class ModelUpdater: Sendable {
    private struct State: Sendable {
        var opening: Task<Void, any Error>?
        var reading: Task<Void, Never>?
        var close: (@Sendable () async -> Void)?
        /// The read that ``perform(_:)`` waits for.
        var checking: Task<Void, Never>?
        /// Whether the document was read for an update in doubt, and no other update has arrived since.
        var isInDoubt = false
        /// Whether an update that was not applied followed a gap.
        var hasGap = false
        /// The check of the last update in doubt that was neither applied nor read for.
        var check: Check?
        /// The task that performs ``check`` after a delay.
        var lateChecks: Task<Void, Never>?
        var isEnded = false
        /// The number of callers that wait for the confirmation.
        var waiting = 0
        /// Whether a caller has returned with the confirmation and relies on it.
        var isWanted = false
    }

    /// Reads the current document and applies it.
    typealias Check = @Sendable () async -> Void

    private let state = Guarded(State())

    deinit {
        let state = state.withLock(\.self)
        state.opening?.cancel()
        state.reading?.cancel()
        state.checking?.cancel()
        state.lateChecks?.cancel()
    }

    /// Whether the subscription is confirmed and has not ended.
    var isConfirmed: Bool { state.withLock { $0.reading != nil && !$0.isEnded } }

    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Starts to open the subscription.
    ///
    /// - Parameter open: Returns once the server has confirmed the subscription.
    func begin(_ open: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.opening = Task { try await open() } }
    }

    /// The number of callers that wait for the confirmation.
    var waiterCount: Int { state.withLock { $0.waiting } }

    /// Adds a caller that waits for the confirmation.
    ///
    /// It is called under the model's lock, as ``leave(isSatisfied:)`` is, so that no caller joins an updater that is
    /// about to end.
    func join() { state.withLock { $0.waiting += 1 } }

    /// Removes a caller that waited.
    ///
    /// - Parameter isSatisfied: Whether the server has confirmed the subscription.
    /// - Returns: Whether no caller needs the subscription any more.
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

    /// Notes the confirmation and starts to read.
    ///
    /// - Parameters:
    ///   - close: Ends the subscription and returns once the server has confirmed this.
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

    /// Performs a read that the end of the subscription cancels.
    ///
    /// - Returns: The result, `nil` if the read failed, and whether the subscription has ended.
    func perform<Value: Sendable>(
        _ read: @escaping @Sendable () async throws -> Value
    ) async -> (value: Value?, isEnded: Bool) {
        let result = Signal<Value?>()
        let isBegun = state.withLock { state in
            if state.isEnded { return false }
            state.checking = Task { result.settle(.success(try? await read())) }
            return true
        }
        guard isBegun else { return (nil, true) }
        let value = try? await result.valueIgnoringCancellation()
        let isEnded = state.withLock { state in
            state.checking = nil
            return state.isEnded
        }
        return (isEnded ? nil : value ?? nil, isEnded)
    }

    /// Notes that the subscription has ended on its own.
    ///
    /// - Returns: Whether it had not ended before.
    func end() -> Bool {
        let (wasEnded, checking, lateChecks) = state.withLock { state in
            defer { (state.isEnded, state.check) = (true, nil) }
            return (state.isEnded, state.checking, state.lateChecks)
        }
        checking?.cancel()
        lateChecks?.cancel()
        return !wasEnded
    }

    /// Ends the subscription and returns once no update can arrive any more.
    ///
    /// - Returns: Whether it had not ended before.
    func close() async -> Bool {
        guard end() else { return false }
        let (opening, reading, close) = state.withLock { ($0.opening, $0.reading, $0.close) }
        opening?.cancel()
        _ = await opening?.result
        await close?()
        await reading?.value
        await state.withLock { $0.lateChecks }?.value
        return true
    }
}

// MARK: Updates in doubt

extension ModelUpdater {
    /// Notes an update that may be older than what is known.
    ///
    /// - Returns: Whether the document is to be read for it. For further ones see ``check(after:on:_:)``.
    func beginDoubt() -> Bool {
        state.withLock { state in
            defer { state.isInDoubt = true }
            return !state.isInDoubt
        }
    }

    /// Notes an update that is newer than those in doubt, which need no check any more.
    func endDoubt() { state.withLock { ($0.isInDoubt, $0.check) = (false, nil) } }

    /// Performs a check after a delay, unless an update that is not in doubt or another check comes first.
    func check(after delay: Duration, on clock: any HeliumClock, _ check: @escaping Check) {
        state.withLock { state in
            if state.isEnded { return }
            state.check = check
            guard state.lateChecks == nil else { return }
            state.lateChecks = Task { [weak self] in
                while true {
                    do { try await clock.sleep(for: delay) } catch { return }
                    guard let check = self?.nextCheck() else { return }
                    await check()
                }
            }
        }
    }

    private func nextCheck() -> Check? {
        state.withLock { state in
            if state.check == nil { state.lateChecks = nil }
            return state.check.take()
        }
    }

    /// Notes that an update with a gap before it is not applied.
    func noteGap() { state.withLock { $0.hasGap = true } }

    /// - Returns: Whether a gap was noted since the last call.
    func takeGap() -> Bool {
        state.withLock { state in
            defer { state.hasGap = false }
            return state.hasGap
        }
    }
}
