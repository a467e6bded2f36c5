import Foundation
import HeliumConcurrency
import HeliumTesting
import HeliumWebSocket
import Synchronization
import Testing
import WireSupport

@testable import AppNet

@Suite("App streams of the client", .timeLimit(.minutes(5)))
struct AppStreamTests {
    /// Runs a test with the events of a stream that a server serves so.
    private static func run<Value: Sendable>(
        options: AppStreamOptions = .brisk,
        serve: @escaping @Sendable (WirePeer, _ connection: Int) async throws -> Void,
        _ body: (AppStreamEvents) async throws -> Value
    ) async throws -> Value {
        let count = Guarded(0)
        return try await WireServer.run { peer in
            let number = count.withLock { count in
                count += 1
                return count
            }
            try await serve(peer, number)
        } _: { server async throws in
            let client = try AppNetClient(configuration: AppNetConfiguration(token: "EXAMPLE_TOKEN", dialect: .pnut))
            let stream = AppStream(endpoint: WebAddress("http://127.0.0.1:\(server.port)/channel/1?x=y"))
            return try await body(client.appStreams.events(of: stream, options: options))
        }
    }

    private static func begin(_ peer: WirePeer) async throws -> String {
        let head = try await peer.readHead()
        try await peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        return head
    }

    private static func send(_ bytes: some Sequence<UInt8>, to peer: WirePeer) async throws {
        let bytes = Array(bytes)
        guard !bytes.isEmpty else { return }
        try await peer.write(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10])
    }

    private static func frame(_ id: Int) -> String { "{\"meta\":{\"type\":\"post\"},\"data\":{\"id\":\"\(id)\"}}\r\n" }

    @Test("an app stream has every event, wherever the bytes are cut")
    func split() async throws {
        let text = Array((Self.frame(1) + "\r\n" + Self.frame(2)).utf8)
        try await Self.run { peer, connection in
            _ = try await Self.begin(peer)
            // Each connection cuts elsewhere, and ends when it has said both.
            let cut = connection - 1
            try await Self.send(text[..<min(cut, text.count)], to: peer)
            try await Self.send(text[min(cut, text.count)...], to: peer)
            try await peer.write("0\r\n\r\n")
        } _: { events async throws in
            var told = events.makeAsyncIterator()
            for _ in 0...text.count {
                #expect(try await told.next()?.subject == .posts([Post(id: 1)]))
                #expect(try await told.next()?.subject == .posts([Post(id: 2)]))
            }
        }
    }

    @Test("an app stream has every event with any limit of its buffer", arguments: [Int.min, -1, 0, 1, .max])
    func bufferLimits(limit: Int) async throws {
        var options = AppStreamOptions.brisk
        options.bufferLimit = limit
        try await Self.run(options: options) { peer, _ in
            _ = try await Self.begin(peer)
            try await Self.send((Self.frame(1) + Self.frame(2)).utf8, to: peer)
            try await peer.write("0\r\n\r\n")
        } _: { events async throws in
            var told = events.makeAsyncIterator()
            for id in 1...2 { #expect(try await told.next()?.subject == .posts([Post(id: Post.ID(id))])) }
        }
    }

    @Test("an app stream purges on the first connection only, and sends its other parameters on each")
    func query() async throws {
        let heads = Guarded<[String]>([])
        var options = AppStreamOptions.brisk
        options.dropsBacklog = true
        options.isAutoDeleted = true
        options.parameters.includesHTML = false
        try await Self.run(options: options) { peer, connection in
            let head = try await Self.begin(peer)
            heads.withLock { $0.append(head) }
            try await Self.send(Self.frame(connection).utf8, to: peer)
            try await peer.write("0\r\n\r\n")
        } _: { events async throws in
            var told = events.makeAsyncIterator()
            for id in 1...3 { #expect(try await told.next()?.subject == .posts([Post(id: Post.ID(id))])) }
        }
        let lines = heads.withLock { $0 }.compactMap { $0.split(separator: "\r\n").first.map(String.init) }
        #expect(lines.first == "GET /channel/1?auto_delete=1&include_html=0&purge=1&x=y HTTP/1.1")
        #expect(lines.dropFirst().allSatisfy { $0 == "GET /channel/1?auto_delete=1&include_html=0&x=y HTTP/1.1" })
    }

    @Test("an app stream counts frames that cannot be decoded, and continues")
    func unreadable() async throws {
        try await Self.run { peer, _ in
            _ = try await Self.begin(peer)
            try await Self.send(("nonsense\r\n" + Self.frame(1)).utf8, to: peer)
            try await peer.readToEnd()
        } _: { events async throws in
            var told = events.makeAsyncIterator()
            #expect(try await told.next()?.subject == .posts([Post(id: 1)]))
            #expect(events.unreadableFrames == 1)
        }
    }

    @Test("an app stream connects again after a frame that is too long")
    func ceiling() async throws {
        var options = AppStreamOptions.brisk
        options.connection.frameBytes = 100
        try await Self.run(options: options) { peer, connection in
            _ = try await Self.begin(peer)
            if connection == 1 {
                try await Self.send(repeatElement(UInt8(ascii: "x"), count: 5000), to: peer)
            } else {
                try await Self.send(Self.frame(connection).utf8, to: peer)
            }
            try await peer.readToEnd()
        } _: { events async throws in
            var told = events.makeAsyncIterator()
            #expect(try await told.next()?.subject == .posts([Post(id: 2)]))
        }
    }

    @Test("an app stream fails if the service refuses it")
    func refused() async throws {
        try await Self.run { peer, _ in
            _ = try await peer.readHead()
            try await peer.write("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n")
        } _: { events async throws in
            var told = events.makeAsyncIterator()
            let error = await #expect(throws: AppNetError.self) { try await told.next() }
            #expect(error?.kind == .unauthorized)
            #expect(!String(describing: error).contains("EXAMPLE_TOKEN"))
            #expect(events.connectionState.isClosed)
        }
    }

    @Test(
        "an app stream connects again no sooner than the service asks, in a field or in the body",
        arguments: ["http", "ws"],
        [
            "Retry-After: 20\r\nContent-Length: 0\r\n\r\n",
            "Content-Length: 35\r\n\r\n{\"meta\":{\"code\":429,\"retry_in\":20}}",
        ]
    )
    func retryAfter(scheme: String, refusal: String) async throws {
        let clock = TestClock()
        try await WireServer.run { peer in
            _ = try await peer.readHead()
            try await peer.write("HTTP/1.1 429 No\r\n\(refusal)")
        } _: { server async throws in
            var configuration = AppNetConfiguration(token: "EXAMPLE_TOKEN", dialect: .pnut)
            configuration.environment.clock = clock
            let client = try AppNetClient(configuration: configuration)
            let stream = AppStream(endpoint: WebAddress("\(scheme)://127.0.0.1:\(server.port)/channel/1"))
            let events = try client.appStreams.events(of: stream)
            let reading = Task {
                var told = events.makeAsyncIterator()
                return try await told.next()
            }
            for await case .waiting(let until, _) in events.connectionStates {
                let pause = until - clock.wallTime
                #expect(pause >= .seconds(20) && pause <= .seconds(20.5))
                break
            }
            reading.cancel()
            _ = await reading.result
            await client.close()
        }
    }

    @Test("an app stream is read at the pace of its options, and loses no event")
    func pace() async throws {
        let clock = TestClock()
        let (taken, take) = AsyncStream.makeStream(of: Void.self)
        try await WireServer.run { peer in
            _ = try await Self.begin(peer)
            // In three parts, of which the second and the third come when those before them were read.
            var parts = taken.makeAsyncIterator()
            for part in 0..<3 {
                try await Self.send((1...400).map { Self.frame(400 * part + $0) }.joined().utf8, to: peer)
                _ = await parts.next()
            }
            try await peer.readToEnd()
        } _: { server async throws in
            var configuration = AppNetConfiguration(token: "EXAMPLE_TOKEN", dialect: .pnut)
            configuration.environment.clock = clock
            let client = try AppNetClient(configuration: configuration)
            var options = AppStreamOptions.brisk
            options.connection.framesPerSecond = 100
            let stream = AppStream(endpoint: WebAddress("http://127.0.0.1:\(server.port)/channel/1"))
            let moving = Task {
                while !Task.isCancelled {
                    await clock.waitForSleepers()
                    clock.advanceToNextSleeper()
                }
            }
            var told = try client.appStreams.events(of: stream, options: options).makeAsyncIterator()
            for id in 1...1200 {
                #expect(try await told.next()?.subject == .posts([Post(id: Post.ID("\(id)"))]))
                if id % 400 == 0 { take.yield() }
            }
            moving.cancel()
            // When the last part came, 800 frames had been read; the service may be a second ahead.
            #expect(clock.uptime >= .seconds(6) && clock.uptime < .seconds(12), "\(clock.requestedSleeps)")
            await client.close()
        }
    }

    @Test(
        "items are added to the query of a stream's URL, which is not changed otherwise",
        arguments: [
            ("", "?a=b%2Bc%26d%20%25"), ("?", "?a=b%2Bc%26d%20%25"), ("?x=1+2&x=%2B", "?x=1+2&x=%2B&a=b%2Bc%26d%20%25"),
        ]
    )
    func query(own: String, whole: String) throws {
        var components = try #require(URLComponents(string: "wss://example.com/stream\(own)"))
        components.appendQuery([("a", "b+c&d %")])
        #expect(components.string == "wss://example.com/stream\(whole)")
        components.appendQuery([])
        #expect(components.string == "wss://example.com/stream\(whole)")
    }

    @Test("an app stream over a WebSocket has the limits and the pace of its options")
    func socketOptions() throws {
        let client = try AppNetClient(configuration: AppNetConfiguration(token: "EXAMPLE_TOKEN", dialect: .pnut))
        var options = StreamConnectionOptions()
        #expect(options.framesPerSecond == 5_000 && options.bytesPerSecond == 16 << 20)
        options.framesPerSecond = 7
        options.bytesPerSecond = 8
        options.frameBytes = 9
        let limits = StreamEndpoint(url: nil, client: client, options: options).socketOptions.limits
        #expect(limits.messagesPerSecond == 7 && limits.bytesPerSecond == 8)
        #expect(limits.frameBytes == 9 && limits.messageBytes == 9)
    }

    @Test("an app stream over HTTP connects again when nothing has arrived for its limit of silence")
    func silence() async throws {
        // The transport has no clock but the system's.
        var options = AppStreamOptions.brisk
        options.connection.silenceLimit = .milliseconds(300)
        let times = Guarded<[ContinuousClock.Instant]>([])
        try await Self.run(options: options) { peer, connection in
            _ = try await peer.readHead()
            times.withLock { $0.append(.now) }
            // In one write, so that no pause of this process can come before the event.
            let frame = Self.frame(connection)
            let size = String(frame.utf8.count, radix: 16)
            try await peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n\(frame)\r\n")
            try await peer.readToEnd()
        } _: { events async throws in
            var told = events.makeAsyncIterator()
            for id in 1...2 { #expect(try await told.next()?.subject == .posts([Post(id: Post.ID(id))])) }
        }
        let (first, second) = times.withLock { ($0[0], $0[1]) }
        // The transport reads its clock once in a turn, which may begin before the server has looked at its own.
        #expect(second - first >= .milliseconds(150))
    }

    @Test("the connection of an app stream ends when nothing refers to the stream", arguments: [256, 1])
    func letGo(bufferLimit: Int) async throws {
        // With room for one event, the stream waits for room until then.
        var options = AppStreamOptions.brisk
        options.bufferLimit = bufferLimit
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        try await Self.run(options: options) { peer, _ in
            _ = try await Self.begin(peer)
            try await Self.send((1...4).map(Self.frame).joined().utf8, to: peer)
            try? await peer.readToEnd()
            continuation.yield()
        } _: { events async throws in
            for try await _ in events { break }
        }
        for await _ in ended { break }
    }

    @Test("an app stream without an endpoint is an error")
    func noEndpoint() throws {
        let client = try AppNetClient(configuration: AppNetConfiguration(token: "EXAMPLE_TOKEN", dialect: .pnut))
        let error = #expect(throws: AppNetError.self) { try client.appStreams.events(of: AppStream(id: 1)) }
        #expect(error?.kind == .invalidRequest)
    }
}

extension AppStreamOptions {
    /// Connects again at once.
    fileprivate static var brisk: Self {
        var options = Self()
        options.connection.backoff.firstDelay = .milliseconds(1)
        options.connection.backoff.maximumDelay = .milliseconds(4)
        return options
    }
}
