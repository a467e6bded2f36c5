import Foundation
import GRDB
import HeliumServerTesting
import Logging
import ServerSupport
import TestSupport
import Testing

@testable import HeliumServer
@testable import HeliumServerKit

@Suite("The check of each table of a store", .timeLimit(.minutes(5)))
struct StoredTableTests {
    /// The names of a database's tables, without those that full-text indexes are made of.
    private static func tables(_ database: Database) throws -> Set<String> {
        try String.fetchSet(
            database,
            sql: """
                SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
                AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'grdb_migrations'
                """
        )
    }

    @Test("each protocol names all its tables for the check, and no other")
    func complete() throws {
        for type in EmbeddedServer.protocolTypes {
            let database = try ServerDatabase.memory()
            try type.migrator.migrate(database)
            let names = type.storedTables.map(\.name)
            #expect(Set(names).count == names.count, "\(type.name)")
            #expect(Set(names) == (try database.read(Self.tables)), "\(type.name)")
        }
    }

    /// Runs a server, stops it, and changes its store.
    private func withStore(
        _ damage: (String) throws -> Void,
        _ body: (EmbeddedServerConfiguration, String) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("server.sqlite").path
            var configuration = EmbeddedServerConfiguration()
            configuration.store = path
            try await withEmbeddedServer(configuration) { _ in }
            #expect(try EmbeddedServer.problems(inStore: path).isEmpty)
            try damage(path)
            try await body(configuration, path)
        }
    }

    /// Runs a server, and returns its log.
    private func log(
        of configuration: EmbeddedServerConfiguration,
        _ body: (RunningServer) async throws -> Void
    ) async throws -> RecordingLog.Lines {
        let lines = RecordingLog.Lines()
        let logger = Logger(label: "test") { _ in RecordingLog(lines: lines) }
        try await withEmbeddedServer(configuration, logger: logger, body)
        return lines
    }

    @Test("a row of each table that has values of wrong types is named, and stops neither a start nor other requests")
    func wrongTypes() async throws {
        try await withStore {
            try TypeDamage(path: $0).addRows()
        } _: { configuration, path in
            let problems = try EmbeddedServer.problems(inStore: path)
            // The only column of these is the number of the row, which SQLite keeps an integer.
            let numbers = ["cosm_removal", "cosm_feed_removal"]
            let tables = EmbeddedServer.protocolTypes.flatMap { $0.storedTables }.filter { !numbers.contains($0.name) }
            for table in tables {
                let lines = problems.filter { $0.hasSuffix("of \(table.name) cannot be read") }
                #expect(!lines.isEmpty, "\(table.name)")
                #expect(lines.allSatisfy { $0.hasPrefix("row ") }, "\(lines)")
            }
            #expect(!problems.contains { $0.contains("planted") })
            try await withEmbeddedServer(configuration) { running in
                let feeds = try await Peer(running: running)
                    .send("GET", "/v2/feeds", fields: [("X-ApiKey", running.ready.cosm.key)])
                #expect(feeds.status == 200)
                let token = running.ready.appNet.users[0].token
                let user = try await Peer(running: running)
                    .send("GET", "/stream/0/users/me", fields: [("Authorization", "Bearer \(token)")])
                #expect(user.status == 200)
                #expect(running.ready.jetstream.scopes == ["Canvas"])
            }
        }
    }

    @Test("objects, values, sessions and messages of Jetstream that cannot be read are named and left out")
    func jetstream() async throws {
        let statements = [
            "INSERT INTO jetstream_object (number, scope, uuid, class) VALUES (50, 'Canvas', 'planted', 'Shape')",
            "INSERT INTO jetstream_value (object, name, value) SELECT min(number), 'planted', 'planted' FROM jetstream_object",
            "INSERT INTO jetstream_session (id, token, connection, parameters) VALUES (5, 'planted5', 'planted', '{}')",
            "INSERT INTO jetstream_session (id, token, connection, parameters) VALUES (6, 'planted6', '{}', '{}')",
            "INSERT INTO jetstream_session (id, token, connection, parameters) VALUES (8, 'planted8', '{}', '{}')",
            // A body that is missing, and a kind that does not exist.
            "INSERT INTO jetstream_message (session, position, kind, body) VALUES (6, 1, 'ScopeFetchReply', 99)",
            "INSERT INTO jetstream_message (session, position, kind, bytes) VALUES (8, 1, 'planted', x'00')",
        ]
        let names = [
            "row 50 of jetstream_object", "row 1 of jetstream_value", "row 5 of jetstream_session",
            "row 6 of jetstream_message", "row 8 of jetstream_message",
        ]
        try await withStore { path in
            let queue = try DatabaseQueue(path: path)
            try queue.write { database in for sql in statements { try database.execute(sql: sql) } }
            try queue.close()
        } _: { configuration, path in
            let problems = try EmbeddedServer.problems(inStore: path)
            #expect(Set(problems) == Set(names.map { "\($0) cannot be read" }))
            let lines = try await log(of: configuration) { running in
                #expect(running.ready.jetstream.scopes == ["Canvas"])
            }
            for name in names {
                let words = name.split(separator: " ")
                #expect(
                    lines.all.contains { $0.contains("row=\(words[1])") && $0.contains("table=\(words[3])") },
                    "\(name)"
                )
            }
            #expect(!lines.all.contains { $0.contains("planted") })
        }
    }

    @Test("an unreadable root of a Jetstream scope is named with the scope, and does not stop a start")
    func jetstreamRoot() async throws {
        try await withStore { path in
            let queue = try DatabaseQueue(path: path)
            try queue.write { try $0.execute(sql: "UPDATE jetstream_object SET uuid = 'planted' WHERE number = 1") }
            try queue.close()
        } _: { configuration, path in
            #expect(try EmbeddedServer.problems(inStore: path) == ["row 1 of jetstream_object cannot be read"])
            let lines = try await log(of: configuration) { running in
                #expect(running.ready.jetstream.scopes == ["Canvas"])
                let answer = try await Peer(running: running).send(
                    "GET",
                    "/v2/feeds",
                    fields: [("X-ApiKey", running.ready.cosm.key)]
                )
                #expect(answer.status == 200)
            }
            #expect(lines.all.contains { $0.contains("row=1") && $0.contains("table=jetstream_object") })
            #expect(lines.all.contains { $0.contains("scope=Canvas") })
            #expect(!lines.all.contains { $0.contains("planted") })
        }
    }

    @Test(
        "a stored Jetstream root of another class than in the scope file is named by the check, and does not stop a start"
    )
    func jetstreamRootClass() async throws {
        try await withStore { _ in
        } _: { configuration, path in
            var configuration = configuration
            configuration.jetstream.scopes.classes[0].name = "Drawing"
            configuration.jetstream.scopes.scopes[0].root = "Drawing"
            #expect(try EmbeddedServer.problems(inStore: path).isEmpty)
            let reason = "its root in the store is not of the class in the scope file"
            #expect(
                try EmbeddedServer.problems(inStore: path, configuration: configuration) == [
                    "jetstream: the scope \"Canvas\" is not served: \(reason)"
                ]
            )
            let lines = try await log(of: configuration) { running in
                #expect(running.ready.jetstream.scopes == ["Canvas"])
                let answer = try await Peer(running: running).send(
                    "GET",
                    "/v2/feeds",
                    fields: [("X-ApiKey", running.ready.cosm.key)]
                )
                #expect(answer.status == 200)
            }
            #expect(lines.all.contains { $0.contains("scope=Canvas") && $0.contains(reason) })
        }
    }

    @Test(
        "a setting that cannot be read does not stop a start",
        arguments: ["cosm_setting", "appnet_setting", "jetstream_setting"]
    )
    func settings(table: String) async throws {
        try await withStore {
            let damage = TypeDamage(path: $0)
            try damage.execute("INSERT OR IGNORE INTO \(table) (name, value) VALUES ('post', x'FF')", on: table)
            try damage.execute("UPDATE \(table) SET value = x'FF'", on: table)
        } _: { configuration, path in
            #expect(try EmbeddedServer.problems(inStore: path).contains { $0.contains(table) })
            for _ in 0..<2 {
                try await withEmbeddedServer(configuration) { running in
                    let feeds = try await Peer(running: running)
                        .send("GET", "/v2/feeds", fields: [("X-ApiKey", running.ready.cosm.key)])
                    #expect(feeds.status == 200)
                    #expect(running.ready.jetstream.scopes == ["Canvas"])
                }
            }
        }
    }
}

