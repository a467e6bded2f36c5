import Foundation
import HTTPTypes
import HeliumTesting
import Synchronization
import TestSupport

@testable import HeliumCore

/// A service and its authorization server in memory, which note what the clients must not do.
final class SimulatedTokens: Sendable {
    struct State {
        var random: SeededRandom
        var isFaulty = true
        /// The delay in seconds that the next refresh requests instead of a random outcome.
        var nextDelay: Int?
        /// The number of the valid tokens, which begin with it.
        var valid = 0
        var issued = 0
        var refreshes = 0
        /// The refreshes in progress, without cancelled ones, and the number of endings at their beginning.
        var running: [Int: Int] = [:]
        /// The tokens of refreshes that were cancelled before they returned.
        var late: Set<String> = []
        var clients = 0
        /// The number of beginnings and ends of updates and closings, which end a refresh, and of those in progress.
        var endings = 0
        var ending = 0
        /// The uptime before which no refresh is allowed, and the number of endings then.
        var notBefore: (uptime: Duration, endings: Int)?
        /// The number of endings at the time of a permanent failure.
        var deniedAt: Int?
        var faults: [String] = []
    }

    let clock = TestClock()
    let state: Guarded<State>

    init(seed: UInt64) { state = Guarded(State(random: SeededRandom(seed: seed))) }

    // MARK: Endings

    /// Notes that an update or a closing begins, and returns a valid token.
    func beginEnding() -> String {
        state.withLock { state in
            state.endings += 1
            state.ending += 1
            return state.token()
        }
    }

    func endEnding() {
        state.withLock { state in
            state.endings += 1
            state.ending -= 1
        }
    }

    // MARK: The service

    func answer(_ request: TransportRequest) async -> TransportResponse {
        let yields = state.withLock { $0.random.below(12) }
        for _ in 0..<yields { await Task.yield() }
        let token = String((request.fields[.authorization] ?? "").dropFirst("Bearer ".count))
        return state.withLock { state in
            if state.late.contains(token) { state.faults.append("the token of a refresh that was ended is used") }
            return token.hasPrefix("\(state.valid).") ? .json("{}") : .empty(status: 401)
        }
    }

    // MARK: The authorization server

    func refresh() async throws -> BearerCredential {
        let (id, yields, plan, isDeaf) = state.withLock { state in
            state.refreshes += 1
            state.begin(now: clock.uptime)
            return (
                state.refreshes, state.random.below(12),
                state.nextDelay != nil ? 4 : state.isFaulty ? state.random.below(12) : 11,
                state.isFaulty && state.random.oneIn(4)
            )
        }
        let wait: @Sendable () async throws -> Void = { [clock] in
            for _ in 0..<yields { await Task.yield() }
            // Longer than the time limit of a refresh.
            if plan == 0 { try await clock.waitForDeadline(at: clock.uptime + .seconds(120)) }
        }
        defer { state.withLock { _ = $0.running.removeValue(forKey: id) } }
        try await withTaskCancellationHandler {
            if isDeaf { try await Task.detached { try await wait() }.value } else { try await wait() }
        } onCancel: {
            state.withLock { _ = $0.running.removeValue(forKey: id) }
        }
        return try state.withLock { state in try state.result(of: plan, now: clock.uptime) }
    }
}

extension SimulatedTokens.State {
    fileprivate mutating func token() -> String {
        issued += 1
        return "\(valid).\(issued)"
    }

    fileprivate mutating func begin(now: Duration) {
        if running.values.contains(endings), ending == 0 { faults.append("two refreshes run at the same time") }
        if clients == 0 { faults.append("a refresh begins without a client") }
        if let notBefore, notBefore.endings == endings, now < notBefore.uptime {
            faults.append("the delay is not kept: \(now) < \(notBefore.uptime)")
        }
        if deniedAt == endings { faults.append("a refresh begins after a permanent failure") }
        running[refreshes] = endings
    }

    fileprivate mutating func result(of plan: Int, now: Duration) throws -> BearerCredential {
        struct Outage: Error {}
        let isEnded = Task.isCancelled
        switch plan {
        case 1, 2: throw Outage()
        case 3:
            if !isEnded, ending == 0 { deniedAt = endings }
            throw BearerRefreshFailure.rejected
        case 4, 5:
            let seconds = nextDelay ?? 1 + random.below(40)
            nextDelay = nil
            if !isEnded, ending == 0 { notBefore = (now + .seconds(seconds), endings) }
            let summary = RequestSummary(method: .post, url: "https://auth.example.com/token")
            var busy = HeliumError(.unacceptableStatus, request: summary, delivery: .answered, message: "busy")
            busy[fact: \.head] = ResponseHead(status: 503, fields: [.retryAfter: "\(seconds)"])
            throw busy
        default:
            let token = token()
            if isEnded { late.insert(token) }
            return BearerCredential(token: Secret(token))
        }
    }
}
