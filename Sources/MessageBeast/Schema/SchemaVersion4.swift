internal import GRDB

/// The fourth schema: the cells of the geocoder's queue, and whether a deleted message was deleted here.
///
/// It also corrects rows that earlier versions derived wrongly. ``StoreCheck`` finds the same rows.
enum SchemaVersion4 {
    static let name = "messagebeast-4"

    static func migrate(_ database: Database) throws {
        try database.execute(sql: schema)
        try GeocodeCells(database: database).correct()
        try database.execute(sql: actions)
        try database.execute(sql: places)
        // Sent messages with newer names did not replace these places, so the next start derives all rows again.
        if database.changesCount > 0 {
            try database.execute(sql: "DELETE FROM meta WHERE key = 'configuration_fingerprint'")
        }
    }

    /// A deletion whose reason is not recorded does not prevent that the message is stored again.
    private static let schema = """
        ALTER TABLE geocode_queue ADD COLUMN lat_key INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE geocode_queue ADD COLUMN lon_key INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX geocode_queue_cell ON geocode_queue (lat_key, lon_key);
        ALTER TABLE deleted_id ADD COLUMN is_missing INTEGER NOT NULL DEFAULT 1;
        """

    /// Deriving all rows again put the actions of cancelled messages back on.
    private static let actions =
        "DELETE FROM action_spec WHERE action_local_id IN (SELECT local_id FROM message WHERE hidden <> 0)"

    /// A place from an unsent message kept the key of the unsent message, above those of all sent ones.
    private static let places = """
        UPDATE place SET sort_key = sort_key - 4611686018427387904 - 9223372036854775807 - 1
        WHERE sort_key >= 4611686018427387904
        """
}
