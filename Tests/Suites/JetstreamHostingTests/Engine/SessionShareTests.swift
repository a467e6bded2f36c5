import HeliumJSON
import Testing

@testable import JetstreamHosting

@Suite("Shares of the sessions of a Jetstream server")
struct SessionShareTests {
    private func engine(sessions: Int, perAddress: Int? = nil) throws -> TestEngine {
        try TestEngine {
            $0.limits.sessions = sessions
            $0.limits.sessionsPerAddress = perAddress
        }
    }

    @Test(
        "One address has a share of the sessions, by default three quarters, and leaves the rest to others",
        arguments: [(nil, 3), (1, 1), (2, 2)] as [(Int?, Int)]
    )
    func share(perAddress: Int?, expected: Int) throws {
        var server = try engine(sessions: 4, perAddress: perAddress)
        for id in 1...4 { server.join(id, of: "10.0.0.1") }
        #expect(server.engine.sessionCount == expected)
        #expect(server.closes.count == 4 - expected)
        #expect(server.closes[4]?.reason.contains("this address has too many sessions") == true)
        server.join(5, of: "10.0.0.2")
        #expect(server.closes[5] == nil)
    }

    @Test("At the limit of an address, its disconnected session without a scope makes room, and no other does")
    func replacesOwn() throws {
        var server = try engine(sessions: 8, perAddress: 2)
        let kept = server.join(1, of: "10.0.0.2", fetches: false)
        let first = server.join(2, of: "10.0.0.1", fetches: false)
        let second = server.join(3, of: "10.0.0.1")
        for id in 1...3 { server.handle(.closed(id)) }
        server.join(4, of: "10.0.0.1")
        #expect(server.closes[4] == nil)
        let known = [server.isKnown(kept, on: 5), server.isKnown(first, on: 6), server.isKnown(second, on: 7)]
        #expect(known == [true, false, true])
        server.join(8, of: "10.0.0.1")
        #expect(server.closes[8]?.type == "rejected", "both sessions have fetched a scope")
    }

    @Test("At the limit of all sessions, those that were disconnected first make room, whoever has them")
    func replacesAny() throws {
        var server = try engine(sessions: 3, perAddress: 3)
        let tokens = (1...3).map { server.join($0, of: "10.0.0.\($0)", fetches: false) }
        server.handle(.closed(2))
        server.handle(.closed(1))
        // A session that was resumed is not ended, although it was disconnected first.
        var known = [server.isKnown(tokens[1], on: 12)]
        server.join(4, of: "10.0.0.4")
        known += [server.isKnown(tokens[0], on: 11), server.isKnown(tokens[2], on: 13)]
        #expect(known == [true, false, true])
        server.join(5, of: "10.0.0.5")
        #expect(server.closes[5]?.reason.contains("the server has too many sessions") == true)
    }

    @Test("A connection without a place neither takes over a session nor makes one")
    func noPlace() throws {
        var server = try TestEngine {
            $0.isPersistent = true
            $0.limits.sessions = 1
        }
        let token = server.session(1)
        server.fetch(1)
        let stored = server.stored.count
        server.setPlacesTaken(true)
        server.open(2, ["sessiontoken": .string(token)])
        server.session(3)
        #expect([1, 2, 3].map { server.closes[$0]?.code } == [nil, 1013, 1013])
        #expect(server.engine.sessionCount == 1 && server.stored.count == stored)
        _ = server.take(1)
        _ = server.update([:], ["$set": ["name": "new"]])
        let push = server.only(1)
        #expect(push["type"] == "ScopeSync", "the first connection still has the session")
        server.setPlacesTaken(false)
        server.open(4, ["sessiontoken": .string(token)])
        #expect(server.closes[1]?.code == 1000 && server.closes[4] == nil)
        #expect(server.authenticated == [1, 4])
    }

