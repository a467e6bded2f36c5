import HeliumCore
import HeliumJSON
import JetstreamCore
import Testing

@Suite("Resumed connections")
struct ResumeTests {
    @Test("nothing is sent before the server's ping on a resumed connection")
    func gate() {
        var rig = MachineRig()
        rig.establishScope()
        rig.submit(1)
        rig.submit(2)
        rig.handle(.closed(SocketEnd(code: 1006)))
        _ = rig.takeSent()
        rig.submit(3)
        rig.handle(.opened)
        rig.submit(4)
        rig.handle(.fetch(ScopeID(1), name: "Board", parameters: [:]))
        #expect(rig.takeSent().short == ["Ping 2 resend"])
        rig.receive(.ping(.init(ack: 2, resendMissing: true)))
        #expect(rig.takeSent().short == ["ScopeSync 3", "ScopeSync 4", "ScopeSync 5", "ScopeFetch 6 Board"])
        #expect(rig.news.contains { if case .resumed = $0 { true } else { false } })
        rig.submit(5)
        #expect(rig.takeSent().short == ["ScopeSync 7"])
    }

    @Test("messages before the response to a resume are used in order, and gaps requested once")
    func earlyMessages() {
        var rig = MachineRig()
        rig.establishScope()
        let (first, second, third) = (rig.sync("a"), rig.sync("b"), rig.sync("c"))
        rig.handle(.closed(SocketEnd(code: 1006)))
        rig.handle(.opened)
        rig.receive(third)
        #expect(rig.takeSent().short == ["Ping 2 resend"] && rig.takeDeliveries().isEmpty)
        rig.receive(.ping(.init(ack: 1, resendMissing: true)), first, second, third)
        #expect(rig.takeDeliveries().count == 3)
    }

    @Test("an acknowledgement beyond the sent messages is invalid")
    func acknowledgedTooMuch() {
        var rig = MachineRig()
        rig.establishScope()
        rig.submit(1)
        rig.handle(.closed(SocketEnd(code: 1006)))
        rig.handle(.opened)
        _ = rig.takeSent()
        rig.receive(.ping(.init(ack: 3, resendMissing: true)))
        #expect(rig.takeSent().isEmpty)
        rig.receive(.ping(.init(ack: 1, resendMissing: true)))
        #expect(rig.takeSent().short == ["ScopeSync 2"])
    }

    @Test("a server that asks gets all messages above its acknowledgement again")
    func resending() {
        var rig = MachineRig()
        rig.establishScope()
        for id in 1...3 { rig.submit(id) }
        _ = rig.takeSent()
        rig.receive(.ping(.init(ack: 2, resendMissing: true)))
        #expect(rig.takeSent().short == ["ScopeSync 3", "ScopeSync 4"])
        rig.receive(.ping(.init(ack: 3)))
        #expect(rig.takeSent().isEmpty)
        rig.receive(.ping(.init(ack: 0, resendMissing: true)))
        #expect(rig.takeSent().short == ["ScopeSync 4"])
        // A reply tells that a message arrived, too.
        rig.receive(rig.reply(to: 4))
        rig.receive(.ping(.init(ack: 0, resendMissing: true)))
        #expect(rig.takeSent().isEmpty)
    }

    @Test("a sent fetch is sent again with its index after a resume")
    func fetch() {
        var rig = MachineRig()
        rig.handle(.fetch(ScopeID(0), name: "Canvas", parameters: [:]))
        rig.establish()
        rig.handle(.closed(SocketEnd(code: 1006)))
        rig.handle(.opened)
        _ = rig.takeSent()
        rig.receive(.ping(.init(ack: 0, resendMissing: true)))
        #expect(rig.takeSent().short == ["ScopeFetch 1 Canvas"])
        rig.grantFetch()
        #expect(rig.takeDeliveries().count == 1)
    }

    // MARK: A session of an earlier process

    private func killed() -> StoredSession? {
        var rig = MachineRig { $0.hasStore = true }
        rig.establishScope()
        rig.submit(1, "one")
        rig.submit(2, "two")
        // The process is killed here.
        return rig.stored
    }

