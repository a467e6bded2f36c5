import HeliumCore
import HeliumJSON
import JetstreamCore
import Testing

@Suite("Sessions of a connection")
struct SessionTests {
    @Test("a new socket requests a session, and then its scopes", .tags(.client))
    func creation() {
        var rig = MachineRig(parameters: ["user": "u1"])
        rig.handle(.fetch(ScopeID(0), name: "Canvas", parameters: ["a": 1]))
        rig.handle(.opened)
        #expect(rig.takeSent() == [.sessionCreate(.init(parameters: ["user": "u1"]))])
        rig.receive(.sessionCreateReply(.init(sessionToken: "t")))
        #expect(rig.takeSent() == [.scopeFetch(.init(index: 1, name: "Canvas", parameters: ["a": 1]))])
        #expect(rig.machine.token == "t")
        // A second reply is none of this session's.
        rig.receive(.sessionCreateReply(.init(sessionToken: "other")))
        #expect(rig.machine.token == "t")
    }

    @Test("a socket that is lost before the token requests a session again")
    func lostBeforeToken() {
        var rig = MachineRig()
        for _ in 0..<3 {
            rig.handle(.opened)
            #expect(rig.takeSent().short == ["SessionCreate"])
            rig.handle(.closed(SocketEnd(code: 1006)))
        }
        #expect(rig.end == nil && rig.machine.token == nil)
    }

    @Test("a denied session ends the client with the server's message, and closes the socket")
    func denial() throws {
        var rig = MachineRig()
        rig.handle(.fetch(ScopeID(0), name: "Canvas", parameters: [:]))
        rig.submit(1)
        rig.handle(.opened)
        rig.receive(.sessionCreateReply(.init(error: ErrorObject(message: "no seats", type: "full"))))
        let end = try #require(rig.end)
        #expect(end.kind == .sessionDenied && end.server == ErrorObject(message: "no seats", type: "full"))
        #expect(rig.closeCount == 1)
        #expect(rig.takeOutcomes() == ["1 reverted sessionDenied notSent"])
    }

    @Test("a close with 4096 before a session ends the client, and a slow first frame does not")
    func connectionDenied() {
        var rig = MachineRig()
        rig.handle(.opened)
        let slow = #"{"message":"Session took too long","type":"session-establish-timedout"}"#
        rig.handle(.closed(SocketEnd(code: 4096, reason: slow)))
        #expect(rig.end == nil)
        rig.handle(.opened)
        rig.handle(.closed(SocketEnd(code: 4096, reason: #"{"message":"go away"}"#)))
        #expect(rig.end?.kind == .connectionDenied && rig.end?.server?.message == "go away")
    }

    @Test(
        "closes with 4096 and 4097 end the session, and the next has the same parameters and scopes",
        arguments: [4096, 4097]
    )
    func lostForGood(code: Int) {
        var rig = MachineRig(parameters: ["user": "u1"])
        rig.establishScope()
        rig.handle(.fetch(ScopeID(1), name: "Board", parameters: ["b": 2]))
        rig.grantFetch(1, scopeIndex: 1)
        _ = (rig.takeSent(), rig.takeDeliveries())
        rig.handle(.closed(SocketEnd(code: code)))
        #expect(rig.machine.token == nil && rig.end == nil)
        guard case .lost(let error)? = rig.news.last else { return #expect(Bool(false), "\(rig.news)") }
        #expect(error.kind == .sessionLost)
        rig.handle(.opened)
        #expect(rig.takeSent() == [.sessionCreate(.init(parameters: ["user": "u1"]))])
        rig.receive(.sessionCreateReply(.init(sessionToken: "token-2")))
        #expect(
            rig.takeSent() == [
                .scopeFetch(.init(index: 1, name: "Canvas", parameters: [:])),
                .scopeFetch(.init(index: 2, name: "Board", parameters: ["b": 2])),
            ]
        )
    }

    @Test("a lost session ends the client if restarts are disabled")
    func noRestart() {
        var rig = MachineRig { $0.restartsSession = false }
        rig.establishScope()
        rig.submit(1)
        rig.handle(.closed(SocketEnd(code: 4097)))
        #expect(rig.end?.kind == .sessionLost && rig.takeOutcomes() == ["1 unknown sessionLost maybeSent"])
    }

    @Test(
        "a session is given up after three sockets in a row that break at once",
        arguments: [
            (1002, 0.5, 3, true), (1006, 0.5, 3, true), (1006, 0.5, 2, false), (1006, 1.5, 5, false),
            (1000, 0.5, 5, false),
        ]
    )
    func perhapsDenied(code: Int, after seconds: Double, count: Int, isGivenUp: Bool) {
        var rig = MachineRig()
        rig.establishScope()
        rig.handle(.closed(SocketEnd(code: 1006)))
        for _ in 0..<count {
            rig.handle(.opened)
            rig.now += .milliseconds(Int64(seconds * 1000))
            rig.handle(.closed(SocketEnd(code: code)))
        }
        #expect((rig.machine.token == nil) == isGivenUp)
    }

    @Test("a socket on which something arrived resets the count of possible denials")
    func notDenied() {
        var rig = MachineRig()
        rig.establishScope()
        for round in 0..<5 {
            rig.handle(.closed(SocketEnd(code: 1006)))
            rig.handle(.opened)
            if round.isMultiple(of: 2) { rig.receive(.ping(.init(ack: 1, resendMissing: true))) }
        }
        #expect(rig.machine.token == "token-1")
    }

    @Test("the number of missing replies is reported with each request and reply", .tags(.client))
    func waitingReplies() {  // ClientTests: testOnWaitingRepliesCountChanged
        var rig = MachineRig()
        rig.establishScope()
        rig.submit(1)
        rig.submit(2)
        rig.receive(rig.reply(to: 2), rig.reply(to: 3))
        let counts = rig.news.compactMap { if case .waitingReplies(let count) = $0 { count } else { nil } }
        #expect(counts == [1, 2, 1, 0])
    }

    @Test("a fatal end of the connection makes another session, and fetches the scopes again")
    func restart() {  // ClientTests: testRestartSessionOnFatalError
        var rig = MachineRig()
        rig.handle(.fetch(ScopeID(0), name: "A", parameters: ["a": 1]))
        rig.handle(.fetch(ScopeID(1), name: "B", parameters: ["b": 2]))
        rig.establish()
        rig.handle(.closed(SocketEnd(code: 4096)))
        rig.sent = []
        rig.establish(token: "token-2")
        #expect(rig.takeSent().short == ["SessionCreate", "ScopeFetch 1 A", "ScopeFetch 2 B"])
        #expect(rig.machine.token == "token-2" && rig.takeDeliveries().isEmpty)
    }

    @Test("closing settles sent change sets as possibly applied, and others as not sent")
    func closing() {
        var rig = MachineRig()
        rig.establishScope()
        rig.submit(1)
        rig.handle(.closed(SocketEnd(code: 1006)))
        rig.submit(2)
        rig.handle(.close)
        let deliveries = rig.deliveries
        #expect(rig.takeOutcomes() == ["1 unknown clientClosed maybeSent", "2 reverted clientClosed notSent"])
        guard case .ended(let error)? = deliveries.last?.1 else { return #expect(Bool(false)) }
        #expect(error.kind == .clientClosed && rig.end?.kind == .clientClosed)
        rig.submit(3)
        #expect(rig.refusals.map(\.kind) == [.clientClosed])
    }
}

extension Tag {
    /// A behaviour of the originals' tests of clients and sessions.
    @Tag static var client: Tag
}
