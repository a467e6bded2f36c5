import Foundation
import HTTPTypes
import HeliumKit
import HeliumTesting
import TestSupport
import Testing

@Suite("Line streams over sockets", .timeLimit(.minutes(5)))
struct LineStreamTests {
    private struct Item: Decodable, Sendable, Equatable { let n: Int }

    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
    private static let eventHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

    private func client(
        _ server: FaultServer,
        configure: (inout ClientOptions) -> Void = { _ in }
    ) throws -> Helium {
        var options = ClientOptions()
        configure(&options)
        return try Helium(baseURL: try #require(URL(string: server.url)), options: options)
    }

    private func quick() -> ServerSentEventOptions {
        var options = ServerSentEventOptions()
        options.reconnects.delay = .milliseconds(100)
        options.reconnects.maximumDelay = .milliseconds(100)
        return options
    }

    @Test("values that arrive byte by byte are decoded")
    func drip() async throws {
        let text = "{\"n\":1}\r\n\n{\"n\":2}\n{\"n\":3}"
        try await FaultServer.run({ _ in
            [.send("\(Self.head)Content-Length: \(text.utf8.count)\r\n\r\n"), .drip(text, every: .milliseconds(1))]
        }) { server in
            let values = try client(server).get("/", returning: Data.self).jsonLines(of: Item.self)
            var seen: [Int] = []
            for try await value in values { seen.append(value.n) }
            #expect(seen == [1, 2, 3])
            #expect(server.requests[0].lines.contains("Accept: application/x-ndjson"))
        }
    }

    @Test("a line is delivered before the next one is sent")
    func prompt() async throws {
        let gate = FaultServer.Gate()
        try await FaultServer.run({ _ in
            [.send("\(Self.head)\r\n")] + (1...5).map { .send(whenOpen: gate, "line \($0)\n") } + [.hang]
        }) { server in
            var iterator = try client(server).get("/", returning: Data.self).lines().makeAsyncIterator()
            for number in 1...5 {
                gate.open()
                #expect(try await iterator.next() == "line \(number)")
            }
        }
    }

    @Test(
        "a connection that breaks off in a line fails and delivers no partial line",
        arguments: [
            [.answer(announcing: 100, body: "12\n34"), .close], [.answer(announcing: 100, body: "12\n34"), .reset],
            [.unfinishedChunks(["12\n", "34"]), .close], [.unfinishedChunks(["12\n34"]), .reset],
        ] as [[FaultServer.Action]]
    )
    func breaksOff(actions: [FaultServer.Action]) async throws {
        try await FaultServer.run({ _ in actions }) { server in
            var numbers: [Int] = []
            let error = try await failure {
                for try await number in try client(server).get("/", returning: Data.self).jsonLines(of: Int.self) {
                    numbers.append(number)
                }
            }
            // A reset may overtake what was sent before it.
            #expect(numbers == [12] || numbers.isEmpty)
            #expect([.connectionLost, .malformedResponse, .transportFailed].contains(error.kind))
        }
    }

    @Test("a body that ends with its connection may need a line end at its end")
    func unframed() async throws {
        try await FaultServer.run({ _ in [.send("\(Self.head)\r\n12\n34"), .close] }) { server in
            let builder = try client(server).get("/", returning: Data.self)
            var numbers: [Int] = []
            for try await number in builder.jsonLines(of: Int.self) { numbers.append(number) }
            #expect(numbers == [12, 34])
            var options = LineOptions()
            options.requiresFinalLineEnd = true
            let error = try await failure { for try await _ in builder.jsonLines(of: Int.self, options) {} }
            #expect(error.kind == .connectionLost)
        }
    }

    @Test("a silent server of a line stream fails with the idle timeout")
    func idle() async throws {
        try await FaultServer.run({ _ in [.send("\(Self.head)\r\none\n"), .hang] }) { server in
            let client = try client(server) { $0.timeouts.idle = .milliseconds(200) }
            let error = try await failure { for try await _ in client.get("/", returning: Data.self).lines() {} }
            #expect(error.kind == .timedOut && error.phase == .idle)
        }
    }

    @Test("a slow consumer of lines holds the server back")
    func backPressure() async throws {
        let size = SocketBuffers.overflowingSize
        let line = String(repeating: "x", count: 1023) + "\n"
        let body = Data(String(repeating: line, count: size / 1024).utf8)
        try await FaultServer.run({ _ in [.answer(body: body)] }) { server in
            var iterator = try client(server).get("/", returning: Data.self).lines().makeAsyncIterator()
            #expect(try await iterator.next()?.count == 1023)
            // There is no reader, so the number of bytes that are sent is bounded by the buffers.
            #expect(await Self.heldBack(server) < size)
            var count = 1
            while try await iterator.next() != nil { count += 1 }
            #expect(count == size / 1024)
        }
    }

    /// Returns how many bytes the server has sent when it sends no more.
    private static func heldBack(_ server: FaultServer) async -> Int {
        while true {
            let sent = server.sentByteCount
            guard await server.wait(upTo: .milliseconds(300), until: { $0.sentByteCount > sent }) else { return sent }
        }
    }

    @Test("elements of 5 MiB are delivered while the server still holds back the rest")
    func elements() async throws {
        let (blockCount, blockLength) = (20, 256)
        let filler = String(repeating: "ü☀️ ", count: 115)
        let blocks = (0..<blockCount).map { block in
            (0..<blockLength).map { "{\"n\":\(block * blockLength + $0),\"text\":\"\(filler)\"},\n" }.joined()
        }
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"data\":["
        let gate = FaultServer.Gate()
        try await FaultServer.run({ _ in
            [.send(head)] + blocks.map { .send(whenOpen: gate, $0) } + [.send("{\"n\":-1}],\"total\":1}"), .close]
        }) { server in
            let elements = try client(server).get("/", returning: Data.self).elements(of: Item.self, at: ["data"])
            var (count, sent) = (0, head.utf8.count)
            gate.open()
            for try await item in elements {
                guard item.n >= 0 else { break }
                guard item.n == count else { throw UnexpectedSuccess() }
                if count % blockLength == 0 {
                    sent += blocks[count / blockLength].utf8.count
                    // The block's first element is here; the next block has not been sent.
                    if count / blockLength < blockCount - 1 { #expect(server.sentByteCount <= sent) }
                    gate.open()
                }
                count += 1
            }
            #expect(count == blockCount * blockLength && sent > 5 << 20)
        }
    }

    @Test("a body of elements that ends too early fails, whatever ended it")
    func unfinishedElements() async throws {
        for (ending, kinds) in [
            (
                [.answer(announcing: 100, body: "[1,2"), .close],
                [.connectionLost, .malformedResponse, .transportFailed]
            ),
            ([.answer(body: "[1,2")], [.decodingFailed]),
        ] as [([FaultServer.Action], [FailureKind])] {
            try await FaultServer.run({ _ in ending }) { server in
                var numbers: [Int] = []
                let error = try await failure {
                    for try await number in try client(server).get("/", returning: Data.self).elements(of: Int.self) {
                        numbers.append(number)
                    }
                }
                #expect(numbers == [1] && kinds.contains(error.kind))
            }
        }
    }

    @Test("a slow consumer of elements holds the server back")
    func elementBackPressure() async throws {
        let size = SocketBuffers.overflowingSize
        let element = "\"" + String(repeating: "x", count: 1021) + "\","
        let body = Data("[\(String(repeating: element, count: size / 1024))0]".utf8)
        try await FaultServer.run({ _ in [.answer(body: body)] }) { server in
            let elements = try client(server).get("/", returning: Data.self).elements(of: String.self)
            var iterator = elements.makeAsyncIterator()
            #expect(try await iterator.next()?.count == 1021)
            #expect(await Self.heldBack(server) < size)
        }
    }

    @Test("a server that falls silent between elements fails with the idle timeout")
    func idleElements() async throws {
        try await FaultServer.run({ _ in [.send("\(Self.head)\r\n[1,"), .hang] }) { server in
            let client = try client(server) { $0.timeouts.idle = .milliseconds(200) }
            let error = try await failure {
                for try await _ in client.get("/", returning: Data.self).elements(of: Int.self) {}
            }
            #expect(error.kind == .timedOut && error.phase == .idle)
        }
    }

    @Test("leaving the loop over lines ends the transfer on the wire")
    func leaving() async throws {
        try await FaultServer.run({ _ in [.send("\(Self.eventHead)\r\ndata: a\n\n"), .hang] }) { server in
            let client = try client(server)
            for try await event in client.get("/", returning: Data.self).serverSentEvents() {
                #expect(event.data == "a")
                break
            }
            #expect(await server.wait { $0.clientCloseCount == 1 })
        }
    }

    @Test("an event stream reconnects after closes, resets and error responses, until the server has no more")
    func reconnects() async throws {
        try await FaultServer.run({ request in
            switch request.number {
            case 1: [.send("\(Self.eventHead)\r\nid: 1\ndata: a\n\nid: 2\nda"), .close]
            case 2: [.unfinishedChunksOfEvents(["id: 2\ndata: b\n\n", "id: 9\ndata: c"]), .close]
            case 3: [.answer(503)]
            case 4: [.reset]
            case 5:
                [.send(Self.eventHead + "\r\n"), .drip("id: 3\r\ndata: ü\r\n\r\n", every: .milliseconds(1)), .close]
            default: [.send("HTTP/1.1 204 No Content\r\n\r\n")]
            }
        }) { server in
            let events = try client(server).get("/", returning: Data.self).serverSentEvents(quick())
            var seen: [ServerSentEvent] = []
            for try await event in events { seen.append(event) }
            #expect(seen == [.init(data: "a", id: "1"), .init(data: "b", id: "2"), .init(data: "ü", id: "3")])
            let ids = server.requests.map { request in
                request.lines.first { $0.lowercased().hasPrefix("last-event-id:") }?.suffix(1)
            }
            #expect(ids == [nil, "1", "2", "2", "2", "3"])
            #expect(server.requests.allSatisfy { $0.lines.contains("Accept: text/event-stream") })
            #expect(events.status.reconnects == 5 && events.status.activity == .closed)
        }
    }

    @Test("a comment resets the idle timeout of an event stream, and the total timeout ends with the head")
    func idleDeadline() async throws {
        let comments = String(repeating: ": alive\n", count: 10)
        try await FaultServer.run({ request in
            guard request.number == 1 else { return [.send("HTTP/1.1 204 No Content\r\n\r\n")] }
            return [
                .send(Self.eventHead + "\r\n"), .drip(comments, chunk: 8, every: .milliseconds(250)),
                .send("data: a\n\n"), .hang,
            ]
        }) { server in
            let client = try client(server) {
                $0.timeouts.idle = .seconds(2)
                $0.timeouts.total = .seconds(2)
            }
            let events = client.get("/", returning: Data.self).serverSentEvents(quick())
            var seen: [String] = []
            for try await event in events { seen.append(event.data) }
            // The comments took longer than the timeouts; then the silence was noticed, and the second connection said it is over.
            #expect(seen == ["a"] && server.requestCount == 2)
            #expect(events.status.lastError?.kind == .timedOut && events.status.lastError?.phase == .idle)
        }
    }

    @Test("cancelling ends a stream of a silent server, and its connection")
    func cancelling() async throws {
        try await FaultServer.run({ _ in [.send("\(Self.eventHead)\r\ndata: a\n\n"), .hang] }) { server in
            let client = try client(server)
            let (seen, continuation) = AsyncStream<String>.makeStream()
            let task = Task {
                for try await event in client.get("/", returning: Data.self).serverSentEvents() {
                    continuation.yield(event.data)
                }
            }
            for await _ in seen { break }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(await server.wait { $0.clientCloseCount == 1 })
        }
    }

    @Test("closing the client ends an event stream")
    func closing() async throws {
        try await FaultServer.run({ _ in [.send("\(Self.eventHead)\r\ndata: a\n\n"), .hang] }) { server in
            let client = try client(server)
            var iterator = client.get("/", returning: Data.self).serverSentEvents().makeAsyncIterator()
            #expect(try await iterator.next()?.data == "a")
            await client.close()
            let error = await #expect(throws: HeliumError.self) { try await iterator.next() }
            #expect(error?.kind == .clientClosed && server.requestCount == 1)
        }
    }

    private func failure(of operation: () async throws -> Void) async throws -> HeliumError {
        do {
            try await operation()
        } catch let error as HeliumError {
            return error
        }
        throw UnexpectedSuccess()
    }
}

extension FaultServer.Action {
    fileprivate static func unfinishedChunksOfEvents(_ chunks: [String]) -> Self {
        let body = chunks.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined()
        return .send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
    }
}
