internal import AppNet
internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// The reasons why an engine currently sends nothing, in any channel.
final class SendGate: Sendable {
    private struct State {
        var needsSignIn = false
        var isUnreachable = false
        /// The uptime before which nothing is sent.
        var opening = Duration.zero
        /// The numbers of consecutive failed searches for messages on the service, by local id.
        var failedSearches: [Int64: Int] = [:]
    }

    private let state = Guarded(State())

    /// Whether all sending waits until the user has signed in again.
    var needsSignIn: Bool { state.withLock { $0.needsSignIn } }

    /// Stops sending until ``reset()``.
    ///
    /// - Returns: Whether sending was allowed before.
    func waitForSignIn() -> Bool {
        state.withLock { state in
            defer { state.needsSignIn = true }
            return !state.needsSignIn
        }
    }

    /// Resumes everything that waited for a sign-in.
    ///
    /// - Returns: Whether sending was stopped. The loops of the channels have ended in that case.
    func reset() -> Bool {
        state.withLock { state in
            defer { state.needsSignIn = false }
            return state.needsSignIn
        }
    }

    /// Whether automatic sending is suspended because the service cannot be reached.
    var isUnreachable: Bool {
        get { state.withLock { $0.isUnreachable } }
        set { state.withLock { $0.isUnreachable = newValue } }
    }

    /// Records a failed search for a message.
    ///
    /// - Returns: The number of consecutive failures.
    func noteFailedSearch(for localID: Int64) -> Int {
        state.withLock { state in
            let count = state.failedSearches[localID, default: 0] + 1
            state.failedSearches[localID] = count
            return count
        }
    }

    /// Records a successful search for a message.
    func noteSearch(for localID: Int64) { state.withLock { $0.failedSearches[localID] = nil } }

    /// Suspends sending for a time.
    func close(for delay: Duration, clock: any HeliumClock) {
        let opening = clock.uptime + delay
        state.withLock { $0.opening = max($0.opening, opening) }
    }

    /// Returns the time until sending is allowed; `nil` if it is allowed now.
    func delay(clock: any HeliumClock) -> Duration? {
        let delay = state.withLock { $0.opening } - clock.uptime
        return delay > .zero ? delay : nil
    }

    /// Records the number of remaining calls that a response reports.
    func note(_ limit: RateLimit?, clock: any HeliumClock) {
        if let limit, limit.remaining == 0, let reset = limit.reset { close(for: reset, clock: clock) }
    }
}
