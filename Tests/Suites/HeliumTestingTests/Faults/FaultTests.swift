import Foundation
import HTTPTypes
import HeliumCore
import HeliumCurl
import TestSupport
import Testing

@testable import HeliumTesting

/// A fault of the vocabulary, and what a caller is told.
struct VocabularyCase: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        case answer(Int, body: String)
        case failure(FailureKind, DeliveryState, phase: TransferPhase? = nil, ceiling: Ceiling? = nil)
    }

    let fault: FaultServer.Fault
    let outcome: Outcome
    var scheme = "http"
    var body: Data?

    var testDescription: String { fault.name }

    static let all: [VocabularyCase] = [
        VocabularyCase(fault: .healthy, outcome: .answer(200, body: "ok")),
        VocabularyCase(fault: .answer(404, body: "no"), outcome: .answer(404, body: "no")),
        // Before a request is read.
        VocabularyCase(fault: .slowAccept(.milliseconds(20)), outcome: .answer(200, body: "ok")),
        VocabularyCase(fault: .answerBeforeRequest, outcome: .answer(200, body: "early")),
        VocabularyCase(
            fault: .garbageInHandshake,
            outcome: .failure(.tlsFailed, .notSent),
            scheme: "https"
        ),
        VocabularyCase(fault: .resetOnConnect, outcome: .failure(.connectionFailed, .notSent), scheme: "https"),
        // Before and in the head.
        VocabularyCase(fault: .resetBeforeHeaders, outcome: .failure(.connectionLost, .maybeSent)),
        VocabularyCase(fault: .closeBeforeHeaders, outcome: .failure(.connectionLost, .maybeSent)),
        VocabularyCase(fault: .stallBeforeHeaders, outcome: .failure(.timedOut, .maybeSent, phase: .firstByte)),
        VocabularyCase(fault: .resetMidHeaders, outcome: .failure(.connectionLost, .answered)),
        VocabularyCase(fault: .closeMidHeaders, outcome: .failure(.connectionLost, .answered)),
        VocabularyCase(fault: .stallMidHeaders, outcome: .failure(.timedOut, .answered, phase: .idle)),
        VocabularyCase(
            fault: .endlessHeaders,
            outcome: .failure(.ceilingExceeded, .answered, ceiling: .headerBytes)
        ),
        VocabularyCase(
            fault: .headerBomb(),
            outcome: .failure(.ceilingExceeded, .answered, ceiling: .headerBytes)
        ),
        VocabularyCase(
            fault: .headerBomb(count: 300, bytes: 1),
            outcome: .failure(.ceilingExceeded, .answered, ceiling: .headerCount)
        ),
        VocabularyCase(fault: .garbage, outcome: .failure(.malformedResponse, .maybeSent)),
        VocabularyCase(fault: .switchedProtocols, outcome: .failure(.malformedResponse, .answered)),
        // In the body.
        VocabularyCase(fault: .resetMidBody, outcome: .failure(.connectionLost, .answered)),
        VocabularyCase(fault: .closeMidBody, outcome: .failure(.connectionLost, .answered)),
        VocabularyCase(fault: .stallMidBody, outcome: .failure(.timedOut, .answered, phase: .idle)),
        VocabularyCase(fault: .halfClose, outcome: .failure(.connectionLost, .answered)),
        VocabularyCase(fault: .lengthTooShort, outcome: .answer(200, body: "ok")),
        VocabularyCase(fault: .unfinishedChunks, outcome: .failure(.connectionLost, .answered)),
        VocabularyCase(fault: .brokenChunk, outcome: .failure(.malformedResponse, .answered)),
        VocabularyCase(
            fault: .drip("drop by drop", every: .milliseconds(1)),
            outcome: .answer(200, body: "drop by drop")
        ),
        VocabularyCase(fault: .endlessBody, outcome: .failure(.ceilingExceeded, .answered, ceiling: .bodyBytes)),
        VocabularyCase(fault: .wrongCoding, outcome: .failure(.malformedResponse, .answered)),
        // Whole answers at the wrong time or place.
        VocabularyCase(
            fault: .answerBeforeBody(),
            outcome: .answer(413, body: "too large"),
            body: Data(repeating: 0x78, count: 4 << 20)
        ),
        VocabularyCase(fault: .closeAfterResponse, outcome: .answer(200, body: "ok")),
        VocabularyCase(fault: .duplicateResponses, outcome: .answer(200, body: "one")),
        VocabularyCase(fault: .redirectLoop, outcome: .answer(302, body: "")),
        VocabularyCase(fault: .tooManyRequests(retryAfter: .seconds(2)), outcome: .answer(429, body: "busy")),
        VocabularyCase(fault: .unavailable(), outcome: .answer(503, body: "busy")),
    ]
}

