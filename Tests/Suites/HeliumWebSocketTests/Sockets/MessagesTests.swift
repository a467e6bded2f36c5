import Foundation
import HeliumConcurrency
import HeliumCore
import HeliumTesting
import HeliumWebSocket
import Synchronization
import TestSupport
import Testing
import WireSupport

/// The samples of the article on HeliumWebSocket, run.
@Suite("Samples: WebSocket", .timeLimit(.minutes(5)))
struct WebSocketSamples {
    @Test("sample of WebSockets: a socket is connected, written to and read")
    func overview() async throws {
        let print = Printer()
        try await WireServer.run { peer in
            try await peer.upgrade()
            let text = try await peer.readFrame().text
            try await peer.write(WirePeer.frame(1, Array("\(text) back".utf8)) + WirePeer.frame(8, []))
            try await peer.readToEnd()
        } _: { server async throws in
            let url = server.url
            // sample
            let socket = try await WebSocket.connect(to: url)
            try await socket.send(.text("hello"))
            for try await message in socket.messages {
                print(message.text ?? "bytes")
            }
            // end of sample
        }
        #expect(print.output == ["hello back"])
    }

    @Test("sample of WebSockets: a task runs on the connection's event loop")
    func executor() async throws {
        let handled = Printer()
        try await withSocket { peer in
            try await peer.write(WirePeer.frame(1, Array("one".utf8)) + WirePeer.frame(8, []))
            try await peer.readToEnd()
        } _: { socket, _ async throws in
            @Sendable func handle(_ message: WebSocketMessage) { handled(message.text ?? "") }
            // sample
            try await withTaskExecutorPreference(socket.executor) {
                for try await message in socket.messages { handle(message) }
            }
            // end of sample
        }
        #expect(handled.output == ["one"])
    }

    /// Compiled, not run.
    private func supervise(_ url: URL, _ handle: @escaping @Sendable (WebSocketMessage) -> Void) async throws {
        // sample
        let live = SupervisedConnection {
            try await WebSocket.connect(to: url)
        } use: { socket, confirm in
            try await socket.send(.text("subscribe"))  // after each connect
            for try await message in socket.messages {
                confirm()  // it works: if it lasts, the next wait is short again
                handle(message)
            }
        }
        try await live.run()  // until the task is cancelled
        // end of sample
    }
}

@Suite("Messages of WebSockets", .timeLimit(.minutes(5)))
struct MessagesTests {
    @Test("messages arrive whole and in order, in any pieces", arguments: [1, 7, 4096])
    func order(size: Int) async throws {
        let expected = (0..<200).map { String(repeating: "\($0)ä", count: $0 % 50) }
        try await withSocket { peer in
            var bytes: [UInt8] = []
            for text in expected {
                let payload = Array(text.utf8)
                let cut = payload.count / 2
                bytes += WirePeer.frame(1, Array(payload[..<cut]), isFinal: false)
                bytes += WirePeer.frame(9, [1])
                bytes += WirePeer.frame(0, Array(payload[cut...]))
            }
            bytes += WirePeer.frame(8, [])
            for start in stride(from: 0, to: bytes.count, by: size) {
                try await peer.write(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            try await peer.readToEnd()
        } _: { socket, _ async throws in
            #expect(try await socket.texts() == expected)
        }
    }

    @Test("messages are sent whole, masked and in order")
    func sending() async throws {
        let received = Box<[WireFrame]>()
        let sizes = [0, 125, 126, 65_535, 65_536, 300_000]
        try await withSocket { peer in
            var frames: [WireFrame] = []
            for _ in sizes { frames.append(try await peer.readFrame()) }
            received.set(frames)
            try await peer.answerClose()
        } _: { socket, _ async throws in
            for size in sizes { try await socket.send(.binary(Data(repeating: UInt8(size % 251), count: size))) }
            #expect(await socket.close().wasClean)
        }
        let frames = try #require(received.value)
        #expect(frames.map(\.payload.count) == sizes)
        #expect(frames.allSatisfy { $0.isMasked && $0.isFinal && $0.opcode == 2 })
        #expect(frames.allSatisfy { frame in frame.payload.allSatisfy { $0 == UInt8(frame.payload.count % 251) } })
    }

    @Test("messages of many senders all arrive, each sender's in order")
    func manySenders() async throws {
        let received = Box<[String]>()
        try await withSocket { peer in
            var texts: [String] = []
            while texts.count < 1000 { texts.append(try await peer.readFrame().text) }
            received.set(texts)
            try await peer.answerClose()
        } _: { socket, _ async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sender in 0..<10 {
                    group.addTask {
                        for number in 0..<100 { try await socket.send(.text("\(sender) \(number)")) }
                    }
                }
                try await group.waitForAll()
            }
            await socket.close()
        }
        let texts = try #require(received.value)
        for sender in 0..<10 {
            #expect(texts.filter { $0.hasPrefix("\(sender) ") } == (0..<100).map { "\(sender) \($0)" })
        }
    }

    @Test("messages faster than the consumer wait on the server, and none is lost")
    func holdsBack() async throws {
        var options = WebSocketOptions.quiet
        options.limits.receivedMessages = 4
        let payload = [UInt8](repeating: 0x61, count: 64 << 10)
        let sent = Guarded(0)
        let isEnough = Guarded(false)
        // More than the kernel's buffers ever hold: 512 MiB.
        let ceiling = 8192
        try await withSocket(options: options) { peer in
            while !isEnough.withLock(\.self), sent.withLock(\.self) < ceiling {
                try await peer.write(WirePeer.frame(1, payload))
                sent.withLock { $0 += 1 }
            }
            try await peer.write(WirePeer.frame(8, []))
            try await peer.readToEnd()
        } _: { socket, _ async throws in
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next()?.byteCount == payload.count)
            // The server stands still once the buffers of both sides are full.
            var (last, standstill) = (0, 0)
            try await eventually {
                let now = sent.withLock(\.self)
                standstill = now == last ? standstill + 1 : 0
                last = now
                if standstill < 100 { try await Task.sleep(for: .milliseconds(2)) }
                return standstill == 100
            }
            #expect(last < ceiling)
            isEnough.withLock { $0 = true }
            var count = 1
            while let message = try await messages.next() {
                #expect(message.byteCount == payload.count)
                count += 1
            }
            #expect(count == sent.withLock(\.self))
        }
    }

