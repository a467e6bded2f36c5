import AppNet
import Foundation
import GRDB
import HeliumDatabase
import HeliumFiles
import TestSupport
import Testing

@testable import MessageBeast

/// Stores, and the exports of them, in a folder of their own.
struct ExportFiles {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var export: String { folder.path("export.jsonl") }

    /// The database with something in every table, and the bytes of its pending files.
    func filled(_ name: String = "old.sqlite") throws -> BeastDatabase {
        let path = folder.path(name)
        let fixture = SharedDocuments.package.appendingPathComponent("Fixtures/messagebeast/version-1.sqlite")
        try FileManager.default.copyItem(atPath: fixture.path, toPath: path)
        let database = try BeastDatabase.open(path, account: "1")
        try database.access.database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO retired_token VALUES ('dead', '100', 'aa', 1400000000000, 7, 1);
                    INSERT INTO deleted_id (id) VALUES (7);
                    INSERT INTO meta VALUES ('service_configuration', '{"text":1}');
                    UPDATE outbox SET owner = 'aaaa';
                    UPDATE sqlite_sequence SET seq = 50 WHERE name = 'message'
                    """
            )
        }
        let content = ContentDigest.content(of: bytes("f-1", of: path))
        try database.access.database.write { database in
            // Names of one length have the same bytes.
            try database.execute(
                sql: "UPDATE pending_file SET byte_count = ?, sha256 = ?",
                arguments: [content.byteCount, content.sha256]
            )
        }
        try FileManager.default.createDirectory(atPath: path + "-files", withIntermediateDirectories: false)
        try bytes("f-1", of: path).write(to: URL(fileURLWithPath: path + "-files/f-1"))
        try bytes("f-2", of: path).write(to: URL(fileURLWithPath: path + "-files/f-2"))
        return database
    }

    /// The bytes of a staged file: more than a line has.
    func bytes(_ name: String, of path: String) -> Data {
        // The sequence begins again after 256 bytes. A map over all of them would take longer than an export.
        let block = Data((0..<256).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ name.utf8.count) })
        let count = ExportFormat.stagedPiece * 2 + 7
        var bytes = Data(capacity: count + block.count)
        while bytes.count < count { bytes.append(block) }
        return bytes.prefix(count)
    }

    @discardableResult
    func write(_ database: BeastDatabase) throws -> [ExportTable: Int] {
        let pool = try #require(database.access.database as? DatabasePool)
        return try pool.read { snapshot in
            let writer = try LineFileWriter(export, name: "temporary", databasePath: pool.path)
            let counts = try StoreExport(files: StagedFolder(database: pool.path)).run(in: snapshot, to: writer)
            try writer.finish()
            return counts
        }
    }

    func empty(_ name: String = "new.sqlite", account: String = "1") throws -> BeastDatabase {
        try BeastDatabase.open(folder.path(name), account: account)
    }

    @discardableResult
    func read(into database: BeastDatabase) throws -> (rows: [ExportTable: Int], dropped: Int) {
        let pool = try #require(database.access.database as? DatabasePool)
        return try pool.write { transaction in
            let restoring = StoreImport(
                try LineFileReader(export),
                configuration: Version1File.configuration,
                now: Milliseconds(1_700_000_000_000),
                files: StagedFolder(database: pool.path)
            )
            do { return try restoring.run(in: transaction) } catch {
                restoring.abandon()
                throw error
            }
        }
    }

    var lines: [String] {
        get throws {
            try String(contentsOfFile: export, encoding: .utf8).split(separator: "\n").map(String.init)
        }
    }

    func replace(with lines: [String]) throws {
        try (lines.joined(separator: "\n") + "\n").write(toFile: export, atomically: false, encoding: .utf8)
    }
}
