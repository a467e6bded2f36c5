package import GRDB

extension DatabaseAccess {
    /// Whether other processes may write to the database.
    package var isShared: Bool { database is DatabasePool }

    /// Calls `onChange` after each commit that has changed a row of one of `tables`, until the result is released.
    ///
    /// Commits of other processes are not reported: see ``dataVersion()``. SQLite does not report changes of tables
    /// without row ids.
    package func observe(
        _ tables: [String],
        onChange: @escaping @Sendable () -> Void
    ) async throws -> AnyDatabaseCancellable {
        try pass?(.read)
        // A connection that only reads has no commits.
        if database.configuration.readonly { return AnyDatabaseCancellable {} }
        let observation = DatabaseRegionObservation(tracking: tables.map { Table($0) as any DatabaseRegionConvertible })
        // GRDB looks the tables up when the observation starts. They exist by then.
        let start: @Sendable () -> AnyDatabaseCancellable = { [database] in
            observation.start(in: database, onError: { _ in }, onChange: { _ in onChange() })
        }
        switch execution {
        case .asynchronous:
            // The observation starts on the writer's queue, where it can begin at once without blocking the caller's
            // thread.
            return await withCheckedContinuation { continuation in
                database.asyncWriteWithoutTransaction { _ in continuation.resume(returning: start()) }
            }
        case .inline: return start()
        }
    }

    /// Returns a number that changes when another process, or another connection of this process, writes to the
    /// database.
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

    // Only a synchronous function resolves to GRDB's synchronous overload.
    private func dataVersionInline() throws -> Int64 { try database.writeWithoutTransaction(Self.dataVersion) }

    /// Always reads the version on the writer's connection, because versions of different connections cannot be
    /// compared.
    private static func dataVersion(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0
    }
}
