internal import GRDB

/// An index of the pairs of CJK characters in a column, which schema 2 created and schema 3 replaces with ``WordIndex``.
struct LegacyCharacterIndex: Sendable {
    let name: String
    let table: String
    let key: String
    let column: String

    static let all = WordIndex.all.map { index in
        Self(name: index.legacy.characters, table: index.table, key: index.key, column: index.column)
    }

    /// The SQL that creates the index. A released migration never changes.
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

    /// Inserts the rows of all texts into the empty index. Only texts with CJK characters have rows.
    func fill(_ database: Database) throws {
        let insertion = try database.cachedStatement(sql: "INSERT INTO \(name) (rowid, pairs) VALUES (?, ?)")
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT \(key), \(column) FROM \(table) WHERE \(column) IS NOT NULL"
        )
        while let row = try rows.next() {
            guard let pairs = LegacyCharacterPairs.indexed(row[1]) else { continue }
            try insertion.execute(arguments: [row[0] as Int64, pairs])
        }
    }
}
