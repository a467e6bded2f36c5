internal import GRDB

/// An index of the pairs of CJK characters in a column (``CJKPairs``). Only texts with such characters have rows.
///
/// Code that inserts or changes text adds the row. Triggers remove it.
struct CJKIndex: Sendable {
    let name: String
    let table: String
    let key: String
    let column: String

    static let messages = Self(name: "message_cjk", table: "message", key: "local_id", column: "text")
    static let locations = Self(name: "location_cjk", table: "location_instance", key: "local_id", column: "name")
    static let places = Self(name: "place_cjk", table: "place", key: "key", column: "name")

    static let all = [messages, locations, places]

    /// The SQL that creates the index. The tokenizer splits only at ASCII separators.
    var creation: String {
        """
        CREATE VIRTUAL TABLE \(name) USING fts5(pairs, tokenize = 'ascii');
        CREATE TRIGGER \(name)_delete AFTER DELETE ON \(table) BEGIN
            DELETE FROM \(name) WHERE rowid = old.\(key);
        END;
        CREATE TRIGGER \(name)_update AFTER UPDATE OF \(column) ON \(table) WHEN old.\(column) IS NOT new.\(column) BEGIN
            DELETE FROM \(name) WHERE rowid = old.\(key);
        END;
        """
    }

    /// Inserts the row of a text, which must not exist yet.
    func insert(_ pairs: String, of rowID: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO \(name) (rowid, pairs) VALUES (?, ?)")
            .execute(arguments: [rowID, pairs])
    }

    func delete(of rowID: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM \(name) WHERE rowid = ?").execute(arguments: [rowID])
    }

    // MARK: All rows

    /// Inserts the rows of all texts into the empty index.
    func fill(_ database: Database) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT \(key), \(column) FROM \(table) WHERE \(column) IS NOT NULL"
        )
        while let row = try rows.next() {
            if let pairs = CJKPairs.indexed(row[1]) { try insert(pairs, of: row[0], in: database) }
        }
    }

    /// Deletes and refills the index.
    func rebuild(_ database: Database) throws {
        try database.execute(sql: "DELETE FROM \(name)")
        try fill(database)
    }

    /// Returns whether the index has exactly the rows that its table requires.
    func matchesTable(_ database: Database) throws -> Bool {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT t.\(column), i.pairs FROM \(table) AS t LEFT JOIN \(name) AS i ON i.rowid = t.\(key)
                WHERE t.\(column) IS NOT NULL OR i.pairs IS NOT NULL
                """
        )
        while let row = try rows.next() {
            guard (row[0] as String?).flatMap(CJKPairs.indexed) == row[1] as String? else { return false }
        }
        let orphan = try Int.fetchOne(
            database,
            sql: "SELECT 1 FROM \(name) WHERE rowid NOT IN (SELECT \(key) FROM \(table)) LIMIT 1"
        )
        return orphan == nil
    }
}