    @Test("A connection without a place does not end an idle session to make room")
    func noPlaceForRoom() throws {
        var server = try engine(sessions: 1, perAddress: 1)
        let token = server.join(1, of: "10.0.0.1", fetches: false)
        server.handle(.closed(1))
        server.setPlacesTaken(true)
        server.join(2, of: "10.0.0.2")
        #expect(server.closes[2]?.code == 1013)
        server.setPlacesTaken(false)
        let isKnown = server.isKnown(token, on: 3)
        #expect(isKnown)
    }

    @Test("An ended session is given back to the share of its address")
    func givenBack() throws {
        var server = try engine(sessions: 8, perAddress: 1)
        for id in 1...3 {
            server.join(id, of: "10.0.0.1")
            #expect(server.closes[id] == nil)
            server.handle(.expireSessions)
        }
    }

    /// The stored state of an engine.
    private func state(of server: TestEngine) -> StoredState {
        var state = StoredState(of: server.engine)
        for change in server.stored { state.apply(change) }
        return state
    }

    @Test(
        "Restored sessions count to the share of the address that created them, also if another address has resumed them"
    )
    func restoredShare() throws {
        var before = try TestEngine {
            $0.isPersistent = true
            $0.limits.sessions = 4
        }
        let tokens = (1...3).map { before.join($0, of: "10.0.0.1") }
        before.handle(.closed(1))
        before.open(4, ["sessiontoken": .string(tokens[0])], client: "10.0.0.2")
        var server = try TestEngine(restoring: state(of: before)) {
            $0.isPersistent = true
            $0.limits.sessions = 4
        }
        server.join(1, of: "10.0.0.1")
        #expect(server.closes[1]?.reason.contains("this address has too many sessions") == true)
        server.join(2, of: "10.0.0.2")
        #expect(server.closes[2] == nil)
        server.handle(.expireSessions)
        for id in 3...5 { server.join(id, of: "10.0.0.1") }
        #expect(server.closes[5] == nil, "the ended sessions are given back")
    }

    @Test("A restored session of a store that has no addresses counts to the address that resumes it, from then on")
    func restoredWithoutAddress() throws {
        var before = try TestEngine { $0.isPersistent = true }
        let token = before.join(1, of: "")
        var disk = state(of: before)
        for _ in 0..<2 {
            var server = try TestEngine(restoring: disk) {
                $0.isPersistent = true
                $0.limits.sessionsPerAddress = 1
            }
            let isResumed = disk.sessions.first?.client == "10.0.0.1" || server.isKnown(token, on: 1, of: "10.0.0.1")
            #expect(isResumed)
            server.join(2, of: "10.0.0.1")
            #expect(server.closes[2]?.type == "rejected")
            for change in server.stored { disk.apply(change) }
        }
        #expect(disk.sessions.map(\.client) == ["10.0.0.1"])
    }

    @Test("Restored sessions without a scope make room")
    func restored() throws {
        var before = try TestEngine { $0.isPersistent = true }
        let token = before.join(1, of: "10.0.0.1", fetches: false)
        var server = try TestEngine(restoring: state(of: before)) { $0.limits.sessions = 1 }
        server.join(2, of: "10.0.0.2")
        #expect(server.closes[2] == nil)
        let isKnown = server.isKnown(token, on: 3)
        #expect(!isKnown)
    }
}

extension TestEngine {
    /// Creates a session of a client, and fetches the scope unless `fetches` is `false`. Returns the token; empty if it
    /// was refused.
    @discardableResult
    fileprivate mutating func join(_ id: Int, of client: String, fetches: Bool = true) -> String {
        open(id, client: client)
        send(id, #"{"type":"SessionCreate","index":0,"version":"0.2.0","params":{}}"#)
        let token = take(id).last?["sessionToken"]?.stringValue ?? ""
        if fetches, !token.isEmpty { fetch(id) }
        return token
    }

    /// Returns whether a token is known, by resuming its session.
    fileprivate mutating func isKnown(_ token: String, on id: Int, of client: String = "") -> Bool {
        open(id, ["sessiontoken": .string(token)], client: client)
        return closes[id] == nil
    }
}