    @Test("small messages in one read do not exceed the queue's limit")
    func holdsBackWithinOneRead() async throws {
        var options = WebSocketOptions.quiet
        options.limits.receivedMessages = 3
        try await withSocket(options: options) { peer in
            try await peer.write((0..<1000).flatMap { WirePeer.frame(1, Array("\($0)".utf8)) } + WirePeer.frame(8, []))
            try await peer.readToEnd()
        } _: { socket, _ async throws in
            #expect(try await socket.texts() == (0..<1000).map(String.init))
        }
    }

    @Test("messages that a cancelled task waited for are not lost")
    func cancelledReader() async throws {
        let (go, continuation) = AsyncStream.makeStream(of: Void.self)
        try await withSocket { peer in
            for await _ in go {}
            try await peer.send(text: "still there")
            try await peer.readToEnd()
        } _: { socket, _ async throws in
            let reader = Task {
                for try await _ in socket.messages {}
            }
            await Task.yield()
            reader.cancel()
            await #expect(throws: CancellationError.self) { try await reader.value }
            continuation.finish()
            var iterator = socket.messages.makeAsyncIterator()
            #expect(try await iterator.next() == .text("still there"))
        }
    }

    @Test("messages that cannot be sent yet are limited, and accepted ones arrive")
    func outboundCeiling() async throws {
        var options = WebSocketOptions.quiet
        options.limits.queuedMessages = 2
        let (go, continuation) = AsyncStream.makeStream(of: Void.self)
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        let received = Box<Int>()
        // More than the buffers of both kernels hold.
        let size = SocketBuffers.overflowingSize
        try await withSocket(options: options) { peer in
            _ = try await peer.peek(1)
            begin.finish()
            for await _ in go {}
            var count = 0
            while try await peer.skipFrame() != 8 { count += 1 }
            received.set(count)
            try await peer.sendClose(1000)
        } _: { socket, _ async throws in
            async let first: Void = socket.send(.binary(Data(count: size)))
            for await _ in begins {}
            // The first is under way until the server reads, two wait.
            let sent = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        do {
                            try await socket.send(.binary(Data(count: 100_000)))
                            return true
                        } catch let error as HeliumError {
                            #expect(error.kind == .ceilingExceeded && error.ceiling == .queuedMessages)
                            continuation.finish()
                            return false
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try await first
            #expect(sent == 2)
            await socket.close()
            #expect(received.value == 3)
        }
    }
}
