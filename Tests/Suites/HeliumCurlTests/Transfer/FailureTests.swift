import Foundation
import HTTPTypes
import HeliumCore
import HeliumCurl
import HeliumTesting
import Testing

/// The actions of a server, and the failure that the caller gets.
struct FaultCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let actions: [FaultServer.Action]
    let kind: FailureKind
    let delivery: DeliveryState

    static let all: [FaultCase] =
        [
            FaultCase("reset before any answer", [.reset], .connectionLost, .maybeSent),
            FaultCase("closed before any answer", [.close], .connectionLost, .maybeSent),
            FaultCase("cut in the status line", [.send("HTTP/1.1 20"), .close], .connectionLost, .maybeSent),
            FaultCase(
                "cut in the header section",
                [.send("HTTP/1.1 200 OK\r\nContent-"), .close],
                .connectionLost,
                .answered
            ),
            FaultCase(
                "cut in the body",
                [.answer(announcing: 100, body: "short"), .close],
                .connectionLost,
                .answered
            ),
            FaultCase(
                "reset in the body",
                [.answer(announcing: 100, body: "short"), .reset],
                .connectionLost,
                .answered
            ),
            FaultCase("cut between chunks", [.unfinishedChunks(["one", "two"]), .close], .connectionLost, .answered),
            FaultCase(
                "a chunk without a size",
                [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n"), .hang],
                .malformedResponse,
                .answered
            ),
            FaultCase("no HTTP at all", [.send("220 mail ready\r\n\r\n"), .close], .malformedResponse, .maybeSent),
            FaultCase(
                "a body that is not what its coding says",
                [.answer(fields: ["Content-Encoding: gzip"], body: "this is not gzip")],
                .malformedResponse,
                .answered
            ),
            FaultCase("protocols switched unasked", [.interim(101), .hang], .malformedResponse, .answered),
        ] + lengths

    /// Lengths that leave it open where the body ends.
    private static let lengths = [
        ["18446744073709551616"], ["9223372036854775808"], ["5", "6"], ["5, 6"], ["-5"], ["+5"], ["5 5"], ["0x5"], [""],
    ].map { values in
        let fields = values.map { "Content-Length: \($0)\r\n" }.joined()
        return FaultCase(
            "a Content-Length of \(values)",
            [.send("HTTP/1.1 200 OK\r\n\(fields)\r\nhello"), .close],
            .malformedResponse,
            .answered
        )
    }

    init(_ name: String, _ actions: [FaultServer.Action], _ kind: FailureKind, _ delivery: DeliveryState) {
        testDescription = name
        self.actions = actions
        self.kind = kind
        self.delivery = delivery
    }
}

@Suite("Failures of transfers", .timeLimit(.minutes(5)))
struct FailureTests {
    @Test("a broken response has its kind of failure and its delivery", arguments: FaultCase.all, drivers)
    func namesKind(fault: FaultCase, driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.run({ _ in fault.actions }) { server in
            try await withTransport(driver) { transport in
                let failure = try await transport.failure(TransportRequest(to: server.url + "/secret-path"))
                #expect(failure.kind == fault.kind, "\(failure)")
                #expect(failure.delivery == fault.delivery, "\(failure)")
                #expect(!failure.message.contains("secret-path"))
            }
        }
    }

