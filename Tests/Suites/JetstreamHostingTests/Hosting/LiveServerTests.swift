import Foundation
import HeliumJSON
import HeliumTesting
import HeliumWebSocket
import TestSupport
import Testing

@testable import JetstreamHosting

@Suite("Jetstream server over sockets", .timeLimit(.minutes(5)))
struct LiveServerTests {
    @Test("Two clients see each other's changes, at any path, in text and binary frames")
    func exchange() async throws {
        try await withJetstreamServer { server, url in
            let (first, _, state) = try await TestSocket.joined(url)
            let (second, _, _) = try await TestSocket.joined(url.appending(path: "any/path"))
            #expect(state["rootUUID"] == .string(id(1)))
            #expect(try await first.rename(id(1), "one", index: 2)["fragmentReplies"] == [[:]])
            #expect(try await second.next()["fragments"]?[0]?["properties", "name"] == "one")
            try await second.sendBinary(TestSocket.rename(id(1), "two", index: 2))
            #expect(try await second.next()["replyTo"] == 2)
            #expect(try await first.next()["fragments"]?[0]?["properties", "name"] == "two")
            #expect(await server.control.objects(in: "Board").first?.properties["name"] == "two")
            await first.close()
            await second.close()
        }
    }

    @Test("A refused connection is closed with 4096 and the reason, by header and by query", arguments: [true, false])
    func refused(byHeader: Bool) async throws {
        try await withJetstreamServer { _, url in
            let socket =
                byHeader
                ? try await TestSocket(url, fields: ["X-Jetstream-Deny": "1"])
                : try await TestSocket(url, query: "X-Jetstream-deny=true")
            let closure = await socket.end()
            #expect(closure?.code.rawValue == 4096)
            #expect(closure?.wasClean == true)
            #expect(try JSONValue(parsing: Array((closure?.reason ?? "").utf8))["type"] == "rejected")
        }
    }

    @Test("A query's parameter keeps the case of its name, so that a token is seen in lower case only")
    func queryCase() async throws {
        try await withJetstreamServer { _, url in
            let unseen = try await TestSocket(url, query: "X-Jetstream-SessionToken=abc")
            #expect(try await !unseen.create().isEmpty)
            let seen = try await TestSocket(url, query: "X-JETSTREAM-sessiontoken=abc")
            #expect(await seen.end()?.code.rawValue == 4096)
            await unseen.close()
        }
    }

