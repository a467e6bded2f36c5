import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting
import Synchronization
import Testing

@Suite("Server-sent events", .timeLimit(.minutes(5)))
struct ServerSentEventsTests {
    private func events(
        over transport: MockTransport,
        clock: TestClock = TestClock(),
        authorizer: any Authorizer = NoAuthorizer(),
        configure: (inout ServerSentEventOptions) -> Void = { _ in }
    ) throws -> ServerSentEvents {
        var options = ServerSentEventOptions()
        options.random = RandomSource { .max }
        configure(&options)
        let builder: RequestBuilder<Void> = try makePipeline(transport, authorizer: authorizer, clock: clock)
            .call(.get, "/feed")
        return builder.serverSentEvents(options)
    }

    /// Lets every wait on the clock end at once, and keeps how long they were.
    private func waits(on clock: TestClock, count: Int) async -> [Duration] {
        var waits: [Duration] = []
        for _ in 0..<count {
            await clock.waitForSleepers()
            let start = clock.uptime
            // To the end of this wait and no further: the next may have begun already.
            let end = clock.nextWakeTime ?? start
            while clock.uptime < end { clock.advance(by: .milliseconds(50)) }
            waits.append(clock.uptime - start)
        }
        return waits
    }

    @Test("an event stream sends Accept, Cache-Control and the last event id")
    func fields() async throws {
        let transport = transport(answering: [.success(.events("data: a\n\n")), .success(.events("data: a\n\n"))])
        _ = try await events(over: transport) { $0.reconnects = .never }.collected()
        let first = transport.requests[0]
        #expect(first.fields[.accept] == "text/event-stream" && first.fields[.cacheControl] == "no-store")
        #expect(first.fields[.lastEventID] == nil && first.responseBody == .stream)
        _ = try await events(over: transport) {
            $0.reconnects = .never
            $0.lastEventID = "41"
        }.collected()
        #expect(transport.requests[1].fields[.lastEventID] == "41")
    }

    @Test("an event stream reconnects from the last delivered event with fresh authorization")
    func reconnects() async throws {
        let clock = TestClock()
        let transport = transport(
            answering: [
                .success(.events("retry: 200\nid: 1\ndata: a\n\nid: 2\nda", "ta: cut off")),
                .success(.events("data: b\n\nid: 3\n\n: alive\n", then: .failure(.connectionLost))),
                .failure(TransportFailure(.connectionFailed, delivery: .notSent, message: "refused")),
                .success(.events("id\ndata: c\n\n")),
                .success(.empty(status: 204)),
            ]
        )
        let events = try events(over: transport, clock: clock, authorizer: Numbering())
        #expect(events.status.activity == .idle)
        async let waits = waits(on: clock, count: 4)
        let all = try await events.collected()
        #expect(all == [.init(data: "a", id: "1"), .init(data: "b", id: "1"), .init(data: "c")])
        #expect(transport.requests.map { $0.fields[.lastEventID] } == [nil, "1", "3", "3", nil])
        #expect(transport.requests.map { $0.fields[.authorization] } == ["1", "2", "3", "4", "5"])
        // The second failure in a row doubles the server's 200 ms.
        #expect(await waits == [200, 200, 400, 200].map { .milliseconds($0) })
        #expect(events.status.reconnects == 4 && events.status.activity == .closed && events.status.failures == 0)
        #expect(events.status.lastError?.kind == .connectionFailed && events.status.lastEventID == nil)
    }

    @Test("an event stream ends at status 204", arguments: [204, 205])
    func noContent(status: Int) async throws {
        #expect(try await events(over: transport(answering: [.success(.empty(status: status))])).collected().isEmpty)
        let builder = try makePipeline(MockTransport(answers: [.empty(status: status)])).call(.get, "/")
        #expect(try await builder.acceptableStatusCodes(200..<201).serverSentEvents().collected().isEmpty)
    }

    @Test(
        "an event stream fails at once for a status that is not transient",
        arguments: [400, 401, 403, 404, 410, 501]
    )
    func lastingStatus(status: Int) async throws {
        let transport = transport(answering: [.success(.json("{}", status: status))])
        let events = try events(over: transport)
        let error = try await failure(of: { try await events.collected() })
        #expect(error.kind == .unacceptableStatus && error.status == status)
        #expect(transport.requests.count == 1 && events.status.lastError?.status == status)
    }

    @Test(
        "an event stream fails at once for another media type",
        arguments: ["text/html", "application/json", "text/event-streams", "", "x;text/event-stream"]
    )
    func mediaType(type: String) async throws {
        let transport = transport(
            answering: [.success(.stream(ScriptedBody(["data: a\n\n"]), type: type.isEmpty ? nil : type))]
        )
        let error = try await failure(of: { try await events(over: transport).collected() })
        #expect(error.kind == .decodingFailed && error.status == 200 && transport.requests.count == 1)
    }

    @Test("an event stream accepts its media type in any letter case and with parameters")
    func mediaTypeParameters() async throws {
        let transport = transport(
            answering: [.success(.stream(ScriptedBody(["data: a\n\n"]), type: "Text/Event-Stream ; charset=UTF-8"))]
        )
        #expect(try await events(over: transport) { $0.reconnects = .never }.collected().count == 1)
    }

