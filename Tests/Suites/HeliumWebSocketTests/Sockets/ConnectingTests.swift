import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumTesting
import HeliumWebSocket
import Synchronization
import Testing
import WireSupport

@Suite("Connecting a WebSocket", .timeLimit(.minutes(5)))
struct ConnectingTests {
    @Test("asks for the upgrade as RFC 6455 has it, with the fields given")
    func request() async throws {
        var options = WebSocketOptions.quiet
        options.fields[.authorization] = "Bearer abc"
        options.subprotocols = ["two", "one"]
        let head = Box<String>()
        try await WireServer.run { peer in
            head.set(try await peer.upgrade(fields: "Sec-WebSocket-Protocol: one\r\n"))
            try await peer.answerClose()
        } _: { server async throws in
            let socket = try await WebSocket.connect(
                to: server.url("ws://127.0.0.1:\(server.port)/a?b=c"),
                options: options
            )
            #expect(socket.subprotocol == "one")
            #expect(await socket.close().wasClean)
        }
        let text = try #require(head.value)
        #expect(text.hasPrefix("GET /a?b=c HTTP/1.1\r\n"))
        #expect(WirePeer.field("Upgrade", in: text) == "websocket")
        #expect(WirePeer.field("Connection", in: text) == "Upgrade")
        #expect(WirePeer.field("Sec-WebSocket-Version", in: text) == "13")
        #expect(WirePeer.field("Sec-WebSocket-Protocol", in: text) == "two, one")
        #expect(WirePeer.field("Authorization", in: text) == "Bearer abc")
        #expect(WirePeer.field("Host", in: text)?.hasPrefix("127.0.0.1:") == true)
        #expect(Data(base64Encoded: WirePeer.field("Sec-WebSocket-Key", in: text) ?? "")?.count == 16)
    }

    @Test("takes what comes along with the answer")
    func together() async throws {
        try await WireServer.run { peer in
            try await peer.upgrade(with: WirePeer.frame(1, [0x61]) + WirePeer.frame(1, [0x62]) + WirePeer.frame(8, []))
            try await peer.readToEnd()
        } _: { server async throws in
            let socket = try await WebSocket.connect(to: server.url, options: .quiet)
            #expect(try await socket.texts() == ["a", "b"])
        }
    }

    @Test(
        "fails where the answer is none to the request",
        arguments: [
            ("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: wrong\r\n", "Accept"),
            ("Upgrade: websocket\r\nConnection: Upgrade\r\n", "Accept"),
            ("Upgrade: h2c\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {}\r\n", "upgrade"),
            ("Upgrade: websocket\r\nConnection: close\r\nSec-WebSocket-Accept: {}\r\n", "Connection"),
            (
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {}\r\n"
                    + "Sec-WebSocket-Extensions: permessage-deflate\r\n", "extension"
            ),
            (
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {}\r\n"
                    + "Sec-WebSocket-Protocol: other\r\n", "subprotocol"
            ),
        ]
    )
    func wrongAnswer(fields: String, complaint: String) async throws {
        try await WireServer.run { peer in
            let key = WirePeer.field("Sec-WebSocket-Key", in: try await peer.readHead()) ?? ""
            let filled = fields.replacingOccurrences(of: "{}", with: WirePeer.accept(key))
            try await peer.write("HTTP/1.1 101 Switching Protocols\r\n\(filled)\r\n")
            try await peer.readToEnd()
        } _: { server async throws in
            let error = try await failure { try await WebSocket.connect(to: server.url) }
            #expect(error.kind == .malformedResponse && error.message.contains(complaint))
            await server.waitForEnds()
        }
    }

    @Test(
        "that is refused tells status, fields and the body's beginning",
        arguments: [
            "Content-Length: 9\r\n\r\nForbidden", "Transfer-Encoding: chunked\r\n\r\n9\r\nForbidden\r\n0\r\n\r\n",
            "Connection: close\r\n\r\nForbidden",
        ]
    )
    func refused(rest: String) async throws {
        try await WireServer.run { peer in
            _ = try await peer.readHead()
            try await peer.write("HTTP/1.1 403 Forbidden\r\nX-Why: because\r\n\(rest)")
        } _: { server async throws in
            let error = try await failure { try await WebSocket.connect(to: server.url) }
            #expect(error.kind == .unacceptableStatus && error.status == 403 && error.bodyExcerpt == "Forbidden")
            #expect(error.head?.fields[values: try #require(HTTPField.Name("X-Why"))] == ["because"])
        }
    }

    @Test("that is refused with an endless body fails all the same")
    func endlessRefusal() async throws {
        try await WireServer.run { peer in
            _ = try await peer.readHead()
            try await peer.write("HTTP/1.1 500 Oops\r\n\r\n")
            while true { try await peer.write(String(repeating: "x", count: 1000)) }
        } _: { server async throws in
            let error = try await failure { try await WebSocket.connect(to: server.url) }
            #expect(error.status == 500 && error.body?.count == 4096)
        }
    }

