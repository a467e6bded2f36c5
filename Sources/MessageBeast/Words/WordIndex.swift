internal import GRDB

/// A full-text index of a column. It contains the folded words of each text (``IndexedText``).
///
/// Code that inserts or changes text adds the row. Triggers remove it.
struct WordIndex: Sendable {
    let name: String
    let table: String
    let key: String
    let column: String
    /// The indexes of the schemas before 3: one of SQLite's words, and one of pairs of CJK characters.
    let legacy: LegacyIndexes

    static let messages = Self(
        name: "message_words",
        table: "message",
        key: "local_id",
        column: "text",
        legacy: LegacyIndexes(words: "message_fts", characters: "message_cjk")
    )
    static let locations = Self(
        name: "location_words",
        table: "location_instance",
        key: "local_id",
        column: "name",
        legacy: LegacyIndexes(words: "location_fts", characters: "location_cjk")
    )
    static let places = Self(
        name: "place_words",
        table: "place",
        key: "key",
        column: "name",
        legacy: LegacyIndexes(words: "place_fts", characters: "place_cjk")
    )

    static let all = [messages, locations, places]

    /// The SQL that creates the index and its triggers.
    var creation: String {
        """
        \(tableCreation);
        CREATE TRIGGER \(name)_delete AFTER DELETE ON \(table) BEGIN
            DELETE FROM \(name) WHERE rowid = old.\(key);
        END;
        CREATE TRIGGER \(name)_update AFTER UPDATE OF \(column) ON \(table) WHEN old.\(column) IS NOT new.\(column) BEGIN
            DELETE FROM \(name) WHERE rowid = old.\(key);
        END;
        """
    }

    /// The tokenizer splits only at ASCII separators. The column has a name that patterns can use.
    private var tableCreation: String { "CREATE VIRTUAL TABLE \(name) USING fts5(\(column), tokenize = 'ascii')" }

    /// Inserts the row of a text, which must not exist yet.
    func insert(_ words: String, of rowID: Int64, in database: Database) throws {
        try insertion(in: database).execute(arguments: [rowID, words])
    }

    /// Inserts the rows of texts, which must not exist yet.
    func insert(_ rows: [(rowID: Int64, words: String)], in database: Database) throws {
        if rows.isEmpty { return }
        // Finding the statement takes as long as binding several values.
        let insertion = try insertion(in: database)
        for (rowID, words) in rows { try insertion.execute(arguments: [rowID, words]) }
    }

    private func insertion(in database: Database) throws -> Statement {
        try database.cachedStatement(sql: "INSERT INTO \(name) (rowid, \(column)) VALUES (?, ?)")
    }

    /// Inserts the row of a text unless it exists. A row that exists has the words of the current text, because a
    /// change of the text removes it.
    func insertIfMissing(_ words: String, of rowID: Int64, in database: Database) throws {
        let statement = try database.cachedStatement(sql: "SELECT 1 FROM \(name)_docsize WHERE id = ?")
        guard try Int.fetchOne(statement, arguments: [rowID]) == nil else { return }
        try insert(words, of: rowID, in: database)
    }

    // MARK: All rows

    /// Inserts the missing rows of the next texts.
    ///
    /// - Parameter position: The key after which the texts begin.
    /// - Returns: The key of the last text; `nil` if no texts remain.
    func fill(after position: Int64, count: Int, in database: Database) throws -> Int64? {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: "SELECT \(key), \(column) FROM \(table) WHERE \(key) > ? ORDER BY \(key) LIMIT ?"
            ),
            arguments: [position, count]
        )
        var last: Int64?
        while let row = try rows.next() {
            let rowID: Int64 = row[0]
            last = rowID
            guard let text = row[1] as String? else { continue }
            try insertIfMissing(IndexedText.words(of: text), of: rowID, in: database)
        }
        return last
    }

    /// Makes the index again from its table.
    func rebuild(_ database: Database) throws {
        // SQLite would read every row to delete it.
        try database.execute(sql: "DROP TABLE \(name); \(tableCreation)")
        var position: Int64 = .min
        while let last = try fill(after: position, count: 1000, in: database) { position = last }
    }

    /// Removes all words from the index of an empty table.
    ///
    /// Deleting a row only marks its words as deleted. They remain in the index until SQLite merges its segments.
    func clear(_ database: Database) throws {
        try database.execute(sql: "INSERT INTO \(name) (\(name)) VALUES ('rebuild')")
    }

    /// Returns the highest key of the table; 0 if it is empty.
    func lastKey(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT max(\(key)) FROM \(table)") ?? 0
    }
}

/// The indexes of a column in the schemas before 3.
///
/// They remain while the new index is filled (``IndexUpgrade``), but no row is added, changed or removed. Until then they
/// find the rows that are not in the new index yet.
struct LegacyIndexes: Sendable {
    let words: String
    let characters: String

    var tables: [String] { [words, characters] }
}

extension Database {
    /// Returns whether a table exists in this snapshot. GRDB's own check uses a cache that misses changes by other
    /// processes.
    func hasTable(_ name: String) throws -> Bool {
        let statement = try cachedStatement(sql: "SELECT 1 FROM sqlite_master WHERE name = ? AND type = 'table'")
        return try Int.fetchOne(statement, arguments: [name]) != nil
    }
}
