import HeliumCore
import HeliumJSON
import JetstreamCore
import Testing

@Suite("Order, acknowledgement and repair of a connection")
struct DeliveryTests {
    /// The names that the syncs among the deliveries set.
    private func names(_ rig: inout MachineRig) -> [String] {
        rig.takeDeliveries().compactMap { _, delivery in
            guard case .sync(let fragments) = delivery else { return nil }
            return fragments.first?.properties["name"]?.stringValue
        }
    }

    @Test("messages are delivered once and in order, and missing ones are requested")
    func gap() {
        var rig = MachineRig()
        rig.establishScope()
        let messages = ["a", "b", "c", "d"].map { rig.sync($0) }
        rig.receive(messages[0])
        rig.receive(messages[0])
        rig.receive(messages[2])
        rig.receive(messages[3])
        #expect(names(&rig) == ["a"])
        #expect(rig.takeSent().short == ["Ping 3 resend"])
        rig.receive([.ping(.init(ack: 1, resendMissing: true))] + messages[1...])
        #expect(names(&rig) == ["b", "c", "d"])
        #expect(rig.takeSent().short.isEmpty)
    }

    @Test("each new gap is requested")
    func secondGap() {
        var rig = MachineRig()
        rig.establishScope()
        let messages = (0..<6).map { rig.sync("\($0)") }
        rig.receive(messages[1])
        rig.receive([.ping(.init(ack: 1, resendMissing: true))] + messages[0...1])
        rig.receive(messages[3])
        #expect(rig.takeSent().short == ["Ping 2 resend", "Ping 4 resend"])
    }

    @Test("a gap that the server does not repair ends the session")
    func lostForGood() {
        var rig = MachineRig()
        rig.establishScope()
        _ = rig.sync("lost")
        for _ in 0..<3 {
            rig.receive(rig.sync("later"))
            rig.receive(.ping(.init(ack: 1, resendMissing: true)))
        }
        #expect(rig.machine.token == "token-1")
        #expect(rig.takeSent().short == ["Ping 2 resend", "Ping 2 resend", "Ping 2 resend"])
        rig.receive(rig.sync("later"))
        #expect(rig.machine.token == nil && rig.closeCount == 1)
    }

    @Test("a repair without a response replaces the socket, and the third time the session")
    func unansweredRepair() {
        var rig = MachineRig()
        rig.establishScope()
        _ = rig.sync("lost")
        rig.receive(rig.sync("later"))
        for round in 1...3 {
            // Not silent, so that the watchdog is content.
            rig.now += .seconds(20)
            rig.receive(.ping(.init(ack: 10_000)), .unusable(.init(index: 0, type: "Later")))
            rig.passTime(10)
            #expect(rig.closeCount == round)
            rig.handle(.closed(SocketEnd(code: 1000)))
            #expect((rig.machine.token == nil) == (round == 3))
            rig.handle(.opened)
        }
    }

    @Test("a message of an unknown type uses its index")
    func unknownType() {
        var rig = MachineRig()
        rig.establishScope()
        rig.receive(.unusable(.init(index: rig.nextServerIndex(), type: "Later")), rig.sync("a"))
        #expect(names(&rig) == ["a"] && rig.takeSent().isEmpty)
    }

    @Test("a message with index 0 is handled outside of the sequence")
    func indexZero() {
        var rig = MachineRig()
        rig.establishScope()
        rig.receive(.scopeSync(.init(index: 0, scopeIndex: 0, fragments: [MachineRig.change("zero")])))
        rig.receive(.scopeSync(.init(index: 0, scopeIndex: 0, fragments: [MachineRig.change("zero")])), rig.sync("a"))
        #expect(names(&rig) == ["zero", "zero", "a"])
    }

    @Test("empty syncs and syncs of unknown scopes use their index")
    func ignored() {
        var rig = MachineRig()
        rig.establishScope()
        rig.receive(.scopeSync(.init(index: rig.nextServerIndex(), scopeIndex: 0, fragments: [])))
        rig.receive(rig.sync("other", scopeIndex: 9))
        rig.receive(rig.sync("a"))
        #expect(names(&rig) == ["a"])
    }

    @Test(
        "a ping is sent every 9 to 11 seconds, by the random source",
        arguments: [(0.0, 9.0), (0.5, 10), (0.99, 10.98)]
    )
    func pings(random: Double, interval: Double) {
        var rig = MachineRig(random: random)
        rig.establishScope()
        for _ in 0..<5 {
            rig.passTime(interval - 0.01)
            #expect(rig.takeSent().isEmpty)
            rig.passTime(0.01)
            #expect(rig.takeSent().short == ["Ping 2"])
            rig.receive(.ping(.init(ack: 1)))
        }
    }

    @Test("512 messages, or 1 MiB of them, are acknowledged at once")
    func earlyPings() {
        var rig = MachineRig()
        rig.establishScope()
        rig.handle(.closed(SocketEnd(code: 1006)))
        rig.handle(.opened)
        rig.receive(.ping(.init(ack: 1, resendMissing: true)))
        _ = rig.takeSent()
        for _ in 0..<511 { rig.receive(rig.sync("a")) }
        #expect(rig.takeSent().isEmpty)
        rig.receive(rig.sync("a"))
        #expect(rig.takeSent().short == ["Ping 514"])
        for _ in 0..<511 { rig.receive(rig.sync("a")) }
        #expect(rig.takeSent().isEmpty)
        rig.receive(rig.sync("a"))
        _ = rig.takeSent()
        let large = String(repeating: "x", count: 600_000)
        rig.receive(rig.sync(large))
        #expect(rig.takeSent().isEmpty)
        rig.receive(rig.sync(large))
        #expect(rig.takeSent().short == ["Ping 1028"])
    }

    @Test("a socket that is silent for 25 seconds is replaced, unless reading is paused")
    func watchdog() {
        var rig = MachineRig()
        rig.establishScope()
        rig.passTime(24.9)
        #expect(rig.closeCount == 0)
        rig.handle(.readingPaused(true))
        rig.passTime(60)
        #expect(rig.closeCount == 0)
        rig.handle(.readingPaused(false))
        rig.passTime(24.9)
        #expect(rig.closeCount == 0)
        // No JSON, so no sign of life.
        rig.handle(.received("nope"))
        rig.passTime(0.1)
        #expect(rig.closeCount == 1 && rig.machine.token == "token-1")
        rig.receive(rig.sync("late"))
        #expect(names(&rig).isEmpty)
    }

    @Test("the deadline of a connection is that of its next timer")
    func deadline() {
        var rig = MachineRig()
        #expect(rig.machine.deadline == nil)
        rig.handle(.opened)
        #expect(rig.machine.deadline == .seconds(25))
        rig.receive(.sessionCreateReply(.init(sessionToken: "t")))
        #expect(rig.machine.deadline == .seconds(10))
        rig.handle(.closed(SocketEnd(code: 1006)))
        #expect(rig.machine.deadline == nil)
    }
}