    @Test(
        "a failure after the head has the head and the beginning of the body",
        arguments: [
            ("Content-Length: 100", "short", [.close], "short"),
            ("Content-Length: 100", "short", [.reset], nil),
            ("Content-Length: 100", "short", [.hang], "short"),
            ("Transfer-Encoding: chunked", "5\r\nshort\r\nnonsense\r\n", [.hang], "short"),
            ("Content-Encoding: br\r\nContent-Length: 5", "short", [], ""),
            ("Content-Encoding: gzip\r\nContent-Length: 5", "short", [], ""),
            ("Content-Length: 20", "longer than allowed.", [], nil),
        ] as [(String, String, [FaultServer.Action], String?)]
    )
    func keepsHead(fields: String, body: String, end: [FaultServer.Action], received: String?) async throws {
        let head = "HTTP/1.1 503 Later\r\nRetry-After: 7\r\n\(fields)\r\n\r\n"
        try await FaultServer.run({ _ in [.send(head + body)] + end }) { server in
            try await withTransport { transport in
                let request = try TransportRequest(to: server.url).with {
                    $0.responseBody = .collect(upTo: 10)
                    $0.timeouts.idle = .milliseconds(200)
                }
                let response = try #require(try await transport.failure(request).response)
                #expect(response.head.status == 503 && response.head[.retryAfter] == "7")
                if let received { #expect(response.text == received) }
            }
        }
    }

    @Test("at most 64 KiB of a body are kept in a failure")
    func keepsBeginning() async throws {
        let body = String(repeating: "x", count: 100_000)
        try await FaultServer.run({ _ in [.answer(announcing: 200_000, body: body), .close] }) { server in
            try await withTransport { transport in
                let failure = try await transport.failure(TransportRequest(to: server.url))
                #expect(failure.response?.text.utf8.count == 64 << 10)
            }
        }
    }

    @Test(
        "a failure without a complete head, or whose head contradicts itself, has no response",
        arguments: [
            "HTTP/1.1 401 No\r\nContent-", "HTTP/1.1 401 No\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", "",
        ]
    )
    func hasNoHead(text: String) async throws {
        try await FaultServer.run({ _ in [.send(text), .close] }) { server in
            try await withTransport { transport in
                let failure = try await transport.failure(TransportRequest(to: server.url))
                #expect(failure.response?.head.status == nil)
            }
        }
    }

    @Test("a broken body of a stream is thrown by the stream", arguments: drivers)
    func failsStream(driver: CurlTransport.Configuration.Driver) async throws {
        let gate = FaultServer.Gate()
        try await FaultServer.run({ _ in
            [.answer(announcing: 100, body: "short"), .send(whenOpen: gate, ""), .reset]
        }) { server in
            try await withTransport(driver) { transport in
                let request = try TransportRequest(to: server.url).with { $0.responseBody = .stream }
                let stream = try await transport.execute(request).stream
                var received = Data()
                let failure = await #expect(throws: TransportFailure.self) {
                    for try await chunk in stream {
                        received += chunk
                        // A reset discards what was not read.
                        if received.count == 5 { gate.open() }
                    }
                }
                #expect(failure?.kind == .connectionLost && failure?.delivery == .answered)
                #expect(String(decoding: received, as: UTF8.self) == "short")
            }
        }
    }

    @Test("bytes beyond the announced length are not in the body")
    func ignoresExcess() async throws {
        try await FaultServer.run({ _ in [.answer(announcing: 2, body: "okay, and more")] }) { server in
            try await withTransport { transport in
                for _ in 0..<3 {
                    let response = try await transport.execute(TransportRequest(to: server.url))
                    #expect(response.text == "ok")
                }
            }
        }
    }

    @Test(
        "two equal Content-Length fields are one",
        arguments: ["Content-Length: 5\r\nContent-Length: 5", "Content-Length: 5, 5"]
    )
    func repeatedLength(fields: String) async throws {
        try await FaultServer.run({ _ in [.send("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nhello")] }) { server in
            try await withTransport { transport in
                let response = try await transport.execute(TransportRequest(to: server.url))
                #expect(response.text == "hello")
            }
        }
    }

    @Test("a request whose connection is refused was not sent", arguments: drivers)
    func refused(driver: CurlTransport.Configuration.Driver) async throws {
        try await FaultServer.withRefusingURL { url in
            try await withTransport(driver) { transport in
                let failure = try await transport.failure(TransportRequest(.post, to: url, body: "x"))
                #expect(failure.kind == .connectionFailed && failure.delivery == .notSent)
                #expect(failure.message.contains("refused"))
                #expect(failure.code == 7)
            }
        }
    }

    @Test("a host name without an address is an error of its own kind")
    func unknownHost() async throws {
        try await withTransport { transport in
            let failure = try await transport.failure(TransportRequest(to: "http://nobody.invalid/"))
            #expect(failure.kind == .hostNotFound && failure.delivery == .notSent)
        }
    }

    @Test("a peer that does not speak TLS fails the handshake")
    func noTLS() async throws {
        try await FaultServer.run(greeting: [.send("HTTP/1.1 400 Bad Request\r\n\r\n")], { _ in [] }) { server in
            try await withTransport { transport in
                let failure = try await transport.failure(TransportRequest(to: "https://127.0.0.1:\(server.port)/"))
                #expect(failure.kind == .tlsFailed && failure.delivery == .notSent, "\(failure)")
            }
        }
    }

    @Test("a reset in the TLS handshake is a failed connection")
    func resetInHandshake() async throws {
        try await FaultServer.run(greeting: [.wait(.milliseconds(50)), .reset], { _ in [] }) { server in
            try await withTransport { transport in
                let failure = try await transport.failure(TransportRequest(to: "https://127.0.0.1:\(server.port)/"))
                #expect(failure.kind == .connectionFailed && failure.delivery == .notSent, "\(failure)")
            }
        }
    }

    @Test("a transport works after every kind of failure", arguments: drivers)
    func recovers(driver: CurlTransport.Configuration.Driver) async throws {
        let faults = FaultCase.all
        try await FaultServer.run({ $0.number % 2 == 1 ? faults[$0.number / 2].actions : [.answer(body: "fine")] }) {
            server in
            try await withTransport(driver) { transport in
                for _ in faults {
                    _ = try await transport.failure(TransportRequest(to: server.url))
                    let response = try await transport.execute(TransportRequest(to: server.url))
                    #expect(response.text == "fine")
                }
            }
        }
    }
}
