internal import GRDB
internal import HeliumServerKit

/// A full-text index of SQLite (FTS5). It contains the terms of each object of a kind, with the object's id as the row
/// id.
///
/// The index finds the objects that may match a search, so that no other objects are read. ``SearchCriteria`` decides
/// whether an object matches, and computes its score. Tables update the index in the transaction that writes the
/// object.
struct SearchIndex {
    /// The kinds of indexed objects. The index contains only objects that searches can find and that are not deleted.
    enum Kind: String, CaseIterable, Sendable {
        case post, message, channel, poll
    }

    private let database: Database
    private let table: String
    private let indexed: String

    init(_ kind: Kind, _ database: Database) {
        self.database = database
        table = "appnet_\(kind.rawValue)_search"
        indexed = "appnet_\(kind.rawValue)"
    }

    /// Stores the terms of an object. They replace the previous terms.
    func set(_ terms: SearchTerms, of id: Int64) throws {
        guard !terms.isEmpty else { return try remove(id) }
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO \(table) (rowid, terms) VALUES (?, ?)")
            .execute(arguments: [id, terms.text])
    }

    func remove(_ id: Int64) throws {
        try database.cachedStatement(sql: "DELETE FROM \(table) WHERE rowid = ?").execute(arguments: [id])
    }

    /// Returns the objects with certain terms in a window of their ids.
    ///
    /// - Parameter condition: A further condition on the rows, which must be a literal in the source.
    func objects<Record: FetchableRecord & TableRecord>(
        matching terms: SearchExpression,
        where condition: String = "1 = 1",
        _ window: PageWindow
    ) throws -> [Record] {
        // The index is the outer loop of the join and determines the order.
        try Record.fetchAll(database, [terms.text], window) { window in
            """
            SELECT \(indexed).* FROM (SELECT rowid AS found FROM \(table) WHERE \(table) MATCH ?)
            CROSS JOIN \(indexed) ON \(indexed).id = found WHERE \(condition)\(window.sql("found"))
            """
        }
    }

    /// Returns a condition on rows of the indexed table that matches objects with certain terms.
    func condition(_ terms: SearchExpression) -> (sql: String, arguments: StatementArguments) {
        ("id IN (SELECT rowid FROM \(table) WHERE \(table) MATCH ?)", [terms.text])
    }
}

extension SearchIndex {
    /// Creates the index of a kind. ``SearchTerms`` creates the terms, which are separated only by spaces. The index
    /// stores no positions, because phrases and occurrences are counted in the objects.
    private func create() throws {
        try database.execute(
            sql: """
                CREATE VIRTUAL TABLE \(table)
                USING fts5(terms, detail=none, columnsize=0, tokenize="ascii tokenchars '_#@/'")
                """
        )
    }

    /// Creates the indexes of posts, messages and channels, and fills them with the existing objects.
    static func createTables(_ database: Database) throws {
        for kind in [Kind.post, .message, .channel] { try Self(kind, database).create() }
        func text(_ row: Row) throws -> ProcessedText {
            ProcessedText(text: row["text"], entities: try row.json(Column("entities")))
        }
        try Self(.post, database).fill(where: "text IS NOT NULL AND repost_of IS NULL AND NOT is_deleted") {
            SearchTerms(try text($0))
        }
        try Self(.message, database).fill(where: "text IS NOT NULL AND NOT is_deleted") {
            SearchTerms(try text($0), channel: $0["channel"])
        }
        try Self(.channel, database).fill { SearchTerms(annotations: try $0.json(Column("annotations"))) }
    }

    /// Creates the index of polls and fills it with the existing polls.
    static func createPollTable(_ database: Database) throws {
        try Self(.poll, database).create()
        try Self(.poll, database).fill { SearchTerms(ProcessedText(text: $0["prompt"])) }
    }

    private func fill(where condition: String = "1 = 1", _ terms: (Row) throws -> SearchTerms) throws {
        let rows = try Row.fetchCursor(database, sql: "SELECT * FROM \(indexed) WHERE \(condition)")
        while let row = try rows.next() {
            // An object that cannot be read is not found. It must not stop the migration, and with it the start.
            guard let terms = try? terms(row) else { continue }
            try set(terms, of: row["id"])
        }
    }
}
