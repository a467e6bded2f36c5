import Foundation
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@testable import HeliumCurl
@testable import HeliumWebSocket

@Suite("Handler of a WebSocket connection", .timeLimit(.minutes(5)))
struct LinkHandlerTests {
    private struct Setup {
        let clock = TestClock()
        let link: MessageLink
        let fake: FakeChannel

        init(
            closeLimit: Duration? = nil,
            pace: ArrivalPace? = nil,
            codec: (any MessageCodec)? = nil,
            change: (inout WebSocketOptions) -> Void = { _ in }
        ) {
            var options = WebSocketOptions()
            change(&options)
            link = MessageLink(
                limits: LinkState.Limits(options.limits),
                clock: clock,
                failures: FailureMaker(url: "ws://a.test/", secrets: [])
            )
            fake = FakeChannel(
                LinkHandler(link: link, codec: codec ?? WebSocketCodec(options), closeLimit: closeLimit, pace: pace)
            )
        }

        /// The next message that has arrived; `nil` if there is none.
        func next() throws -> WebSocketMessage? { try link.receiveAtOnce().flatMap(\.self) }
    }

    /// A frame of the server, of at most 125 bytes.
    private static func frame(_ first: UInt8, _ text: String) -> [UInt8] {
        [first, UInt8(text.utf8.count)] + Array(text.utf8)
    }

    @Test(
        "no queued message is sent after the close frame",
        arguments: [[0x88, 0x02, 0x03, 0xE8], [0xFF]] as [[UInt8]]
    )
    func nothingAfterGoodbye(arriving: [UInt8]) {
        let setup = Setup()
        // Waits: the loop has not run the flush yet.
        setup.link.say(.ping)
        var hadEnded = true
        setup.fake.line.onWrite = { hadEnded = setup.link.closure != nil }
        setup.fake.receive(arriving)
        setup.fake.turn()
        #expect(setup.fake.line.opcodes == [8])
        #expect(!hadEnded, "a program that ends with the messages does not take the response with it")
        #expect(setup.link.liveness.stalledSince == nil)
    }

    @Test("a ping is answered before queued messages fill the output again")
    func pongFirst() throws {
        let setup = Setup()
        setup.fake.line.room = 10
        #expect(try setup.link.sendAtOnce(.text(String(repeating: "a", count: 100))))
        setup.fake.turn()
        #expect(setup.link.liveness.stalledSince != nil)
        #expect(try setup.link.sendAtOnce(.text(String(repeating: "b", count: 100))))
        setup.fake.receive(Self.frame(0x89, "p"))
        #expect(setup.fake.line.opcodes == [])
        // The first message has 106 bytes, the pong 7.
        setup.fake.accept(96 + 7 + 20)
        #expect(setup.fake.line.opcodes == [1, 10])
        setup.fake.accept(1_000)
        #expect(setup.fake.line.opcodes == [1, 10, 1])
        #expect(setup.link.liveness.stalledSince == nil)
    }

    @Test(
        "each ping is answered in one write, of many at once the newest 16",
        arguments: [(1, 1), (10, 10), (16, 16), (17, 16), (500, 16)]
    )
    func pings(arriving: Int, answered: Int) {
        let setup = Setup()
        setup.fake.receive((0..<arriving).flatMap { Self.frame(0x89, "\($0)") })
        #expect(setup.fake.line.opcodes == Array(repeating: 10, count: answered))
        #expect(setup.fake.line.writeCount == 1)
    }

    @Test("messages that are queued as fast as they are written leave the loop to others")
    func boundedTurn() throws {
        let setup = Setup()
        var sent = 1
        setup.fake.line.onWrite = {
            guard sent < 50, (try? setup.link.sendAtOnce(.text("more"))) == true else { return }
            sent += 1
        }
        #expect(try setup.link.sendAtOnce(.text("first")))
        setup.fake.turn()
        #expect(setup.fake.line.writeCount < 10)
        var turns = 1
        while setup.fake.isSignalled, turns < 100 {
            setup.fake.turn()
            turns += 1
        }
        #expect(setup.fake.line.opcodes == Array(repeating: 1, count: 50))
        #expect(turns > 5)
    }

