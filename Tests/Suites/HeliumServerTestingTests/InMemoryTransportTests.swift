import Foundation
import HTTPTypes
import HeliumCore
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import Testing

@Suite("Transport in memory", .timeLimit(.minutes(5)))
struct InMemoryTransportTests {
    @Test("a server in memory has the same responses for the same seed, and others for another")
    func repeats() async throws {
        #expect(try await Self.transcript(seed: 3) == Self.transcript(seed: 3))
        #expect(try await Self.transcript(seed: 3) != Self.transcript(seed: 4))
    }

    private static func transcript(seed: UInt64) async throws -> [String] {
        let memory = try MemoryServer(seed: seed)
        let channel = try await memory.createChannel()
        var lines: [String] = []
        for number in 0..<5 {
            memory.clock.advance(by: .seconds(10))
            let path = "/stream/0/channels/\(channel)/messages"
            lines += try await memory.execute(.post, path, #"{"text":"Number \#(number)"}"#).lines
            lines += try await memory.execute(.post, "/stream/0/files", #"{"type":"com.example.file"}"#).lines
            lines += try await memory.execute(.get, "/stream/0/nothing").lines
            lines.append(try await memory.execute(.get, path).head[.date] ?? "")
        }
        return lines
    }

    @Test("every protocol of a repeatable server takes its time from the given clock")
    func clocks() {
        let clock = TestClock(wallTime: .seconds(1000))
        let configuration = EmbeddedServerConfiguration.repeatable(clock: clock, random: .seeded(1))
        clock.advance(by: .seconds(1))
        let clocks = [
            configuration.middleware.clock, configuration.cosm.clock, configuration.appNet.clock,
            configuration.conAir.clock,
        ]
        #expect(clocks.map { $0.milliseconds() } == [1_001_000, 1_001_000, 1_001_000, 1_001_000])
    }

    @Test("a server in memory delays a response on its clock")
    func delays() async throws {
        let memory = try MemoryServer()
        memory.server.faults.inject(.delay(.seconds(20)), .next(1))
        let call = Task { try await memory.execute(.get, "/stream/0/users/me") }
        await memory.clock.waitForSleepers()
        #expect(memory.server.requests.count == 1)
        memory.clock.advance(by: .seconds(20))
        #expect(try await call.value.head.status == 200)
    }

    @Test("a delay in memory that is longer than the timeout of the first byte fails")
    func endsDelays() async throws {
        let memory = try MemoryServer()
        memory.server.faults.inject(.delay(.seconds(40)), .next(1))
        let call = Task { try await transportFailure { _ = try await memory.execute(.get, "/stream/0/users/me") } }
        await memory.clock.waitForSleepers()
        memory.clock.advance(by: .seconds(30))
        let failure = try await call.value
        #expect(failure?.kind == .timedOut && failure?.delivery == .maybeSent && failure?.phase == .firstByte)
    }

    @Test("a cancelled call in memory ends at once, and its request keeps its effect")
    func cancels() async throws {
        let memory = try MemoryServer()
        memory.server.faults.inject(.delay(.seconds(20)), .next(1))
        let call = Task { try await transportFailure { _ = try await memory.createChannel() } }
        await memory.clock.waitForSleepers()
        call.cancel()
        let failure = try await call.value
        #expect(failure?.kind == .cancelled && failure?.delivery == .maybeSent)
        #expect(try await memory.execute(.get, "/stream/0/channels/1").head.status == 200)
    }

    @Test("a cut body in memory is streamed up to the cut")
    func cutsStreams() async throws {
        let memory = try MemoryServer()
        memory.server.faults.inject(.cut, .next(1))
        var request = try memory.request(.get, "/stream/0/users/me")
        request.responseBody = .stream
        let response = try await memory.transport.execute(request)
        #expect(response.head.status == 200)
        guard case .stream(let stream) = response.body else {
            Issue.record("the body was collected")
            return
        }
        var count = 0
        let failure = try await transportFailure { for try await chunk in stream { count += chunk.count } }
        #expect(failure?.kind == .connectionLost && count > 0)
        #expect(count == response.head[.contentLength].flatMap { Int($0) }.map { $0 / 2 })
    }

    @Test("an upload in memory is read to its end", arguments: [true, false])
    func uploads(isMeasured: Bool) async throws {
        let memory = try MemoryServer()
        let created = try await memory.execute(.post, "/stream/0/files", #"{"type":"com.example.file","name":"a.bin"}"#)
        #expect(created.head.status == 200)
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        var request = try memory.request(.put, "/stream/0/files/1/content")
        request.fields[.contentType] = "application/octet-stream"
        request.upload = UploadBody(length: isMeasured ? Int64(bytes.count) : nil, isReplayable: true) { Chunks(bytes) }
        #expect(try await memory.transport.execute(request).head.status == 204)
        let file = try await memory.execute(.get, "/stream/0/files/1").json
        #expect(file["data"]?["size"] == .number(100_000))
    }

    @Test("an upload in memory with another length than announced has no effect")
    func refusesWrongLengths() async throws {
        let memory = try MemoryServer()
        var request = try memory.request(.put, "/stream/0/files/1/content")
        request.upload = UploadBody(length: 7, isReplayable: true) { Chunks(Data([1, 2, 3])) }
        let failed = request
        let failure = try await transportFailure { _ = try await memory.transport.execute(failed) }
        #expect(failure?.kind == .requestBodyFailed && failure?.delivery == .notSent)
        #expect(memory.server.requests.count == 0)
    }

    @Test("a server in memory refuses a body beyond its limit")
    func refusesLongBodies() async throws {
        let memory = try MemoryServer()
        let text = String(repeating: "a", count: 2 << 20)
        #expect(try await memory.execute(.post, "/stream/0/channels", text).head.status == 413)
    }

    @Test("a transport in memory refuses endless responses")
    func refusesStreams() async throws {
        let memory = try MemoryServer()
        var create = try memory.request(.post, "/stream/0/streams", #"{"object_types":["post"],"type":"long_poll"}"#)
        create.fields[.authorization] = "Bearer app-token"
        let created = try await memory.transport.execute(create)
        let endpoint = try #require(try created.json["data"]?["endpoint"]?.stringValue)
        var open = TransportRequest(method: .get, url: try RequestURL(endpoint))
        open.fields[.authorization] = "Bearer app-token"
        let request = open
        let failure = try await transportFailure { _ = try await memory.transport.execute(request) }
        #expect(failure?.kind == .transportFailed && failure?.delivery == .answered)
        #expect(memory.server.appNet.connectedAppStreamCount == 0)
    }

    @Test("a transport in memory reaches no other host, and nothing after shutdown")
    func refuses() async throws {
        let memory = try MemoryServer()
        let elsewhere = TransportRequest(method: .get, url: try RequestURL("http://127.0.0.2/stream/0/users/me"))
        let refused = try await transportFailure { _ = try await memory.transport.execute(elsewhere) }
        #expect(refused?.kind == .connectionFailed && refused?.delivery == .notSent)
        let second = try InMemoryTransport(memory.server, clock: memory.clock)
        await memory.transport.shutdown()
        let closed = try await transportFailure { _ = try await memory.execute(.get, "/stream/0/users/me") }
        #expect(closed?.kind == .clientClosed && closed?.delivery == .notSent)
        #expect(try await second.execute(try memory.request(.get, "/stream/0/users/me")).head.status == 200)
    }

    @Test("a server is either run or used in memory")
    func oneOfBoth() async throws {
        let memory = try MemoryServer()
        #expect(try await memory.server.ready() == memory.transport.ready)
        await #expect(throws: EmbeddedServerError.self) { try await memory.server.run() }
        try await withEmbeddedServer { running in
            _ = #expect(throws: EmbeddedServerError.self) { try InMemoryTransport(running.server) }
        }
    }

    private final class Chunks: UploadSource {
        private let chunks: AsyncStream<Data>

        init(_ data: Data) {
            chunks = AsyncStream { continuation in
                for start in stride(from: 0, to: data.count, by: 30_000) {
                    continuation.yield(data[start..<min(start + 30_000, data.count)])
                }
                continuation.finish()
            }
        }

        func next() async throws -> Data? { await chunks.first { _ in true } }

        func cancel() {}
    }
}
