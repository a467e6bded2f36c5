import Foundation
import HeliumConcurrency
import HeliumCore
import HeliumWebSocket
import JetstreamCore
import Synchronization
import TestSupport
import Testing
import WireSupport

/// A ``SimpleServer`` that one test's sockets share.
private actor SharedServer {
    private var server = SimpleServer()
    private(set) var heads: [String] = []

    func note(_ head: String) { heads.append(head) }

    func receive(_ frame: String, token: String?) -> (answers: [JetstreamMessage], token: String?) {
        var token = token
        var answers: [JetstreamMessage] = []
        for message in (try? JetstreamCodec().messages(in: frame)) ?? [] {
            answers += server.receive(message, token: &token).map(\.message)
        }
        return (answers, token)
    }
}

@Suite("Jetstream client over WebSockets", .timeLimit(.minutes(5)))
struct WebSocketTransportTests {
    /// Serves a socket until `count` frames have arrived, then ends as `end` says.
    private func serve(
        _ peer: WirePeer,
        _ server: SharedServer,
        frames count: Int = .max,
        end: @Sendable (WirePeer) async throws -> Void = { _ in }
    ) async throws {
        let head = try await peer.upgrade()
        await server.note(head)
        var token = WirePeer.field("X-Jetstream-SessionToken", in: head)
        for _ in 0..<count {
            let frame = try await peer.readFrame()
            if frame.opcode == 8 {
                try await peer.write(WirePeer.frame(8, Array(frame.payload.prefix(2))))
                return
            }
            let (answers, new) = await server.receive(frame.text, token: token)
            token = new
            if !answers.isEmpty { try await peer.send(text: JetstreamCodec().text(of: answers)) }
        }
        try await end(peer)
    }

    private func client(_ port: Int, parameters: [(name: String, value: String)] = []) throws -> JetstreamClient {
        var options = JetstreamClientOptions()
        options.backoff.firstDelay = .milliseconds(1)
        let url = try #require(URL(string: "ws://127.0.0.1:\(port)/any/path"))
        return try JetstreamClient(url: url, connectionParameters: parameters, options: options)
    }

    @Test("a socket reports that a part of a frame has arrived")
    func partialArrival() async throws {
        let rest = Signal<Void>()
        try await WireServer.run(serve: { peer in
            _ = try await peer.upgrade()
            let frame = WirePeer.frame(1, Array("hello".utf8))
            try await peer.write(Array(frame.prefix(4)))
            try await rest.value()
            try await peer.write(Array(frame.dropFirst(4)))
            _ = try? await peer.readFrame()
        }) { wire in
            let url = try #require(URL(string: "ws://127.0.0.1:\(wire.port)/"))
            let socket = try await WebSocketTransport(url: url).connect(token: nil)
            try await eventually { socket.partialArrival != nil }
            rest.settle()
            #expect(try await socket.receive() == "hello")
            try await eventually { socket.partialArrival == nil }
            await socket.close()
        }
    }

    @Test("parameters and the token are sent as header fields, and a cut socket is resumed")
    func resume() async throws {
        let server = SharedServer()
        let isFirst = SocketCounter()
        try await WireServer.run(serve: { peer in
            // The first socket breaks after the session, the fetch and one change set.
            try await serve(peer, server, frames: isFirst.next() == 1 ? 3 : .max)
        }) { wire in
            let port = wire.port
            let client = try client(port, parameters: [("user", "u1")])
            client.connect()
            let scope = client.mirror("Canvas")
            guard case .state? = try await scope.next() else { return #expect(Bool(false)) }
            try scope.submit([MachineRig.change("one")])
            guard case .settled(_, .success)? = try await scope.next() else { return #expect(Bool(false)) }
            try scope.submit([MachineRig.change("two")])
            guard case .settled(_, .success)? = try await scope.next() else { return #expect(Bool(false)) }
            await client.close()
        }
        let heads = await server.heads
        #expect(heads.map { WirePeer.field("X-Jetstream-SessionToken", in: $0) } == [nil, "token-1"])
        #expect(heads.allSatisfy { WirePeer.field("X-Jetstream-user", in: $0) == "u1" })
    }

    @Test("a close with 4096 before a session ends the run with the server's message")
    func denied() async throws {
        let server = SharedServer()
        try await WireServer.run(serve: { peer in
            try await peer.upgrade()
            _ = try await peer.readFrame()
            try await peer.sendClose(4096, reason: #"{"message":"go away","type":"rejected"}"#)
            _ = try? await peer.readFrame()
        }) { wire in
            let port = wire.port
            let client = try client(port)
            let error = await #expect(throws: JetstreamError.self) { try await client.run() }
            #expect(error?.kind == .connectionDenied)
            #expect(error?.server == ErrorObject(message: "go away", type: "rejected"))
        }
        #expect(await server.heads.isEmpty)
    }

    @Test("a close with 4097 makes another session")
    func expired() async throws {
        let server = SharedServer()
        let count = SocketCounter()
        try await WireServer.run(serve: { peer in
            if count.next() == 1 {
                try await serve(peer, server, frames: 2) { try await $0.sendClose(4097) }
            } else {
                try await serve(peer, server)
            }
        }) { wire in
            let port = wire.port
            let client = try client(port)
            client.connect()
            let scope = client.mirror("Canvas")
            for _ in 0..<2 {
                guard case .state? = try await scope.next() else { return #expect(Bool(false)) }
            }
            await client.close()
        }
        #expect(await server.heads.map { WirePeer.field("X-Jetstream-SessionToken", in: $0) } == [nil, nil])
    }

    @Test("a parameter that is invalid in a header field is refused")
    func badParameter() throws {
        let error = #expect(throws: JetstreamError.self) { _ = try client(1, parameters: [("a b", "1")]) }
        #expect(error?.kind == .invalidConfiguration)
        #expect(throws: JetstreamError.self) { _ = try client(1, parameters: [("a", "1\r\nB: 2")]) }
    }

    @Test("the options of a client and its transport are printed without credentials")
    func secrets() throws {
        var options = JetstreamClientOptions()
        options.sessionParameters = ["token": "verysecret"]
        let url = try #require(URL(string: "wss://jet.test/?token=verysecret"))
        let transport = try WebSocketTransport(url: url, parameters: [("key", "verysecret")])
        var text = "\(options) \(transport) \(String(reflecting: options)) \(String(reflecting: transport))"
        dump(options, to: &text)
        dump(transport, to: &text)
        #expect(text.contains("jet.test") && text.contains("replyLimit"))
        #expect(!text.contains("verysecret"))
    }
}

/// Counts from 1.
private final class SocketCounter: Sendable {
    private let count = Guarded(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
