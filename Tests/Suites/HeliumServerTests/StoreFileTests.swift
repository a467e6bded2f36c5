import Foundation
import GRDB
import HeliumDatabase
import HeliumServerTesting
import Testing

@testable import CosmServer
@testable import HeliumServer
@testable import HeliumServerKit

@Suite("Files of the server's stores", .timeLimit(.minutes(5)))
struct StoreFileTests {
    @Test("a store's file is marked, and an older one without the mark is accepted and marked")
    func mark() throws {
        try withFile { path in
            let pool = try Self.open(path)
            try CosmService.migrator.migrate(pool)
            _ = try CosmStore(DatabaseAccess(pool), configuration: CosmConfiguration())
            #expect(try Self.pragma("application_id", pool) == Int(ServerDatabase.mark.applicationID))
            try pool.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA application_id = 0; PRAGMA user_version = 0")
            }
            try pool.close()
            let again = try Self.open(path)
            #expect(try Self.pragma("application_id", again) == Int(ServerDatabase.mark.applicationID))
            #expect(try Self.pragma("user_version", again) == Int(ServerDatabase.mark.version))
            try again.close()
        }
    }

    @Test(
        "a file of another kind is refused as a store, and keeps its contents and permissions",
        arguments: [
            ("CREATE TABLE customers (name TEXT)", DatabaseFile.Fault.foreign),
            ("PRAGMA application_id = 252006675; CREATE TABLE tiles (a)", .foreign),
            ("PRAGMA application_id = 252006675", .foreign),
            ("CREATE TABLE grdb_migrations (identifier TEXT); INSERT INTO grdb_migrations VALUES ('v1')", .foreign),
            (
                "CREATE TABLE grdb_migrations (identifier TEXT); INSERT INTO grdb_migrations VALUES ('cosm-1'), ('cosm-99')",
                .newer
            ),
            (
                "PRAGMA application_id = \(ServerDatabase.mark.applicationID); PRAGMA user_version = 2; CREATE TABLE a (b)",
                .newer
            ),
            (
                """
                PRAGMA application_id = \(ServerDatabase.mark.applicationID); PRAGMA user_version = 1;
                CREATE TABLE grdb_migrations (identifier TEXT); INSERT INTO grdb_migrations VALUES ('appnet-later')
                """,
                .newer
            ),
        ]
    )
    func refusal(sql: String, fault: DatabaseFile.Fault) throws {
        try withFile { path in
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
            try queue.close()
            try Self.expectUntouched(path, fault)
        }
    }

    @Test("a file is refused as a store if its write-ahead log belongs to another program")
    func log() throws {
        try withFile { path in
            let pool = try DatabasePool(path: path)
            try pool.write { try $0.execute(sql: "CREATE TABLE customers (name TEXT)") }
            #expect(throws: DatabaseFile.Fault.foreign) { try Self.open(path) }
            #expect(try pool.read { try $0.tableExists("customers") })
            #expect(try pool.read { try !$0.tableExists("cosm_feed") })
            try pool.close()
        }
    }

    @Test(
        "a file that is not a database is refused as a store, and stays as it is",
        arguments: ["hello", String(repeating: "x", count: 9000)]
    )
    func noDatabase(content: String) throws {
        try withFile { path in
            try Data(content.utf8).write(to: URL(fileURLWithPath: path))
            try Self.expectUntouched(path, .notADatabase)
        }
    }

    @Test("a folder is refused as a store")
    func folder() throws {
        try withFile { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(throws: DatabaseFile.Fault.notAFile) { try Self.open(path) }
        }
    }

    @Test("the server's error has the file that is not a store, and the reason")
    func error() throws {
        try withFile { path in
            try Data("hello".utf8).write(to: URL(fileURLWithPath: path))
            var configuration = EmbeddedServerConfiguration()
            configuration.store = path
            let error = #expect(throws: EmbeddedServerError.self) { try EmbeddedServer(configuration) }
            #expect(error?.kind == .unusableStore && error?.reason == "\(path): not a SQLite database")
            configuration.store = path + "s/none"
            let missing = #expect(throws: EmbeddedServerError.self) { try EmbeddedServer(configuration) }
            #expect(missing?.reason == "\(path)s/none: the folder of the file does not exist")
        }
    }

    private static func expectUntouched(_ path: String, _ fault: DatabaseFile.Fault) throws {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let before = try Data(contentsOf: url)
        #expect(throws: fault) { try Self.open(path) }
        #expect(try Data(contentsOf: url) == before)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o644)
        let folder = url.deletingLastPathComponent().path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [url.lastPathComponent])
    }

    private static func pragma(_ name: String, _ database: any DatabaseReader) throws -> Int? {
        try database.read { try Int.fetchOne($0, sql: "PRAGMA \(name)") }
    }

    private func withFile(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium store \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("s?.sqlite").path)
    }

    private static func open(_ path: String) throws -> DatabasePool {
        let migrations = Set(EmbeddedServer.protocolTypes.flatMap { $0.migrator.migrations })
        return try ServerDatabase.file(at: path, knowing: migrations, protocols: EmbeddedServer.protocolTypes.count)
    }
}
