package import GRDB

/// Reads and writes of a database. Every access of a store or an engine goes through one value of this type.
///
/// Writes run one after the other, each in an immediate transaction of its own.
package struct DatabaseAccess: Sendable {
    /// The thread on which accesses run.
    package enum Execution: Hashable, Sendable {
        /// GRDB's queues. The calling task is suspended meanwhile.
        case asynchronous
        /// The thread of the caller, which is blocked meanwhile: a simulation that schedules all tasks itself can replay it.
        case inline
    }

    /// The moments of an access at which a simulation may end it.
    package enum Passage: Hashable, Sendable {
        /// Before a read.
        case read
        /// Before a write.
        case write
        /// At the end of a transaction, which is rolled back if the passage throws.
        case commit
        /// After the commit, and before anybody knows of it.
        case committed
    }

    /// The connections of the database.
    package let database: any DatabaseWriter
    let execution: Execution
    private let check: (@Sendable (Database) throws -> Void)?
    let pass: (@Sendable (Passage) throws -> Void)?

    /// - Parameters:
    ///   - check: Called in each read and write before anything else; an error ends the access.
    ///   - pass: Called at each passage; an error ends the access. For simulations of a process that is killed.
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

    /// Runs `body` on a state of the database in which no write is partly done.
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
        case .asynchronous: try await database.read(body)
        case .inline: try readInline(body)
        }
    }

    /// Runs `body` in a transaction, which is rolled back if it throws, then `publish`, before any other write.
    ///
    /// Cancelling the task does not end the write: what is committed has to be published.
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
    /// The connection that writes is closed last: only then does SQLite copy the log into the file and remove the files beside
    /// it. A pool on its own closes its readers last, and those may not write.
    package func close() throws {
        (database as? DatabasePool)?.invalidateReadOnlyConnections()
        try database.close()
    }

    /// Gives the space of removed rows back, and removes what is left of them from the file.
    package func vacuum() async throws {
        switch execution {
        case .asynchronous: try await database.vacuum()
        case .inline: try vacuumInline()
        }
    }

    // GRDB has an overload for asynchronous callers with the same name. Only a synchronous function gets the other one.

    private func readInline<Value>(_ body: (Database) throws -> Value) throws -> Value { try database.read(body) }

    private func vacuumInline() throws { try database.vacuum() }

    private func writeInline<Value>(
        _ body: (Database) throws -> Value,
        _ publish: (Value, Database) -> Void
    ) throws -> Value {
        try database.writeWithoutTransaction { try commit(body, publish, in: $0) }
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