    @Test("fails where the answer is no HTTP, or none", arguments: ["NONSENSE\r\n\r\n", ""])
    func nonsense(answer: String) async throws {
        try await WireServer.run { peer in
            _ = try await peer.readHead()
            try await peer.write(answer)
        } _: { server async throws in
            let error = try await failure { try await WebSocket.connect(to: server.url) }
            #expect(error.kind == (answer.isEmpty ? .connectionFailed : .malformedResponse))
        }
    }

    @Test("fails where nobody listens")
    func nobody() async throws {
        try await FaultServer.withRefusingURL { address async throws in
            let url = try #require(URL(string: "ws" + address.dropFirst("http".count)))
            let error = try await failure { try await WebSocket.connect(to: url) }
            #expect(error.kind == .connectionFailed && error.delivery == .notSent)
        }
    }

    @Test("fails where the host's name has no address")
    func unknownHost() async throws {
        let url = try #require(URL(string: "ws://nowhere.invalid"))
        let error = try await failure { try await WebSocket.connect(to: url) }
        #expect(error.kind == .hostNotFound)
    }

    @Test("gives up at its deadline, and closes what it had opened")
    func deadline() async throws {
        let clock = TestClock()
        var options = WebSocketOptions.quiet
        options.clock = clock
        options.timeouts.connect = .seconds(3)
        try await WireServer.run { peer in
            _ = try await peer.readHead()
            // The head may be here before the deadline's timer runs.
            await clock.waitForDeadlines()
            clock.advance(by: .seconds(3))
            try await peer.readToEnd()
        } _: { [options] server async throws in
            let error = try await failure { try await WebSocket.connect(to: server.url, options: options) }
            #expect(error.kind == .timedOut && error.phase == .connect && error.delivery == .maybeSent)
            await server.waitForEnds()
        }
    }

    @Test("that runs out of time in the handshake of TLS has sent nothing")
    func deadlineInHandshake() async throws {
        let clock = TestClock()
        var options = WebSocketOptions.quiet
        options.clock = clock
        options.timeouts.connect = .seconds(3)
        try await WireServer.run { peer in
            _ = try await peer.readSome()
            await clock.waitForDeadlines()
            clock.advance(by: .seconds(3))
            try await peer.readToEnd()
        } _: { [options] server async throws in
            let url = try #require(URL(string: "wss://127.0.0.1:\(server.port)"))
            let error = try await failure { try await WebSocket.connect(to: url, options: options) }
            #expect(error.kind == .timedOut && error.phase == .connect && error.delivery == .notSent)
            await server.waitForEnds()
        }
    }

    @Test("is cancelled at once, and closes what it had opened")
    func cancelled() async throws {
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        try await WireServer.run { peer in
            _ = try await peer.readHead()
            continuation.finish()
            try await peer.readToEnd()
        } _: { server async throws in
            let url = server.url
            let connecting = Task { try await WebSocket.connect(to: url, options: .quiet) }
            for await _ in asked {}
            connecting.cancel()
            await #expect(throws: CancellationError.self) { try await connecting.value }
            await server.waitForEnds()
        }
    }

    @Test("refuses fields and URLs that can't be used before any I/O")
    func invalid() async throws {
        var options = WebSocketOptions()
        options.fields[.upgrade] = "other"
        let url = try #require(URL(string: "ws://127.0.0.1:9"))
        #expect(try await failure { try await WebSocket.connect(to: url, options: options) }.kind == .invalidRequest)
        options = WebSocketOptions()
        options.subprotocols = ["a b"]
        #expect(try await failure { try await WebSocket.connect(to: url, options: options) }.kind == .invalidRequest)
        let ftp = try #require(URL(string: "ftp://127.0.0.1:9"))
        #expect(try await failure { try await WebSocket.connect(to: ftp) }.kind == .invalidRequest)
    }

    @Test("shows no secret in its errors and options")
    func secrets() async throws {
        var options = WebSocketOptions.quiet
        options.fields[.authorization] = "Bearer verysecret"
        try await WireServer.run { peer in
            _ = try await peer.readHead()
            try await peer.write(
                "HTTP/1.1 401 No\r\nX-Seen: verysecret\r\nConnection: close\r\n\r\nverysecret and otherSecret are wrong"
            )
        } _: { [options] server async throws in
            let url = server.url("ws://127.0.0.1:\(server.port)/?key=otherSecret")
            let error = try await failure { try await WebSocket.connect(to: url, options: options) }
            let head = try #require(error.head)
            var text = "\(error) \(String(reflecting: error)) \(options) \(head) \(String(reflecting: head))"
            dump(error, to: &text)
            dump(options, to: &text)
            #expect(error.bodyExcerpt == "[redacted] and [redacted] are wrong")
            #expect(!text.contains("verysecret") && !text.contains("otherSecret"))
        }
    }
}

/// A value that a server's task leaves for the test.
final class Box<Value: Sendable>: Sendable {
    private let storage = Guarded<Value?>(nil)
    var value: Value? { storage.withLock(\.self) }
    func set(_ value: Value) { storage.withLock { $0 = value } }
    func update(_ change: (inout Value?) -> Void) { storage.withLock { change(&$0) } }
}
