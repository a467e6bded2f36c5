internal import Foundation
internal import HTTPTypes
internal import HeliumConcurrency
package import HeliumCore
internal import HeliumServerTesting
internal import Synchronization

/// A transport that decides by a seed what becomes of each request, over one that responds.
///
/// A request that has left arrives even if its client has given up, was cancelled or was killed.
package final class SimulatedNetwork: CooperativeTransport {
    private struct State {
        var weather: NetworkWeather
        var isReachable = true
        var fates: [RequestFate] = []
        var refusal: Refusal?
        /// The number of requests that were refused.
        var refusalCount = 0
    }

    /// The requests that get one status until further notice.
    private struct Refusal {
        let status: Int
        let isRefused: @Sendable (TransportRequest) -> Bool
    }

    private let base: any HTTPTransport
    private let clock: DeviceClock
    private let random: RandomSource
    private let trace: SimulationTrace
    private let state: Guarded<State>

    /// - Parameters:
    ///   - base: Responds to the requests that arrive.
    ///   - clock: The clock of the device whose network this is.
    ///   - random: Decides.
    ///   - trace: Gets a line for each request that is not delivered, and for each jump of the clock.
    package init(
        _ base: any HTTPTransport,
        clock: DeviceClock,
        random: RandomSource,
        trace: SimulationTrace,
        weather: NetworkWeather
    ) {
        self.base = base
        self.clock = clock
        self.random = random
        self.trace = trace
        state = Guarded(State(weather: weather))
    }

    /// Sets how often requests have faults.
    package func setWeather(_ weather: NetworkWeather) { state.withLock { $0.weather = weather } }

    /// Sets whether requests leave at all.
    package func setReachable(_ isReachable: Bool) { state.withLock { $0.isReachable = isReachable } }

    /// Gives the next requests these fates, in their order.
    package func plan(_ fates: [RequestFate]) { state.withLock { $0.fates += fates } }

    /// Gives some requests one status, without an effect, until ``endRefusals()``.
    package func refuse(_ status: Int, _ isRefused: @escaping @Sendable (TransportRequest) -> Bool) {
        state.withLock { $0.refusal = Refusal(status: status, isRefused: isRefused) }
    }

    /// Delivers all requests again.
    package func endRefusals() { state.withLock { $0.refusal = nil } }

    /// The number of requests that were refused.
    package var refusalCount: Int { state.withLock { $0.refusalCount } }

    private func refusal(of request: TransportRequest) -> RequestFate? {
        state.withLock { state in
            guard let refusal = state.refusal, refusal.isRefused(request) else { return nil }
            state.refusalCount += 1
            return .serverError(status: refusal.status, hasEffect: false)
        }
    }

    package func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        var request = request
        // What arrives later is what stood in the body when it left.
        request.body = try await request.collectedBody()
        request.upload = nil
        if Task.isCancelled { throw .network(.cancelled, .notSent) }
        if let refusal = refusal(of: request) {
            trace.event("network: \(refusal) for \(request.method.rawValue) \(request.url.target)")
            return try await execute(request, refusal)
        }
        let fate = decide()
        if fate != .delivered {
            trace.count(fate.kind)
            trace.event("network: \(fate) for \(request.method.rawValue) \(request.url.target)")
        }
        return try await execute(request, fate)
    }

    package func shutdown() async { await base.shutdown() }

    private func decide() -> RequestFate {
        let (number, jump) = (Int(random.bits() % 1000), Int(random.bits() % 1000))
        let (fate, jumps) = state.withLock { state -> (RequestFate, Bool) in
            let jumps = jump < state.weather.jumps
            guard state.isReachable else { return (.notSent, jumps) }
            return (state.fates.isEmpty ? state.weather.fate(number) : state.fates.removeFirst(), jumps)
        }
        if jumps {
            trace.count(NetworkWeather.jump)
            trace.event("wall clock: off by \(clock.jump(random))")
        }
        return fate
    }

    private func execute(
        _ request: TransportRequest,
        _ fate: RequestFate
    ) async throws(TransportFailure) -> TransportResponse {
        let limit = request.timeouts.firstByte ?? .seconds(30)
        switch fate {
        case .notSent:
            throw .network(.connectionFailed, .notSent)
        case .delivered:
            return try await response(to: arrival(of: request, after: latency()))
        case .responseLost:
            _ = try await response(to: arrival(of: request, after: latency()))
            throw .network(.connectionLost, .maybeSent)
        case .late:
            _ = arrival(of: request, after: limit + delay(upTo: .seconds(120)))
            try await wait(limit)
            throw .network(.timedOut, .maybeSent, phase: .firstByte)
        case .doubled:
            let first = arrival(of: request, after: latency())
            _ = arrival(of: request, after: delay(upTo: .seconds(120)))
            return try await response(to: first)
        case .serverError(let status, let hasEffect):
            if hasEffect { _ = try await response(to: arrival(of: request, after: latency())) }
            return try await refusal(status, of: request)
        case .rateLimited(let seconds):
            return try await refusal(429, of: request, retryAfter: seconds)
        case .slowResponse:
            let result = try await response(to: arrival(of: request, after: latency()))
            let delay = delay(upTo: limit * 2)
            try await wait(min(delay, limit))
            if delay > limit { throw .network(.timedOut, .maybeSent, phase: .firstByte) }
            return result
        }
    }

    /// The response of a request that arrives after `delay`, whatever becomes of its client.
    private func arrival(of request: TransportRequest, after delay: Duration) -> Signal<TransportResponse> {
        let response = Signal<TransportResponse>()
        Task { [base, clock] in
            do {
                try await clock.sleep(for: delay)
                response.settle(.success(try await base.execute(request)))
            } catch {
                response.settle(.failure(error))
            }
        }
        return response
    }

    private func response(
        to arrival: Signal<TransportResponse>
    ) async throws(TransportFailure) -> TransportResponse {
        do {
            return try await arrival.value()
        } catch let failure as TransportFailure {
            throw failure
        } catch {
            throw .network(.cancelled, .maybeSent)
        }
    }

    private func refusal(
        _ status: Int,
        of request: TransportRequest,
        retryAfter: Int? = nil
    ) async throws(TransportFailure) -> TransportResponse {
        try await wait(latency())
        var fields: HTTPFields = [.contentType: "application/json"]
        if let retryAfter { fields[.retryAfter] = String(retryAfter) }
        let body = Data(#"{"meta":{"code":\#(status),"error_message":"Simulated"}}"#.utf8)
        let head = ResponseHead(status: status, fields: fields)
        let isStream = request.responseBody == .stream
        return TransportResponse(head: head, body: isStream ? .stream(BodyStream(body)) : .collected(body))
    }

    private func wait(_ duration: Duration) async throws(TransportFailure) {
        do {
            try await clock.sleep(for: duration)
        } catch {
            throw .network(.cancelled, .maybeSent)
        }
    }

    private func latency() -> Duration { delay(upTo: .milliseconds(200)) }

    /// At least a millisecond, in whole milliseconds.
    private func delay(upTo maximum: Duration) -> Duration {
        .milliseconds(1 + Int64(random.unit() * (maximum / .milliseconds(1))))
    }
}

extension TransportFailure {
    fileprivate static func network(
        _ kind: FailureKind,
        _ delivery: DeliveryState,
        phase: TransferPhase? = nil
    ) -> Self {
        Self(kind, delivery: delivery, message: "simulated", phase: phase)
    }
}