/// Adds rows that STRICT tables reject, as a damaged file can have them.
private struct TypeDamage {
    let path: String

    /// Adds a row to each table, whose values are not of their column's types, except numbers of the primary key.
    func addRows() throws {
        let statements = try withFile { database in
            try Row.fetchAll(
                database,
                sql: "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('table', 'trigger') AND sql IS NOT NULL"
            ).map { (type: $0["type"] as String, name: $0["name"] as String, sql: $0["sql"] as String) }
        }
        let tables = statements.filter { $0.type == "table" && $0.sql.contains("STRICT") }
        try withFile { database in
            for (_, name, _) in statements.filter({ $0.type == "trigger" }) {
                try database.execute(sql: "DROP TRIGGER \(name)")
            }
            for (_, name, sql) in tables { try setSchema(of: name, to: Self.lenient(sql), database) }
        }
        try withFile { database in for (_, name, _) in tables { try addRow(to: name, database) } }
        try withFile { database in
            for (_, name, sql) in tables { try setSchema(of: name, to: sql, database) }
        }
        try withFile { database in
            for (_, _, sql) in statements.filter({ $0.type == "trigger" }) { try database.execute(sql: sql) }
        }
    }

    /// Executes a statement on a table as if it were not STRICT.
    func execute(_ sql: String, on table: String) throws {
        let schema = try withFile {
            try String.fetchOne($0, sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [table])
        }
        guard let schema else { return }
        try withFile { try setSchema(of: table, to: Self.lenient(schema), $0) }
        try withFile { try $0.execute(sql: sql) }
        try withFile { try setSchema(of: table, to: schema, $0) }
    }

    /// The changes of a schema apply to the next connection.
    @discardableResult
    private func withFile<Value>(_ body: (Database) throws -> Value) throws -> Value {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction(body)
    }

    private func setSchema(of table: String, to sql: String, _ database: Database) throws {
        try database.execute(sql: "PRAGMA writable_schema = ON")
        try database.execute(
            sql: "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
            arguments: [sql, table]
        )
    }

    private static func lenient(_ sql: String) -> String {
        sql.replacingOccurrences(of: "STRICT, ", with: "").replacingOccurrences(of: ", STRICT", with: "")
            .replacingOccurrences(of: "STRICT", with: "")
    }

    private func addRow(to table: String, _ database: Database) throws {
        let columns = try Row.fetchAll(
            database,
            sql: "SELECT name, type, pk FROM pragma_table_info(?)",
            arguments: [table]
        )
        let values = columns.map { column in
            let type: String = column["type"]
            if type == "INTEGER", (column["pk"] as Int) > 0 { return "7" }
            return type == "BLOB" ? "'planted'" : "x'FF'"
        }
        let names = columns.map { ($0["name"] as String).quotedDatabaseIdentifier }
        try database.execute(
            sql: "INSERT INTO \(table) (\(names.joined(separator: ","))) VALUES (\(values.joined(separator: ",")))"
        )
    }
}
