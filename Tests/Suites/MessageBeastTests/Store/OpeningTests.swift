import AppNet
import Foundation
import GRDB
import HeliumDatabase
import Testing

@testable import MessageBeast

/// A folder that is removed with the test.
func withTemporaryFile(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium beast \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appendingPathComponent("beast.sqlite").path)
}

@Suite("Opening a database", .timeLimit(.minutes(5)))
struct OpeningTests {
    private static func open(_ path: String, account: String = "1") throws -> BeastDatabase {
        try BeastDatabase.open(path, account: account)
    }

    private static func close(_ beast: BeastDatabase) throws { try beast.access.database.close() }

    private func expectUntouched(_ path: String, _ kind: MessageBeastError.Kind, account: String = "1") throws {
        let url = URL(fileURLWithPath: path)
        let before = try Data(contentsOf: url)
        let error = #expect(throws: MessageBeastError.self) { try Self.open(path, account: account) }
        #expect(error?.kind == kind)
        #expect(try Data(contentsOf: url) == before)
        let folder = url.deletingLastPathComponent().path
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files == [url.lastPathComponent])
    }

    @Test("a reopened database has everything that was stored")
    func reopening() throws {
        try withTemporaryFile { path in
            let configuration = MessageManagerConfiguration()
            let journal = try Journal(Self.open(path), configuration)
            try journal.store([Journal.message(1, "stored")])
            try Self.close(journal.beast)
            let again = try Journal(Self.open(path), configuration)
            #expect(try again.search("stored") == [1])
            try again.expectSound()
            try Self.close(again.beast)
        }
    }

    @Test(
        "the durability of a database is configurable",
        arguments: [(MessageManager.Durability.process, 1), (.power, 2)]
    )
    func durability(durability: MessageManager.Durability, level: Int) throws {
        try withTemporaryFile { path in
            let beast = try BeastDatabase.open(path, account: "1", durability: durability)
            let writer = beast.access.database
            #expect(try writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == level)
            #expect(try writer.read { try Bool.fetchOne($0, sql: "PRAGMA foreign_keys") } == true)
            try Self.close(beast)
        }
    }

    @Test("a database of another account is refused and unchanged")
    func otherAccount() throws {
        try withTemporaryFile { path in
            try Self.close(Self.open(path))
            try expectUntouched(path, .otherAccount, account: "2")
            try Self.close(Self.open(path))
        }
    }

    @Test("a database of a newer version is refused and unchanged", .behaviour(132))
    func newer() throws {
        try withTemporaryFile { path in
            let beast = try Self.open(path)
            try beast.access.database.write {
                try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('messagebeast-99')")
            }
            try Self.close(beast)
            try expectUntouched(path, .superseded)
        }
        try withTemporaryFile { path in
            let beast = try Self.open(path)
            try beast.access.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 2") }
            try Self.close(beast)
            try expectUntouched(path, .superseded)
        }
    }

    @Test(
        "a file that is not a database of the engine is refused and unchanged",
        arguments: ["", "CREATE TABLE a (b)"]
    )
    func foreign(sql: String) throws {
        try withTemporaryFile { path in
            if sql.isEmpty {
                try Data(repeating: 120, count: 9000).write(to: URL(fileURLWithPath: path))
            } else {
                let queue = try DatabaseQueue(path: path)
                try queue.write { try $0.execute(sql: sql) }
                try queue.close()
            }
            try expectUntouched(path, .notADatabase)
        }
    }

    @Test("a damaged database is refused and unchanged")
    func damaged() throws {
        try withTemporaryFile { path in
            let journal = try Journal(Self.open(path), MessageManagerConfiguration())
            try journal.store((1...50).reversed().map { Journal.message($0) })
            try Self.close(journal.beast)
            let url = URL(fileURLWithPath: path)
            var data = try Data(contentsOf: url)
            // The tree of the schema begins behind the header.
            for index in 100..<4096 { data[index] = 0xA5 }
            try data.write(to: url)
            try expectUntouched(path, .damaged)
        }
    }

    @Test("a folder is refused as a database")
    func folder() throws {
        try withTemporaryFile { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            let error = #expect(throws: MessageBeastError.self) { try Self.open(path) }
            #expect(error?.kind == .notADatabase && error?.message == "not a regular file")
        }
    }

    @Test("a database in a missing folder is an error of its own")
    func missingFolder() throws {
        try withTemporaryFile { path in
            let error = #expect(throws: MessageBeastError.self) { try Self.open(path + "/none/beast.sqlite") }
            #expect(error?.kind == .cannotOpen && error?.message == "the folder of the file does not exist")
        }
    }

    @Test("a new file that is opened many times at once gets one account and one schema")
    func concurrentOpening() throws {
        for round in 0..<8 {
            try withTemporaryFile { path in
                let results = Outcomes()
                DispatchQueue.concurrentPerform(iterations: 8) { index in
                    let account = "\(1 + index % 2)"
                    results.append(account, Result { try BeastDatabase.open(path, account: account) })
                }
                let opened = results.all.filter { (try? $0.1.get()) != nil }
                #expect(opened.count == 4 && Set(opened.map(\.0)).count == 1, "round \(round)")
                for (_, result) in results.all {
                    guard case .failure(let error) = result else { continue }
                    #expect((error as? MessageBeastError)?.kind == .otherAccount, "\(error)")
                }
                let beast = try #require(opened.compactMap { try? $0.1.get() }.first)
                let applied = try beast.access.database.read {
                    try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations ORDER BY identifier")
                }
                #expect(applied == BeastSchema.migrations.map(\.name))
                for (_, result) in results.all { try? result.get().access.database.close() }
            }
        }
    }

    /// Results of several threads.
    private final class Outcomes: @unchecked Sendable {
        // Guarded by the lock.
        private var results: [(String, Result<BeastDatabase, any Error>)] = []
        private let lock = NSLock()

        func append(_ account: String, _ result: Result<BeastDatabase, any Error>) {
            lock.withLock { results.append((account, result)) }
        }
        var all: [(String, Result<BeastDatabase, any Error>)] { lock.withLock { results } }
    }

    @Test("errors of the database have kinds, and show no statements")
    func failures() {
        let cases: [(ResultCode, MessageBeastError.Kind)] = [
            (.SQLITE_FULL, .diskFull), (.SQLITE_READONLY, .readOnly), (.SQLITE_BUSY, .locked),
            (.SQLITE_CORRUPT, .damaged),
            (.SQLITE_NOTADB, .notADatabase), (.SQLITE_IOERR, .databaseFailed),
        ]
        for (code, kind) in cases {
            let error = MessageBeastError(DatabaseError(resultCode: code, message: "secret", sql: "secret"))
            #expect(error.kind == kind)
            #expect(!"\(error)".contains("secret"))
        }
    }
}
