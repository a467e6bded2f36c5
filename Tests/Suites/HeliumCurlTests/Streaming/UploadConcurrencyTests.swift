import Foundation
import HTTPTypes
import HeliumCore
import HeliumCurl
import HeliumTesting
import Testing

@Suite("Streamed uploads", .timeLimit(.minutes(5)))
struct UploadConcurrencyTests {
    private func request(
        _ method: HTTPRequest.Method = .post,
        to url: String,
        _ source: PatternSource,
        length: Int?
    ) throws -> TransportRequest {
        try TransportRequest(method, to: url).with { $0.upload = source.body(length: length.map(Int64.init)) }
    }

    @Test(
        "an upload of known length arrives whole with Content-Length, for any method",
        arguments: [HTTPRequest.Method.post, .put, .patch, .get, .delete],
        drivers
    )
    func knownLength(method: HTTPRequest.Method, driver: CurlTransport.Configuration.Driver) async throws {
        try await BodyServer.run(.read()) { server in
            try await withTransport(driver) { transport in
                for size in [1, 50_000, 700_001] {
                    let answer = try await transport.execute(
                        request(method, to: server.url, PatternSource(size), length: size)
                    )
                    #expect(answer.text == "\(size)")
                }
                #expect(server.connectionCount == 1)
                for (received, size) in zip(server.received, [1, 50_000, 700_001]) {
                    #expect(received.lines.first == "\(method.rawValue) / HTTP/1.1")
                    #expect(received.value(of: "Content-Length") == "\(size)")
                    #expect(received.value(of: "Transfer-Encoding") == nil && received.value(of: "Expect") == nil)
                    #expect(received.isPattern && received.bodyBytes == size)
                }
            }
        }
    }

    @Test("an upload of unknown length arrives whole in chunks", arguments: [0, 1, 700_001], drivers)
    func unknownLength(size: Int, driver: CurlTransport.Configuration.Driver) async throws {
        try await BodyServer.run(.read()) { server in
            try await withTransport(driver) { transport in
                let answer = try await transport.execute(request(to: server.url, PatternSource(size), length: nil))
                #expect(answer.text == "\(size)")
                let received = try #require(server.received.first)
                #expect(received.value(of: "Transfer-Encoding") == "chunked")
                #expect(received.value(of: "Content-Length") == nil && received.value(of: "Expect") == nil)
                #expect(received.isPattern)
            }
        }
    }

    @Test("an empty upload of known length has Content-Length 0")
    func empty() async throws {
        try await BodyServer.run(.read()) { server in
            try await withTransport { transport in
                let source = PatternSource(0)
                let answer = try await transport.execute(request(.put, to: server.url, source, length: 0))
                #expect(answer.text == "0")
                #expect(server.received.first?.value(of: "Content-Length") == "0")
                #expect(source.isCancelled)
            }
        }
    }

    @Test("requests with and without bodies share a connection in any order")
    func mixed() async throws {
        try await BodyServer.run(.read()) { server in
            try await withTransport { transport in
                for number in 0..<24 {
                    let plain: TransportRequest
                    switch number % 4 {
                    case 0: plain = try request(.put, to: server.url, PatternSource(1000), length: 1000)
                    case 1: plain = try TransportRequest(.post, to: server.url, body: "small")
                    case 2: plain = try TransportRequest(.get, to: server.url)
                    default: plain = try request(to: server.url, PatternSource(1000), length: nil)
                    }
                    let answer = try await transport.execute(plain)
                    #expect(answer.text == ["1000", "5", "0", "1000"][number % 4])
                }
                #expect(server.connectionCount == 1)
                #expect(server.received.count { $0.value(of: "Expect") != nil } == 0)
            }
        }
    }

