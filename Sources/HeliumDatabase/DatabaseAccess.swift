package import GRDB

/// Read and write access to a database. Every access of a store or an engine goes through one value of this type.
///
/// Writes run one after the other, each in its own immediate transaction.
package struct DatabaseAccess: Sendable {
    /// The thread on which accesses run.
    package enum Execution: Hashable, Sendable {
        /// GRDB's queues. The calling task is suspended during the access.
        case asynchronous
        /// The caller's thread, which is blocked during the access. A simulation that schedules all tasks itself can
        /// replay it.
        case inline
    }

    /// The points of an access at which a simulation can end it.
    package enum Passage: Hashable, Sendable {
        /// Before a read.
        case read
        /// Before a write.
        case write
        /// At the end of a transaction, which is rolled back if the passage throws.
        case commit
        /// After the commit, and before the change is published.
        case committed
    }

    /// The connections of the database.
    package let database: any DatabaseWriter
    let execution: Execution
    private let check: (@Sendable (Database) throws -> Void)?
    let pass: (@Sendable (Passage) throws -> Void)?

    /// Creates an access to the connections of `database`.
    ///
    /// - Parameters:
    ///   - check: Called at the start of each read and write. An error ends the access.
    ///   - pass: Called at each passage. An error ends the access. Use it to simulate a process that is killed.
    package init(
        _ database: any DatabaseWriter,
        _ execution: Execution = .asynchronous,
        checking check: (@Sendable (Database) throws -> Void)? = nil,
        passing pass: (@Sendable (Passage) throws -> Void)? = nil
    ) {
        self.database = database
        self.execution = execution
        self.check = check
        self.pass = pass
    }

    /// Runs `body` on a consistent state of the database, in which no write is partly done.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try pass?(.read)
        guard let check else { return try await unchecked(body) }
        return try await unchecked { database in
            try check(database)
            return try body(database)
        }
    }

    private func unchecked<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws
        -> Value
    {
        switch execution {
        case .asynchronous:
            database is DatabaseQueue
                ? try await database.writeWithoutTransaction { try Self.readOnWriter(body, in: $0) }
                : try await database.read(body)
        case .inline: try readInline(body)
        }
    }

    /// Runs `body` in a transaction, then `publish`. No other write runs in between.
    ///
    /// The transaction is rolled back if `body` throws. Cancelling the task does not end the write, because a committed
    /// change must be published.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value,
        publish: @escaping @Sendable (Value, Database) -> Void = { _, _ in }
    ) async throws -> Value {
        try pass?(.write)
        return switch execution {
        case .asynchronous:
            try await withCheckedThrowingContinuation { continuation in
                database.asyncWriteWithoutTransaction { database in
                    continuation.resume(with: Result { try commit(body, publish, in: database) })
                }
            }
        case .inline: try writeInline(body, publish)
        }
    }

    /// Closes the connections. Later accesses fail.
    ///
    /// The connection that writes is closed last. Only then does SQLite copy the log into the file and remove the files
    /// beside it. A pool that is closed without this function closes its readers last, and readers are not allowed to
    /// write.
    package func close() throws {
        (database as? DatabasePool)?.invalidateReadOnlyConnections()
        try database.close()
    }

    /// Shrinks the file by the space of deleted rows, and removes the remains of those rows from it and from its log.
    ///
    /// While another connection reads, the log cannot be emptied. The remains are then removed when the file is next
    /// copied from its log, at the latest when the last connection is closed.
    package func vacuum() async throws {
        switch execution {
        case .asynchronous: try await database.writeWithoutTransaction { try Self.shrink($0) }
        case .inline: try vacuumInline()
        }
    }

    private static func shrink(_ database: Database) throws {
        try database.execute(sql: "VACUUM")
        do {
            try database.checkpoint(.truncate)
        } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
            // Another connection uses the log.
        }
    }

    // GRDB has an asynchronous overload with the same name. Only a synchronous function resolves to the synchronous
    // one.

    private func readInline<Value>(_ body: (Database) throws -> Value) throws -> Value {
        // As GRDB's asynchronous reads do.
        try Task.checkCancellation()
        return database is DatabaseQueue
            ? try database.writeWithoutTransaction { try Self.readOnWriter(body, in: $0) } : try database.read(body)
    }

    private func vacuumInline() throws { try database.writeWithoutTransaction { try Self.shrink($0) } }

    private func writeInline<Value>(
        _ body: (Database) throws -> Value,
        _ publish: (Value, Database) -> Void
    ) throws -> Value {
        try database.writeWithoutTransaction { try commit(body, publish, in: $0) }
    }

    /// Runs `body` in a transaction of the only connection of a queue.
    ///
    /// GRDB's own function sets `PRAGMA query_only` before and after each read, and with that SQLite compiles all statements
    /// again.
    ///
    /// - Throws: `SQLITE_READONLY` if `body` has changed a row. The change is rolled back.
    private static func readOnWriter<Value>(_ body: (Database) throws -> Value, in database: Database) throws -> Value {
        var value: Value?
        try database.inTransaction(.deferred) {
            let changes = database.totalChangesCount
            value = try body(database)
            guard database.totalChangesCount == changes else {
                throw DatabaseError(resultCode: .SQLITE_READONLY, message: "a read has written to the database")
            }
            return .commit
        }
        guard let value else { throw CancellationError() }
        return value
    }

    private func commit<Value>(
        _ body: (Database) throws -> Value,
        _ publish: (Value, Database) -> Void,
        in database: Database
    ) throws -> Value {
        var value: Value?
        try database.inTransaction(.immediate) {
            try check?(database)
            value = try body(database)
            try pass?(.commit)
            return .commit
        }
        try pass?(.committed)
        guard let value else { throw CancellationError() }
        publish(value, database)
        return value
    }
}
