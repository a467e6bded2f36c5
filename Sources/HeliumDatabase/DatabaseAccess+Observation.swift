package import GRDB

extension DatabaseAccess {
    /// Whether other processes may write to the database.
    package var isShared: Bool { database is DatabasePool }

    /// Calls a function after each commit that has changed a row of some tables, until the result is released.
    ///
    /// Commits of other processes are not noticed: see ``dataVersion()``. SQLite does not report changes of tables without row
    /// ids.
    package func observe(
        _ tables: [String],
        onChange: @escaping @Sendable () -> Void
    ) async throws -> AnyDatabaseCancellable {
        try pass?(.read)
        let observation = DatabaseRegionObservation(tracking: tables.map { Table($0) as any DatabaseRegionConvertible })
        // GRDB finds the tables when the observation starts: they are there.
        let start: @Sendable () -> AnyDatabaseCancellable = { [database] in
            observation.start(in: database, onError: { _ in }, onChange: { _ in onChange() })
        }
        switch execution {
        case .asynchronous:
            // On the writer's queue, where it begins at once and blocks no thread of the caller.
            return await withCheckedContinuation { continuation in
                database.asyncWriteWithoutTransaction { _ in continuation.resume(returning: start()) }
            }
        case .inline: return start()
        }
    }

    /// A number that changes when another process, or another connection of this one, has written to the database.
    package func dataVersion() async throws -> Int64 {
        try pass?(.read)
        return switch execution {
        case .asynchronous:
            try await withCheckedThrowingContinuation { continuation in
                database.asyncWriteWithoutTransaction { database in
                    continuation.resume(with: Result { try Self.dataVersion(database) })
                }
            }
        case .inline: try dataVersionInline()
        }
    }

    // Only a synchronous function gets GRDB's synchronous overload.
    private func dataVersionInline() throws -> Int64 { try database.writeWithoutTransaction(Self.dataVersion) }

    /// The versions of different connections have nothing to do with each other: it is always that of the writer.
    private static func dataVersion(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0
    }
}
