package import GRDB
package import HeliumConcurrency
package import HeliumCore
package import HeliumDatabase

/// A store that reads with its share of the readers of a database.
///
/// All protocols share the readers of one database. Without the limit, slow reads of one protocol could occupy all of
/// them.
package protocol SharedReaders: Sendable {
    var access: DatabaseAccess { get }
    /// Limits the number of simultaneous reads to ``ServerDatabase/readsPerProtocol``.
    var reads: AsyncLock { get }
}

extension SharedReaders {
    /// Runs `body` on a consistent state of the store, in which no write is partly done.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await reads.withLock { try await access.read(body) }
    }
}

/// The records of a protocol in SQLite, in a file that survives restarts or in memory. Both use the same statements.
///
/// Writes run one after the other, each in its own transaction. A limited part of the pushes and triggers of a write
/// happens before the next write, and the rest in the same order later, so that watchers see changes in the order of the
/// writes.
package protocol OrderedStore: SharedReaders {
    /// The source of secrets that are stored.
    var random: RandomSource { get }
}

extension OrderedStore {
    /// Runs `body` in a transaction, then `publish`. No other write runs in between.
    ///
    /// The transaction is rolled back if `body` throws. Cancelling the task does not end the write, because a committed
    /// change must be published.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value,
        publish: @escaping @Sendable (Value, Database) -> Void
    ) async throws -> Value {
        try await access.write(body, publish: publish)
    }

    /// Returns a new secret that cannot be guessed: 48 hexadecimal digits.
    package func newSecret() -> String { random.secret() }
}
