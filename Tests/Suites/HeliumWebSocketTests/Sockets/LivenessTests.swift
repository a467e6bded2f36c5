import Foundation
import HeliumCore
import HeliumTesting
import HeliumWebSocket
import Testing
import WireSupport

@Suite("Liveness of WebSockets", .timeLimit(.minutes(5)))
struct LivenessTests {
    @Test("a ping gets a pong with its bytes")
    func pong() async throws {
        let answer = Box<WireFrame>()
        try await withSocket { peer in
            try await peer.write(WirePeer.frame(9, [1, 2, 3]))
            answer.set(try await peer.readFrame())
            try await peer.sendClose(1000)
            try await peer.readToEnd()
        } _: { socket, _ async throws in
            #expect(try await socket.texts() == [])
        }
        #expect(answer.value?.opcode == 10 && answer.value?.payload == [1, 2, 3] && answer.value?.isMasked == true)
    }

    @Test("pings that arrive together get pongs in their order")
    func pongs() async throws {
        let answers = Box<[WireFrame]>()
        try await withSocket { peer in
            try await peer.write((1...10).flatMap { WirePeer.frame(9, [$0]) })
            var frames: [WireFrame] = []
            for _ in 1...10 { frames.append(try await peer.readFrame()) }
            answers.set(frames)
            try await peer.sendClose(1000)
            try await peer.readToEnd()
        } _: { socket, _ async throws in
            #expect(try await socket.texts() == [])
        }
        #expect(answers.value?.map(\.opcode) == Array(repeating: 10, count: 10))
        #expect(answers.value?.map(\.payload) == (1...10).map { [$0] })
    }

    @Test("a quiet peer gets a ping, and the connection stays if it responds")
    func ping() async throws {
        let clock = TestClock()
        var options = WebSocketOptions()
        options.clock = clock
        options.timeouts.connect = nil
        try await withSocket(options: options) { peer in
            for _ in 0..<5 {
                await clock.waitForSleepers()
                clock.advance(by: .seconds(20))
                let frame = try await peer.readFrame()
                #expect(frame.opcode == 9)
                try await peer.write(WirePeer.frame(10, frame.payload))
                // Until the pong has arrived, seen by the answer to a message after it.
                try await peer.write(WirePeer.frame(9, [7]))
                #expect(try await peer.readFrame().opcode == 10)
            }
            try await peer.sendClose(1000)
            try await peer.readToEnd()
        } _: { socket, _ async throws in
            #expect(try await socket.texts() == [])
        }
    }

    @Test("a connection to a silent peer ends")
    func silence() async throws {
        let clock = TestClock()
        var options = WebSocketOptions()
        options.clock = clock
        options.timeouts.connect = nil
        try await withSocket(options: options) { peer in
            for _ in 0..<3 {
                await clock.waitForSleepers()
                clock.advance(by: .seconds(20))
                if clock.uptime < .seconds(60) { #expect(try await peer.readFrame().opcode == 9) }
            }
            try await peer.readToEnd()
        } _: { socket, server async throws in
            let error = try await failure { try await socket.texts() }
            #expect(error.kind == .timedOut && error.phase == .silence)
            await server.waitForEnds()
        }
    }

    @Test(
        "a connection whose peer leaves a message incomplete ends, although bytes arrive",
        arguments: [[0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0] as [UInt8], [0x81], [0x01, 1, 0x61], [0x89, 100]]
    )
    func incomplete(beginning: [UInt8]) async throws {
        let clock = TestClock()
        var options = WebSocketOptions.quiet
        options.clock = clock
        options.timeouts.connect = nil
        options.timeouts.send = nil
        options.timeouts.silence = nil
        // A fragmented message may have pings between its frames: it stays incomplete all the same. Half a header has
        // nothing that could follow.
        let sign: [UInt8] =
            switch beginning[0] {
            case 0x01: WirePeer.frame(9, [])
            case 0x81: []
            default: [0x61]
            }
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self)
        try await withSocket(options: options) { peer in
            try await peer.write(WirePeer.frame(9, [1]) + beginning)
            for await _ in ticks { try await peer.write(sign) }
        } _: { socket, server async throws in
            let reading = Task { try await failure { try await socket.texts() } }
            let moving = Task {
                var count = 0
                while !Task.isCancelled {
                    await clock.waitForSleepers()
                    // Fewer than would complete the message, however late the reader learns of the time.
                    if count < 40 { tick.yield() }
                    count += 1
                    clock.advance(by: .seconds(20))
                }
            }
            let error = try await reading.value
            moving.cancel()
            tick.finish()
            #expect(error.kind == .timedOut && error.phase == .message)
            await server.waitForEnds()
        }
    }

