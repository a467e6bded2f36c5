internal import GRDB

extension Rederivation {
    /// Derives the rows of selected messages again.
    func derive(_ localIDs: [Int64], in database: Database) throws {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT m.local_id, m.channel_id, m.created_ms, m.json
                    FROM json_each(?) AS list CROSS JOIN message AS m ON m.local_id = list.value ORDER BY m.local_id
                    """
            ),
            arguments: [JSONList.text(localIDs)]
        )
        var tables: [String: DerivedRows] = [:]
        for row in rows { try derive(row, &tables, in: database) }
    }
}
