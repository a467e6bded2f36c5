import Foundation
import HTTPTypes
import HeliumCore
import HeliumKit
import HeliumTesting
import Synchronization
import TestSupport

/// A middleware in memory that fails now and then, and that notes what its clients must not do.
final class SimulatedMiddleware: Sendable {
    /// The side of a client, of which the service knows what it may do.
    struct Side {
        /// The requests to the devices resource in progress, without cancelled ones, and ``turns`` at their beginning.
        var running: [Int: Int] = [:]
        /// Whether a read of the store since the last loss of a token has found none.
        var hasReadNothing = false
        /// The tokens that were rejected.
        var rejected: Set<String> = []
        /// The number of calls that forget the device, and of those in progress.
        var forgets = 0
        var forgetting = 0
        /// The number of beginnings and ends of these calls. A request from before may be cancelled a moment later.
        var turns = 0
        /// The uptime before which no request to the devices resource is allowed, and the number of forgets then.
        var notBefore: (uptime: Duration, forgets: Int)?
    }

    struct State {
        var random: SeededRandom
        var isFaulty = true
        var devices: Set<String> = []
        var issued = 0
        var posts = 0
        var requests = 0
        var sides = [Side(), Side()]
        var faults: [String] = []
        /// The response to the next registration instead of a random one.
        var nextRegistration: TransportResponse?
    }

    let clock: TestClock
    let state: Guarded<State>
    /// Returns whether a token was saved in the store, if it must be.
    let mayUse: @Sendable (String) -> Bool

    init(seed: UInt64, clock: TestClock, mayUse: @escaping @Sendable (String) -> Bool) {
        self.clock = clock
        self.mayUse = mayUse
        state = Guarded(State(random: SeededRandom(seed: seed)))
    }

    subscript<Value>(_ path: any WritableKeyPath<State, Value> & Sendable) -> Value {
        get { state.withLock { $0[keyPath: path] } }
        set { state.withLock { $0[keyPath: path] = newValue } }
    }

    func transport(_ client: Int) -> MockTransport {
        MockTransport { [self] request async throws(TransportFailure) in try await answer(request, from: client) }
    }

    // MARK: Requests

    private func answer(
        _ request: TransportRequest,
        from client: Int
    ) async throws(TransportFailure) -> TransportResponse {
        let isPost = request.method == .post && request.url.target == "/devices"
        let isPut = request.method == .put
        let key = request.fields[HTTPField.Name("key") ?? .accept] ?? ""
        let token = String(key.prefix(32))
        let begun = state.withLock { state -> (id: Int, turn: Int, yields: Int)? in
            // As the real transport, which looks after the cancellation too.
            if Task.isCancelled { return nil }
            state.requests += 1
            if isPost || isPut { begin(isPost, client, &state) }
            if !isPost, !mayUse(token) { state.faults.append("client \(client) used a token that is not saved") }
            return (state.requests, state.sides[client].turns, state.random.below(12))
        }
        guard let (id, turn, yields) = begun else {
            throw TransportFailure(.cancelled, delivery: .notSent, message: "the call was cancelled")
        }
        await withTaskCancellationHandler {
            for _ in 0..<yields { await Task.yield() }
        } onCancel: {
            state.withLock { _ = $0.sides[client].running.removeValue(forKey: id) }
        }
        let outcome: Result<TransportResponse, TransportFailure> = state.withLock { state in
            state.sides[client].running.removeValue(forKey: id)
            if isPost || isPut, let fault = fault(isPost, client, turn, &state) { return fault }
            return .success(isPost ? register(&state) : signed(token, client, &state))
        }
        return try outcome.get()
    }

    private func begin(_ isPost: Bool, _ client: Int, _ state: inout State) {
        let side = state.sides[client]
        if side.running.values.contains(side.turns), side.forgetting == 0 {
            state.faults.append("client \(client) registers or updates twice at the same time")
        }
        if let notBefore = side.notBefore, notBefore.forgets == side.forgets, clock.uptime < notBefore.uptime {
            state.faults.append("client \(client) did not keep the delay: \(clock.uptime) < \(notBefore.uptime)")
        }
        // A late request with a forgotten token would look like the loss of the next one.
        if isPost, !side.hasReadNothing, side.forgets == 0 {
            state.faults.append("client \(client) registers a device without a look into the store")
        }
        state.sides[client].running[state.requests] = side.turns
    }

    /// Returns a random failure, if any.
    private func fault(
        _ isPost: Bool,
        _ client: Int,
        _ turn: Int,
        _ state: inout State
    ) -> Result<TransportResponse, TransportFailure>? {
        if isPost, let response = state.nextRegistration {
            state.nextRegistration = nil
            return .success(response)
        }
        guard state.isFaulty else { return nil }
        switch state.random.below(12) {
        case 0: return .success(.json("{", status: 500))
        case 1: return .failure(TransportFailure(.connectionFailed, delivery: .notSent, message: "refused"))
        case 2:
            if isPost { _ = register(&state) }
            return .failure(TransportFailure(.connectionLost, delivery: .maybeSent, message: "lost"))
        case 3, 4:
            let seconds = 1 + state.random.below(40)
            // The client may not have received it if it was told to forget the device in the meantime.
            if !Task.isCancelled, state.sides[client].forgetting == 0, state.sides[client].turns == turn {
                state.sides[client].notBefore = (clock.uptime + .seconds(seconds), state.sides[client].forgets)
            }
            return .success(.json("{}", status: 503, fields: [.retryAfter: "\(seconds)"]))
        default: return nil
        }
    }

    private func register(_ state: inout State) -> TransportResponse {
        state.posts += 1
        state.issued += 1
        let number = String(state.issued)
        let token = String(repeating: "a", count: 32 - number.count) + number
        state.devices.insert(token)
        return .json(#"{"status":200,"response":{"id":"\#(token)"}}"#)
    }

    private func signed(_ token: String, _ client: Int, _ state: inout State) -> TransportResponse {
        guard state.devices.contains(token) else {
            if state.sides[client].rejected.insert(token).inserted { state.sides[client].hasReadNothing = false }
            return FakeMiddleware.failure(401, "DeviceIdInvalid")
        }
        return .json(#"{"status":200,"response":{"ok":true}}"#)
    }

    // MARK: The store

    /// Notes the result of a read of the store by a client.
    func didLoad(_ token: String?, by client: Int) {
        state.withLock { state in
            // A token that this client has forgotten may be that of the other one.
            let isUsable = token.map { state.devices.contains($0) } == true && state.sides[client].forgets == 0
            if !isUsable { state.sides[client].hasReadNothing = true }
        }
    }
}