    @Test("a peer that violates the protocol and accepts nothing is cut after the limit on closing")
    func faultOfStalledPeer() async throws {
        let setup = Setup(closeLimit: .seconds(5))
        setup.fake.line.room = 0
        setup.fake.receive([0xFF])
        #expect(!setup.fake.line.isClosed)
        try await eventually { setup.clock.sleeperCount == 1 }
        setup.clock.advance(by: .seconds(5))
        try await eventually { setup.fake.isSignalled }
        setup.fake.turn()
        #expect(setup.fake.line.isClosed)
        #expect(setup.link.closure?.code == .protocolError)
    }

    @Test("a full inbox pauses the channel, and no message is lost when it is read again")
    func backPressure() throws {
        let setup = Setup { $0.limits.receivedMessages = 2 }
        setup.fake.receive((0..<5).flatMap { Self.frame(0x81, "\($0)") })
        setup.fake.receive((5..<10).flatMap { Self.frame(0x81, "\($0)") })
        setup.fake.peerEnds()
        var texts: [String] = []
        for _ in 0..<100 where texts.count < 10 {
            if let text = try setup.next()?.text { texts.append(text) }
            setup.fake.turn()
        }
        #expect(texts == (0..<10).map(String.init))
        // The end comes after the messages.
        let error = #expect(throws: HeliumError.self) { try setup.next() }
        #expect(error?.kind == .connectionLost)
        #expect(setup.fake.line.isClosed)
    }

