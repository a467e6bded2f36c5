import Foundation
import HTTPTypes
import HeliumCore
import HeliumCurl
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import Testing

@Suite("Responses in memory and over sockets", .timeLimit(.minutes(5)))
struct SocketComparisonTests {
    private typealias Call = (method: HTTPRequest.Method, path: String, body: String?)

    private static let calls: [Call] = [
        (.post, "/stream/0/channels", #"{"type":"com.example.test","annotations":[]}"#),
        (.post, "/stream/0/channels/1/messages", #"{"text":"Hello #world"}"#),
        (.post, "/stream/0/channels/1/messages", #"{"text":"","#),
        (.post, "/stream/0/channels/1/messages", #"{"text":7}"#),
        (.post, "/stream/0/channels/1/messages", nil),
        (.get, "/stream/0/channels/1/messages?include_annotations=1", nil),
        (.head, "/stream/0/channels/1/messages", nil),
        (.delete, "/stream/0/channels/1/messages/1", nil),
        (.get, "/stream/0/channels/1/messages/1", nil),
        (.post, "/stream/0/files", #"{"type":"com.example.file","name":"a.txt"}"#),
        (.get, "/stream/0/files/1", nil),
        (.get, "/stream/0/nothing", nil),
        (.put, "/stream/0/config", nil),
        (.options, "/stream/0/config", nil),
        (.get, "/v1/config", nil),
        (.get, "/v2/feeds", nil),
        (.get, "/demo-auth/v1/services", nil),
        (.get, "/elsewhere", nil),
    ]

    @Test("responses in memory and over sockets are equal with the same random source and clock")
    func sameResponses() async throws {
        let clock = TestClock()
        let random = RandomSource.seeded(7)
        try await withEmbeddedServer(.repeatable(clock: clock, random: random)) { running in
            let curl = CurlTransport()
            let memory = try MemoryServer(seed: 7, port: try #require(running.ready.http.port))
            #expect(memory.transport.ready.http == running.ready.http)
            #expect(memory.transport.ready.appNet == running.ready.appNet)
            for (method, path, body) in Self.calls {
                let request = try TransportRequest.appNet(method, path, body, at: running.ready.http)
                let (wire, inMemory) = (try await curl.execute(request), try await memory.transport.execute(request))
                #expect(wire.lines == inMemory.lines, "\(method) \(path)")
                #expect(inMemory.head[.date] != nil)
            }
            #expect(running.requests.entries == memory.server.requests.entries)
            await curl.shutdown()
        }
    }

    @Test(
        "faults have the same responses in memory and over sockets",
        arguments: [
            ServerFault.busy, .unauthorizedHTML, .payloadTooLarge, .brokenDocument, .keyExpired, .status(500),
            .status(429),
        ]
    )
    func sameFaults(fault: ServerFault) async throws {
        try await withEmbeddedServer(.repeatable(clock: TestClock(), random: .seeded(7))) { running in
            let curl = CurlTransport()
            let memory = try MemoryServer(seed: 7, port: try #require(running.ready.http.port))
            for faults in [running.faults, memory.server.faults] { faults.inject(fault, .next(1)) }
            let request = try TransportRequest.appNet(.get, "/stream/0/users/me", nil, at: running.ready.http)
            let (wire, inMemory) = (try await curl.execute(request), try await memory.transport.execute(request))
            #expect(wire.lines == inMemory.lines)
            #expect(memory.server.faults.count == 0)
            await curl.shutdown()
        }
    }

    @Test("cut responses fail the same in memory and over sockets")
    func sameCut() async throws {
        try await withEmbeddedServer(.repeatable(clock: TestClock(), random: .seeded(7))) { running in
            let curl = CurlTransport()
            let memory = try MemoryServer(seed: 7, port: try #require(running.ready.http.port))
            for faults in [running.faults, memory.server.faults] { faults.inject(.cut, .next(1)) }
            let request = try TransportRequest.appNet(.get, "/stream/0/users/me", nil, at: running.ready.http)
            let wire = try await transportFailure { _ = try await curl.execute(request) }
            let inMemory = try await transportFailure { _ = try await memory.transport.execute(request) }
            #expect(inMemory?.kind == .connectionLost && inMemory?.delivery == .answered)
            #expect(wire?.kind == inMemory?.kind && wire?.delivery == inMemory?.delivery)
            #expect(wire?.response?.head.status == 200 && inMemory?.response?.head.status == 200)
            await curl.shutdown()
        }
    }
}