    @Test("a fast peer is read at the pace of the options, and nothing is lost")
    func pace() async throws {
        let clock = TestClock()
        var options = WebSocketOptions.quiet
        options.clock = clock
        options.timeouts = .init()
        options.timeouts.connect = nil
        options.timeouts.pingInterval = nil
        options.timeouts.silence = nil
        options.timeouts.message = nil
        options.timeouts.send = nil
        options.limits.messagesPerSecond = 100
        try await withSocket(options: options) { peer in
            try await peer.write((0..<1000).flatMap { WirePeer.frame(1, Array("\($0)".utf8)) })
            try await peer.sendClose(1000)
            try await peer.readToEnd()
        } _: { socket, _ async throws in
            let reading = Task { try await socket.texts() }
            var pauses = 0
            while socket.closure == nil {
                guard clock.advanceToNextSleeper() != nil else {
                    await Task.yield()
                    continue
                }
                pauses += 1
            }
            #expect(try await reading.value == (0..<1000).map { "\($0)" })
            // A second ahead at most.
            #expect(clock.uptime >= .seconds(6) && pauses >= 3)
        }
    }

    @Test("a peer whose messages are read slowly, as the options ask, is not silent", arguments: [4, 1])
    func slowPace(messagesPerSecond: Int) async throws {
        let clock = TestClock()
        var options = WebSocketOptions.quiet
        options.clock = clock
        options.timeouts = .init()
        options.timeouts.connect = nil
        options.timeouts.pingInterval = nil
        options.timeouts.send = nil
        options.limits.messagesPerSecond = messagesPerSecond
        try await withSocket(options: options) { peer in
            try await peer.write((0..<600).flatMap { WirePeer.frame(1, Array("\($0)".utf8)) })
            try await peer.sendClose(1000)
            try await peer.readToEnd()
        } _: { socket, _ async throws in
            let reading = Task { try await socket.texts() }
            // Only while a pause is under way beside the limit on silence: what the peer has sent may still be on its way.
            while socket.closure == nil {
                if clock.sleeperCount > 1 { clock.advanceToNextSleeper() }
                await Task.yield()
            }
            #expect(try await reading.value == (0..<600).map { "\($0)" })
        }
    }

    @Test("a connection to a peer that accepts no bytes ends")
    func stall() async throws {
        let clock = TestClock()
        var options = WebSocketOptions.quiet
        options.clock = clock
        options.timeouts.connect = nil
        options.timeouts.silence = nil
        let (given, continuation) = AsyncStream.makeStream(of: Void.self)
        try await withSocket(options: options) { peer in
            // Not one byte is read until the client has given up: what it sends fills the kernel's buffers.
            for await _ in given {}
        } _: { socket, _ async throws in
            let sending = Task { try await failure { try await socket.send(.binary(Data(count: 64 << 20))) } }
            let moving = Task {
                while !Task.isCancelled {
                    await clock.waitForSleepers()
                    clock.advance(by: .seconds(30))
                    await Task.yield()
                }
            }
            let error = try await sending.value
            moving.cancel()
            continuation.finish()
            #expect(error.kind == .timedOut && error.phase == .send && error.delivery == .maybeSent)
        }
    }
}
