import HeliumCore
import HeliumTesting
import Testing
import WireSupport

@testable import HeliumWebSocket

@Suite("JSON objects over TCP", .timeLimit(.minutes(5)))
struct JSONObjectConnectionTests {
    /// Options by a test's clock, on which nothing waits but what the test sets.
    private static func options(_ clock: TestClock) -> WebSocketOptions {
        var options = WebSocketOptions.quiet
        options.clock = clock
        options.timeouts.connect = nil
        options.timeouts.silence = nil
        options.timeouts.send = nil
        options.timeouts.message = nil
        return options
    }

    private func withConnection(
        _ options: WebSocketOptions,
        serve: @escaping @Sendable (WirePeer) async throws -> Void,
        _ body: (JSONObjectConnection, WireServer) async throws -> Void
    ) async throws {
        try await WireServer.run(serve: serve) { server async throws in
            let connection = try await JSONObjectConnection.connect(
                host: "127.0.0.1",
                port: server.port,
                options: options
            )
            try await body(connection, server)
            await connection.end()
        }
    }

    @Test("JSON objects over TCP are read at the pace of the options, and none is lost")
    func pace() async throws {
        let clock = TestClock()
        var options = Self.options(clock)
        options.limits.messagesPerSecond = 100
        try await withConnection(options) { peer in
            try await peer.write((0..<1000).map { "{\"n\":\($0)}\n" }.joined())
            try await peer.readToEnd()
        } _: { connection, _ async throws in
            let moving = Task {
                while !Task.isCancelled {
                    await clock.waitForSleepers()
                    clock.advanceToNextSleeper()
                }
            }
            for number in 0..<1000 { #expect(try await connection.receiveText() == "{\"n\":\(number)}") }
            moving.cancel()
            // The peer may be a second ahead, and the pace a few hundred objects behind.
            #expect(clock.uptime >= .seconds(6))
        }
    }

    @Test("a JSON object over TCP that stays incomplete ends the connection")
    func incomplete() async throws {
        let clock = TestClock()
        var options = Self.options(clock)
        options.timeouts.message = .seconds(60)
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self)
        try await withConnection(options) { peer in
            try await peer.write("{}{\"a\":\"")
            for await _ in ticks { try await peer.write("b") }
        } _: { connection, server async throws in
            #expect(try await connection.receiveText() == "{}")
            let reading = Task { try await failure { try await connection.receiveText() } }
            let moving = Task {
                while !Task.isCancelled {
                    await clock.waitForSleepers()
                    tick.yield()
                    clock.advance(by: .seconds(20))
                }
            }
            let error = try await reading.value
            moving.cancel()
            tick.finish()
            #expect(error.kind == .timedOut && error.phase == .message)
            await server.waitForEnds()
        }
    }
}