    @Test("a message is stored before it is sent, and a reply before it is acknowledged")
    func order() {
        var rig = MachineRig { $0.hasStore = true }
        rig.establishScope()
        var saved: [Int] = []
        for action in rig.machine.handle(.submit(ScopeID(0), MachineRig.changes(1)), at: rig.now) {
            if case .save = action { saved = rig.machine.storedSession?.changes.map(\.index) ?? [] }
            if case .send = action { #expect(saved == [2]) }
        }
        #expect(saved == [2])
        let reply = JetstreamCodec().text(of: [rig.reply(to: 2)])
        let actions = rig.machine.handle(.received(reply), at: rig.now)
        #expect(actions.contains { if case .save = $0 { true } else { false } })
        #expect(rig.machine.storedSession?.changes == [] && rig.machine.storedSession?.lastReceived == 3)
    }

    @Test("a stored session is resumed only to settle its change sets")
    func recovery() throws {
        let stored = try #require(killed())
        #expect(stored.changes.map(\.index) == [2, 3] && stored.messages.map(\.index) == [2, 3])
        let read = try #require(StoredSession(data: stored.data))
        #expect(read == stored)
        var rig = MachineRig { $0.hasStore = true }
        rig.serverIndex = 2
        rig.handle(.fetch(ScopeID(0), name: "Canvas", parameters: [:]))
        rig.handle(.restore(read))
        #expect(rig.machine.token == "token-1")
        rig.handle(.opened)
        rig.receive(.ping(.init(ack: 2, resendMissing: true)), rig.reply(to: 2), rig.sync("dropped"))
        // The second set had not arrived; the fetch waits for a session of its own.
        #expect(rig.takeSent().short == ["Ping 2 resend", "ScopeSync 3"])
        rig.receive(rig.reply(to: 3, [FragmentReply(error: ErrorObject(message: "no"))]))
        let recovered = rig.news.compactMap { news -> String? in
            guard case .recovered(let changes, .success(let replies)) = news else { return nil }
            return "\(changes.scopeName) \(changes.index) \(replies.map(\.isAccepted))"
        }
        #expect(recovered == ["Canvas 2 [true]", "Canvas 3 [false]"])
        #expect(rig.closeCount == 1 && rig.machine.token == nil && rig.stored == nil)
        #expect(rig.takeDeliveries().isEmpty)
        rig.handle(.closed(SocketEnd(code: 1000)))
        rig.establish(token: "token-2")
        #expect(rig.takeSent().short == ["SessionCreate", "ScopeFetch 1 Canvas"])
    }

    @Test("a stored session whose token is refused leaves its change sets in doubt", arguments: [4096, 4097])
    func refusedToken(code: Int) {
        var rig = MachineRig(stored: killed()) { $0.hasStore = true }
        rig.handle(.opened)
        rig.handle(.closed(SocketEnd(code: code, reason: #"{"type":"session-token-unrecognized","message":"no"}"#)))
        let recovered = rig.news.compactMap { news -> JetstreamError? in
            guard case .recovered(_, .failure(let error)) = news else { return nil }
            return error
        }
        #expect(recovered.map(\.delivery) == [.maybeSent, .maybeSent])
        #expect(recovered.first?.server?.type == "session-token-unrecognized")
        #expect(rig.machine.token == nil && rig.end == nil)
    }

    @Test("messages of a stored session that the server has forgotten are no gap")
    func forgotten() {
        var rig = MachineRig(stored: killed())
        rig.handle(.opened)
        rig.receive(.ping(.init(ack: 3, resendMissing: true)))
        rig.serverIndex = 7
        rig.receive(rig.reply(to: 3))
        let outcomes = rig.news.compactMap { news -> Int? in
            if case .recovered(let changes, .success) = news { changes.index } else { nil }
        }
        #expect(outcomes == [3] && rig.machine.token == nil)
    }

    @Test("a stored session without change sets is not resumed")
    func nothingToSettle() {
        var session = killed()
        session?.changes = []
        #expect(MachineRig(stored: session).machine.token == nil)
    }

    @Test("closing keeps pending change sets in the store")
    func closing() {
        var rig = MachineRig { $0.hasStore = true }
        rig.establishScope()
        rig.submit(1)
        rig.handle(.close)
        #expect(rig.stored?.changes.map(\.index) == [2])
        var idle = MachineRig { $0.hasStore = true }
        idle.establishScope()
        #expect(idle.stored != nil)
        idle.handle(.close)
        #expect(idle.stored == nil)
    }

    @Test("three resumes without a response in time end the session")
    func slowAnswers() {
        var rig = MachineRig()
        rig.handle(.fetch(ScopeID(0), name: "Canvas", parameters: [:]))
        rig.establish()
        let index = rig.nextServerIndex()
        rig.receive(.scopeFetchReply(.init(index: index, replyTo: 1, scopeIndex: 0)))
        rig.handle(.closed(SocketEnd(code: 1006)))
        for attempt in 1...3 {
            #expect(rig.machine.token != nil)
            rig.handle(.opened)
            rig.passTime(25)
            #expect(rig.closeCount == attempt)
            rig.handle(.closed(SocketEnd(code: 1000)))
        }
        #expect(rig.machine.token == nil && rig.end == nil)
        let ends = rig.takeDeliveries().compactMap { _, delivery in
            if case .ended(let error) = delivery { error.kind } else { nil }
        }
        #expect(ends == [.unanswered])
    }

    @Test("parts of a frame count as signs of life")
    func parts() {
        var rig = MachineRig()
        rig.establishScope()
        rig.submit(1)
        rig.handle(.closed(SocketEnd(code: 1006)))
        rig.handle(.opened)
        for _ in 0..<10 {
            rig.passTime(20)
            rig.handle(.partArrived)
        }
        #expect(rig.closeCount == 0)
        rig.passTime(25)
        #expect(rig.closeCount == 1)
    }

    @Test("a duplicate message is counted and dropped")
    func duplicates() {
        var rig = MachineRig()
        rig.establishScope()
        let (first, second) = (rig.sync("a"), rig.sync("b"))
        rig.receive(first, second)
        rig.receive(first, second)
        #expect(rig.takeDeliveries().count == 2 && rig.machine.duplicateCount == 2)
    }
}
