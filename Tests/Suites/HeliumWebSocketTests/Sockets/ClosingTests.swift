import Foundation
import HeliumCore
import HeliumTesting
import HeliumWebSocket
import TestSupport
import Testing
import WireSupport

@Suite("Closing of WebSockets", .timeLimit(.minutes(5)))
struct ClosingTests {
    @Test("closing sends code and reason, and waits for the peer's close frame")
    func ours() async throws {
        let frame = Box<WireFrame>()
        try await withSocket { peer in
            frame.set(try await peer.readFrame())
            try await peer.sendClose(4001, reason: "bye")
        } _: { socket, _ async throws in
            let closure = await socket.close(WebSocketCloseCode(rawValue: 4000), reason: "done")
            #expect(closure.code.rawValue == 4001 && closure.reason == "bye" && closure.wasClean)
            #expect(socket.closure == closure)
            #expect(try await socket.texts() == [])
            #expect(try await failure { try await socket.send(.text("late")) }.kind == .clientClosed)
            #expect(await socket.close() == closure)
        }
        #expect(frame.value?.opcode == 8 && frame.value?.payload.prefix(2) == [0x0F, 0xA0])
        #expect(frame.value.map { String(decoding: $0.payload.dropFirst(2), as: UTF8.self) } == "done")
    }

    @Test("closing sends queued messages first")
    func afterSends() async throws {
        let texts = Box<[String]>()
        try await withSocket { peer in
            var found: [String] = []
            while true {
                let frame = try await peer.readFrame()
                if frame.opcode == 8 { break }
                found.append(frame.text)
            }
            texts.set(found)
            try await peer.sendClose(1000)
        } _: { socket, _ async throws in
            async let first: Void = socket.send(.text("last words"))
            try await first
            await socket.close()
        }
        #expect(texts.value == ["last words"])
    }

    @Test("closing does not wait forever for a peer that does not respond")
    func deaf() async throws {
        let clock = TestClock()
        var options = WebSocketOptions.quiet
        options.clock = clock
        options.timeouts.connect = nil
        options.timeouts.send = nil
        options.timeouts.silence = nil
        options.timeouts.message = nil
        // Without the other limits, the only sleeper is the one that waits for the peer.
        try await withSocket(options: options) { peer in
            _ = try await peer.readFrame()
            await clock.waitForSleepers()
            clock.advance(by: .seconds(5))
            try await peer.readToEnd()
        } _: { socket, server async throws in
            let closure = await socket.close()
            #expect(closure.code == .abnormal && !closure.wasClean)
            await server.waitForEnds()
        }
    }

    @Test("closing returns when its task is cancelled")
    func cancelled() async throws {
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        try await withSocket { peer in
            _ = try await peer.readFrame()
            continuation.finish()
            try await peer.readToEnd()
        } _: { socket, server async throws in
            let closing = Task { await socket.close() }
            for await _ in asked {}
            closing.cancel()
            #expect(await closing.value.wasClean == false)
            await server.waitForEnds()
        }
    }

    @Test("a peer's normal close ends the messages, and gets its code back", arguments: [1000, 1001])
    func orderly(code: UInt16) async throws {
        let answer = Box<WireFrame>()
        try await withSocket { peer in
            try await peer.send(text: "one")
            try await peer.sendClose(code, reason: "enough")
            answer.set(try await peer.readFrame())
        } _: { socket, server async throws in
            #expect(try await socket.texts() == ["one"])
            #expect(socket.closure?.code.rawValue == code && socket.closure?.reason == "enough")
            await server.waitForEnds()
        }
        #expect(answer.value?.opcode == 8 && answer.value?.payload == [UInt8(code >> 8), UInt8(code & 255)])
    }

    @Test(
        "a peer's close with an error code fails the messages, after those received",
        arguments: [1002, 1008, 1011, 4999]
    )
    func failing(code: UInt16) async throws {
        try await withSocket { peer in
            try await peer.send(text: "one")
            try await peer.sendClose(code, reason: "no")
            try await peer.readToEnd()
        } _: { socket, _ async throws in
            var iterator = socket.messages.makeAsyncIterator()
            #expect(try await iterator.next() == .text("one"))
            let error = try await failure { try await iterator.next() }
            #expect(error.kind == .closedByPeer && error.code == Int(code) && error.message.contains("no"))
        }
    }

