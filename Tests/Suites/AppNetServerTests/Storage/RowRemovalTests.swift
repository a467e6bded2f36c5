import Foundation
import GRDB
import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Rows of deleted objects of App.net", .timeLimit(.minutes(5)))
struct RowRemovalTests {
    /// The number of rows of an object, more than one write deletes.
    private static let count = 2 * RowRemoval.portion + 10

    private static func rows(_ table: String, _ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(table)") ?? 0
    }

    /// Stores interactions on a post of the first user, as many replies would.
    private static func addInteractions(on post: Int64, _ database: Database) throws {
        for number in 0..<count {
            try database.execute(
                sql: """
                    INSERT INTO appnet_interaction (user, action, object, actor, cause, created)
                    VALUES (1, 'reply', ?, 2, ?, 0)
                    """,
                arguments: [post, post * 1_000_000 + Int64(number)]
            )
        }
    }

    @Test("the interactions on a deleted post are gone at once, and their rows soon after, a portion in each write")
    func interactions() async throws {
        try await withAppNet { alice async throws in
            let state = alice.running.server.appNet.state
            let ids = try await [
                alice.post("posts", #"{"text":"one"}"#), alice.post("posts", #"{"text":"two"}"#),
            ].compactMap { $0["id"]?.stringValue.flatMap { Int64($0) } }
            _ = try await state.store.write { database in
                for id in ids { try Self.addInteractions(on: id, database) }
            } publish: { _, _ in
            }
            let left = try await state.store.write { database -> [Int] in
                _ = try AppNetTables(database: database).posts.delete(ids[0])
                var left = [try Self.rows(InteractionTable.Record.databaseTableName, database) - Self.count]
                let table = AppNetTables(database: database).interactions
                let all = PageWindow(isAscending: false, limit: 10)
                #expect(try table.records(on: ids[0], all).isEmpty)
                #expect(try table.records(on: ids[1], all).count == 10)
                #expect(try Set(table.records(to: 1).map(\.object)) == [ids[1]])
                while try RowRemoval(database: database).proceed() {
                    left.append(try Self.rows(InteractionTable.Record.databaseTableName, database) - Self.count)
                }
                return left
            } publish: { _, _ in
            }
            #expect(left == [Self.count - RowRemoval.portion, Self.count - 2 * RowRemoval.portion])
            let remaining = try await state.store.read { database in
                try (
                    Self.rows("appnet_removal", database),
                    Self.rows(InteractionTable.Record.databaseTableName, database)
                )
            }
            #expect(remaining == (0, Self.count))
        }
    }

    @Test("a deleted post looks for its own interactions only")
    func indexed() async throws {
        try await withAppNet { alice async throws in
            let plans = try await alice.running.server.appNet.state.store.read { database in
                try String.fetchAll(
                    database,
                    sql: """
                        EXPLAIN QUERY PLAN SELECT id FROM appnet_interaction
                        WHERE object = 1 AND action IN ('reply', 'repost', 'star') LIMIT 10
                        """,
                    adapter: SuffixRowAdapter(fromIndex: 3)
                )
            }
            #expect(plans.count == 1 && plans.allSatisfy { $0.hasPrefix("SEARCH") && $0.contains("object=?") })
        }
    }

    @Test("the rows of deleted objects that a restart left are deleted by the next server")
    func restart() async throws {
        try await withTemporaryFolder { folder in
            var configuration = EmbeddedServerConfiguration()
            configuration.store = folder.appendingPathComponent("server.sqlite").path
            try await withEmbeddedServer(configuration) { running in
                _ = try await running.server.appNet.state.store.write { database in
                    for number in 0..<Self.count {
                        try database.execute(
                            sql: "INSERT INTO appnet_file_grant (token, file) VALUES (?, 7)",
                            arguments: ["token \(number)"]
                        )
                    }
                    try database.execute(sql: "INSERT INTO appnet_removal (kind, object) VALUES ('grants', 7)")
                } publish: { _, _ in
                }
            }
            try await withEmbeddedServer(configuration) { running async throws in
                let store = running.server.appNet.state.store
                try await eventually {
                    try await store.read { try Self.rows("appnet_removal", $0) + Self.rows("appnet_file_grant", $0) }
                        == 0
                }
            }
        }
    }

    @Test("a write deletes the contents of files up to a limit, and the others are deleted after it")
    func contents() async throws {
        try await withAppNet { alice async throws in
            let state = alice.running.server.appNet.state
            let bytes = [UInt8](repeating: 1, count: 4096 * RowRemoval.portion / 2)
            let remaining = try await state.store.write { database -> [Int] in
                let table = FileTable(database: database)
                for file: Int64 in 1...5 {
                    try database.execute(
                        sql: """
                            INSERT INTO appnet_file_content (file, key, media_type, size, sha1, sha256, bytes)
                            VALUES (?, '', 'a/b', ?, '', '', ?)
                            """,
                        arguments: [file, bytes.count, Data(bytes)]
                    )
                }
                var left = RowRemoval.portion
                for file: Int64 in 1...5 { try table.delete(file, &left) }
                var remaining = [try Self.rows("appnet_file_content", database)]
                while try RowRemoval(database: database).proceed() {
                    remaining.append(try Self.rows("appnet_file_content", database))
                }
                return remaining + [try Self.rows("appnet_file_content", database)]
            } publish: { _, _ in
            }
            #expect(remaining.first == 3 && remaining.last == 0, "\(remaining)")
        }
    }
}
