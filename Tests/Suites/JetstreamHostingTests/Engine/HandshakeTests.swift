import HeliumJSON
import Testing

@testable import JetstreamHosting

@Suite("Beginning of a Jetstream connection")
struct HandshakeTests {
    @Test("The response to a SessionCreate is a token of 80 to 86 letters and digits, in an array, with index 0")
    func creates() throws {
        var server = try TestEngine()
        server.open(1)
        server.send(1, #"{"type":"SessionCreate","index":0,"version":"1.0.0"}"#)
        let reply = server.only(1)
        #expect(reply["type"] == "SessionCreateReply")
        #expect(reply["index"] == 0)
        let token = reply["sessionToken"]?.stringValue ?? ""
        #expect((80...86).contains(token.utf8.count))
        #expect(token.wholeMatch(of: /[0-9A-Za-z]+/) != nil)
        #expect(server.engine.sessionCount == 1)
    }

    @Test("Tokens differ between sessions, and begin alike within a store")
    func tokens() throws {
        var server = try TestEngine()
        let tokens = [server.session(1), server.session(2)]
        #expect(tokens[0] != tokens[1])
        #expect(tokens[0].prefix(12) == tokens[1].prefix(12))
        var other = try TestEngine(seed: 2)
        #expect(other.session(1).prefix(12) != tokens[0].prefix(12))
    }

    @Test(
        "A first frame that is not a SessionCreate with a semantic version closes with 4096",
        arguments: [
            ("not JSON", nil), ("", nil),
            (#"[{"type":"SessionCreate","index":0,"version":"1.0.0"}]"#, "unrecognized-handshake"),
            (#"{"type":"Ping","index":0,"ack":0}"#, "unrecognized-handshake"), ("1", "unrecognized-handshake"),
            (#"{"type":"SessionCreate","index":-1,"version":"1.0.0"}"#, "unrecognized-handshake"),
            (#"{"type":"SessionCreate","index":0,"version":"1.0.0","params":1}"#, "unrecognized-handshake"),
            (#"{"type":"SessionCreate","index":0}"#, nil),
            (#"{"type":"SessionCreate","index":0,"version":"1.0"}"#, nil),
            (#"{"type":"SessionCreate","index":0,"version":"01.0.0"}"#, nil),
        ]
    )
    func refuses(_ frame: String, _ type: String?) throws {
        var server = try TestEngine()
        server.open(1)
        server.send(1, frame)
        let close = try #require(server.closes[1])
        #expect(close.code == 4096)
        #expect(close.type == type)
        #expect(close.reason.contains("message"))
        #expect(close.reason.utf8.count <= 123)
        #expect(server.received[1] == 1)
        #expect(server.engine.sessionCount == 0)
    }

    @Test(
        "Versions of clients are those of semver.org",
        arguments: [
            ("0.2.0", true), ("1.2.3-beta.1", true), ("1.2.3+5", true), ("1.2.3-x+y", true), ("1.2", false),
            ("1.2.3.4", false),
            ("1.2.3-", false), ("1.2.3+", false), ("v1.2.3", false), ("1.02.3", false), ("", false), ("1.2.3 ", false),
            ("1.2.3-é", false),
        ]
    )
    func versions(_ text: String, _ isValid: Bool) { #expect(SemanticVersion.isValid(text) == isValid) }

    @Test("No SessionCreate within 10 seconds closes with 4096")
    func late() throws {
        var server = try TestEngine()
        server.open(1)
        server.advance(9.99)
        #expect(server.closes.isEmpty)
        server.advance(0.02)
        #expect(server.closes[1]?.code == 4096)
        #expect(server.closes[1]?.type == "session-establish-timedout")
    }

    @Test("An unknown token is refused at once, before a frame")
    func unknownToken() throws {
        var server = try TestEngine()
        server.open(1, ["sessiontoken": "abc"])
        #expect(server.closes[1]?.code == 4096)
        #expect(server.closes[1]?.type == "session-token-unrecognized")
    }

    @Test(
        "A parameter that the scope file names refuses the connection, the session or the fetch",
        arguments: ["1", "true"]
    )
    func parameters(_ value: String) throws {
        var server = try TestEngine()
        server.open(1, ["deny": .string(value)])
        #expect(server.closes[1]?.code == 4096)
        server.open(2, ["deny": "0"])
        #expect(server.closes[2] == nil)
        server.send(2, #"{"type":"SessionCreate","index":0,"version":"1.0.0","params":{"deny":true}}"#)
        #expect(server.only(2)["error", "message"]?.stringValue?.contains("deny") == true)
        #expect(server.closes[2]?.code == 4096)
        server.session(3)
        server.send(3, #"{"type":"ScopeFetch","index":1,"name":"Board","params":{"deny":true}}"#)
        let reply = server.only(3)
        #expect(reply["replyTo"] == 1)
        #expect(reply["scopeIndex"] == nil)
        #expect(reply["error", "type"] == "rejected")
    }

    /// The reasons for which a fetch is refused.
    enum FetchRefusal: CaseIterable {
        case parameter
        case application
        case tooManyScopes
    }

    @Test("A refused fetch does not serialize the scope", arguments: FetchRefusal.allCases)
    func refusedFetch(_ reason: FetchRefusal) throws {
        var server = try TestEngine {
            if reason == .application { $0.questions = [.fetch] }
            // A second fetch of a scope counts in the original.
            $0.hasOriginalRules = reason == .tooManyScopes
            $0.limits.scopesPerSession = 1
        }
        server.session(1)
        if reason == .tooManyScopes { server.fetch(1) }
        // The state is not cached.
        _ = server.update([:], ["$set": ["name": "changed"]])
        _ = server.take(1)
        let before = server.engine.serializationCount
        let parameters = reason == .parameter ? #"{"deny":true}"# : "{}"
        server.send(1, #"{"type":"ScopeFetch","index":2,"name":"Board","params":\#(parameters)}"#)
        server.answer(JetstreamRefusal("not for you"))
        #expect(server.only(1)["error"] != nil)
        #expect(server.engine.serializationCount == before)
        server.session(2)
        server.send(2, #"{"type":"ScopeFetch","index":1,"name":"Board","params":{}}"#)
        server.answer()
        #expect(server.take(2).map { $0["type"] } == ["ScopeFetchReply", "ScopeState"])
        #expect(server.engine.serializationCount == before + 1)
    }

    @Test("A denied session gets the application's reason, and its socket is closed")
    func deniedSession() throws {
        var server = try TestEngine { $0.questions = [.session] }
        server.open(1)
        server.send(1, #"{"type":"SessionCreate","index":0,"version":"1.0.0"}"#)
        #expect(server.take(1).isEmpty)
        server.answer(JetstreamRefusal("sign in first"))
        let reply = server.only(1)
        #expect(reply["error", "message"] == "sign in first")
        #expect(reply["sessionToken"] == nil)
        #expect(server.closes[1]?.code == 4096)
    }

    @Test("The original denies a session with its message, and leaves an unusable socket open")
    func deniedByOriginal() throws {
        var server = try TestEngine {
            $0.questions = [.session]
            $0.hasOriginalRules = true
        }
        server.open(1)
        server.send(1, #"{"type":"SessionCreate","index":0,"version":"1.0.0"}"#)
        #expect(server.authenticated.isEmpty)
        server.answer(JetstreamRefusal("sign in first"))
        #expect(server.only(1)["error"] == ["message": "Session creation denied"])
        #expect(server.authenticated == [1], "the socket is left open, so it has no time limit any more")
        server.send(1, #"{"type":"ScopeFetch","index":1,"name":"Board"}"#)
        server.send(1, #"{"type":"SessionCreate","index":0,"version":"1.0.0"}"#)
        #expect(server.take(1).isEmpty)
        #expect(server.closes.isEmpty)
        #expect(server.received[1] == 3)
    }

    @Test(
        "A closure decides on the connection first; frames wait for it, and it does not get the token"
    )
    func asksForConnection() throws {
        var server = try TestEngine { $0.questions = [.connection] }
        server.open(1, ["user": "mira", "sessiontoken": "secret"])
        guard case .connection(["user": "mira"])? = server.questions.first?.question else {
            Issue.record("another question")
            return
        }
        server.answer(JetstreamRefusal("no", type: "mine"))
        #expect(server.closes[1] == TestEngine.Close(code: 4096, reason: #"{"message":"no","type":"mine"}"#))

        server.open(2)
        server.send(2, #"{"type":"SessionCreate","index":0,"version":"1.0.0"}"#)
        #expect(server.received[2] == nil)
        server.answer()
        #expect(server.only(2)["sessionToken"] != nil)
        #expect(server.received[2] == 1)
    }

    @Test("A long reason is cut so that it stays JSON within 123 bytes", arguments: ["x", "é", "\u{1}", "👩‍👩‍👧"])
    func longReason(_ character: String) throws {
        let reason = JetstreamRefusal(String(repeating: character, count: 5000), type: "rejected").closeReason
        #expect(reason.utf8.count <= 123)
        #expect(reason.utf8.count > 80)
        #expect(try JSONValue(parsing: Array(reason.utf8))["type"] == "rejected")
    }

    @Test("More sessions than the limit are refused")
    func tooManySessions() throws {
        var server = try TestEngine { $0.limits.sessions = 2 }
        server.session(1)
        server.session(2)
        #expect(server.session(3).isEmpty)
        #expect(server.closes[3]?.code == 4096)
        server.handle(.expireSessions)
        #expect(!server.session(4).isEmpty)
    }
}
