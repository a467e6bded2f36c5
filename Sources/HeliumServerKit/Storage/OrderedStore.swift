package import GRDB
package import HeliumConcurrency
package import HeliumCore
package import HeliumDatabase

/// Everything that a protocol keeps, in SQLite: a file that survives restarts, or memory. Both run the same statements.
///
/// Writes run one after the other, each in a transaction of its own; what happens after one (pushes, triggers) happens
/// before the next, so that watchers see changes in the order of the writes.
package protocol OrderedStore: Sendable {
    var access: DatabaseAccess { get }
    /// Limits the reads that are in progress at the same time. All protocols share the readers of one database: without the
    /// limit the slow reads of one would take them all.
    var reads: AsyncLock { get }
    /// The source of the secrets that are stored.
    var random: RandomSource { get }
}

extension OrderedStore {
    /// Runs `body` on a state of the store in which no write is half done.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await reads.withLock { try await access.read(body) }
    }

    /// Runs `body` in a transaction, which is rolled back where it throws, then `publish`, before any other write.
    ///
    /// Cancelling the task does not end it: what is committed has to be published.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value,
        publish: @escaping @Sendable (Value, Database) -> Void
    ) async throws -> Value {
        try await access.write(body, publish: publish)
    }

    /// A secret that cannot be guessed: 48 hexadecimal digits.
    package func newSecret() -> String { random.secret() }
}
