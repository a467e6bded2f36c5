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

    @Test("An ended session is given back to the share of its address")
    func givenBack() throws {
        var server = try engine(sessions: 8, perAddress: 1)
        for id in 1...3 {
            server.join(id, of: "10.0.0.1")
            #expect(server.closes[id] == nil)
            server.handle(.expireSessions)
        }
    }

    @Test("Restored sessions without a scope make room")
    func restored() throws {
        var before = try TestEngine { $0.isPersistent = true }
        let token = before.join(1, of: "10.0.0.1", fetches: false)
        var state = StoredState(of: before.engine)
        for change in before.stored { state.apply(change) }
        var server = try TestEngine(restoring: state) { $0.limits.sessions = 1 }
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
        handle(.opened(id, parameters: [:], client: client))
        send(id, #"{"type":"SessionCreate","index":0,"version":"0.2.0","params":{}}"#)
        let token = take(id).last?["sessionToken"]?.stringValue ?? ""
        if fetches, !token.isEmpty { fetch(id) }
        return token
    }

    /// Returns whether a token is known, by resuming its session.
    fileprivate mutating func isKnown(_ token: String, on id: Int) -> Bool {
        open(id, ["sessiontoken": .string(token)])
        return closes[id] == nil
    }
}
