import Foundation
import HTTPTypes
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import HeliumCore

/// A call's time limit, its cancellation and the client's closing hold whatever is under way.
@Suite("Deadlines and closing in every phase", .timeLimit(.minutes(5)))
struct DeadlineKeepingTests {
    private let clock = TestClock()
    private let gate = MockTransport.Gate()

    private func closed() -> MockTransport {
        MockTransport { [gate] _ throws(TransportFailure) in
            try await gate.pass()
            return .empty()
        }
    }

    @Test("the total timeout applies to a transport without timeouts, and to skipped delays")
    func mockTransport() async throws {
        for clock in [clock, TestClock(skippingSleepsUpTo: .seconds(100))] {
            let pipeline = try makePipeline(closed(), clock: clock)
            async let outcome = failure(of: { try await pipeline.call(.get, "/").timeout(.seconds(5)).value() })
            await clock.waitForDeadlines()
            #expect(clock.nextDeadline == .seconds(5) && clock.sleeperCount == 0)
            clock.advance(by: .seconds(5))
            let error = try await outcome
            #expect(error.kind == .timedOut && error.phase == .total && clock.requestedSleeps.isEmpty)
        }
    }

    @Test("a slow body of an error response ends with the call's timeout, and the status is reported")
    func failureBody() async throws {
        gate.open()
        let transport = MockTransport(answers: [.streaming(["half", "half"], status: 500, gate: gate)])
        let pipeline = try makePipeline(transport, clock: clock)
        async let outcome = failure(of: { try await pipeline.call(.get, "/").timeout(.seconds(5)).stream() })
        await gate.waitForArrivals(2)
        clock.advance(by: .seconds(5))
        let error = try await outcome
        #expect(error.kind == .unacceptableStatus && error.status == 500 && error.body == Data("half".utf8))
        #expect(error.delivery == .answered && gate.isAbandoned && pipeline.load == (0, 0))
    }

    @Test("a slow or long body of a redirect is dropped", arguments: [true, false])
    func redirectBody(isLong: Bool) async throws {
        let long = String(repeating: "x", count: 5000)
        let fields: HTTPFields = isLong ? [.location: "/b", .contentLength: "10000"] : [.location: "/b"]
        let transport = MockTransport { [gate] request throws(TransportFailure) in
            request.url.target == "/a"
                ? .streaming([long, long], status: 302, fields: fields, gate: gate) : .empty(status: 200)
        }
        let pipeline = try makePipeline(transport, clock: clock)
        let stream = Task { try await pipeline.call(.get, "/a").stream() }
        if !isLong {
            await gate.waitForArrivals()
            clock.advance(by: .seconds(1))
        }
        #expect(try await stream.value.status == 200)
        #expect(gate.isAbandoned)
    }

