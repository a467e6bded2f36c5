import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import HeliumCore
@testable import HeliumTesting

/// Every way in which a call can end, on a transport that sees what arrives.
@Suite("Delivery states on MockTransport", .timeLimit(.minutes(5)))
struct DeliveryTableTests {
    @Test("every end of a call has the delivery state that the server saw")
    func table() async throws {
        var wrong: [String] = []
        for item in DeliveryCase.all {
            let station = Station(item)
            let reported = try await station.run()
            if reported != item.saw {
                wrong.append("\(item): \(String(describing: reported)), the server saw \(item.saw)")
            }
            // The script's own account: the table must not be wrong about what it stages.
            if station.saw != item.saw { wrong.append("\(item): staged \(station.saw)") }
        }
        #expect(DeliveryCase.all.count > 500)
        #expect(wrong == [])
    }

    @Test("a transport that ignores cancellation does not hold its caller")
    func deafTransport() async throws {
        let clock = TestClock()
        let (stuck, release) = AsyncStream<Void>.makeStream()
        let transport = MockTransport { _ throws(TransportFailure) in
            await Task { for await _ in stuck { break } }.value
            return .empty()
        }
        let pipeline = try makePipeline(transport, clock: clock)
        async let outcome = failure(of: { try await pipeline.call(.post, "/").value() })
        await clock.waitForDeadlines()
        try await eventually { transport.requests.count == 1 }
        clock.advance(by: .seconds(60))
        let error = try await outcome
        #expect(error.kind == .timedOut && error.phase == .total && error.delivery == .maybeSent)
        release.finish()
    }

    @Test("nothing is sent for a call that was reported as not sent", arguments: [true, false])
    func lateInterceptor(isOuter: Bool) async throws {
        let gate = MockTransport.Gate()
        let (ended, end) = AsyncStream<Void>.makeStream()
        let transport = MockTransport(answers: [.empty()])
        // Deaf to cancellation: it sends when its caller is gone.
        let deaf = ClosureInterceptor { request, _, next in
            await Task { try? await gate.pass() }.value
            defer { end.finish() }
            return try await Task { try await next(request) }.value
        }
        let pipeline = try makePipeline(transport) {
            if isOuter { $0.interceptors = [deaf] } else { $0.attemptInterceptors = [deaf] }
        }
        let prepared = try pipeline.call(.post, "/").prepared(isStream: false)
        let call = Task { await pipeline.reportedDelivery(of: prepared) }
        await gate.waitForArrivals()
        call.cancel()
        #expect(await call.value == .notSent)
        gate.open()
        for await _ in ended {}
        #expect(transport.requests.isEmpty)
    }
}

extension Pipeline {
    /// Returns the delivery state that the failure of a call reports; `nil` if the call does not fail.
    fileprivate func reportedDelivery(of prepared: PreparedRequest) async -> DeliveryState? {
        do throws(HeliumError) {
            _ = try await exchange(prepared)
            return nil
        } catch {
            return error.delivery
        }
    }
}

/// Stages one case: a client, its transport and the hand that ends the call.
private final class Station: Sendable {
    private let item: DeliveryCase
    private let clock = TestClock()
    /// The gate at which the case waits for its end.
    private let gate = MockTransport.Gate()
    private let sawMost = Guarded(DeliveryState.notSent)
    private let attempts = Guarded(0)

    init(_ item: DeliveryCase) { self.item = item }

    /// The most that arrived at the transport or left it.
    var saw: DeliveryState { sawMost.withLock { $0 } }

