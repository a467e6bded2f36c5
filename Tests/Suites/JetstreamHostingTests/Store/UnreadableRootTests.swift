import Foundation
import GRDB
import HeliumJSON
import TestSupport
import Testing

@testable import JetstreamHosting

@Suite("Scopes whose root cannot be read from the store", .timeLimit(.minutes(5)))
struct UnreadableRootTests {
    private static let text = #"""
        {"classes": {"Board": {"properties": {"name": "string", "next": "Board"}}},
         "scopes": {
           "Board": {"root": "Board", "initial": {"$uuid": "00000000-0000-4000-8000-000000000001", "name": "one",
             "next": {"$uuid": "00000000-0000-4000-8000-000000000002", "name": "below"}}},
           "Other": {"root": "Board", "initial": {"$uuid": "00000000-0000-4000-8000-000000000003", "name": "two"}}}}
        """#

    private static let damage = [
        "UPDATE jetstream_object SET uuid = 'planted' WHERE number = 1",
        // Nothing else of the scope can be read either.
        "UPDATE jetstream_object SET uuid = 'planted' || number WHERE scope = 'Board'",
    ]

    /// The rows of the objects as texts.
    private static func rows(_ path: String) throws -> [String] {
        try DatabaseQueue(path: path).read { database in
            try ["jetstream_object", "jetstream_value"].flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table) ORDER BY 1, 2").map(\.description)
            }
        }
    }

    /// Runs a server with two scopes, stops it, and damages the root of one of them.
    private func withDamagedRoot(
        _ sql: String = Self.damage[0],
        _ body: (ScopeFile, _ path: String, _ token: String) async throws -> Void
    ) async throws {
        let file = try ScopeFile(JSONValue(parsing: Array(Self.text.utf8)))
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("store.sqlite").path
            let token = try await withJetstreamServer(file) {
                $0.store = path
            } _: { _, url in
                try await TestSocket.joined(url).token
            }
            let queue = try DatabaseQueue(path: path)
            try await queue.write { try $0.execute(sql: sql) }
            try queue.close()
            try await body(file, path, token)
        }
    }

    @Test(
        "A server with an unreadable root serves its other scopes, and refuses the scope without changing its rows",
        arguments: damage
    )
    func others(damage: String) async throws {
        try await withDamagedRoot(damage) { file, path, _ in
            let before = try Self.rows(path)
            try await withJetstreamServer(file) {
                $0.store = path
            } _: { server, url in
                let socket = try await TestSocket(url)
                _ = try await socket.create()
                try await socket.send(#"{"type":"ScopeFetch","index":1,"name":"Board","params":{}}"#)
                let refusal = try await socket.next()
                #expect(refusal["error", "message"] == "the server cannot read the scope from its store")
                #expect(refusal["error", "type"] == "rejected")
                try await socket.send(#"{"type":"ScopeFetch","index":2,"name":"Other","params":{}}"#)
                #expect(try await socket.next()["error"] == nil)
                #expect(try await socket.next()["rootUUID"]?.stringValue == id(3))
                #expect(await server.control.objects(in: "Board").isEmpty)
                let error = await #expect(throws: JetstreamRefusal.self) {
                    try await server.control.update("Board", ["$set": ["name": "new"]])
                }
                #expect(error == .unreadableScope)
                await socket.close()
            }
            #expect(try Self.rows(path) == before)
        }
    }

    @Test(
        "A server whose scope file gives a stored root another class refuses that scope, and serves it again with the earlier file",
        arguments: [true, false]
    )
    func otherClass(isRenamed: Bool) async throws {
        // The class of both roots is renamed, or the root of one is of another class.
        let text =
            isRenamed
            ? Self.text.replacingOccurrences(of: #""Board": {"properties""#, with: #""Table": {"properties""#)
                .replacingOccurrences(of: #""next": "Board""#, with: #""next": "Table""#)
                .replacingOccurrences(of: #""root": "Board""#, with: #""root": "Table""#)
            : Self.text.replacingOccurrences(
                of: #"{"Board": {"#,
                with: #"{"Table": {"properties": {"name": "string"}}, "Board": {"#
            )
            .replacingOccurrences(of: #""Other": {"root": "Board""#, with: #""Other": {"root": "Table""#)
        let changed = try ScopeFile(JSONValue(parsing: Array(text.utf8)))
        try await withDamagedRoot("SELECT 1") { file, path, token in
            let before = try Self.rows(path)
            try await withJetstreamServer(changed) {
                $0.store = path
            } _: { server, url in
                let socket = try await TestSocket(url)
                _ = try await socket.create()
                try await socket.send(#"{"type":"ScopeFetch","index":1,"name":"Other","params":{}}"#)
                #expect(
                    try await socket.next()["error", "message"] == "the server cannot read the scope from its store"
                )
                #expect(await server.control.objects(in: "Other").isEmpty)
                #expect(await server.control.objects(in: "Board").count == (isRenamed ? 0 : 2))
                await #expect(throws: JetstreamRefusal.unreadableScope) {
                    try await server.control.update("Other", ["$set": ["name": "new"]])
                }
                await socket.close()
            }
            #expect(try Self.rows(path) == before)
            try await withJetstreamServer(file) {
                $0.store = path
            } _: { server, url in
                #expect(await server.control.objects(in: "Other").count == 1)
                let socket = try await TestSocket(url, fields: ["X-Jetstream-SessionToken": token])
                try await socket.send(#"{"type":"Ping","index":0,"ack":2,"resendMissing":true}"#)
                #expect(try await socket.next()["type"] == "Ping")
                await socket.close()
            }
        }
    }

    @Test("A session that fetched the scope goes on, and its changes are refused")
    func olderSession() async throws {
        try await withDamagedRoot { file, path, token in
            let before = try Self.rows(path)
            try await withJetstreamServer(file) {
                $0.store = path
            } _: { _, url in
                let socket = try await TestSocket(url, fields: ["X-Jetstream-SessionToken": token])
                try await socket.send(#"{"type":"Ping","index":0,"ack":2,"resendMissing":true}"#)
                #expect(try await socket.next()["type"] == "Ping")
                let reply = try await socket.rename(id(2), "new", index: 2)
                #expect(reply["fragmentReplies"]?[0]?["error", "type"] == "rejected")
                await socket.close()
            }
            #expect(try Self.rows(path) == before)
        }
    }

    @Test(
        "Numbers of the store that are too large for a successor are left out, and the next ones are above all others"
    )
    func numbers() async throws {
        let damage = """
            INSERT INTO jetstream_session (id, token, connection, parameters)
            VALUES (9223372036854775807, 'a', '{}', '{}');
            INSERT INTO jetstream_session (id, token, connection, parameters, client)
            VALUES (40, 'b', '{}', '{}', 9223372036854775807);
            INSERT INTO jetstream_body (number, bytes) VALUES (9223372036854775807, x'00');
            """
        try await withDamagedRoot(damage) { file, path, _ in
            try await withJetstreamServer(file) {
                $0.store = path
            } _: { server, url in
                #expect(await server.control.sessionCount == 1)
                let (socket, _, state) = try await TestSocket.joined(url)
                #expect(state["rootUUID"]?.stringValue == id(1))
                await socket.close()
            }
            let ids = try await DatabaseQueue(path: path).read {
                try Int.fetchAll($0, sql: "SELECT id FROM jetstream_session ORDER BY id")
            }
            #expect(ids == [1, 40, 41, .max])
        }
    }
}
