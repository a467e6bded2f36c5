internal import GRDB

/// The ids of messages that this store deleted on the service or found to be missing there
/// (Docs/Protocols/MessageBeast.md §4.4).
///
/// A deleted message no longer has its token. Its id distinguishes it from a message whose outcome is unknown.
struct DeletedIDTable {
    let database: Database

    /// Records an id. An id that is not a number does not belong to the service and is ignored.
    func insert(_ id: String) throws {
        guard let number = Int64(id) else { return }
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO deleted_id (id) VALUES (?)")
            .execute(arguments: [number])
    }

    /// Records the ids of the sent messages among stored messages.
    func insert(messages localIDs: [Int64]) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO deleted_id (id)
                SELECT sort_key FROM message WHERE local_id = ? AND kind = 'sent'
                """
        )
        for localID in localIDs { try statement.execute(arguments: [localID]) }
    }

    /// Returns whether an id is recorded.
    func contains(_ id: String) throws -> Bool {
        guard let number = Int64(id) else { return false }
        let statement = try database.cachedStatement(sql: "SELECT 1 FROM deleted_id WHERE id = ?")
        return try Int.fetchOne(statement, arguments: [number]) != nil
    }
}
