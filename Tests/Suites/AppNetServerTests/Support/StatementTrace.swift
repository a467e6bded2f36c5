import GRDB
import Synchronization

/// The statements that a database runs, but for those of its own modules.
final class StatementTrace: Sendable {
    private let found = Mutex<[String]>([])

    func start(_ database: any DatabaseWriter) async throws {
        found.withLock { $0 = [] }
        try await database.writeWithoutTransaction { [self] database in
            database.trace { event in
                guard case .statement(let statement) = event else { return }
                let sql = statement.sql
                self.found.withLock { $0.append(sql) }
            }
        }
    }

    func stop(_ database: any DatabaseWriter) async throws -> [String] {
        try await database.writeWithoutTransaction { $0.trace(options: []) }
        return found.withLock { $0 }
    }
}
