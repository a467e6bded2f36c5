internal import AppNet
internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// The reasons for which an engine sends nothing for a while, in any channel.
final class SendGate: Sendable {
    private struct State {
        var needsSignIn = false
        var isUnreachable = false
        /// The uptime before which nothing is sent.
        var opening = Duration.zero
        /// The numbers of failures in a row to look for messages on the service, by their local ids.
        var failedSearches: [Int64: Int] = [:]
    }

    private let state = Guarded(State())

    /// Whether everything waits until the user has signed in again.
    var needsSignIn: Bool { state.withLock { $0.needsSignIn } }

    /// Stops sending until ``reset()``.
    ///
    /// - Returns: Whether it was not stopped before.
    func waitForSignIn() -> Bool {
        state.withLock { state in
            defer { state.needsSignIn = true }
            return !state.needsSignIn
        }
    }

    /// Lets everything be sent again that waited for a sign-in.
    ///
    /// - Returns: Whether it was stopped. The loops of the channels have ended then.
    func reset() -> Bool {
        state.withLock { state in
            defer { state.needsSignIn = false }
            return state.needsSignIn
        }
    }

    /// Whether nothing is sent by itself, because the service cannot be reached.
    var isUnreachable: Bool {
        get { state.withLock { $0.isUnreachable } }
        set { state.withLock { $0.isUnreachable = newValue } }
    }

    /// Notes that a message could not be looked for.
    ///
    /// - Returns: The number of failures in a row.
    func noteFailedSearch(for localID: Int64) -> Int {
        state.withLock { state in
            let count = state.failedSearches[localID, default: 0] + 1
            state.failedSearches[localID] = count
            return count
        }
    }

    /// Notes that a message was looked for.
    func noteSearch(for localID: Int64) { state.withLock { $0.failedSearches[localID] = nil } }

    /// Sends nothing for some time.
    func close(for delay: Duration, clock: any HeliumClock) {
        let opening = clock.uptime + delay
        state.withLock { $0.opening = max($0.opening, opening) }
    }

    /// The time for which nothing is sent; `nil` if something may be sent now.
    func delay(clock: any HeliumClock) -> Duration? {
        let delay = state.withLock { $0.opening } - clock.uptime
        return delay > .zero ? delay : nil
    }

    /// Notes what a response says about the number of calls that are left.
    func note(_ limit: RateLimit?, clock: any HeliumClock) {
        if let limit, limit.remaining == 0, let reset = limit.reset { close(for: reset, clock: clock) }
    }
}
