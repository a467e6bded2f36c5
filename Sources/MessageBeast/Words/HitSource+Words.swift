internal import GRDB

extension HitSource {
    /// Creates the source for the rows of an index that match a query.
    ///
    /// While the index is being filled, the old indexes find the rows that are not in it yet (``IndexUpgrade``). A store
    /// that is only read may have no other indexes than the old ones.
    init(_ index: WordIndex, _ query: WordQuery, in database: Database) throws {
        let current = Self(fullText: index.name, query.pattern)
        let state = try IndexUpgrade(database: database).state()
        let legacy = state == .new ? nil : try Self(index.legacy, query, in: database)
        guard state != .old else {
            self = legacy ?? current
            return
        }
        guard let legacy, let rank = legacy.rank else {
            self = current
            return
        }
        // Rows that were changed since are in the new index, and rows without text are in no index.
        let table = """
            (SELECT rowid AS id, rank FROM \(index.name) WHERE \(current.condition)
            UNION ALL SELECT \(legacy.localID), \(rank) FROM \(legacy.table) WHERE \(legacy.condition)
                AND NOT EXISTS (SELECT 1 FROM \(index.name)_docsize WHERE id = \(legacy.localID))
                AND EXISTS (
                    SELECT 1 FROM \(index.table) AS base
                    WHERE base.\(index.key) = \(legacy.localID) AND base.\(index.column) IS NOT NULL
                )
            ) AS hits
            """
        self.init(
            table: table,
            localID: "hits.id",
            condition: "hits.id IS NOT NULL",
            arguments: current.arguments + legacy.arguments,
            rank: "hits.rank"
        )
    }

    /// Creates the source for the rows of the old indexes that match a query; `nil` if they were removed.
    private init?(_ legacy: LegacyIndexes, _ query: WordQuery, in database: Database) throws {
        // The index of words is removed first, when all rows are in the new index.
        guard try database.hasTable(legacy.words) else { return nil }
        switch (query.legacyWords, query.legacyCharacters) {
        case (let words?, let characters?):
            self.init(fullText: legacy.words, words)
            condition +=
                " AND \(localID) IN (SELECT rowid FROM \(legacy.characters) WHERE \(legacy.characters) MATCH ?)"
            arguments += [characters]
        case (let words?, nil): self.init(fullText: legacy.words, words)
        case (nil, let characters?): self.init(fullText: legacy.characters, characters)
        case (nil, nil): return nil
        }
    }

    private init(fullText table: String, _ pattern: String) {
        self.init(
            table: table,
            localID: "\(table).rowid",
            condition: "\(table) MATCH ?",
            arguments: [pattern],
            rank: "\(table).rank"
        )
    }
}
