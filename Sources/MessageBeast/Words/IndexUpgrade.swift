internal import GRDB

/// The progress of the upgrade of a store to the indexes of this version.
public struct UpgradeProgress: Sendable, Hashable {
    /// The number of rows whose words are in the new indexes. It is an estimate while rows were deleted.
    public let completedRows: Int64
    /// The number of all rows.
    public let totalRows: Int64
    /// Whether the old indexes were removed.
    public let isComplete: Bool
}

/// Fills the full-text indexes of an older store in steps, each in one transaction, and then removes the old indexes.
///
/// An interrupted upgrade continues at the stored position. Several engines may take steps at the same time. Searches
/// use both indexes in the meantime (``HitSource``), and all writes go to the new index.
struct IndexUpgrade {
    let database: Database

    /// The indexes that a store has.
    enum State {
        /// Those of schema 2.
        case old
        /// Old and new ones.
        case both
        /// Those of this version.
        case new
    }

    /// Returns the state of the upgrade. Every search reads it, so it costs two look-ups by key.
    func state() throws -> State {
        if try MetaTable(database: database).value(.indexUpgrade) != nil { return .both }
        let migrated = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM grdb_migrations WHERE identifier = ?"),
            arguments: [SchemaVersion3.name]
        )
        return migrated == nil ? .old : .new
    }

    /// Returns whether the store has old indexes.
    func isNeeded() throws -> Bool { try state() != .new }

    /// Records that the old indexes have rows that the new ones lack.
    func begin() throws { try MetaTable(database: database).set(.indexUpgrade, Self.unstarted) }

    /// The stored position before the first row of an index.
    private static let unstarted = "unstarted"

    /// Indexes the next texts, or removes an old index whose texts are in the new one.
    ///
    /// - Returns: The progress; `nil` if there was nothing to do.
    func step(count: Int = 500) throws -> UpgradeProgress? {
        guard try isNeeded() else { return nil }
        let meta = MetaTable(database: database)
        let lastKeys = try WordIndex.all.map { try $0.lastKey(database) }
        let total = lastKeys.reduce(0, +)
        var completed: Int64 = 0
        for (index, lastKey) in zip(WordIndex.all, lastKeys) {
            let legacy = try index.legacy.tables.filter { try database.hasTable($0) }
            defer { completed += lastKey }
            guard let first = legacy.first else { continue }
            let position = Self.position(try meta.value(.indexUpgrade), of: index)
            if let last = try index.fill(after: position, count: count, in: database) {
                try meta.set(.indexUpgrade, "\(index.name) \(last)")
                return UpgradeProgress(completedRows: completed + last, totalRows: max(total, last), isComplete: false)
            }
            try database.execute(sql: "DROP TABLE \(first)")
            let isComplete = legacy.count == 1 && index.name == WordIndex.all.last?.name
            // The position remains until the last table of the index is removed.
            if legacy.count == 1 { try meta.set(.indexUpgrade, isComplete ? nil : Self.unstarted) }
            return UpgradeProgress(
                completedRows: isComplete ? total : completed + lastKey,
                totalRows: total,
                isComplete: isComplete
            )
        }
        try meta.set(.indexUpgrade, nil)
        return nil
    }

    /// Removes the old indexes of a store whose new indexes are complete.
    func removeOldIndexes() throws {
        for table in WordIndex.all.flatMap(\.legacy.tables) {
            try database.execute(sql: "DROP TABLE IF EXISTS \(table)")
        }
        try MetaTable(database: database).set(.indexUpgrade, nil)
    }

    /// Returns the key of the last text that is in the new index.
    private static func position(_ text: String?, of index: WordIndex) -> Int64 {
        guard let text, let space = text.lastIndex(of: " "), text[..<space] == index.name else { return .min }
        return Int64(text[text.index(after: space)...]) ?? .min
    }
}