    @Test("only the first few KiB of a redirect's body are read")
    func shortRedirectBody() async throws {
        let piece = String(repeating: "x", count: 1000)
        for (count, isAbandoned) in [(2, false), (9, true)] {
            let gate = MockTransport.Gate()
            gate.openPermanently()
            let transport = MockTransport { request throws(TransportFailure) in
                request.url.target == "/a"
                    ? .streaming(
                        Array(repeating: piece, count: count),
                        status: 302,
                        fields: [.location: "/b"],
                        gate: gate
                    ) : .empty(status: 200)
            }
            _ = try await makePipeline(transport, clock: clock).call(.get, "/a").stream()
            await gate.waitForArrivals(count == 2 ? 3 : 5)
            if isAbandoned { #expect(gate.isAbandoned) }
        }
    }

    @Test("a long body is decoded within the timeout, and not after cancellation", arguments: [true, false])
    func decoding(isCancelled: Bool) async throws {
        let stage = DecodingStage()
        let body = Data(repeating: 32, count: Pipeline.longBodyBytes) + Data("1".utf8)
        let pipeline = try makePipeline(MockTransport(answers: [.data(body)]), clock: clock) {
            $0.decoder = StagedDecoder(stage: stage)
        }
        let (results, tell) = AsyncStream<HeliumError?>.makeStream()
        let task = pipeline.get("/", as: Int.self).timeout(.seconds(5)).completion { result in
            if case .failure(let error) = result { tell.yield(error) } else { tell.yield(nil) }
            tell.finish()
        }
        try await eventually { stage.hasBegun.withLock { $0 } }
        if isCancelled { task.cancel() } else { clock.advance(by: .seconds(5)) }
        var error: HeliumError?
        for await result in results { error = result }
        #expect(error?.kind == (isCancelled ? .cancelled : .timedOut) && error?.delivery == .answered)
        stage.mayEnd.withLock { $0 = true }
    }

    @Test("a transport with timeouts is called directly by the caller's task")
    func shortWay() async throws {
        let url = try #require(URL(string: "https://api.example.com"))
        for keepsDeadlines in [true, false] {
            let transport = TaskNotingTransport(keepsDeadlines: keepsDeadlines)
            let pipeline = try Pipeline(
                baseURL: url,
                options: ClientOptions(),
                transport: transport,
                authorizer: NoAuthorizer(),
                clock: clock
            )
            try await pipeline.call(.get, "/").value()
            let own = withUnsafeCurrentTask { $0?.hashValue }
            #expect((transport.task.withLock { $0 } == own) == keepsDeadlines)
        }
    }

    @Test("a failure in a body is one after a response, whatever the transport reports")
    func brokenStream() async throws {
        let failure = TransportFailure(.connectionLost, delivery: .maybeSent, message: "lost")
        let pipeline = try makePipeline(MockTransport(answers: [.streaming(["half"], failure: failure)]))
        let stream = try await pipeline.call(.get, "/").stream()
        let error = try await HeliumCoreTests.failure(of: { try await stream.body.collect(upTo: 100) })
        #expect(error.kind == .connectionLost && error.delivery == .answered)
    }

    @Test("closing ends the delay before a retry at once")
    func closingInPause() async throws {
        let transport = MockTransport(answers: [.empty(status: 503, fields: [.retryAfter: "200"])])
        let pipeline = try makePipeline(transport, clock: clock, retry: .standard)
        async let outcome = failure(of: { try await pipeline.call(.get, "/").timeout(.seconds(300)).value() })
        await clock.waitForSleepers()
        await pipeline.close()
        let error = try await outcome
        #expect(error.kind == .clientClosed && error.delivery == .answered && error.attempts.count == 1)
        #expect(clock.uptime == .zero && pipeline.load == (0, 0))
    }

    @Test("closing ends an event stream that waits to reconnect")
    func closingEventStream() async throws {
        let transport = MockTransport(answers: [
            .streaming(["data: a\n\n"], fields: [.contentType: "text/event-stream"])
        ])
        let pipeline = try makePipeline(transport, clock: clock)
        let events = pipeline.call(.get, "/feed").serverSentEvents()
        let reader = Task { try await failure(of: { for try await _ in events {} }) }
        await clock.waitForSleepers()
        await pipeline.close()
        let error = try await reader.value
        #expect(error.kind == .clientClosed && error.request.url.hasSuffix("/feed"))
        #expect(events.status.activity == .closed && transport.requests.count == 1)
    }

    @Test("closing ends calls in flight, and interceptors and authorizers that ignore it")
    func closingInFlight() async throws {
        let hanging = ClosureInterceptor { [clock] _, _, _ in
            try await clock.sleep(for: .seconds(1_000_000))
            return .empty()
        }
        let pipelines = [
            try makePipeline(closed(), clock: clock),
            try makePipeline(closed(), clock: clock) { $0.interceptors = [hanging] },
            try makePipeline(closed(), clock: clock) { $0.attemptInterceptors = [hanging] },
        ]
        for pipeline in pipelines {
            async let outcome = failure(of: { try await pipeline.call(.get, "/").value() })
            await clock.waitForDeadlines()
            await pipeline.close()
            #expect(try await outcome.kind == .clientClosed)
            try await eventually { clock.deadlineCount == 0 }
        }
    }
}

private final class TaskNotingTransport: HTTPTransport {
    let keepsDeadlines: Bool
    let task = Guarded<Int?>(nil)

    init(keepsDeadlines: Bool) { self.keepsDeadlines = keepsDeadlines }

    func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let own = withUnsafeCurrentTask { $0?.hashValue }
        task.withLock { $0 = own }
        return .empty()
    }

    func shutdown() async {}
}

private final class DecodingStage: Sendable {
    let hasBegun = Guarded(false)
    let mayEnd = Guarded(false)
}

/// Takes its time, as long as the test wants.
private struct StagedDecoder: BodyDecoder {
    let stage: DecodingStage
    var mediaType: String { "application/json" }

    func decode<Value: Decodable>(_ type: Value.Type, from body: Data, at path: [String]) throws -> Value? {
        stage.hasBegun.withLock { $0 = true }
        let end = ContinuousClock.now + .seconds(120)
        while !stage.mayEnd.withLock({ $0 }), ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.001) }
        return try HeliumJSONDecoder().decode(type, from: body, at: path)
    }
}
