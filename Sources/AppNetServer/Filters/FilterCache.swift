internal import GRDB
internal import HeliumConcurrency
internal import HeliumJSON
internal import Synchronization

/// The decoded filters of app streams.
///
/// Decoding a long filter takes longer than making an event, and each event needs the filters of all streams. A decoded
/// filter is used only while the stored text is the same, which is compared at each use. It is therefore also right in
/// an older snapshot of the store, and no change has to be announced to the cache.
final class FilterCache: Sendable {
    /// The default maximum of the stored texts of all filters, in bytes. The filters of eight apps fit
    /// (``AppStreamTable/filterBytesOfApp``).
    static let maximumBytes = 8 * 1024 * 1024

    private struct Entry {
        let stored: FilterTable.StoredFilter
        /// The filter; `nil` for a text that is not one.
        let filter: FilterRecord?
    }

    private struct State {
        var entries: [Int64: Entry] = [:]
        var bytes = 0
        var decoded = 0

        mutating func remove(_ id: Int64) {
            if let entry = entries.removeValue(forKey: id) { bytes -= entry.stored.document.utf8.count }
        }
    }

    private let maximum: Int
    private let state = Guarded(State())

    /// - Parameter maximumBytes: The maximum of the stored texts of all filters, in bytes.
    init(maximumBytes: Int = FilterCache.maximumBytes) { maximum = maximumBytes }

    /// The stored texts of all filters, in bytes.
    var bytes: Int { state.withLock { $0.bytes } }

    /// The number of times that a filter was decoded.
    var decodedCount: Int { state.withLock { $0.decoded } }

    /// Returns a filter as it is in the snapshot of a transaction; `nil` if it does not exist or cannot be read.
    func filter(_ id: Int64, in table: FilterTable) throws -> FilterRecord? {
        guard let stored = try table.storedFilter(id) else {
            state.withLock { $0.remove(id) }
            return nil
        }
        if let known = state.withLock({ $0.entries[id] }), known.stored.hasSameBytes(as: stored) { return known.filter }
        let filter = stored.filter
        let bytes = stored.document.utf8.count
        state.withLock { state in
            state.decoded += 1
            state.remove(id)
            guard bytes <= maximum else { return }
            // Any of the others. Removing them in the order of their use would keep none if all together do not fit,
            // because all are used in turn.
            while state.bytes + bytes > maximum, let other = state.entries.keys.first { state.remove(other) }
            state.entries[id] = Entry(stored: stored, filter: filter)
            state.bytes += bytes
        }
        return filter
    }
}
