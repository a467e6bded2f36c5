internal import GRDB
internal import HeliumConcurrency
internal import HeliumJSON
internal import HeliumServerKit
internal import Synchronization

/// The decoded keys that writes have needed: those of triggers and of live subscriptions.
///
/// A key can have a thousand resources, and a write can need a thousand keys. Decoding them takes seconds, during which
/// no other write runs. The cache is therefore kept from write to write.
///
/// Only the connection that writes uses it (``CachedKeys``), so that it cannot get the state of an older snapshot. Every
/// change of the table goes through ``KeyWriter``, which removes the key here at once. A key that the current
/// transaction has changed is not stored until the transaction has ended, because it could still be rolled back.
final class KeyCache: Sendable {
    /// The default maximum of the memory of all keys, in bytes.
    static let maximumBytes = 64 * 1024 * 1024

    private struct Entry {
        let key: AccessKey
        let bytes: Int
        var lastPass: UInt64
    }

    private struct State {
        var entries: [ByteText: Entry] = [:]
        var bytes = 0
        /// The keys that the current transaction has changed.
        var changed: Set<ByteText> = []
        var pass: UInt64 = 0

        mutating func remove(_ secret: ByteText) {
            if let entry = entries.removeValue(forKey: secret) { bytes -= entry.bytes }
        }
    }

    private let maximum: Int
    private let state = Guarded(State())

    /// - Parameter maximumBytes: The maximum of the memory of all keys, in bytes.
    init(maximumBytes: Int = KeyCache.maximumBytes) { maximum = maximumBytes }

    /// The memory of all keys, in bytes.
    var bytes: Int { state.withLock { $0.bytes } }

    /// Returns the number of a pass over keys: a write, or the publishing of one.
    func beginPass() -> UInt64 {
        state.withLock { state in
            state.pass += 1
            return state.pass
        }
    }

    /// Returns a key; `nil` if the cache does not have it.
    func key(_ secret: ByteText, in pass: UInt64) -> AccessKey? {
        state.withLock { state in
            state.entries[secret]?.lastPass = pass
            return state.entries[secret]?.key
        }
    }

    /// Stores a key that was read from the table.
    ///
    /// If the cache is full, it removes the keys that the current pass has not used. It does not remove the others, so
    /// that a pass over more keys than fit finds some of them the next time.
    func add(_ key: AccessKey, in pass: UInt64) {
        let secret = ByteText(key.secret)
        let bytes = key.memoryBytes
        guard bytes <= maximum else { return }
        state.withLock { state in
            guard !state.changed.contains(secret) else { return }
            state.remove(secret)
            if state.bytes + bytes > maximum {
                state.entries = state.entries.filter { $0.value.lastPass == pass }
                state.bytes = state.entries.values.reduce(0) { $0 + $1.bytes }
            }
            guard state.bytes + bytes <= maximum else { return }
            state.entries[secret] = Entry(key: key, bytes: bytes, lastPass: pass)
            state.bytes += bytes
        }
    }

    /// Removes a key that the current transaction changes or deletes.
    func forget(_ secret: String, in database: Database) {
        state.withLock { state in
            state.remove(ByteText(secret))
            state.changed.insert(ByteText(secret))
        }
        database.afterNextTransaction { [self] _ in
            endTransaction()
        } onRollback: { [self] _ in
            endTransaction()
        }
    }

    private func endTransaction() { state.withLock { $0.changed = [] } }
}

extension AccessKey {
    /// The memory of the decoded key in bytes, approximately.
    var memoryBytes: Int {
        MemoryLayout<Self>.stride + Self.bytes(of: secret) + Self.bytes(of: owner) + Self.bytes(of: label)
            + permissions.reduce(0) { $0 + $1.memoryBytes }
    }

    /// A text of up to 15 bytes is stored without memory of its own. Counting it does no harm.
    fileprivate static func bytes(of text: String?) -> Int { text.map { $0.utf8.count + 32 } ?? 0 }
}

extension AccessPermission {
    fileprivate var memoryBytes: Int {
        // The set of methods has memory of its own.
        MemoryLayout<Self>.stride + 128 + AccessKey.bytes(of: label) + AccessKey.bytes(of: referer)
            + AccessKey.bytes(of: sourceAddress)
            + resources.reduce(0) { $0 + MemoryLayout<AccessResource>.stride + AccessKey.bytes(of: $1.datastream) }
    }
}
