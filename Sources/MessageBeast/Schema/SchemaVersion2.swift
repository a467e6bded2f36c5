internal import GRDB

/// The second schema.
///
/// It adds tokens of removed messages, ids of deleted messages, former temporary ids, owners of claims, files that sent
/// messages refer to, an R*Tree of places, and indexes of CJK text.
enum SchemaVersion2 {
    /// Fills the indexes of CJK text too, although the next migration replaces them: searches use them until the new
    /// index is filled.
    static func migrate(_ database: Database) throws {
        let indexes = LegacyCharacterIndex.all.map(\.creation)
        for sql in [tokens, owners, locations] + indexes { try database.execute(sql: sql) }
        for index in LegacyCharacterIndex.all { try index.fill(database) }
    }

    private static let tokens = """
        CREATE TABLE retired_token (
            token TEXT NOT NULL PRIMARY KEY,
            channel_id TEXT NOT NULL,
            likeness TEXT NOT NULL,
            claimed_ms INTEGER NOT NULL,
            id INTEGER,
            is_missing INTEGER NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE deleted_id (id INTEGER NOT NULL PRIMARY KEY);

        CREATE TABLE former_id (
            id TEXT NOT NULL PRIMARY KEY,
            local_id INTEGER NOT NULL REFERENCES message (local_id) ON DELETE CASCADE
        ) WITHOUT ROWID;
        CREATE INDEX former_id_message ON former_id (local_id);
        """

    private static let owners = """
        ALTER TABLE outbox ADD COLUMN owner TEXT;
        CREATE INDEX outbox_claim ON outbox (queue_seq) WHERE state = 'sending';
        ALTER TABLE pending_message_deletion ADD COLUMN owner TEXT;
        ALTER TABLE pending_file ADD COLUMN owner TEXT;
        ALTER TABLE pending_file ADD COLUMN is_referred INTEGER NOT NULL DEFAULT 0;
        """

    private static let locations = """
        CREATE VIRTUAL TABLE location_rtree USING rtree(
            local_id, min_latitude, max_latitude, min_longitude, max_longitude
        );
        INSERT INTO location_rtree SELECT local_id, latitude, latitude, longitude, longitude FROM location_instance;
        CREATE TRIGGER location_rtree_insert AFTER INSERT ON location_instance BEGIN
            INSERT INTO location_rtree
            VALUES (new.local_id, new.latitude, new.latitude, new.longitude, new.longitude);
        END;
        CREATE TRIGGER location_rtree_delete AFTER DELETE ON location_instance BEGIN
            DELETE FROM location_rtree WHERE local_id = old.local_id;
        END;
        CREATE TRIGGER location_rtree_update AFTER UPDATE OF latitude, longitude ON location_instance BEGIN
            UPDATE location_rtree
            SET min_latitude = new.latitude, max_latitude = new.latitude,
                min_longitude = new.longitude, max_longitude = new.longitude
            WHERE local_id = new.local_id;
        END;
        """
}