    @Test("an upload to a slow server is read from its source no faster", arguments: drivers)
    func slowReader(driver: CurlTransport.Configuration.Driver) async throws {
        // The server's buffer is small, and the system's for sending has at most some MiB.
        let size = 64 << 20
        try await BodyServer.run(.read(chunk: 1 << 20, pause: .milliseconds(5))) { server in
            try await withTransport(driver) { transport in
                let source = PatternSource(size, chunk: 200_000)
                let sending = try request(to: server.url, source, length: size)
                let answer = Task { try await transport.execute(sending) }
                #expect(await server.wait { ($0.received.first?.bodyBytes ?? 0) > 4 << 20 })
                // What waits with us, with libcurl, and in the system's buffers.
                let ahead = source.givenBytes - (server.received.first?.bodyBytes ?? 0)
                #expect(ahead < 32 << 20)
                #expect(try await answer.value.text == "\(size)")
                #expect(server.received.first?.isPattern == true)
            }
        }
    }

    @Test("a slow source of an upload does not count against timeouts")
    func slowSource() async throws {
        try await BodyServer.run(.read()) { server in
            try await withTransport { transport in
                let (chunks, continuation) = AsyncStream<Data>.makeStream()
                let sending = try TransportRequest(.post, to: server.url).with {
                    $0.upload = UploadBody(length: nil, isReplayable: false, makeChunks: { chunks })
                    $0.timeouts.idle = .milliseconds(1200)
                    $0.timeouts.firstByte = .milliseconds(1200)
                }
                let answer = Task { try await transport.execute(sending) }
                continuation.yield(BodyServer.pattern(1000))
                #expect(await server.wait { $0.received.first?.bodyBytes == 1000 })
                try await Task.sleep(for: .milliseconds(1800))
                continuation.yield(BodyServer.pattern(1000, at: 1000))
                continuation.finish()
                #expect(try await answer.value.text == "2000")
            }
        }
    }

    @Test(
        "a slow source does not count against timeouts after the response began",
        arguments: ["HTTP/1.1 103 Early Hints\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"]
    )
    func quietSourceOfTwoWayBody(first: String) async throws {
        let end = "2\r\nok\r\n0\r\n\r\n"
        let rest = first.contains("103") ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(end)" : end
        try await BodyServer.run(.readBetween(first: first, rest: rest)) { server in
            try await withTransport { transport in
                let (chunks, continuation) = AsyncStream<Data>.makeStream()
                let sending = try TransportRequest(.post, to: server.url).with {
                    $0.upload = UploadBody(length: nil, isReplayable: false, makeChunks: { chunks })
                    $0.timeouts.idle = .milliseconds(1200)
                    $0.timeouts.firstByte = .milliseconds(1200)
                }
                let answer = Task { try await transport.execute(sending) }
                continuation.yield(BodyServer.pattern(1000))
                #expect(await server.wait { $0.received.first?.bodyBytes == 1000 })
                // Real time: the limits are the loop's.
                try await Task.sleep(for: .milliseconds(1800))
                continuation.yield(BodyServer.pattern(1000, at: 1000))
                continuation.finish()
                #expect(try await answer.value.text == "ok")
            }
        }
    }

