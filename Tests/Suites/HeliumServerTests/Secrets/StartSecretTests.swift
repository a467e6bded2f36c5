import Foundation
import GRDB
import HeliumServerTesting
import Logging
import ServerSupport
import TestSupport
import Testing

@testable import HeliumServer
@testable import HeliumServerKit

@Suite("Secrets in errors of a start", .timeLimit(.minutes(5)))
struct StartSecretTests {
    private static let mark = "pl4nted"

    /// Starts a server, and returns what its error, its log and its check of the store show.
    private func shown(_ configuration: EmbeddedServerConfiguration) -> String {
        let lines = RecordingLog.Lines()
        let logger = Logger(label: "test") { _ in RecordingLog(lines: lines) }
        var shown = ""
        do {
            _ = try EmbeddedServer(configuration, logger: logger).startInMemory()
        } catch {
            shown += "\(error) \(String(reflecting: error)) "
            dump(error, to: &shown)
        }
        do {
            shown +=
                try configuration.store.map { try EmbeddedServer.problems(inStore: $0).joined(separator: " ") } ?? ""
        } catch {
            shown += "\(error) \(String(reflecting: error)) "
            dump(error, to: &shown)
        }
        return shown + lines.all.joined(separator: "\n")
    }

    @Test("no error of an invalid configuration has its secrets")
    func configurations() {
        let invalid: [(inout EmbeddedServerConfiguration) -> Void] = [
            { $0.middleware.secrets = [MiddlewareSecret(id: "pl4nted", secret: "pl4nted")] },
            { $0.middleware.staticKeys = [StaticAccessKey("pl4nted")] }, { $0.cosm.masterKey = "pl4nted key" },
            { $0.appNet.accounts.users = [AppNetAccounts.User(name: "pl4nted name", password: "pl4nted")] },
            { $0.appNet.accounts.users[0].scopes = ["pl4nted"] }, { $0.appNet.accounts.users[0].type = "pl4nted" },
            { $0.appNet.accounts.users[0].tokens = ["pl4nted", "pl4nted"] },
            { $0.appNet.accounts.apps[0].tokens = $0.appNet.accounts.users[0].tokens },
            { $0.appNet.accounts.apps += $0.appNet.accounts.apps },
            { $0.appNet.allowedOrigins = ["http://u:pl4nted@h"] },
            { $0.host = "" },
        ]
        for (index, change) in invalid.enumerated() {
            var configuration = PlantedServer.configuration(store: "")
            configuration.store = nil
            change(&configuration)
            let text = shown(configuration)
            #expect(text.contains("invalid configuration") && !text.contains(Self.mark), "\(index): \(text)")
        }
    }

    @Test("no error, log line and check of a damaged store has its contents")
    func stores() async throws {
        try await withTemporaryFolder { folder in
            let intact = folder.appendingPathComponent("intact.sqlite")
            _ = try EmbeddedServer(PlantedServer.configuration(store: intact.path)).startInMemory()
            let queue = try DatabaseQueue(path: intact.path)
            try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            let tables = try await queue.read { database in
                try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'").filter {
                    try !$0.hasPrefix("sqlite_") && !$0.contains("_search_")
                        && Row.fetchOne(database, sql: "SELECT 1 FROM \($0)") != nil
                }
            }
            try queue.close()
            #expect(tables.count > 5)
            let bytes = try Data(contentsOf: intact)
            #expect(bytes.range(of: Data(Self.mark.utf8)) != nil)
            var number = 0
            func check(_ contents: Data, _ name: String, _ change: (DatabaseQueue) throws -> Void = { _ in }) throws {
                number += 1
                let file = folder.appendingPathComponent("\(number).sqlite")
                try contents.write(to: file)
                if contents == bytes {
                    let queue = try DatabaseQueue(path: file.path)
                    try change(queue)
                    try queue.close()
                }
                let text = shown(PlantedServer.configuration(store: file.path))
                #expect(!text.isEmpty, "\(name)")
                #expect(!text.contains(Self.mark) && !text.contains(Self.damage), "\(name): \(text)")
            }
            for table in tables {
                try check(bytes, "dropped \(table)") { queue in
                    try queue.writeWithoutTransaction { database in
                        try database.execute(sql: "PRAGMA foreign_keys = OFF; DROP TABLE \(table)")
                    }
                }
            }
            // A file that is no store, one that is cut, and one with pages of another file.
            try check(Data("\(Self.mark) is no database".utf8), "text")
            try check(bytes.prefix(bytes.count / 2), "half")
            try check(bytes.prefix(4096) + Data(repeating: 0x70, count: bytes.count - 4096), "pages")
        }
    }

    private static let damage = "d4maged"

    @Test("no error and log line of a store with unreadable rows has their contents")
    func rows() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("server.sqlite").path
            let configuration = PlantedServer.configuration(store: path)
            _ = try EmbeddedServer(configuration).startInMemory()
            let queue = try DatabaseQueue(path: path)
            let changed = try await queue.writeWithoutTransaction { database in
                var changed = 0
                for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
                where !table.hasPrefix("sqlite_") && !table.hasPrefix("grdb_") {
                    for column in try Row.fetchAll(
                        database,
                        sql: "SELECT name, type FROM pragma_table_info(?)",
                        arguments: [table]
                    ) where column["type"] == "TEXT" {
                        let name: String = column["name"]
                        let sql = "UPDATE OR IGNORE \(table) SET \"\(name)\" = '{\"\(Self.damage)' || \"\(name)\""
                        do { try database.execute(sql: sql) } catch is DatabaseError { continue }
                        changed += database.changesCount
                    }
                }
                return changed
            }
            try queue.close()
            #expect(changed > 10)
            let text = shown(configuration)
            #expect(!text.isEmpty && !text.contains(Self.mark) && !text.contains(Self.damage), "\(text)")
        }
    }
}
