import Foundation
import GRDB
import HeliumDatabase
import Testing

@Suite("A private database file", .timeLimit(.minutes(5)))
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

    @Test("a private database file is marked, in WAL mode, and for its owner only")
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

    @Test(
        "the path of a database is absolute, so that SQLite does not read it as a URI or a special name",
        arguments: ["a.sqlite", "file:x.sqlite", ":memory:", "file:x?mode=memory"]
    )
    func names(name: String) {
        let file = DatabaseFile(path: name, mark: Self.mark, migrations: [])
        #expect(file.path == "\(FileManager.default.currentDirectoryPath)/\(name)")
    }

    @Test("permissions of others are removed from a private database file, and its contents are checked first")
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

    @Test("the check of a private database file waits for another connection's lock")
    func busyCheck() throws {
        try withFile { file, path in
            var journaled = Configuration()
            journaled.label = "writer"
            let writer = try DatabaseQueue(path: path, configuration: journaled)
            try writer.write { try $0.execute(sql: "CREATE TABLE a (b); CREATE TABLE grdb_migrations (identifier)") }
            try writer.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('one')") }
            let (isLocked, hasMet) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let thread = Thread {
                try? writer.writeWithoutTransaction { database in
                    try database.execute(sql: "BEGIN EXCLUSIVE; INSERT INTO a VALUES (1)")
                    isLocked.signal()
                    _ = hasMet.wait(timeout: .now() + 90)
                    try database.execute(sql: "COMMIT")
                }
            }
            thread.start()
            isLocked.wait()
            var configuration = Configuration()
            // Called when a connection meets the lock. The lock is released only then.
            configuration.busyMode = .callback { attempts in
                hasMet.signal()
                usleep(1_000)
                return attempts < 90_000
            }
            let rows = try read("SELECT count(*) FROM a", checking: file, configuration)
            #expect(rows == 1)
            try writer.close()
        }
    }

    /// Reads a number in the check of a file.
    private func read(_ sql: String, checking file: DatabaseFile, _ configuration: Configuration) throws -> Int? {
        struct Done: Error {}
        var number: Int?
        #expect(throws: Done.self) {
            _ = try file.open(configuration) { database in
                number = try Int.fetchOne(database, sql: sql)
                throw Done()
            }
        }
        return number
    }

    @Test("the check of a private database file reads one state while another connection writes")
    func snapshotCheck() throws {
        struct Done: Error {}
        try withFile { file, _ in
            let pool = try file.open(Configuration())
            try pool.write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE a (id INTEGER PRIMARY KEY, b INTEGER, filler TEXT);
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
                        INSERT INTO a SELECT i, 1, hex(randomblob(200)) FROM n
                        """
                )
            }
            // An empty log, as after a checkpoint: the file itself has everything.
            try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            #expect(throws: Done.self) {
                _ = try file.open(Configuration()) { database in
                    #expect(try Int.fetchOne(database, sql: "SELECT b FROM a WHERE id = 1") == 1)
                    try pool.write { try $0.execute(sql: "UPDATE a SET b = 2") }
                    try pool.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
                    #expect(try Int.fetchOne(database, sql: "SELECT sum(b) FROM a") == 2000)
                    throw Done()
                }
            }
            try pool.close()
        }
    }

    @Test("a database file that another version marked after its check is refused")
    func newerMeanwhile() throws {
        try withFile { file, path in
            try file.open(Configuration()).close()
            let newer = DatabaseFile(
                path: path,
                mark: DatabaseFile.Mark(applicationID: Self.mark.applicationID, version: 9),
                migrations: ["one", "two", "three"]
            )
            try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 9") }
            try newer.open(Configuration()).close()
            #expect(throws: DatabaseFile.Fault.newer) { try file.open(Configuration()) }
        }
    }
}
