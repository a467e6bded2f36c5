import Foundation
import HeliumCore
import HeliumJSON
import JetstreamCore
import TestSupport
import Testing

@Suite("Scopes and change sets of a connection")
struct ChangesTests {
    @Test("a reply settles its change set")
    func reply() {
        var rig = MachineRig()
        rig.establishScope()
        rig.submit(1)
        rig.receive(rig.sync("before"))
        rig.receive(rig.reply(to: 2))
        let kinds = rig.takeDeliveries().map { _, delivery in
            switch delivery {
            case .state: "state"
            case .sync: "sync"
            case .settled(_, let outcome): MachineRig.text(outcome)
            case .ended: "ended"
            }
        }
        #expect(kinds == ["sync", "replied"])
    }

    @Test("a change set without a reply is reverted when a later one of its scope gets one")
    func unanswered() {
        var rig = MachineRig()
        rig.establishScope()
        rig.handle(.fetch(ScopeID(1), name: "Board", parameters: [:]))
        rig.grantFetch(1, scopeIndex: 1)
        rig.handle(.stateApplied(ScopeID(1), unsent: []))
        rig.submit(1)
        rig.submit(2, scope: 1)
        rig.submit(3)
        _ = rig.takeDeliveries()
        rig.receive(rig.reply(to: 5))
        #expect(rig.takeOutcomes() == ["1 reverted unanswered maybeSent", "3 replied"])
        // Too late.
        rig.receive(rig.reply(to: 3))
        rig.receive(rig.reply(to: 4))
        #expect(rig.takeOutcomes() == ["2 replied"])
        #expect(rig.machine.token == "token-1")
    }

    @Test("a reply that does not fit reverts the change set and ends the session", arguments: [0, 2])
    func mismatch(count: Int) {  // TransactionTests: testChangeSetFragmentReplyMismatch
        var rig = MachineRig()
        rig.establishScope()
        rig.submit(1)
        rig.submit(2)
        rig.receive(rig.reply(to: 2, Array(repeating: FragmentReply(), count: count)))
        #expect(rig.takeOutcomes() == ["1 reverted replyMismatch answered", "2 unknown sessionLost maybeSent"])
        #expect(rig.machine.token == nil && rig.closeCount == 1)
    }

    @Test("a bare or invalid reply is a mismatch")
    func otherReplies() {  // TransactionTests: testChangeInvalidMessageTypeError
        var rig = MachineRig()
        rig.establishScope()
        rig.submit(1)
        rig.receive(.reply(.init(index: rig.nextServerIndex(), replyTo: 2)))
        #expect(rig.takeOutcomes() == ["1 reverted replyMismatch answered"] && rig.machine.token == nil)
        var other = MachineRig()
        other.establishScope()
        other.submit(1)
        other.receive(.unusable(.init(index: other.nextServerIndex(), type: "ScopeSyncReply")))
        #expect(other.takeOutcomes() == ["1 unknown sessionLost maybeSent"] && other.machine.token == nil)
    }

    @Test("30 seconds without a reply resume the session, and 30 more end it")
    func replyLimits() {
        var rig = MachineRig()
        rig.establishScope()
        rig.passTime(20)
        rig.submit(1)
        func alive(_ rig: inout MachineRig, _ seconds: Int) {
            for _ in 0..<seconds / 10 {
                rig.passTime(10)
                rig.receive(.ping(.init(ack: 1)))
            }
        }
        rig.receive(.ping(.init(ack: 1)))
        alive(&rig, 20)
        rig.passTime(9.9)
        #expect(rig.closeCount == 0)
        rig.passTime(0.1)
        #expect(rig.closeCount == 1 && rig.machine.token == "token-1")
        rig.handle(.closed(SocketEnd(code: 1000)))
        rig.now += .seconds(300)
        rig.handle(.opened)
        rig.receive(.ping(.init(ack: 1, resendMissing: true)))
        alive(&rig, 20)
        #expect(rig.takeOutcomes().isEmpty)
        rig.passTime(10)
        #expect(rig.takeOutcomes() == ["1 unknown sessionLost maybeSent"] && rig.machine.token == nil)
    }

