import Foundation
import HTTPTypes
import HeliumCore
import HeliumCurl
import HeliumTesting
import TestSupport
import Testing

@Suite("Streams", .timeLimit(.minutes(5)))
struct StreamConcurrencyTests {
    private func stream(_ url: String, over transport: CurlTransport) async throws -> BodyStream {
        try await transport.execute(TransportRequest(to: url).with { $0.responseBody = .stream }).stream
    }

    @Test("the head is there before the body, and each line as it comes", arguments: drivers)
    func deliversLines(driver: CurlTransport.Configuration.Driver) async throws {
        let gate = FaultServer.Gate()
        try await FaultServer.run({ _ in
            [.send("HTTP/1.1 200 OK\r\nX-Kind: lines\r\n\r\n")] + (0..<10).map { .send(whenOpen: gate, "line \($0)\n") }
                + [.close]
        }) { server in
            try await withTransport(driver) { transport in
                let request = try TransportRequest(to: server.url).with { $0.responseBody = .stream }
                let response = try await transport.execute(request)
                #expect(response.head.status == 200)
                #expect(response.timings.firstByte != nil)
                var iterator = try response.stream.makeAsyncIterator()
                for number in 0..<10 {
                    // The server sends no line before the one before it was read.
                    gate.open()
                    let chunk = try await iterator.next()
                    #expect(chunk.map { String(decoding: $0, as: UTF8.self) } == "line \(number)\n")
                }
                let end = try await iterator.next()
                #expect(end == nil)
            }
        }
    }

    @Test("a consumer that does not read holds the server back", arguments: drivers)
    func backPressure(driver: CurlTransport.Configuration.Driver) async throws {
        let size = SocketBuffers.overflowingSize
        try await FaultServer.run({ _ in [.answer(body: Data(repeating: 7, count: size))] }) { server in
            try await withTransport(driver) { transport in
                let stream = try await stream(server.url, over: transport)
                try await eventually {
                    let sent = server.sentByteCount
                    try await Task.sleep(for: .milliseconds(200))
                    return sent > 0 && server.sentByteCount == sent
                }
                // The high mark and what the system buffers on both sides.
                #expect(server.sentByteCount < size)
                // Others are not held back.
                let other = try await transport.execute(TransportRequest(.head, to: server.url))
                #expect(other.head.status == 200)
                var count = 0
                for try await chunk in stream {
                    count += chunk.count
                    #expect(chunk.first == 7 && chunk.last == 7)
                }
                #expect(count == size)
            }
        }
    }

    @Test("bulk comes in few large chunks", arguments: drivers)
    func batches(driver: CurlTransport.Configuration.Driver) async throws {
        let size = 32 << 20
        try await FaultServer.run({ _ in [.answer(body: Data(count: size))] }) { server in
            try await withTransport(driver) { transport in
                var chunks = 0
                var count = 0
                for try await chunk in try await stream(server.url, over: transport) {
                    chunks += 1
                    count += chunk.count
                }
                #expect(count == size && chunks < size / (16 << 10))
            }
        }
    }

    @Test("leaving the loop early ends the transfer on the wire", arguments: drivers)
    func dropped(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.answer(announcing: 1000, body: "begin"), .hang] }) { server in
            try await withTransport(driver) { transport in
                for try await _ in try await stream(server.url, over: transport) { break }
                #expect(await server.wait { $0.clientCloseCount == 1 })
            }
        }
    }

    @Test("cancelling the reading task ends the transfer and throws CancellationError", arguments: drivers)
    func cancelledTask(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.answer(announcing: 1000, body: "begin"), .hang] }) { server in
            try await withTransport(driver) { transport in
                let stream = try await stream(server.url, over: transport)
                let (chunks, read) = AsyncStream.makeStream(of: Void.self)
                let task = Task {
                    defer { read.finish() }
                    for try await _ in stream { read.yield() }
                }
                for await _ in chunks { break }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                #expect(await server.wait { $0.clientCloseCount == 1 })
            }
        }
    }

    @Test("a cancelled task is never told that it has read all, even when all is there", arguments: drivers)
    func cancelledAfterEnd(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.answer(body: "whole"), .close] }) { server in
            try await withTransport(driver) { transport in
                let stream = try await stream(server.url, over: transport)
                #expect(await server.wait { $0.openConnectionCount == 0 })
                let task = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    for try await _ in stream {}
                }
                await #expect(throws: CancellationError.self) { try await task.value }
            }
        }
    }

    @Test("cancelling before the head ends the transfer", arguments: drivers)
    func cancelledBeforeHead(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.hang] }) { server in
            try await withTransport(driver) { transport in
                let request = try TransportRequest(to: server.url).with { $0.responseBody = .stream }
                let task = Task { try await transport.failure(request) }
                #expect(await server.wait { $0.requestCount == 1 })
                task.cancel()
                #expect(try await task.value.kind == .cancelled)
                #expect(await server.wait { $0.clientCloseCount == 1 })
            }
        }
    }

    @Test("a body that came with the head is whole, an empty one too", arguments: ["", "short"], drivers)
    func smallBody(body: String, driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in [.answer(body: body)] }) { server in
            try await withTransport(driver) { transport in
                for _ in 0..<3 {
                    let data = try await stream(server.url, over: transport).collect(upTo: 100)
                    #expect(String(decoding: data, as: UTF8.self) == body)
                }
                #expect(server.connectionCount == 1)
            }
        }
    }

    @Test("a stream keeps its transport open until it ends")
    func outlivesTransport() async throws {
        try await FaultServer.run({ _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab"), .wait(.milliseconds(100)), .send("cd")]
        }) { server in
            let stream = try await stream(server.url, over: CurlTransport())
            #expect(try await stream.collect(upTo: 10) == Data("abcd".utf8))
        }
    }

    @Test("many streams at once, some left early", arguments: drivers)
    func manyStreams(driver: CurlTransport.Configuration.Driver) async throws {
        let size = 300_000
        try await FaultServer.run({ _ in [.answer(body: Data(repeating: 1, count: size))] }) { server in
            try await withTransport(driver) { transport in
                let url = server.url
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<60 {
                        group.addTask {
                            var count = 0
                            for try await chunk in try await stream(url, over: transport) {
                                count += chunk.count
                                if number % 3 == 0 { return }
                            }
                            #expect(count == size)
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }
}
