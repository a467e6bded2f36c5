internal import AppNet
internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// The reasons why an engine currently sends nothing, in any channel.
final class SendGate: Sendable {
    private struct State {
        var needsSignIn = false
        var isUnreachable = false
        var openings = 0
        /// The uptime before which nothing is sent.
        var opening = Duration.zero
        /// The numbers of consecutive failures.
        var failures: [RepeatedRequest: Int] = [:]
    }

    /// A request that is repeated with growing delays, and whose failures are not attempts of a message or of a file.
    enum RepeatedRequest: Hashable, Sendable {
        /// The search for a message on the service, by local id.
        case search(Int64, in: AppNetChannel.ID)
        /// The request that creates a message, while it does not leave the machine.
        case message(Int64, in: AppNetChannel.ID)
        /// A request for a pending file, while it does not leave the machine.
        case file(String)
        /// The request that deletes a message, by its id on the service.
        case deletion(String, in: AppNetChannel.ID)
        /// The request that deletes a file.
        case fileDeletion(File.ID)

        fileprivate func belongs(to channel: AppNetChannel.ID, or files: Set<String>) -> Bool {
            switch self {
            case .search(_, let other), .message(_, let other), .deletion(_, let other): other == channel
            case .file(let file): files.contains(file)
            case .fileDeletion: false
            }
        }
    }

    private let state = Guarded(State())

    /// Whether all sending waits until the user has signed in again.
    var needsSignIn: Bool { state.withLock { $0.needsSignIn } }

    /// Whether all sending waits for an event: a sign-in, or the network.
    var isShut: Bool { state.withLock { $0.needsSignIn || $0.isUnreachable } }

    /// The number of times that an event has opened the gate. A pass that began before the last one may have found it
    /// shut.
    var openings: Int { state.withLock { $0.openings } }

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
    /// - Returns: Whether sending was stopped. The loops of the channels wait in that case.
    func reset() -> Bool {
        state.withLock { state in
            guard state.needsSignIn else { return false }
            state.needsSignIn = false
            state.openings += 1
            return true
        }
    }

    /// Whether automatic sending is suspended because the service cannot be reached.
    var isUnreachable: Bool {
        get { state.withLock { $0.isUnreachable } }
        set {
            state.withLock { state in
                if state.isUnreachable, !newValue { state.openings += 1 }
                state.isUnreachable = newValue
            }
        }
    }

    /// Records a failure of a request.
    ///
    /// - Returns: The number of consecutive failures.
    func noteFailure(of request: RepeatedRequest) -> Int {
        state.withLock { state in
            let count = state.failures[request, default: 0] + 1
            state.failures[request] = count
            return count
        }
    }

    /// Resets the count of failures of a request.
    func forgetFailures(of request: RepeatedRequest) { state.withLock { $0.failures[request] = nil } }

    /// Resets the counts of failures of a channel and of files, because the user asks for another attempt.
    func forgetFailures(in channel: AppNetChannel.ID, files: [String]) {
        let files = Set(files)
        state.withLock { state in
            state.failures = state.failures.filter { !$0.key.belongs(to: channel, or: files) }
        }
    }

    /// Resets all counts of failures, because the service can be reached again.
    func forgetFailures() { state.withLock { $0.failures = [:] } }

    /// Suspends sending for a time, at most a day (``SendingPause/maximum``).
    func close(for delay: Duration, clock: any HeliumClock) {
        let opening = clock.uptime + min(delay, SendingPause.maximum)
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