    @Test("a lost connection fails the messages and the sends")
    func lost() async throws {
        try await withSocket { peer in
            try await peer.send(text: "one")
        } _: { socket, _ async throws in
            var iterator = socket.messages.makeAsyncIterator()
            #expect(try await iterator.next() == .text("one"))
            #expect(try await failure { try await iterator.next() }.kind == .connectionLost)
            #expect(try await failure { try await socket.send(.text("x")) }.kind == .connectionLost)
            #expect(socket.closure?.code == .abnormal)
        }
    }

    @Test("a connection that ends within a frame fails the messages", arguments: 1...6)
    func cutShort(count: Int) async throws {
        try await withSocket { peer in
            try await peer.write(Array(WirePeer.frame(1, [0x61, 0x62, 0x63, 0x64, 0x65]).prefix(count)))
        } _: { socket, _ async throws in
            #expect(try await failure { try await socket.texts() }.kind == .connectionLost)
        }
    }

    @Test(
        "a peer that breaks the protocol gets a close frame",
        arguments: [
            ([0xC1, 0] as [UInt8], 1002), ([0x81, 0x81, 0, 0, 0, 0, 0x61], 1002), ([0x81, 1, 0xFF], 1007),
            ([0x82, 127, 0, 0, 0, 1, 0, 0, 0, 0], 1009),
        ]
    )
    func violation(bytes: [UInt8], code: Int) async throws {
        let answer = Box<WireFrame>()
        try await withSocket { peer in
            try await peer.write(bytes)
            answer.set(try await peer.readFrame())
            try await peer.readToEnd()
        } _: { socket, server async throws in
            let error = try await failure { try await socket.texts() }
            #expect(error.kind == (code == 1009 ? .ceilingExceeded : .protocolViolated) && error.code == code)
            #expect(socket.closure?.code.rawValue == UInt16(code))
            await server.waitForEnds()
        }
        #expect(answer.value?.opcode == 8)
        #expect(answer.value.map { Int($0.payload[0]) << 8 | Int($0.payload[1]) } == code)
    }

    @Test("a WebSocket closes when nothing refers to it")
    func letGo() async throws {
        try await WireServer.run { peer in
            try await peer.upgrade()
            try await peer.readToEnd()
        } _: { server async throws in
            do { _ = try await WebSocket.connect(to: server.url, options: .quiet) }
            await server.waitForEnds()
        }
    }

    @Test("a WebSocket does not close while its messages are iterated")
    func iterating() async throws {
        try await WireServer.run { peer in
            try await peer.upgrade()
            _ = try await peer.readFrame()
            try await peer.send(text: "late")
            try await peer.sendClose(1000)
            try await peer.readToEnd()
        } _: { server async throws in
            func messages() async throws -> WebSocket.Messages {
                let socket = try await WebSocket.connect(to: server.url, options: .quiet)
                try await socket.send(.text("go"))
                return socket.messages
            }
            var found: [WebSocketMessage] = []
            for try await message in try await messages() { found.append(message) }
            #expect(found == [.text("late")])
        }
    }

    @Test("closed WebSockets leave no connection and no descriptor")
    func leaks() async throws {
        try await WireServer.run { peer in
            try await peer.upgrade()
            try await peer.answerClose()
        } _: { server async throws in
            // The server's threads and their descriptors exist after the first connection.
            try await WebSocket.connect(to: server.url, options: .quiet).close()
            await server.waitForEnds()
            let before = try openFiles()
            for _ in 0..<50 {
                try await WebSocket.connect(to: server.url, options: .quiet).close()
            }
            await server.waitForEnds(50)
            // The loops and the transports close them in their own time.
            try await eventually { try openFiles() <= before + 2 }
        }
    }

    private func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}