    @Test("A session continues over another socket, by header or query, and the old socket is closed")
    func resumes() async throws {
        try await withJetstreamServer { server, url in
            let (first, token, _) = try await TestSocket.joined(url)
            let (other, _, _) = try await TestSocket.joined(url)
            let second = try await TestSocket(url, fields: ["X-Jetstream-SessionToken": token])
            #expect(await first.end()?.code == .normal)
            _ = try await other.rename(id(1), "missed", index: 2)
            try await second.send(#"{"type":"Ping","index":0,"ack":2,"resendMissing":true}"#)
            var types: [JSONValue?] = []
            while types.last != "Ping" { types.append(try await second.next()["type"]) }
            #expect(try await second.next()["fragments"]?[0]?["properties", "name"] == "missed")
            await server.control.dropSockets()
            #expect(await second.end()?.wasClean == false)
            let third = try await TestSocket(url, query: "x-jetstream-sessiontoken=\(token)")
            try await third.send(#"{"type":"Ping","index":0,"ack":3,"resendMissing":true}"#)
            #expect(try await third.next() == ["type": "Ping", "index": 0, "ack": 1, "resendMissing": true])
            await third.close()
        }
    }

    @Test("Sessions that expire close with 4097, and their tokens are unknown")
    func expires() async throws {
        try await withJetstreamServer { server, url in
            let (socket, token, _) = try await TestSocket.joined(url)
            #expect(await server.control.sessionCount == 1)
            await server.control.expireSessions()
            #expect(await socket.end()?.code.rawValue == 4097)
            #expect(await server.control.sessionCount == 0)
            let again = try await TestSocket(url, fields: ["X-Jetstream-SessionToken": token])
            let reason = await again.end()?.reason ?? ""
            #expect(reason.contains("session-token-unrecognized"))
            #expect(!reason.contains(token))
        }
    }

    @Test("Times of a server are those of its clock")
    func clock() async throws {
        let clock = TestClock()
        try await withJetstreamServer(.board) {
            $0.jetstream.clock = clock
        } _: { server, url in
            let silent = try await TestSocket(url)
            await clock.waitForDeadlines(1)
            clock.advance(by: .seconds(10))
            #expect(await silent.end()?.reason.contains("session-establish-timedout") == true)
            let (socket, _, _) = try await TestSocket.joined(url)
            try await eventually {
                clock.advance(by: .seconds(30))
                return await server.control.sessionCount == 0
            }
            #expect(await socket.end()?.code.rawValue == 4097)
        }
    }

    @Test("A session that the original denies leaves its socket open, past the time limit of handshakes")
    func deniedByOriginal() async throws {
        try await withJetstreamServer(.board) {
            $0.jetstream.compatibility = .original
            $0.jetstream.authorization.session = { _ in throw JetstreamRefusal("sign in first") }
            $0.jetstream.limits.handshake = .milliseconds(1500)
            $0.jetstream.limits.frameBytes = 1000
            // The time of the engine stands still, so only the sockets have a limit.
            $0.jetstream.clock = TestClock()
        } _: { _, url in
            let denied = try await TestSocket(url)
            #expect(try await denied.create().isEmpty)
            // This one came later. When it is closed, the limit of the other has passed.
            let silent = try await TestSocket(url)
            #expect(await silent.end()?.wasClean == false)
            try await denied.send(String(repeating: "x", count: 1001))
            #expect(await denied.end()?.code.rawValue == 1009, "only an open socket gets this code")
        }
    }

    @Test("Updates by the server reach all clients")
    func updates() async throws {
        try await withJetstreamServer { server, url in
            let (socket, _, _) = try await TestSocket.joined(url)
            let result = try await server.control.update("Board", ["$push": ["cards": ["text": "pushed"]]])
            #expect(result.created.count == 1)
            let fragments = try await socket.next()["fragments"]
            #expect(fragments?[0]?["type"] == "change")
            #expect(fragments?[1]?["properties", "text"] == "pushed")
            await #expect(throws: JetstreamRefusal.self) { try await server.control.update("Nothing", [:]) }
            await socket.close()
        }
    }

    @Test("Closures decide on connections, sessions, fetches and writes")
    func authorization() async throws {
        try await withJetstreamServer(.board) { configuration in
            configuration.jetstream.authorization.connection = { parameters in
                if parameters["user"] == "nobody" { throw JetstreamRefusal("no connection") }
            }
            configuration.jetstream.authorization.session = { session in
                if session.connection["user"] == "guest" { throw JetstreamRefusal("no session") }
            }
            configuration.jetstream.authorization.fetch = { fetch in
                if fetch.session.connection["user"] == "member" { throw JetstreamRefusal("no fetch") }
            }
            configuration.jetstream.authorization.write = { write in
                if write.property == "name" { throw JetstreamRefusal("no write") }
            }
        } _: { _, url in
            let nobody = try await TestSocket(url, fields: ["X-Jetstream-User": "nobody"])
            #expect(await nobody.end()?.reason == #"{"message":"no connection"}"#)
            let guest = try await TestSocket(url, fields: ["X-Jetstream-User": "guest"])
            #expect(try await guest.create().isEmpty)
            #expect(await guest.end()?.reason == #"{"message":"no session"}"#)
            let member = try await TestSocket(url, fields: ["X-Jetstream-User": "member"])
            _ = try await member.create()
            try await member.send(#"{"type":"ScopeFetch","index":1,"name":"Board"}"#)
            #expect(try await member.next()["error"] == ["message": "no fetch"])
            let (socket, _, _) = try await TestSocket.joined(url)
            #expect(
                try await socket.rename(id(1), "x", index: 2)["fragmentReplies"] == [["error": ["message": "no write"]]]
            )
            await member.close()
            await socket.close()
        }
    }

    @Test("100 invalid frames close with 1008, and one beyond the limit with 1009")
    func unusable() async throws {
        try await withJetstreamServer(.board) {
            $0.jetstream.limits.frameBytes = 10_000
        } _: { _, url in
            let socket = try await TestSocket(url)
            _ = try await socket.create()
            for _ in 0..<100 { try await socket.send("x") }
            #expect(await socket.end()?.code == .policyViolation)
            let long = try await TestSocket(url)
            try await long.send(String(repeating: "x", count: 10_001))
            #expect(await long.end()?.code.rawValue == 1009)
        }
    }

    @Test("A client that reads nothing loses its session, and the others continue")
    func slowReader() async throws {
        try await withJetstreamServer(.board) {
            $0.jetstream.limits.retainedBytes = 200_000
        } _: { server, url in
            let (slow, _, _) = try await TestSocket.joined(url)
            let (writer, _, _) = try await TestSocket.joined(url)
            let text = String(repeating: "x", count: 20_000)
            for index in 2..<30 { _ = try await writer.rename(id(1), text, index: index) }
            #expect(await server.control.sessionCount == 1)
            #expect(await slow.end()?.code.rawValue == 4097)
            await writer.close()
        }
    }

    @Test("Other requests get an error about the WebSocket, and invalid configurations are refused")
    func misuse() async throws {
        try await withJetstreamServer { _, url in
            let connection = try RawSocket(port: url.port ?? 0)
            try connection.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            #expect(try connection.line() == "HTTP/1.1 426 Upgrade Required")
        }
        var configuration = JetstreamServer.Configuration(scopes: .board)
        configuration.jetstream.limits.sessions = 0
        #expect(throws: (any Error).self) { try JetstreamServer(configuration) }
        configuration = JetstreamServer.Configuration(scopes: ScopeFile(classes: [], scopes: []))
        #expect(throws: (any Error).self) { try JetstreamServer(configuration) }
    }
}