    @Test("an event stream fails at once beyond a limit", arguments: ["data: 123456789", "data: 1234\ndata: 5678\n"])
    func ceilings(text: String) async throws {
        let transport = transport(answering: [.success(.events("data: a\n\n", text, then: .silence))])
        let events = try events(over: transport) {
            $0.lineBytes = 12
            $0.eventBytes = 8
        }
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next()?.data == "a")
        let error = await #expect(throws: HeliumError.self) { try await iterator.next() }
        #expect(error?.kind == .ceilingExceeded && error?.ceiling == .lineBytes)
        #expect(try await iterator.next() == nil)
        #expect(transport.requests.count == 1)
    }

    @Test("an event stream gives up after the maximum of failures, with the last one")
    func givesUp() async throws {
        let clock = TestClock()
        let transport = MockTransport(
            failing: TransportFailure(.timedOut, delivery: .maybeSent, message: "too slow", phase: .firstByte)
        )
        let events = try events(over: transport, clock: clock) { $0.reconnects.maximumFailures = 3 }
        async let waits = waits(on: clock, count: 2)
        let error = try await failure(of: { try await events.collected() })
        #expect(error.kind == .timedOut && error.phase == .firstByte)
        #expect(error.message == "too slow; gave up after 3 failures in a row")
        #expect(await waits == [.seconds(3), .seconds(6)])
        #expect(transport.requests.count == 3 && events.status.failures == 3)
    }

    @Test("an event stream gives up if the server closes again and again without a byte")
    func silentEnds() async throws {
        let clock = TestClock()
        let transport = transport(answering: [.success(.events()), .success(.events())])
        let events = try events(over: transport, clock: clock) { $0.reconnects.maximumFailures = 2 }
        async let waits = waits(on: clock, count: 1)
        let error = try await failure(of: { try await events.collected() })
        #expect(error.kind == .connectionLost && error.message.contains("2 times in a row"))
        #expect(await waits == [.seconds(3)])
    }

    @Test("an event stream that does not reconnect ends or fails with its connection")
    func never() async throws {
        let transport = transport(
            answering: [
                .success(.events("data: a\n\n")),
                .success(.events("data: a\n\n", then: .failure(.timedOut))),
            ]
        )
        let events = try events(over: transport) { $0.reconnects = .never }
        #expect(try await events.collected().count == 1)
        let error = try await failure(of: { try await events.collected() })
        #expect(error.kind == .timedOut && transport.requests.count == 2)
    }

    @Test("an event id that is invalid in a header is ignored, and the one before it is sent")
    func unsendableID() async throws {
        let clock = TestClock()
        let transport = transport(
            answering: [
                .success(.events("id: 1\ndata: x\n\nid: a\u{1}b\ndata: y\n\n")),
                .success(.empty(status: 204)),
            ]
        )
        let events = try events(over: transport, clock: clock)
        async let waits = waits(on: clock, count: 1)
        #expect(try await events.collected().map(\.id) == ["1", "1"])
        #expect(transport.requests.last?.fields[.lastEventID] == "1")
        _ = await waits
    }

    @Test("cancelling ends the delay before a reconnection at once")
    func cancelsWait() async throws {
        let clock = TestClock()
        let events = try events(over: transport(answering: [.success(.events("data: a\n\n"))]), clock: clock)
        let task = Task { try await events.collected() }
        await clock.waitForSleepers()
        #expect(events.status.activity == .waiting)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(events.status.activity == .closed)
    }

    @Test("cancelling ends the wait for bytes of an event stream at once")
    func cancelsSilence() async throws {
        let body = ScriptedBody(["data: a\n\n"], then: .silence)
        let events = try events(over: transport(answering: [.success(.stream(body, type: "text/event-stream"))]))
        let (seen, continuation) = AsyncStream<ServerSentEvent>.makeStream()
        let task = Task {
            for try await event in events { continuation.yield(event) }
        }
        for await _ in seen { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(body.isCancelled)
    }

    @Test("leaving the loop over events ends the connection")
    func leaving() async throws {
        let body = ScriptedBody(["data: a\n\ndata: b\n\n"], then: .silence)
        let events = try events(over: transport(answering: [.success(.stream(body, type: "text/event-stream"))]))
        for try await _ in events { break }
        #expect(body.isCancelled && events.status.activity == .closed)
    }

    @Test("iterators of an event stream are independent")
    func iterators() async throws {
        let transport = transport(
            answering: [.success(.events("id: 1\ndata: a\n\n")), .success(.events("id: 2\ndata: b\n\n"))]
        )
        let events = try events(over: transport) { $0.reconnects = .never }
        var first = events.makeAsyncIterator()
        #expect(try await first.next()?.data == "a" && events.status.lastEventID == "1")
        var second = events.makeAsyncIterator()
        #expect(events.status.activity == .idle)
        #expect(try await second.next()?.data == "b" && events.status.lastEventID == "2")
        #expect(try await first.next() == nil && events.status.activity == .open)
        #expect(try await second.next() == nil && events.status.activity == .closed)
    }
}

private final class Numbering: Authorizer {
    private let count = Guarded(0)

    // At once: nothing of it shall wait on the test's clock.
    func authorizeImmediately(_ request: inout TransportRequest) throws -> Bool {
        request.fields[.authorization] = count.withLock { count in
            count += 1
            return "\(count)"
        }
        return true
    }

    func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws {}
}

extension HTTPField.Name {
    fileprivate static let lastEventID = Self(constant: "Last-Event-ID")
}
