internal import GRDB

/// The second schema: tokens of removed messages, owners of claims, an R*Tree of places, and an index of CJK text.
enum SchemaVersion2 {
    static func migrate(_ database: Database) throws {
        for sql in [tokens, owners, locations, characters] { try database.execute(sql: sql) }
        let rows = try Row.fetchCursor(database, sql: "SELECT local_id, text FROM message WHERE text IS NOT NULL")
        let insertion = try database.makeStatement(sql: "INSERT INTO message_cjk (rowid, pairs) VALUES (?, ?)")
        while let row = try rows.next() {
            guard let pairs = CJKPairs.indexed(row[1] as String) else { continue }
            try insertion.execute(arguments: [row[0] as Int64, pairs])
        }
    }

    private static let tokens = """
        CREATE TABLE retired_token (
            token TEXT NOT NULL PRIMARY KEY,
            channel_id TEXT NOT NULL,
            likeness TEXT NOT NULL,
            claimed_ms INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    private static let owners = """
        ALTER TABLE outbox ADD COLUMN owner TEXT;
        ALTER TABLE pending_message_deletion ADD COLUMN owner TEXT;
        ALTER TABLE pending_file ADD COLUMN owner TEXT;
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

    /// Rows with CJK text only. The tokenizer splits at ASCII separators alone.
    private static let characters = """
        CREATE VIRTUAL TABLE message_cjk USING fts5(pairs, tokenize = 'ascii');
        CREATE TRIGGER message_cjk_delete AFTER DELETE ON message BEGIN
            DELETE FROM message_cjk WHERE rowid = old.local_id;
        END;
        CREATE TRIGGER message_cjk_update AFTER UPDATE OF text ON message WHEN old.text IS NOT new.text BEGIN
            DELETE FROM message_cjk WHERE rowid = old.local_id;
        END;
        """
}