    @Test("messages of one read are delivered in order, and the pings between them answered", arguments: [1, 40, 300])
    func together(count: Int) throws {
        let setup = Setup()
        setup.fake.receive((0..<count).flatMap { Self.frame(0x81, "\($0)") + Self.frame(0x89, "p") })
        var texts: [String] = []
        while let message = try setup.next() {
            try texts.append(#require(message.text))
            setup.fake.turn()
        }
        #expect(texts == (0..<count).map(String.init))
        #expect(setup.fake.line.opcodes.allSatisfy { $0 == 10 } && !setup.fake.line.opcodes.isEmpty)
    }

    @Test(
        "the limits on received messages and bytes hold amid the messages of one read",
        arguments: [(3, 1_000, 3), (1_000, 25, 3), (1_000, 1, 1), (1, 1, 1)]
    )
    func limitsAmidRead(messages: Int, bytes: Int, kept: Int) throws {
        let setup = Setup {
            $0.limits.receivedMessages = messages
            $0.limits.receivedBytes = bytes
        }
        setup.fake.receive((0..<10).flatMap { Self.frame(0x81, "message \($0) ") } + Self.frame(0x89, "p"))
        #expect(setup.link.liveness.isHeldBack)
        // Without a turn of the loop, nothing more is delivered.
        var texts: [String] = []
        while let text = try setup.next()?.text { texts.append(text) }
        #expect(texts == (0..<kept).map { "message \($0) " })
        #expect(setup.fake.line.opcodes == [])
        for _ in 0..<10 {
            setup.fake.turn()
            while let text = try setup.next()?.text { texts.append(text) }
        }
        #expect(texts == (0..<10).map { "message \($0) " })
        #expect(setup.fake.line.opcodes == [10])
        #expect(!setup.link.liveness.isHeldBack)
    }

    @Test("a message that exceeds the limit on received bytes alone is delivered")
    func largeMessage() throws {
        let setup = Setup { $0.limits.receivedBytes = 10 }
        let text = String(repeating: "x", count: 100)
        setup.fake.receive(Self.frame(0x81, text) + Self.frame(0x81, "next"))
        #expect(try setup.next() == .text(text))
        #expect(try setup.next() == nil)
        setup.fake.turn()
        #expect(try setup.next() == .text("next"))
    }

    @Test("messages before a close frame in the same read are delivered, and those after it are not")
    func closeAfterMessages() throws {
        let setup = Setup()
        let close: [UInt8] = [0x88, 0x02, 0x03, 0xE8]
        setup.fake.receive(Self.frame(0x81, "a") + Self.frame(0x81, "b") + close + Self.frame(0x81, "c"))
        #expect(setup.fake.line.opcodes == [8])
        #expect(try setup.next() == .text("a"))
        #expect(try setup.next() == .text("b"))
        #expect(try setup.link.receiveAtOnce() == .some(nil))
        #expect(setup.link.closure?.code == .normal)
    }

    @Test("messages before a violation in the same read are delivered before its failure")
    func violationAfterMessages() throws {
        let setup = Setup()
        setup.fake.receive(Self.frame(0x81, "a") + Self.frame(0x82, "b") + [0xFF] + Self.frame(0x81, "c"))
        #expect(setup.fake.line.opcodes == [8])
        #expect(try setup.next() == .text("a"))
        #expect(try setup.next() == .binary(Data("b".utf8)))
        let error = #expect(throws: HeliumError.self) { try setup.next() }
        #expect(error?.kind == .protocolViolated)
    }

    @Test(
        "messages that were read while the program was slow are delivered before the loss that a write has shown",
        arguments: [true, false],
        [true, false]
    )
    func lossWhileSlow(isClosed: Bool, hasPace: Bool) throws {
        let pace = hasPace ? ArrivalPace(messagesPerSecond: 1, bytesPerSecond: nil) : nil
        let setup = Setup(pace: pace) { $0.limits.receivedMessages = 2 }
        let close: [UInt8] = isClosed ? [0x88, 0x02, 0x03, 0xE8] : []
        setup.fake.receive((0..<10).flatMap { Self.frame(0x81, "\($0)") } + close)
        setup.fake.line.isLost = true
        #expect(try setup.link.sendAtOnce(.text("hello")))
        setup.fake.turn()
        #expect(setup.fake.line.isClosed)
        for number in 0..<10 { #expect(try setup.next() == .text("\(number)")) }
        if isClosed {
            #expect(try setup.link.receiveAtOnce() == .some(nil))
            #expect(setup.link.closure?.code == .normal)
        } else {
            let error = #expect(throws: HeliumError.self) { try setup.next() }
            #expect(error?.kind == .connectionLost)
        }
    }

    @Test(
        "the peer's close or violation ends the messages, also if the response to it shows that the connection is lost",
        arguments: [([0x88, 0x02, 0x03, 0xE8], nil), ([0xFF], .protocolViolated)] as [([UInt8], FailureKind?)]
    )
    func lossAtGoodbye(last: [UInt8], kind: FailureKind?) throws {
        let setup = Setup { $0.limits.receivedMessages = 2 }
        setup.fake.receive((0..<4).flatMap { Self.frame(0x81, "\($0)") } + last)
        setup.fake.line.isLost = true
        for number in 0..<4 {
            #expect(try setup.next() == .text("\(number)"))
            setup.fake.turn()
        }
        #expect(setup.fake.line.isClosed)
        if let kind {
            let error = #expect(throws: HeliumError.self) { try setup.next() }
            #expect(error?.kind == kind)
        } else {
            #expect(try setup.link.receiveAtOnce() == .some(nil))
            #expect(setup.link.closure?.code == .normal)
        }
    }

    @Test("one ping waits at most for a peer that reads nothing, and takes no message's place", arguments: [1, 40_000])
    func waitingPings(byteCount: Int) throws {
        let setup = Setup {
            $0.limits.queuedMessages = 4
            $0.limits.unwaitedBytes = 1 << 20
        }
        setup.fake.line.room = 0
        #expect(try setup.link.sendAtOnce(.text("a")))
        setup.fake.turn()
        for _ in 0..<100 { setup.link.say(.ping) }
        for _ in 0..<4 { #expect(try setup.link.sendAtOnce(.binary(Data(count: byteCount)))) }
        setup.fake.accept(1 << 20)
        setup.fake.turn()
        #expect(setup.fake.line.opcodes == [1, 9, 2, 2, 2, 2])
        // The next one is queued again.
        setup.link.say(.ping)
        setup.fake.turn()
        #expect(setup.fake.line.opcodes.last == 9)
    }

    @Test("a turn writes so much of a message and no more, so that other channels have theirs")
    func writeBudget() async throws {
        let setup = Setup()
        let sending = Task { [link = setup.link] in try await link.send(.binary(Data(count: 4 << 20))) }
        try await eventually { setup.fake.isSignalled }
        var counts: [Int] = []
        while counts.last ?? 0 < 4 << 20, counts.count < 100 {
            setup.fake.turn()
            counts.append(setup.fake.line.written.count)
        }
        #expect(counts.count < 100)
        setup.link.cut()
        setup.fake.turn()
        _ = await sending.result
        // In its first turn the channel writes when it gets the signal, and once more.
        #expect(counts.first ?? .max <= 2 * ByteChannel.turnBudget)
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $1 - $0 <= ByteChannel.turnBudget })
    }

    @Test("the pace of arrivals is kept amid the messages of one read")
    func paceAmidRead() throws {
        let setup = Setup(pace: ArrivalPace(messagesPerSecond: 10, bytesPerSecond: nil))
        setup.fake.receive((0..<100).flatMap { Self.frame(0x81, "\($0)") })
        var texts: [String] = []
        while let text = try setup.next()?.text { texts.append(text) }
        // A peer may be one second ahead, and the pace is checked after each ten messages.
        #expect(texts == (0..<20).map(String.init))
        #expect(setup.link.liveness.isHeldBack)
        setup.link.cut()
        setup.fake.turn()
    }

    @Test("queued messages and control frames are written in order by one system call")
    func writtenTogether() throws {
        let setup = Setup()
        for number in 0..<50 {
            #expect(try setup.link.sendAtOnce(.text("\(number)")))
            #expect(try setup.link.sendAtOnce(.binary(Data([UInt8(number)]))))
            if number == 20 { setup.link.say(.ping) }
        }
        setup.link.say(.close(.normal, reason: "over"))
        setup.fake.turn()
        #expect(setup.fake.line.writeCount == 1)
        let messages: [UInt8] = Array(repeating: [1, 2], count: 50).flatMap(\.self)
        #expect(setup.fake.line.opcodes == messages[..<42] + [9] + messages[42...] + [8])
    }

    @Test("a frame that arrives in parts is read once it is complete", arguments: 1...8)
    func parts(size: Int) throws {
        let setup = Setup()
        let bytes = Self.frame(0x81, "hello") + Self.frame(0x89, "p") + Self.frame(0x81, "again")
        for start in stride(from: 0, to: bytes.count, by: size) {
            setup.fake.receive(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(try setup.next() == .text("hello"))
        #expect(try setup.next() == .text("again"))
        #expect(try setup.next() == nil)
        #expect(setup.fake.line.opcodes == [10])
    }

    @Test("a link that is cut ends its channel in the next turn")
    func cut() {
        let setup = Setup()
        setup.link.cut()
        #expect(!setup.fake.line.isClosed)
        setup.fake.turn()
        #expect(setup.fake.line.isClosed && setup.link.closure == .abnormal)
    }

    @Test("a message that the peer takes slowly is sent to its end, after which the peer's silence begins")
    func slowPeer() throws {
        let setup = Setup()
        var keepalive = Keepalive(pingInterval: .seconds(20), silenceLimit: .seconds(60), sendLimit: .seconds(30))
        func step(after time: Duration) -> Keepalive.Step? {
            setup.clock.advance(by: time)
            let liveness = setup.link.liveness
            return keepalive.step(
                now: setup.clock.uptime,
                lastArrival: liveness.lastArrival,
                stalledSince: liveness.stalledSince,
                isHeldBack: liveness.isHeldBack
            )
        }
        setup.fake.line.room = 0
        // A frame of 106 bytes.
        #expect(try setup.link.sendAtOnce(.text(String(repeating: "a", count: 100))))
        setup.fake.turn()
        for _ in 0..<10 {
            #expect(step(after: .seconds(15)) == .wait(.seconds(5)))
            setup.fake.accept(10)
            #expect(step(after: .zero) == .wait(.seconds(20)))
        }
        setup.fake.accept(10)
        #expect(setup.fake.line.opcodes == [1] && setup.link.liveness.stalledSince == nil)
        #expect(step(after: .seconds(20)) == .ping)
        #expect(step(after: .seconds(39)) == .ping)
        #expect(step(after: .seconds(1)) == .fail(.silence, limit: .seconds(60)))
    }

    @Test("a peer that stops taking a message is noticed after the limit, counted from the last byte that it took")
    func stoppedPeer() throws {
        let setup = Setup()
        setup.fake.line.room = 0
        #expect(try setup.link.sendAtOnce(.text(String(repeating: "a", count: 100))))
        setup.fake.turn()
        let start = setup.clock.uptime
        #expect(setup.link.liveness.stalledSince == start)
        setup.clock.advance(by: .seconds(29))
        setup.fake.accept(1)
        #expect(setup.link.liveness.stalledSince == start + .seconds(29))
        setup.clock.advance(by: .seconds(29))
        setup.fake.accept(0)
        #expect(setup.link.liveness.stalledSince == start + .seconds(29))
    }

    @Test("after this side's close message the messages end, however the connection ends", arguments: [true, false])
    func endAfterClose(isLost: Bool) async throws {
        let setup = Setup()
        setup.link.say(.close(.normal, reason: ""))
        setup.fake.turn()
        if isLost { setup.fake.lose() } else { setup.link.cut() }
        setup.fake.turn()
        #expect(setup.fake.line.isClosed && setup.link.closure == .abnormal)
        #expect(try setup.link.receiveAtOnce() == .some(nil))
        let late = await #expect(throws: HeliumError.self) { try await setup.link.send(.text("late")) }
        #expect(late?.kind == .clientClosed && late?.delivery == .notSent)
    }

    @Test("room in the system alone is no sign of the peer", arguments: [.max, 700_000])
    func roomAlone(room: Int) async throws {
        let setup = Setup()
        let start = setup.clock.uptime
        setup.clock.advance(by: .seconds(10))
        setup.fake.line.room = room
        // More than a turn may write.
        let sending = Task { [link = setup.link] in try await link.send(.binary(Data(count: 1 << 20))) }
        try await eventually { setup.fake.isSignalled }
        for _ in 0..<10 { setup.fake.turn() }
        #expect((setup.link.liveness.stalledSince == nil) == (room == .max))
        #expect(setup.link.liveness.lastArrival == start)
        if room != .max {
            setup.fake.accept(1)
            #expect(setup.link.liveness.lastArrival == setup.clock.uptime)
            setup.fake.accept(1 << 20)
            for _ in 0..<10 { setup.fake.turn() }
        }
        #expect(setup.fake.line.opcodes == [2])
        try await sending.value
    }

    @Test("a message that is written with the end of the connection has been sent", arguments: [0, 1, .max])
    func lastMessage(room: Int) async throws {
        let setup = Setup(codec: JSONObjectCodec(maximumBytes: 1_000)) { $0.limits.unwaitedBytes = 0 }
        let sending = Task { [link = setup.link] in try await link.send(.text("{}")) }
        try await eventually { setup.fake.isSignalled }
        setup.link.say(.close(.normal, reason: ""))
        setup.fake.line.room = room
        setup.fake.turn()
        if room != .max { setup.fake.accept(100) }
        #expect(setup.fake.line.written == Array("{}\n".utf8) && setup.fake.line.isClosed)
        try await sending.value
    }
}
