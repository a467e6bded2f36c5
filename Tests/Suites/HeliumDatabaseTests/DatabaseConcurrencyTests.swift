import Foundation
import GRDB
import HeliumDatabase
import Synchronization
import Testing

@Suite("Concurrent access to a database", .timeLimit(.minutes(5)))
struct DatabaseConcurrencyTests {
    /// Opens a file of entries, each with the number of those before it.
    private func open(_ path: String) throws -> DatabaseAccess {
        let mark = DatabaseFile.Mark(applicationID: 0x4865_5454, version: 1)
        var configuration = Configuration()
        configuration.busyMode = .timeout(120)
        let pool = try DatabaseFile(path: path, mark: mark, migrations: []).open(configuration)
        return DatabaseAccess(pool)
    }

    private static func count(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM entry") ?? 0
    }

    @Test("writes of many tasks through two pools on one file lose nothing, and reads see whole transactions")
    func twoPools() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pools-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("entries.sqlite").path
        let pools = [try open(path), try open(path)]
        _ = try await pools[0].write {
            try $0.execute(sql: "CREATE TABLE entry (id INTEGER PRIMARY KEY, earlier INTEGER NOT NULL)")
        }
        let (published, observed) = (Tally(), Tally())
        let observation = try await pools[0].observe(["entry"]) { observed.add() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for access in (0..<20).flatMap({ _ in pools }) {
                group.addTask {
                    _ = try await access.write { database in
                        // Two rows in one transaction: no read may see one of them.
                        for _ in 0..<2 {
                            let earlier = try Self.count(database)
                            try database.execute(sql: "INSERT INTO entry (earlier) VALUES (?)", arguments: [earlier])
                        }
                    } publish: { _, _ in
                        published.add()
                    }
                    let seen = try await access.read { try Self.count($0) }
                    #expect(seen >= 2 && seen % 2 == 0)
                    _ = try await access.dataVersion()
                }
            }
            try await group.waitForAll()
        }
        let rows = try await pools[1].read { try Int.fetchAll($0, sql: "SELECT earlier FROM entry ORDER BY id") }
        #expect(rows == Array(0..<80))
        #expect(published.count == 40)
        // Commits of the other pool are not noticed.
        #expect(observed.count == 20)
        observation.cancel()
        for access in pools { try access.database.close() }
    }
}

private final class Tally: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
}
