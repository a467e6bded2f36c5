import Foundation
import HeliumJSON
import HeliumServerKit
import HeliumWebSocket
import TestSupport
import Testing

@testable import JetstreamHosting

@Suite("Store of a Jetstream server", .timeLimit(.minutes(5)))
struct StoreTests {
    private func withStore<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "jetstream-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder.appending(path: "store.sqlite").path)
    }

    @Test("Scopes, sessions and messages without an acknowledgement are there after a restart")
    func outlives() async throws {
        try await withStore { path in
            let (token, objects) = try await withJetstreamServer(.board) {
                $0.store = path
            } _: { server, url in
                let (first, token, _) = try await TestSocket.joined(url)
                let (second, _, _) = try await TestSocket.joined(url)
                _ = try await second.rename(id(1), "one", index: 2)
                _ = try await first.next()
                _ = try await server.control.update("Board", ["$push": ["cards": ["text": "pushed", "x": 1.5]]])
                return (token, await server.control.objects(in: "Board"))
            }
            #expect(objects.count == 3)
            try await withJetstreamServer(.board) {
                $0.store = path
            } _: { server, url in
                #expect(await server.control.objects(in: "Board") == objects)
                #expect(await server.control.sessionCount == 2)
                let socket = try await TestSocket(url, fields: ["X-Jetstream-SessionToken": token])
                try await socket.send(#"{"type":"Ping","index":0,"ack":3,"resendMissing":true}"#)
                #expect(try await socket.next() == ["type": "Ping", "index": 0, "ack": 1, "resendMissing": true])
                let missed = try await socket.next()
                #expect(missed["index"] == 4)
                #expect(missed["fragments"]?.arrayValue?.count == 2)
                #expect(try await socket.rename(id(1), "two", index: 2)["index"] == 5)
                await socket.close()
            }
        }
    }

    @Test("A change that got its reply is not applied again after a restart, and its reply is repeated")
    func answersAgain() async throws {
        try await withStore { path in
            let token = try await withJetstreamServer(.board) {
                $0.store = path
            } _: { _, url in
                let (socket, token, _) = try await TestSocket.joined(url)
                _ = try await socket.rename(id(1), "once", index: 2)
                return token
            }
            try await withJetstreamServer(.board) {
                $0.store = path
            } _: { server, url in
                _ = try await server.control.update("Board", ["$set": ["name": "since"]])
                let socket = try await TestSocket(url, fields: ["X-Jetstream-SessionToken": token])
                try await socket.send(#"{"type":"Ping","index":0,"ack":2,"resendMissing":true}"#)
                #expect(try await socket.next()["ack"] == 2)
                try await socket.send(TestSocket.rename(id(1), "once", index: 2))
                #expect(try await socket.next()["replyTo"] == 2)
                #expect(try await socket.next()["fragments"]?[0]?["properties", "name"] == "since")
                #expect(await server.control.objects(in: "Board").first?.properties["name"] == "since")
                await socket.close()
            }
        }
    }

    @Test(
        "A client's share of the sessions is used after a restart too, also of a store that an older version has written"
    )
    func share() async throws {
        try await withStore { path in
            func change(_ configuration: inout JetstreamServer.Configuration) {
                configuration.store = path
                configuration.jetstream.limits.sessions = 4
                configuration.jetstream.limits.sessionsPerAddress = 1
            }
            let token = try await withJetstreamServer(.board, change) { _, url in
                try await TestSocket.joined(url).token
            }
            try await withJetstreamServer(.board, change) { _, url in
                let socket = try await TestSocket(url)
                try await socket.send(TestSocket.sessionCreate)
                #expect(try await socket.next()["error", "type"] == "rejected")
                #expect(await socket.end()?.reason.contains("this address has too many sessions") == true)
            }
            try TableCounts.removeAddresses(path)
            try await withJetstreamServer(.board, change) { _, url in
                let socket = try await TestSocket(url, fields: ["X-Jetstream-SessionToken": token])
                try await socket.send(#"{"type":"Ping","index":0,"ack":2,"resendMissing":true}"#)
                #expect(try await socket.next()["type"] == "Ping")
                await socket.close()
            }
            try await withJetstreamServer(.board, change) { _, url in
                let socket = try await TestSocket(url)
                try await socket.send(TestSocket.sessionCreate)
                #expect(try await socket.next()["error", "type"] == "rejected")
                await socket.close()
            }
        }
    }

    @Test("A token of another store is unknown")
    func otherStore() async throws {
        try await withStore { path in
            let token = try await withJetstreamServer(.board) {
                $0.store = path
            } _: { _, url in
                try await TestSocket.joined(url).token
            }
            try FileManager.default.removeItem(atPath: path)
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            try await withJetstreamServer(.board) {
                $0.store = path
            } _: { _, url in
                let socket = try await TestSocket(url, fields: ["X-Jetstream-SessionToken": token])
                let closure = await socket.end()
                #expect(closure?.code.rawValue == 4096)
                #expect(closure?.reason.contains("session-token-unrecognized") == true)
            }
        }
    }

    @Test("Acknowledged messages and expired sessions are deleted from the store")
    func leavesNothing() async throws {
        try await withStore { path in
            try await withJetstreamServer(.board) {
                $0.store = path
            } _: { server, url in
                let (first, _, _) = try await TestSocket.joined(url)
                let (second, _, _) = try await TestSocket.joined(url)
                for index in 2..<6 { _ = try await first.rename(id(1), "\(index)", index: index) }
                for _ in 2..<6 { _ = try await second.next() }
                try await first.send(#"{"type":"Ping","index":0,"ack":6,"resendMissing":true}"#)
                try await second.send(#"{"type":"Ping","index":0,"ack":6,"resendMissing":true}"#)
                _ = try await (first.next(), second.next())
                await server.control.expireSessions()
            }
            let rows = try TableCounts.read(path)
            #expect(
                rows == ["jetstream_body": 0, "jetstream_message": 0, "jetstream_session": 0, "jetstream_fetch": 0]
            )
        }
    }

    @Test(
        "Random changes, updates and restarts leave the store's engine like one that never stopped",
        .tags(.random),
        arguments: ProofLength.seeds(4)
    )
    func sameEngine(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var server = try TestEngine { $0.isPersistent = true }
        let token = server.session(1)
        server.fetch(1)
        server.join(2)
        var index = 2
        var acknowledged = 0
        for step in 0..<60 {
            let card = id(10 + random.below(6))
            let property = random.pick(["card", "name", "count"])
            let fragments = [
                #"{"type":"add","uuid":"\#(card)","clsName":"Card","properties":{"x":\#(step)}}"#,
                #"{"type":"change","uuid":"\#(id(1))","clsName":"Board","properties":{"\#(property)":"\#(card)"}}"#,
                #"{"type":"change","uuid":"\#(id(1))","clsName":"Board","properties":{"cards":["\#(card)","\#(id(2))"]}}"#,
                #"{"type":"change","uuid":"\#(id(2))","clsName":"Card","properties":{"next":"\#(card)","text":"\#(step)"}}"#,
            ].filter { _ in !random.oneIn(3) }
            server.sync(2, index: index, "[\(fragments.joined(separator: ","))]")
            index += 1
            if random.oneIn(4) {
                _ = server.update([:], ["$push": ["cards": ["text": "pushed"]], "$set": ["count": .count(step)]])
            }
            if random.oneIn(5) {
                acknowledged = server.take(1).last?["index"]?.intValue ?? acknowledged
                server.send(1, #"{"type":"Ping","index":0,"ack":\#(acknowledged),"resendMissing":false}"#)
            }
        }
        var state = StoredState(of: server.engine)
        for change in server.stored { state.apply(change) }
        let uuids = state.scopes["Board"]?.map(\.id) ?? []
        #expect(Set(uuids).count == uuids.count)
        var expected: [JSONValue] = []
        var restored = try TestEngine(seed: 9, restoring: state) { $0.isPersistent = true }
        #expect(restored.objects() == server.objects())
        for engine in [0, 1] {
            var one = engine == 0 ? server : restored
            one.open(5, ["sessiontoken": .string(token)])
            one.send(5, #"{"type":"Ping","index":0,"ack":\#(acknowledged),"resendMissing":true}"#)
            let messages = one.take(5)
            if engine == 0 { expected = messages } else { #expect(messages == expected) }
            #expect(!messages.isEmpty)
        }
        _ = restored.take(5)
    }
}
