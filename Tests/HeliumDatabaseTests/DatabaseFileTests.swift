import Foundation
import GRDB
import HeliumDatabase
import Testing

@Suite("A private database file", .timeLimit(.minutes(1)))
struct DatabaseFileTests {
    private static let mark = DatabaseFile.Mark(applicationID: 0x5465_7374, version: 3)

    private func withFile(_ body: (DatabaseFile, String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "helium database \(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("a%?#.sqlite").path
        try body(DatabaseFile(path: path, mark: Self.mark, migrations: ["one", "two"]), path)
    }

    @Test("is marked, in WAL mode, and for its owner alone")
    func creation() throws {
        try withFile { file, path in
            var configuration = Configuration()
            configuration.label = "test"
            let pool = try file.open(configuration)
            try pool.write { try $0.execute(sql: "CREATE TABLE a (b)") }
            #expect(try pool.read { try Int32.fetchOne($0, sql: "PRAGMA application_id") } == Self.mark.applicationID)
            #expect(try pool.read { try Int32.fetchOne($0, sql: "PRAGMA user_version") } == 3)
            #expect(try pool.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
            for suffix in ["", "-wal", "-shm"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(suffix)")
            }
            try pool.close()
        }
    }

    @Test("takes rights from others, and shows its content to the caller's check before it is written")
    func check() throws {
        struct Refused: Error {}
        try withFile { file, path in
            try file.open(Configuration()).close()
            try file.open(Configuration()) { _ in Issue.record("there are no tables") }.close()
            let pool = try file.open(Configuration())
            try pool.write { try $0.execute(sql: "CREATE TABLE a (b)") }
            try pool.close()
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(throws: Refused.self) {
                _ = try file.open(Configuration()) { database in
                    #expect(try database.tableExists("a"))
                    throw Refused()
                }
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            try file.open(Configuration()).close()
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }
}