    @Test("many concurrent uploads arrive whole", arguments: drivers)
    func many(driver: CurlTransport.Configuration.Driver) async throws {
        try await BodyServer.run(.read()) { server in
            try await withTransport(driver) { transport in
                let url = server.url
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<40 {
                        group.addTask {
                            let size = 10_000 * number + 1
                            let source = PatternSource(size, chunk: 1 + number * 997)
                            let request = try request(to: url, source, length: number % 2 == 0 ? size : nil)
                            #expect(try await transport.execute(request).text == "\(size)")
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(server.received.allSatisfy { $0.isPattern && $0.isComplete })
            }
        }
    }
}

@Suite("Streamed uploads that fail", .timeLimit(.minutes(5)))
struct UploadFailureConcurrencyTests {
    private func request(to url: String, _ source: PatternSource, length: Int?) throws -> TransportRequest {
        try TransportRequest(.post, to: url).with { $0.upload = source.body(length: length.map(Int64.init)) }
    }

    @Test(
        "a source that fails, or has more or fewer bytes than announced, fails the upload",
        arguments: [
            (500_000, 200_000, Int?.some(500_000)),
            (500_000, 200_000, nil),
            (499_999, .max, 500_000),
            (500_001, .max, 500_000),
            (550_000, .max, 500_000),
            (0, .max, 500_000),
        ]
    )
    func badSource(size: Int, breaksAt: Int, length: Int?) async throws {
        for driver in drivers {
            try await BodyServer.run(.read()) { server in
                try await withTransport(driver) { transport in
                    let source = PatternSource(size, breaksAt: breaksAt)
                    let failure = try await transport.failure(request(to: server.url, source, length: length))
                    #expect(failure.kind == .requestBodyFailed, "\(failure)")
                    #expect(failure.delivery == .maybeSent || source.givenBytes == 0 || server.received.isEmpty)
                    #expect(failure.underlying != nil && !server.received.contains { $0.isComplete })
                    // The connection is not used again.
                    let next = try await transport.execute(TransportRequest(to: server.url))
                    #expect(next.head.status == 200)
                    #expect(!next.timings.isConnectionReused)
                }
            }
        }
    }

    @Test("a source that cannot be opened fails the upload before a request")
    func unopened() async throws {
        try await BodyServer.run(.read()) { server in
            try await withTransport { transport in
                let request = try TransportRequest(.post, to: server.url).with {
                    $0.upload = UploadBody(length: 10, isReplayable: true) { throw PatternSource.Broken() }
                }
                let failure = try await transport.failure(request)
                #expect(failure.kind == .requestBodyFailed && failure.delivery == .notSent)
                #expect(failure.underlying is PatternSource.Broken)
                #expect(server.connectionCount == 0)
            }
        }
    }

    @Test("a body announced as empty that has bytes fails the upload")
    func notEmpty() async throws {
        try await BodyServer.run(.read()) { server in
            try await withTransport { transport in
                let failure = try await transport.failure(request(to: server.url, PatternSource(1), length: 0))
                #expect(failure.kind == .requestBodyFailed && failure.delivery == .notSent)
                #expect(server.connectionCount == 0)
            }
        }
    }

    @Test("cancelling ends an upload and its source at once", arguments: drivers)
    func cancel(driver: CurlTransport.Configuration.Driver) async throws {
        // A server that reads, one that does not; a source that gives, one that does not.
        // One that does not read does not hear of the connection's end either.
        for (behaviour, stallsAt, hears) in [
            (BodyServer.Behaviour.read(), 100_000, true), (.ignore, Int.max, false),
            (.read(chunk: 10_000, pause: .milliseconds(2)), Int.max, true),
        ] {
            try await BodyServer.run(behaviour) { server in
                try await withTransport(driver) { transport in
                    let source = PatternSource(1 << 30, stallsAt: stallsAt)
                    let sending = try request(to: server.url, source, length: nil)
                    let task = Task { try await transport.failure(sending) }
                    #expect(await server.wait { _ in source.givenBytes >= 100_000 })
                    #expect(await server.wait { $0.received.count == 1 })
                    task.cancel()
                    let failure = try await task.value
                    #expect(failure.kind == .cancelled && failure.delivery == .maybeSent)
                    #expect(await server.wait { _ in source.isCancelled })
                    if hears { #expect(await server.wait { $0.openConnectionCount == 0 }) }
                }
            }
        }
    }

    @Test("shutdown ends an upload", arguments: drivers)
    func shutdown(driver: CurlTransport.Configuration.Driver) async throws {
        try await BodyServer.run(.ignore) { server in
            try await withTransport(driver) { transport in
                let source = PatternSource(1 << 30)
                let sending = try request(to: server.url, source, length: nil)
                let task = Task { try await transport.failure(sending) }
                #expect(await server.wait { $0.received.count == 1 })
                await transport.shutdown()
                #expect(try await task.value.kind == .clientClosed)
                #expect(await server.wait { _ in source.isCancelled })
            }
        }
    }

    @Test("a response during an upload ends the source", arguments: drivers)
    func earlyAnswer(driver: CurlTransport.Configuration.Driver) async throws {
        try await BodyServer.run(.answerEarly(413)) { server in
            try await withTransport(driver) { transport in
                for length in [1 << 30, nil] {
                    let source = PatternSource(1 << 30)
                    let answer = try await transport.execute(request(to: server.url, source, length: length))
                    #expect(answer.head.status == 413 && answer.text == "early")
                    #expect(await server.wait { _ in source.isCancelled })
                    #expect(source.givenBytes < 1 << 30)
                }
                // The unsent rest forbids a second use.
                #expect(server.connectionCount == 2)
            }
        }
    }

    @Test("an upload to a server that does not read meets the idle timeout", arguments: drivers)
    func neverReads(driver: CurlTransport.Configuration.Driver) async throws {
        try await BodyServer.run(.ignore) { server in
            try await withTransport(driver) { transport in
                let source = PatternSource(1 << 30)
                var sending = try request(to: server.url, source, length: 1 << 30)
                sending.timeouts.idle = .milliseconds(200)
                sending.timeouts.firstByte = nil
                let failure = try await transport.failure(sending)
                #expect(failure.kind == .timedOut && failure.phase == .idle && failure.delivery == .maybeSent)
                #expect(await server.wait { _ in source.isCancelled })
            }
        }
    }

    @Test("an upload longer than the timeouts passes while bytes move")
    func longUpload() async throws {
        // Slow at first only: how much of the end waits in the system's buffers must not matter. The server frees its buffer
        // of at most 128 KiB in two pauses, a small part of the limit, and takes longer than the limit for all 80 of them.
        try await BodyServer.run(.read(chunk: 100_000, pause: .milliseconds(20), slowBytes: 8_000_000)) { server in
            try await withTransport { transport in
                let size = 32 << 20
                var sending = try request(to: server.url, PatternSource(size), length: size)
                sending.timeouts.idle = .seconds(1)
                sending.timeouts.firstByte = .seconds(1)
                let start = ContinuousClock.now
                let answer = try await transport.execute(sending)
                #expect(answer.text == "\(size)")
                // It has no meaning unless the timeouts were over.
                #expect(ContinuousClock.now - start > .seconds(1))
            }
        }
        try await FaultServer.run({ _ in [.hang] }) { server in
            try await withTransport { transport in
                var sending = try request(to: server.url, PatternSource(1000), length: 1000)
                sending.timeouts.firstByte = .milliseconds(150)
                sending.timeouts.idle = nil
                let failure = try await transport.failure(sending)
                #expect(failure.kind == .timedOut && failure.phase == .firstByte)
            }
        }
    }

    @Test("a connection that ends during an upload is an error", arguments: drivers)
    func cut(driver: CurlTransport.Configuration.Driver) async throws {
        try await BodyServer.run(.cut(after: 300_000)) { server in
            try await withTransport(driver) { transport in
                let source = PatternSource(1 << 30)
                let failure = try await transport.failure(request(to: server.url, source, length: 1 << 30))
                #expect(failure.kind == .connectionLost && failure.delivery == .maybeSent, "\(failure)")
                #expect(await server.wait { _ in source.isCancelled })
            }
        }
    }

    @Test("an upload on a dead reused connection is not sent again after its body was read", arguments: drivers)
    func deadConnection(driver: CurlTransport.Configuration.Driver) async throws {
        // The first request is answered, the second's connection is torn down without an answer.
        try await FaultServer.run({ $0.number == 1 ? [.answer(body: "ok")] : [.reset] }) { server in
            try await withTransport(driver) { transport in
                _ = try await transport.execute(TransportRequest(to: server.url))
                let failure = try await transport.failure(
                    request(to: server.url, PatternSource(100_000), length: 100_000)
                )
                #expect(failure.kind == .connectionLost && failure.delivery == .maybeSent, "\(failure)")
                #expect(server.requestCount == 2)
            }
        }
    }
}