    @Test("no reply is overdue while nothing is read")
    func readingPaused() {
        var rig = MachineRig()
        rig.establishScope()
        rig.submit(1)
        rig.handle(.readingPaused(true))
        for _ in 0..<20 { rig.passTime(10) }
        #expect(rig.closeCount == 0 && rig.takeSent().short.count(where: { $0 == "Ping 2" }) == 20)
        rig.handle(.readingPaused(false))
        rig.passTime(24)
        #expect(rig.closeCount == 0)
        rig.receive(.ping(.init(ack: 1)))
        rig.passTime(6)
        #expect(rig.closeCount == 1)
    }

    @Test("replies one after the other are progress, however long the last one takes")
    func progress() {
        var rig = MachineRig()
        rig.establishScope()
        for id in 1...5 { rig.submit(id) }
        for index in 2...6 {
            rig.passTime(15)
            rig.receive(.ping(.init(ack: 1)))
            rig.passTime(14)
            rig.receive(rig.reply(to: index))
        }
        #expect(rig.closeCount == 0 && rig.takeOutcomes().count == 5)
    }

    @Test("a fetch without a reply fails after 60 seconds, and the session continues")
    func unansweredFetch() {
        var rig = MachineRig()
        rig.establishScope()
        rig.handle(.fetch(ScopeID(1), name: "Board", parameters: [:]))
        for round in 0..<2 {
            for _ in 0..<3 {
                rig.receive(.ping(.init(ack: 1, resendMissing: true)))
                rig.passTime(10)
            }
            guard round == 0 else { break }
            #expect(rig.closeCount == 1)
            rig.handle(.closed(SocketEnd(code: 1000)))
            rig.handle(.opened)
        }
        guard case .ended(let error)? = rig.takeDeliveries().last?.1 else { return #expect(Bool(false)) }
        #expect(error.kind == .unanswered && rig.machine.token == "token-1")
        // It can be fetched again.
        _ = rig.takeSent()
        rig.handle(.fetch(ScopeID(2), name: "Board", parameters: [:]))
        #expect(rig.takeSent().short == ["ScopeFetch 3 Board"])
    }

    @Test("nothing is sent on the state of a lost session while the next state waits")
    func laterState() {
        var rig = MachineRig()
        rig.handle(.fetch(ScopeID(0), name: "Canvas", parameters: [:]))
        rig.establish()
        rig.grantFetch()
        rig.handle(.closed(SocketEnd(code: 4097)))
        rig.establish(token: "token-2")
        rig.grantFetch()
        _ = rig.takeSent()
        rig.handle(.stateApplied(ScopeID(0), unsent: [MachineRig.changes(1)]))
        #expect(rig.takeSent().isEmpty)
        rig.handle(.stateApplied(ScopeID(0), unsent: [MachineRig.changes(1)]))
        #expect(rig.takeSent().short == ["ScopeSync 2"])
    }

    @Test("a refused fetch has the server's message", arguments: [true, false])
    func refusedFetch(hasError: Bool) {
        var rig = MachineRig()
        rig.handle(.fetch(ScopeID(0), name: "Canvas", parameters: [:]))
        rig.submit(1)
        rig.establish()
        let error = hasError ? ErrorObject(message: "No such scope") : nil
        rig.receive(.scopeFetchReply(.init(index: rig.nextServerIndex(), replyTo: 1, error: error)))
        guard case .ended(let ended)? = rig.takeDeliveries().last?.1 else { return #expect(Bool(false)) }
        #expect(ended.kind == .fetchRefused && ended.server == error && ended.delivery == .answered)
        rig.submit(2)
        #expect(rig.refusals.map(\.kind) == [.invalidScope])
        // It may be asked for again.
        _ = rig.takeSent()
        rig.handle(.fetch(ScopeID(1), name: "Canvas", parameters: [:]))
        #expect(rig.takeSent().short == ["ScopeFetch 2 Canvas"])
    }

    @Test("a scope is fetched once in each session")
    func secondFetch() {
        var rig = MachineRig()
        rig.establishScope()
        rig.handle(.fetch(ScopeID(1), name: "Canvas", parameters: [:]))
        guard case (ScopeID(1), .ended(let error))? = rig.takeDeliveries().last.map({ ($0.0, $0.1) })
        else { return #expect(Bool(false)) }
        #expect(error.kind == .invalidScope && rig.takeSent().isEmpty)
    }

    @Test("change sets wait for the state, and are sent as the scope returns them")
    func waitForState() {
        var rig = MachineRig()
        rig.handle(.fetch(ScopeID(0), name: "Canvas", parameters: [:]))
        rig.submit(1)
        rig.establish()
        rig.submit(2)
        rig.grantFetch()
        rig.submit(3)
        #expect(rig.takeSent().short == ["SessionCreate", "ScopeFetch 1 Canvas"])
        rig.handle(.stateApplied(ScopeID(0), unsent: [1, 2, 3].map { MachineRig.changes($0, "rebased \($0)") }))
        let names = rig.takeSent().compactMap { message -> String? in
            guard case .scopeSync(let sync) = message else { return nil }
            return sync.fragments.first?.properties["name"]?.stringValue
        }
        #expect(names == ["rebased 1", "rebased 2", "rebased 3"])
    }

    @Test("sent change sets of a lost session are in doubt, and others are sent on the new state")
    func lostSession() {
        var rig = MachineRig()
        rig.establishScope()
        rig.submit(1)
        rig.handle(.closed(SocketEnd(code: 1006)))
        rig.submit(2)
        rig.handle(.opened)
        rig.handle(.closed(SocketEnd(code: 4096)))
        #expect(rig.takeOutcomes() == ["1 unknown sessionLost maybeSent"])
        _ = rig.takeSent()
        rig.establish(token: "token-2")
        rig.grantFetch()
        guard case .state(_, let sent)? = rig.takeDeliveries().last?.1 else { return #expect(Bool(false)) }
        #expect(sent.isEmpty)
        rig.handle(.stateApplied(ScopeID(0), unsent: [MachineRig.changes(2)]))
        #expect(rig.takeSent().short == ["SessionCreate", "ScopeFetch 1 Canvas", "ScopeSync 2"])
    }

    @Test("a state during a session names the change sets that wait for their reply")
    func secondState() {
        var rig = MachineRig()
        rig.establishScope()
        rig.submit(1)
        rig.receive(rig.state())
        guard case .state(_, let sent)? = rig.takeDeliveries().last?.1 else { return #expect(Bool(false)) }
        #expect(sent == [ChangesID(1)])
    }

    @Test(
        "a change set that a server would drop is refused before it is sent",
        arguments: [
            (["a": ["b": 1]], nil), (["a": [1, "b"]], nil), (["a": [nil]], nil), (["a": [[1]]], nil),
            ([:], "rename"), ([:], "Card.re.name"), ([:], ".rename"),
        ] as [(JSONObject, String?)]
    )
    func invalid(properties: JSONObject, procedure: String?) {
        var rig = MachineRig()
        rig.establishScope()
        let fragment = SyncFragment(.change, uuid: MachineRig.root, className: "Canvas", properties: properties)
        let changes = OutgoingChanges(id: ChangesID(1), fragments: [fragment], procedure: procedure)
        rig.handle(.submit(ScopeID(0), changes))
        #expect(rig.refusals.map(\.kind) == [.invalidChanges] && rig.refusals.map(\.delivery) == [.notSent])
        #expect(rig.takeSent().isEmpty)
    }

    @Test("a change set without changes is complete at once")
    func empty() {
        var rig = MachineRig()
        rig.establishScope()
        rig.handle(.submit(ScopeID(0), OutgoingChanges(id: ChangesID(1), fragments: [])))
        #expect(rig.takeOutcomes() == ["1 replied"] && rig.takeSent().isEmpty)
    }

    @Test("more change sets than the limit are refused until some are settled")
    func ceiling() {
        var rig = MachineRig { $0.maximumPendingChanges = 3 }
        rig.establishScope()
        for id in 1...4 { rig.submit(id) }
        #expect(rig.refusals.map(\.kind) == [.ceilingExceeded])
        rig.receive(rig.reply(to: 2))
        rig.submit(5)
        #expect(rig.refusals.count == 1)
        rig.submit(6)
        #expect(rig.refusals.count == 2)
        // Without a connection they wait, and count.
        rig.handle(.closed(SocketEnd(code: 4097)))
        for id in 7...10 { rig.submit(id) }
        #expect(rig.refusals.count == 3)
        rig.establish(token: "token-2")
        rig.grantFetch()
        rig.handle(.stateApplied(ScopeID(0), unsent: (7...9).map { MachineRig.changes($0) }))
        rig.submit(11)
        #expect(rig.refusals.count == 4)
    }

    @Test("a change set that is larger than a frame is refused, and the next one has its index")
    func tooLarge() {
        var rig = MachineRig { $0.maximumFrameBytes = 2000 }
        rig.establishScope()
        rig.submit(1, String(repeating: "x", count: 2000))
        #expect(rig.takeOutcomes() == ["1 reverted ceilingExceeded notSent"] && rig.takeSent().isEmpty)
        rig.submit(2)
        #expect(rig.takeSent().short == ["ScopeSync 2"])
        rig.handle(.fetch(ScopeID(1), name: String(repeating: "x", count: 2000), parameters: [:]))
        guard case .ended(let error)? = rig.takeDeliveries().last?.1 else { return #expect(Bool(false)) }
        #expect(error.kind == .ceilingExceeded && rig.takeSent().isEmpty)
    }

    @Test("nothing is delivered to a scope that was given up")
    func abandoned() {
        var rig = MachineRig()
        rig.establishScope()
        rig.submit(1)
        rig.handle(.abandon(ScopeID(0)))
        rig.receive(rig.sync("a"), rig.reply(to: 2))
        #expect(rig.takeDeliveries().isEmpty)
        rig.handle(.closed(SocketEnd(code: 4097)))
        _ = rig.takeSent()
        rig.establish(token: "token-2")
        #expect(rig.takeSent().short == ["SessionCreate"])
    }

    @Test("a scope that was given up can be fetched again, and gets the server's handle")
    func fetchAgain() {
        var rig = MachineRig()
        rig.establishScope()
        rig.handle(.abandon(ScopeID(0)))
        rig.handle(.fetch(ScopeID(1), name: "Canvas", parameters: [:]))
        #expect(rig.takeSent().short == ["ScopeFetch 2 Canvas"])
        rig.receive(rig.sync("before the state"))
        #expect(rig.takeDeliveries().isEmpty)
        rig.grantFetch(1)
        rig.handle(.stateApplied(ScopeID(1), unsent: []))
        rig.receive(rig.sync("after it"))
        rig.submit(1, scope: 1)
        rig.receive(rig.reply(to: 3))
        #expect(rig.takeDeliveries().map(\.0) == [ScopeID(1), ScopeID(1), ScopeID(1)])
    }

    @Test("a scope that is given up during its fetch frees its name")
    func fetchAgainBeforeReplies() {
        var rig = MachineRig()
        rig.establishScope()
        rig.submit(1)
        rig.handle(.abandon(ScopeID(0)))
        for id in 1...2 {
            rig.handle(.fetch(ScopeID(id), name: "Canvas", parameters: [:]))
            if id == 1 { rig.handle(.abandon(ScopeID(1))) }
        }
        #expect(rig.takeSent().short == ["ScopeSync 2", "ScopeFetch 3 Canvas", "ScopeFetch 4 Canvas"])
        for index in 3...4 {
            rig.receive(
                .scopeFetchReply(.init(index: rig.nextServerIndex(), replyTo: index, scopeIndex: 0)),
                rig.state()
            )
        }
        rig.receive(rig.reply(to: 2))
        let deliveries = rig.takeDeliveries()
        guard deliveries.count == 1, case (ScopeID(2), .state) = deliveries[0] else { return #expect(Bool(false)) }
        // Nothing waits for a reply any more.
        rig.handle(.stateApplied(ScopeID(2), unsent: []))
        for _ in 0..<7 {
            rig.passTime(10)
            rig.receive(.ping(.init(ack: 4)))
        }
        #expect(rig.closeCount == 0)
    }

    @Test("a fetch without a reply frees its name, and its change sets do not count")
    func unansweredFetchForgotten() {
        var rig = MachineRig { $0.maximumPendingChanges = 2 }
        rig.establishScope()
        rig.handle(.fetch(ScopeID(1), name: "Board", parameters: [:]))
        for id in 1...2 { rig.submit(id, scope: 1) }
        for round in 0..<2 {
            for _ in 0..<3 {
                rig.receive(.ping(.init(ack: 1, resendMissing: true)))
                rig.passTime(10)
            }
            guard round == 0 else { break }
            rig.handle(.closed(SocketEnd(code: 1000)))
            rig.handle(.opened)
        }
        #expect(rig.refusals.isEmpty)
        for id in 3...4 { rig.submit(id) }
        #expect(rig.refusals.isEmpty)
        _ = (rig.takeSent(), rig.takeDeliveries())
        rig.handle(.fetch(ScopeID(2), name: "Board", parameters: [:]))
        #expect(rig.takeSent().short == ["ScopeFetch 5 Board"])
        // The first fetch is answered late.
        rig.receive(
            .scopeFetchReply(.init(index: rig.nextServerIndex(), replyTo: 2, scopeIndex: 1)),
            rig.state(scopeIndex: 1)
        )
        #expect(rig.takeDeliveries().isEmpty)
        rig.receive(
            .scopeFetchReply(.init(index: rig.nextServerIndex(), replyTo: 5, scopeIndex: 1)),
            rig.state(scopeIndex: 1)
        )
        #expect(rig.takeDeliveries().map(\.0) == [ScopeID(2)])
    }

    @Test(
        "a state that does not fit in a frame ends its fetch, and other scopes continue",
        arguments: [true, false]
    )
    func oversizedState(endsSocket: Bool) {
        var rig = MachineRig { $0.maximumFrameBytes = 2000 }
        rig.establishScope()
        rig.handle(.fetch(ScopeID(1), name: "Board", parameters: [:]))
        rig.receive(.scopeFetchReply(.init(index: rig.nextServerIndex(), replyTo: 2, scopeIndex: 1)))
        rig.receiveTooMuch(endingSocket: endsSocket)
        guard case (ScopeID(1), .ended(let error))? = rig.takeDeliveries().last.map({ ($0.0, $0.1) })
        else { return #expect(Bool(false)) }
        #expect(error.kind == .ceilingExceeded && error.delivery == .answered)
        #expect(rig.machine.token == nil && rig.end == nil)
        _ = rig.takeSent()
        rig.establish(token: "token-2")
        #expect(rig.takeSent().short == ["SessionCreate", "ScopeFetch 1 Canvas"])
    }

    @Test("a second frame that is too large before the reply to a fetch ends the fetch")
    func oversizedFrames() {
        var rig = MachineRig { $0.maximumFrameBytes = 2000 }
        rig.handle(.fetch(ScopeID(0), name: "Canvas", parameters: [:]))
        rig.establish()
        rig.receiveTooMuch(endingSocket: true)
        #expect(rig.takeDeliveries().isEmpty && rig.machine.token == nil)
        rig.establish(token: "token-2")
        rig.receiveTooMuch(endingSocket: true)
        guard case .ended(let error)? = rig.takeDeliveries().last?.1 else { return #expect(Bool(false)) }
        #expect(error.kind == .ceilingExceeded)
    }

    @Test("a frame that is too large without a fetch leads to a new state")
    func oversizedSync() {
        var rig = MachineRig { $0.maximumFrameBytes = 2000 }
        rig.establishScope()
        rig.submit(1)
        rig.receiveTooMuch(endingSocket: false)
        #expect(rig.takeOutcomes() == ["1 unknown sessionLost maybeSent"])
        _ = rig.takeSent()
        rig.establish(token: "token-2")
        #expect(rig.takeSent().short == ["SessionCreate", "ScopeFetch 1 Canvas"])
    }

    @Test("thousands of change sets are sent, resumed and settled in time that grows with their number")
    func manyChanges() {
        func time(_ count: Int) -> Duration {
            processorTime {
                var rig = MachineRig { $0.maximumPendingChanges = count }
                rig.establishScope()
                for id in 1...count { rig.submit(id) }
                rig.handle(.closed(SocketEnd(code: 1006)))
                rig.handle(.opened)
                rig.receive(.ping(.init(ack: 1, resendMissing: true)))
                for index in 2...(count + 1) { rig.receive(rig.reply(to: index)) }
                #expect(rig.takeOutcomes().count == count)
            }
        }
        _ = time(100)
        // Ten, were it not for caches; a hundred if it were quadratic. The best of some attempts, for a busy machine.
        var best = Double.infinity
        for _ in 0..<5 where best >= 30 {
            let small = time(400)
            best = min(best, time(4000) / small)
        }
        #expect(best < 30)
    }
}
