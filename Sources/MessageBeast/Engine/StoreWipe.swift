internal import GRDB
internal import HeliumDatabase

/// Empties the store of an account.
struct StoreWipe: Sendable {
    let context: EngineContext
    let owners: any ClaimOwners

    /// The tables. A table that refers to another precedes it.
    static let tables = [
        "outbox", "pending_file_attachment", "pending_file", "pending_message_deletion", "pending_file_deletion",
        "action_spec", "geocode_queue", "geolocation", "place", "message", "channel", "retired_token",
        "deleted_id",
    ]

    func run() async throws {
        let term = try context.life.term()
        try await context.write(term) { database in
            for table in Self.tables { try database.execute(sql: "DELETE FROM \(table)") }
            try StoreCheck(database: database).clearTextIndexes()
            // Local ids are not reused after a wipe: the host may still hold some.
            try database.execute(
                sql: """
                    DELETE FROM meta WHERE key NOT IN ('account_id', 'service_origin', 'configuration_fingerprint')
                    """
            )
        }
        try await StagedCollection(context: context, owners: owners).run()
        do {
            // Without this, the pages of the file and its log keep the removed data.
            try await context.database.access.vacuum()
        } catch {
            throw MessageBeastError.translated(error)
        }
    }
}
