import HeliumJSON
import HeliumServerKit
import Testing

@testable import JetstreamHosting

@Suite("Extreme limits of a Jetstream server", .timeLimit(.minutes(5)))
struct ExtremeLimitTests {
    private static let numbers: [any WritableKeyPath<JetstreamLimits, Int> & Sendable] = [
        \.sessions, \.scopesPerSession, \.objectsPerScope, \.bytesPerScope, \.fragmentsPerMessage, \.frameBytes,
        \.retainedBytes, \.retainedBytesOfAllSessions,
    ]

    @Test("A number that is not positive is refused", arguments: [Int.min, -1, 0])
    func refusedNumbers(number: Int) {
        for limit in Self.numbers {
            var configuration = JetstreamConfiguration()
            configuration.limits[keyPath: limit] = number
            #expect(throws: EmbeddedServerError.self) { try configuration.validate(limits: ServerLimits()) }
        }
        var configuration = JetstreamConfiguration()
        configuration.limits.sessionsPerAddress = number
        #expect(throws: EmbeddedServerError.self) { try configuration.validate(limits: ServerLimits()) }
    }

    @Test(
        "A time that is not positive, or longer than a year, is refused",
        arguments: [
            Duration(attoseconds: .min), .seconds(Int64.min), .nanoseconds(-1), .zero, .seconds(31_536_001),
            .seconds(Int64.max), Duration(attoseconds: .max),
        ]
    )
    func refusedTimes(time: Duration) {
        for limit: WritableKeyPath<JetstreamLimits, Duration> in [\.handshake, \.expiry] {
            var configuration = JetstreamConfiguration()
            configuration.limits[keyPath: limit] = time
            #expect(throws: EmbeddedServerError.self) { try configuration.validate(limits: ServerLimits()) }
        }
    }

    @Test("A server with the greatest limits serves its clients")
    func greatest() async throws {
        try await withJetstreamServer(.board) { configuration in
            for limit in Self.numbers { configuration.jetstream.limits[keyPath: limit] = .max }
            configuration.jetstream.limits.sessionsPerAddress = .max
            configuration.jetstream.limits.handshake = .seconds(31_536_000)
            configuration.jetstream.limits.expiry = .seconds(31_536_000)
        } _: { _, url in
            let (first, _, state) = try await TestSocket.joined(url)
            let (second, _, _) = try await TestSocket.joined(url)
            let root = state["rootUUID"]?.stringValue ?? ""
            #expect(try await first.rename(root, "one", index: 2)["fragmentReplies"] == [[:]])
            #expect(try await second.next()["fragments"]?[0]?["properties", "name"] == "one")
            await first.close()
            await second.close()
        }
    }

    @Test(
        "Sessions without a scope are kept and resumed at any limit",
        arguments: [1, 2, .max / 2, .max / 2 + 1, .max]
    )
    func idle(number: Int) throws {
        var server = try TestEngine {
            $0.limits.sessions = number
            $0.limits.retainedBytes = .max
            $0.limits.retainedBytesOfAllSessions = .max
        }
        let token = server.session(1)
        for id in 2...9 {
            server.handle(.closed(id - 1))
            server.open(id, ["sessiontoken": .string(token)])
            #expect(server.closes[id] == nil)
        }
    }
}
