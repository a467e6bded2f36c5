import Foundation
import GRDB
import GRDBSQLite
import HeliumDatabase
import Testing

@Suite("Access to a database", .timeLimit(.minutes(5)))
struct DatabaseAccessTests {
    private static func access(_ execution: DatabaseAccess.Execution) throws -> DatabaseAccess {
        let queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: "CREATE TABLE entry (id INTEGER PRIMARY KEY)") }
        return DatabaseAccess(queue, execution)
    }

    private static func count(_ access: DatabaseAccess) async throws -> Int? {
        try await access.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM entry") }
    }

    private static let executions: [DatabaseAccess.Execution] = [.asynchronous, .inline]

    @Test("a write is an immediate transaction, which is rolled back if the body throws", arguments: executions)
    func transaction(execution: DatabaseAccess.Execution) async throws {
        struct Failure: Error {}
        let access = try Self.access(execution)
        let inserted = try await access.write { database in
            #expect(database.isInsideTransaction)
            try database.execute(sql: "INSERT INTO entry VALUES (7)")
            return database.lastInsertedRowID
        }
        #expect(inserted == 7)
        await #expect(throws: Failure.self) {
            try await access.write { database in
                try database.execute(sql: "INSERT INTO entry VALUES (8)")
                throw Failure()
            }
        }
        #expect(try await Self.count(access) == 1)
    }

    @Test("a write is published after its commit, before the next write", arguments: executions)
    func publish(execution: DatabaseAccess.Execution) async throws {
        let access = try Self.access(execution)
        let published = Published()
        for id in 1...3 {
            try await access.write {
                try $0.execute(sql: "INSERT INTO entry VALUES (?)", arguments: [id])
            } publish: { _, database in
                #expect(!database.isInsideTransaction)
                published.add((try? Int.fetchOne(database, sql: "SELECT count(*) FROM entry")) ?? -1)
            }
        }
        #expect(published.counts == [1, 2, 3])
    }

    @Test("a write whose task is cancelled is finished", arguments: executions)
    func cancellation(execution: DatabaseAccess.Execution) async throws {
        let access = try Self.access(execution)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await access.write { database in
                try database.execute(sql: "INSERT INTO entry VALUES (1)")
                return database.changesCount
            }
        }
        #expect(try await task.value == 1)
        #expect(try await Self.count(access) == 1)
    }

    @Test("a read of a database cannot write to it", arguments: executions)
    func readOnly(execution: DatabaseAccess.Execution) async throws {
        let access = try Self.access(execution)
        await #expect(throws: DatabaseError.self) {
            try await access.read { try $0.execute(sql: "INSERT INTO entry VALUES (1)") }
        }
        #expect(try await Self.count(access) == 0)
    }

    @Test("a read of a database does not make SQLite compile statements again", arguments: executions)
    func compilation(execution: DatabaseAccess.Execution) async throws {
        let access = try Self.access(execution)
        let sql = "SELECT count(*) FROM entry"
        for _ in 1...3 {
            let compilations = try await access.read { database in
                let statement = try database.cachedStatement(sql: sql)
                _ = try Int.fetchOne(statement)
                return sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_REPREPARE, 0)
            }
            #expect(compilations == 0)
        }
    }

    @Test("inline accesses to a database run on the caller's thread")
    func thread() async throws {
        let access = try Self.access(.inline)
        let caller = Self.threadName()
        #expect(try await access.read { _ in Self.threadName() } == caller)
        #expect(try await access.write { _ in Self.threadName() } == caller)
    }

    private static func threadName() -> String { "\(pthread_self())" }

    /// Numbers from several threads.
    private final class Published: @unchecked Sendable {
        // Guarded by the lock.
        private var values: [Int] = []
        private let lock = NSLock()

        func add(_ value: Int) { lock.withLock { values.append(value) } }
        var counts: [Int] { lock.withLock { values } }
    }
}
