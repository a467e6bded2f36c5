internal import GRDB

/// The ids of messages that this store deleted on the service or found to be missing there
/// (Docs/Protocols/MessageBeast.md §4.4).
///
/// A deleted message no longer has its token. Its id distinguishes it from a message whose outcome is unknown.
struct DeletedIDTable {
    let database: Database

    /// Removes the id of a message whose deletion was cancelled.
    func delete(_ id: String) throws {
        guard let number = Int64(id) else { return }
        try database.cachedStatement(sql: "DELETE FROM deleted_id WHERE id = ?").execute(arguments: [number])
    }

    /// Records the id of a message whose deletion is about to be sent. An id that is not a number does not belong to the
    /// service and is ignored.
    func insert(_ id: String) throws {
        guard let number = Int64(id) else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO deleted_id (id, is_missing) VALUES (?, 0) ON CONFLICT (id) DO UPDATE SET is_missing = 0
                """
        ).execute(arguments: [number])
    }

    /// Records the ids of the sent messages among stored messages that are missing on the service.
    func insert(messages localIDs: [Int64]) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO deleted_id (id, is_missing)
                SELECT sort_key, 1 FROM message WHERE local_id = ? AND kind = 'sent'
                """
        )
        for localID in localIDs { try statement.execute(arguments: [localID]) }
    }

    /// Records that the deletion of a message was given up: the service has the message, and it is not stored here.
    func giveUp(_ id: String) throws {
        guard let number = Int64(id) else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO deleted_id (id, is_missing) VALUES (?, 2) ON CONFLICT (id) DO UPDATE SET is_missing = 2
                """
        ).execute(arguments: [number])
    }

    /// Returns the messages among those with some ids that this store deleted on the service. A response that was made
    /// before may still contain them.
    ///
    /// Missing messages are not among them: if the service has one again, it is stored again.
    func deletedHere(among ids: [String]) throws -> Set<String> { try recorded(ids, where: "d.is_missing = 0") }

    /// Returns the messages among those with some ids that are not stored again: those that this store deleted on the
    /// service, and those whose deletion was given up.
    func hidden(among ids: [String]) throws -> Set<String> { try recorded(ids, where: "d.is_missing <> 1") }

    private func recorded(_ ids: [String], where condition: String) throws -> Set<String> {
        let statement = try database.cachedStatement(
            sql: """
                SELECT CAST(d.id AS TEXT) FROM json_each(?) AS list
                CROSS JOIN deleted_id AS d ON d.id = CAST(list.value AS INTEGER) WHERE \(condition)
                """
        )
        return try String.fetchSet(statement, arguments: [JSONList.text(ids)])
    }

    /// Returns whether an id is recorded.
    func contains(_ id: String) throws -> Bool {
        guard let number = Int64(id) else { return false }
        let statement = try database.cachedStatement(sql: "SELECT 1 FROM deleted_id WHERE id = ?")
        return try Int.fetchOne(statement, arguments: [number]) != nil
    }
}