    /// Makes the call, ends it where the case wants it, and returns the delivery that its error reports.
    func run() async throws -> DeliveryState? {
        let transport = StagedTransport(keepsDeadlines: item.keepsDeadlines) {
            [self] (request) throws(TransportFailure) in
            try await answer(request)
        }
        let pipeline = try makePipeline(transport)
        let content = item.form == .upload ? RequestContent.upload(UploadBody(Data("body".utf8))) : nil
        // Safe to repeat by the caller's word, so that there is a second attempt.
        let builder = pipeline.call(.post, "/orders", content).retryable()
        let prepared = try builder.prepared(isStream: item.form == .streamed)
        let call = Task { await pipeline.reportedDelivery(of: prepared) }
        guard item.end != .failure else { return await call.value }
        await gate.waitForArrivals(item.place == .bodyHalfRead ? 2 : 1)
        switch item.end {
        case .deadline: clock.advance(by: .seconds(60))
        case .cancellation: call.cancel()
        case .closing: await pipeline.close()
        case .failure: break
        }
        return await call.value
    }

    private func makePipeline(_ transport: StagedTransport) throws -> Pipeline {
        var options = ClientOptions()
        options.retry = .quick
        let (calls, inAttempts) = (item.interception == .calls, item.interception == .attempts)
        let isBoth = item.interception == .both
        if calls || isBoth { options.interceptors = [interceptor(holds: calls)] }
        if inAttempts || isBoth { options.attemptInterceptors = [interceptor(holds: true)] }
        let url = try #require(URL(string: "https://api.example.com"))
        return try Pipeline(
            baseURL: url,
            options: options,
            transport: transport,
            authorizer: StagedAuthorizer { [self] in
                let number = attempts.withLock { attempts in
                    attempts += 1
                    return attempts
                }
                if item.place == .authorizing, number == item.attempt { try await pause() }
            },
            clock: clock
        )
    }

    private func interceptor(holds: Bool) -> ClosureInterceptor {
        ClosureInterceptor { [self] request, context, next in
            let isTurn = holds && attempts.withLock { $0 } == item.attempt - 1
            if isTurn, item.place == .interceptingRequest { try await pause() }
            let response = try await next(request)
            if holds, item.place == .interceptingAnswer, attempts.withLock({ $0 }) == item.attempt { try await pause() }
            return response
        }
    }

    /// Waits for the end, or fails.
    private func pause() async throws {
        if item.end == .failure { throw Staged() }
        try await gate.pass()
    }

    private func answer(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let isFirst = attempts.withLock { $0 } < item.attempt
        if isFirst { return try firstAnswer() }
        note(.maybeSent)
        guard item.place != .inFlight else {
            if item.end == .failure {
                throw TransportFailure(.connectionLost, delivery: .maybeSent, message: "lost")
            }
            try await gate.pass()
            return .empty()
        }
        note(.answered)
        if item.place == .interceptingAnswer { return .empty() }
        // A failure's status, so that its body is read in every form.
        if item.place == .bodyHalfRead { gate.open() }
        let failure = TransportFailure(.connectionLost, delivery: .answered, message: "lost")
        let response = TransportResponse.streaming(
            ["half", "half"],
            status: 404,
            gate: item.end == .failure ? nil : gate,
            failure: item.end == .failure ? failure : nil
        )
        return try await response.delivered(as: request.responseBody)
    }

    private func firstAnswer() throws(TransportFailure) -> TransportResponse {
        note(item.sawFirst)
        switch item.first {
        case .none, .unavailable: return .empty(status: 503)
        case .refused: throw TransportFailure(.connectionFailed, delivery: .notSent, message: "refused")
        case .lost: throw TransportFailure(.connectionLost, delivery: .maybeSent, message: "lost")
        }
    }

    private func note(_ delivery: DeliveryState) { sawMost.withLock { $0 = max($0, delivery) } }
}

private struct Staged: Error {}

private struct StagedTransport: HTTPTransport {
    let keepsDeadlines: Bool
    let answer: MockTransport.Handler

    func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        if Task.isCancelled { throw TransportFailure(.cancelled, delivery: .notSent, message: "cancelled") }
        return try await answer(request)
    }

    func shutdown() async {}
}

private struct StagedAuthorizer: Authorizer {
    let work: @Sendable () async throws -> Void

    func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws { try await work() }
}
