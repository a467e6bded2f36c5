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

    /// The connections of the database.
    package let database: any DatabaseWriter
    private let execution: Execution

    package init(_ database: any DatabaseWriter, _ execution: Execution = .asynchronous) {
        self.database = database
        self.execution = execution
    }

    /// Runs `body` on a state of the database in which no write is partly done.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
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
        switch execution {
        case .asynchronous:
            try await withCheckedThrowingContinuation { continuation in
                database.asyncWriteWithoutTransaction { database in
                    continuation.resume(with: Result { try Self.commit(body, publish, in: database) })
                }
            }
        case .inline: try writeInline(body, publish)
        }
    }

    // GRDB has an overload for asynchronous callers with the same name. Only a synchronous function gets the other one.

    private func readInline<Value>(_ body: (Database) throws -> Value) throws -> Value { try database.read(body) }

    private func writeInline<Value>(
        _ body: (Database) throws -> Value,
        _ publish: (Value, Database) -> Void
    ) throws -> Value {
        try database.writeWithoutTransaction { try Self.commit(body, publish, in: $0) }
    }

    private static func commit<Value>(
        _ body: (Database) throws -> Value,
        _ publish: (Value, Database) -> Void,
        in database: Database
    ) throws -> Value {
        var value: Value?
        try database.inTransaction(.immediate) {
            value = try body(database)
            return .commit
        }
        guard let value else { throw CancellationError() }
        publish(value, database)
        return value
    }
}
