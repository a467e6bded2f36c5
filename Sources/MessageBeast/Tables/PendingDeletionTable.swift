internal import GRDB

/// The messages that are deleted here but not yet on the service.
struct PendingDeletionTable {
    let database: Database

    /// Returns the ids among `ids` whose deletion is pending. A channel without deletions costs one step.
    func pending(among ids: [String], in channel: String) throws -> Set<String> {
        let any = try database.cachedStatement(
            sql: "SELECT 1 FROM pending_message_deletion WHERE channel_id = ? LIMIT 1"
        )
        guard try Int.fetchOne(any, arguments: [channel]) != nil else { return [] }
        return try String.fetchSet(
            database.cachedStatement(
                sql:
                    "SELECT message_id FROM pending_message_deletion WHERE message_id IN (SELECT value FROM json_each(?))"
            ),
            arguments: [JSONList.text(ids)]
        )
    }
}