@Suite("Faults of the test server", .timeLimit(.minutes(5)))
struct FaultTests {
    private func request(_ fault: VocabularyCase, port: Int) throws -> TransportRequest {
        var request = try TransportRequest(
            fault.body == nil ? .get : .post,
            to: "\(fault.scheme)://127.0.0.1:\(port)/x"
        )
        request.body = fault.body
        // One second for the limit that ends it; the others only have to be longer than any machine is slow.
        var ending: TransferPhase?
        if case .failure(.timedOut, _, let phase, _) = fault.outcome { ending = phase }
        request.timeouts.firstByte = .seconds(ending == .firstByte ? 1 : 120)
        request.timeouts.idle = .seconds(ending == .idle ? 1 : 120)
        request.responseBody = .collect(upTo: 1 << 20)
        return request
    }

    @Test("each fault has its delivery state and kind of failure", arguments: VocabularyCase.all)
    func table(fault: VocabularyCase) async throws {
        try await FaultServer.run(faults: [fault.fault]) { server in
            try await withCurlTransport { transport in
                let request = try request(fault, port: server.port)
                switch fault.outcome {
                case .answer(let status, let body):
                    let response = try await transport.execute(request)
                    #expect(response.head.status == status)
                    #expect(try await response.text == body)
                case .failure(let kind, let delivery, let phase, let ceiling):
                    let failure = try await transport.failure(request)
                    #expect(failure.kind == kind && failure.delivery == delivery, "\(failure)")
                    #expect(failure.ceiling == ceiling, "\(failure)")
                    if let phase { #expect(failure.phase == phase, "\(failure)") }
                }
                #expect(server.events.contains { $0.what == .fault(fault.fault.name) })
            }
        }
    }

    @Test(
        "a server that discards what it receives keeps nothing of it, whatever the length",
        arguments: [FaultServer.Fault.answerBeforeBody(), .stallBeforeHeaders, .halfClose, .custom("hang", [.hang])]
    )
    func discards(fault: FaultServer.Fault) async throws {
        try await FaultServer.run(faults: [fault]) { server in
            // Without the body that the head announces, which a server that reads it would keep.
            let length = fault.readsBody ? 0 : 1 << 30
            let head = Data("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n".utf8)
            let total = FaultServer.requestByteLimit + (1 << 20)
            try await LoopbackClient.send(head, thenZeros: total, toPort: server.port)
            // A server that kept the bytes would close the connection at the limit of a request.
            let ends: [FaultServer.Event.What] = [.closedByClient, .closedByServer]
            try await eventually { server.events.contains { ends.contains($0.what) } }
            #expect(server.events.last?.what == .closedByClient)
            #expect(server.receivedByteCount == head.count + total)
            #expect(server.requests.map(\.body.count) == [0])
        }
    }

    @Test("a gzip bomb of the fault server meets a limit")
    func gzipBomb() async throws {
        try await FaultServer.run(faults: [.gzipBomb()]) { server in
            try await withCurlTransport { transport in
                let failure = try await transport.failure(TransportRequest(to: server.url))
                #expect(failure.kind == .ceilingExceeded && failure.delivery == .answered, "\(failure)")
                #expect(server.sentByteCount < 1 << 20)
            }
        }
    }

    @Test("a connection that the fault server ends at once has no response")
    func endsOnConnect() async throws {
        for fault in [FaultServer.Fault.resetOnConnect, .closeOnConnect] {
            try await FaultServer.run(faults: [fault]) { server in
                try await withCurlTransport { transport in
                    let failure = try await transport.failure(TransportRequest(to: server.url))
                    // Whether the request left before the end was seen is the system's affair.
                    #expect(failure.delivery != .answered && server.requestCount == 0, "\(failure)")
                    #expect(failure.kind == .connectionLost || failure.kind == .connectionFailed, "\(failure)")
                }
            }
        }
    }

    @Test("a refusing port of the fault server refuses connections")
    func refuses() async throws {
        try await FaultServer.withRefusingURL { url in
            try await withCurlTransport { transport in
                let failure = try await transport.failure(TransportRequest(to: url))
                #expect(failure.kind == .connectionFailed && failure.delivery == .notSent)
            }
        }
    }

    @Test("faults are used in order, and the last one again and again")
    func sequence() async throws {
        try await FaultServer.run(faults: [.resetBeforeHeaders, .unavailable(), .healthy]) { server in
            try await withCurlTransport { transport in
                let request = try TransportRequest(to: server.url)
                #expect(try await transport.failure(request).kind == .connectionLost)
                #expect(try await transport.execute(request).head.status == 503)
                for _ in 0..<3 { #expect(try await transport.execute(request).head.status == 200) }
                #expect(server.requests.map(\.number) == [1, 2, 3, 4, 5])
                #expect(zip(server.requests, server.requests.dropFirst()).allSatisfy { $0.time <= $1.time })
            }
        }
    }

    @Test("a fault before the request uses up a connection, and not a request")
    func connectionFaultInSequence() async throws {
        try await FaultServer.run(faults: [.closeAfterResponse, .resetOnConnect, .answer(201)]) { server in
            try await withCurlTransport { transport in
                let request = try TransportRequest(to: server.url)
                #expect(try await transport.execute(request).head.status == 200)
                #expect(await server.wait { $0.events.contains { $0.what == .closedByServer } })
                // If the reset comes before a byte of the request is accepted, the transport sends it again by itself.
                var next = try? await transport.execute(request)
                if next == nil { next = try await transport.execute(request) }
                #expect(next?.head.status == 201)
                #expect(server.connectionCount == 3 && server.requestCount == 2)
            }
        }
    }

    @Test("each connection of the fault server has its own faults")
    func connections() async throws {
        try await FaultServer.run(faults: .connections([.closeAfterResponse, .answer(201)])) { server in
            try await withCurlTransport { transport in
                let request = try TransportRequest(to: server.url)
                #expect(try await transport.execute(request).head.status == 200)
                #expect(await server.wait { $0.events.contains { $0.what == .closedByServer } })
                for _ in 0..<2 { #expect(try await transport.execute(request).head.status == 201) }
                #expect(server.connectionCount == 2)
            }
        }
    }

    @Test("each path of the fault server has its own faults")
    func paths() async throws {
        try await FaultServer.run(faults: .paths(["/a": [.answer(201), .answer(202)], "/b": []])) { server in
            try await withCurlTransport { transport in
                var statuses: [Int] = []
                for target in ["/a?x=1", "/c", "/a", "/b", "/a"] {
                    statuses.append(try await transport.execute(TransportRequest(to: server.url + target)).head.status)
                }
                #expect(statuses == [201, 200, 202, 200, 202])
            }
        }
    }

    @Test("a redirect chain of the fault server ends")
    func redirectChain() async throws {
        try await FaultServer.run(faults: [.redirectChain(2, status: 307)]) { server in
            try await withCurlTransport { transport in
                var target = "/start"
                var statuses: [Int] = []
                for _ in 0..<3 {
                    let response = try await transport.execute(TransportRequest(to: server.url + target))
                    statuses.append(response.head.status)
                    target = response.head[.location] ?? ""
                }
                #expect(statuses == [307, 307, 200] && server.requests.map(\.path) == ["/start", "/hop-1", "/hop-2"])
            }
        }
    }

    @Test("the fault server sends Retry-After in both forms, and an invalid one")
    func retryAfter() async throws {
        let date = Date(timeIntervalSince1970: 784_111_777)
        let forms: [FaultServer.Fault.RetryAfter] = [.seconds(120), .date(date), .text("soon")]
        try await FaultServer.run(faults: .requests(forms.map { .tooManyRequests(retryAfter: $0) })) { server in
            try await withCurlTransport { transport in
                var values: [String?] = []
                for _ in forms {
                    values.append(try await transport.execute(TransportRequest(to: server.url)).head[.retryAfter])
                }
                #expect(values == ["120", "Sun, 06 Nov 1994 08:49:37 GMT", "soon"])
            }
        }
    }

    @Test("a slow accept of the fault server lasts until its gate is opened")
    func slowAccept() async throws {
        let gate = FaultServer.Gate()
        try await FaultServer.run(faults: [.slowAccept(until: gate)]) { server in
            try await withCurlTransport { transport in
                let request = try TransportRequest(to: server.url)
                async let response = transport.execute(request)
                #expect(await server.wait { $0.connectionCount == 1 })
                #expect(server.requestCount == 0)
                gate.open()
                #expect(try await response.head.status == 200)
            }
        }
    }

    @Test(
        "the fault server reads a chunked body",
        .enabled(if: Shell.hasCurl, "the curl tool is not installed")
    )
    func chunkedRequest() async throws {
        try await FaultServer.run(faults: [.healthy]) { server in
            var request = try TransportRequest(.post, to: server.url)
            request.upload = UploadBody(length: nil, isReplayable: false) { throw CancellationError() }
            let body = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
            try await Shell.run(request.curlCommand(), input: body)
            #expect(server.requests.first?.body == body)
            #expect(server.requests.first?.values(of: "transfer-encoding") == ["chunked"])
        }
    }
}
