internal import GRDB

/// The third schema: full-text indexes of words that the engine folds and splits itself (``WordIndex``).
///
/// The migration only creates the new indexes, which takes milliseconds. ``IndexUpgrade`` fills them afterwards. A store
/// without messages and places has no old indexes to keep.
enum SchemaVersion3 {
    static let name = "messagebeast-3"

    static func migrate(_ database: Database) throws {
        var isEmpty = true
        for index in WordIndex.all {
            for table in index.legacy.tables {
                try database.execute(sql: "DROP TRIGGER \(table)_delete; DROP TRIGGER \(table)_update")
            }
            try database.execute(sql: index.creation)
            if try index.lastKey(database) > 0 { isEmpty = false }
        }
        let upgrade = IndexUpgrade(database: database)
        if isEmpty { try upgrade.removeOldIndexes() } else { try upgrade.begin() }
    }
}
