internal import GRDB

/// The first schema. All times are milliseconds since 1970, UTC.
enum SchemaVersion1 {
    static func create(_ database: Database) throws {
        for sql in [messages, derived, outbox, files, fullText] { try database.execute(sql: sql) }
    }

    /// Channels and messages. Columns that every look-up reads precede large ones.
    private static let messages = """
        CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

        CREATE TABLE channel (
            id TEXT NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind IN ('private', 'action')),
            type TEXT NOT NULL,
            action_type TEXT,
            target_channel_id TEXT,
            json TEXT NOT NULL,
            query_params_json TEXT NOT NULL,
            full_sync_state INTEGER NOT NULL DEFAULT 0 CHECK (full_sync_state IN (0, 1, 2)),
            backfill_cursor INTEGER,
            newest_cursor INTEGER,
            last_reconciled_ms INTEGER
        );
        CREATE UNIQUE INDEX channel_private ON channel (type) WHERE kind = 'private';
        CREATE UNIQUE INDEX channel_action ON channel (action_type, target_channel_id) WHERE kind = 'action';

        CREATE TABLE message (
            local_id INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            channel_id TEXT NOT NULL REFERENCES channel (id),
            display_date_ms INTEGER NOT NULL,
            sort_key INTEGER NOT NULL,
            created_ms INTEGER NOT NULL,
            kind TEXT NOT NULL,
            hidden INTEGER NOT NULL DEFAULT 0,
            client_token TEXT,
            json_version INTEGER NOT NULL,
            text TEXT,
            json TEXT NOT NULL
        );
        CREATE INDEX message_list ON message (channel_id, hidden, display_date_ms DESC, sort_key DESC);
        CREATE INDEX message_sequence ON message (channel_id, sort_key);
        CREATE UNIQUE INDEX message_token ON message (client_token) WHERE client_token IS NOT NULL;
        """

    /// Rows derived from messages. They do not copy dates or channels, which could differ from those of the message.
    private static let derived = """
        CREATE TABLE hashtag_instance (
            folded TEXT NOT NULL,
            local_id INTEGER NOT NULL REFERENCES message (local_id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            PRIMARY KEY (folded, local_id)
        ) WITHOUT ROWID;
        CREATE INDEX hashtag_message ON hashtag_instance (local_id);

        CREATE TABLE annotation_instance (
            type TEXT NOT NULL,
            local_id INTEGER NOT NULL REFERENCES message (local_id) ON DELETE CASCADE,
            count INTEGER NOT NULL,
            PRIMARY KEY (type, local_id)
        ) WITHOUT ROWID;
        CREATE INDEX annotation_message ON annotation_instance (local_id);

        CREATE TABLE location_instance (
            local_id INTEGER PRIMARY KEY REFERENCES message (local_id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            short_name TEXT,
            factual_id TEXT,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            source TEXT NOT NULL
        );
        CREATE INDEX location_name ON location_instance (name);

        CREATE TABLE geolocation (
            lat_key INTEGER NOT NULL,
            lon_key INTEGER NOT NULL,
            locality TEXT,
            sub_locality TEXT,
            fetched_ms INTEGER NOT NULL,
            failed_until_ms INTEGER,
            PRIMARY KEY (lat_key, lon_key)
        ) WITHOUT ROWID;

        CREATE TABLE geocode_queue (
            local_id INTEGER PRIMARY KEY REFERENCES message (local_id) ON DELETE CASCADE,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            next_attempt_ms INTEGER NOT NULL DEFAULT 0
        );

        CREATE TABLE place (
            key INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            lat_key INTEGER NOT NULL,
            lon_key INTEGER NOT NULL,
            is_custom INTEGER NOT NULL,
            sort_key INTEGER NOT NULL,
            json TEXT NOT NULL
        );
        CREATE INDEX place_name ON place (name);
        CREATE INDEX place_keys ON place (lat_key, lon_key);

        CREATE TABLE action_spec (
            action_local_id INTEGER PRIMARY KEY REFERENCES message (local_id) ON DELETE CASCADE,
            action_channel_id TEXT NOT NULL,
            target_message_id TEXT NOT NULL,
            target_channel_id TEXT NOT NULL,
            target_local_id INTEGER REFERENCES message (local_id) ON DELETE SET NULL
        );
        CREATE INDEX action_spec_target ON action_spec (action_channel_id, target_message_id);
        CREATE INDEX action_spec_target_local ON action_spec (target_local_id);
        """

    private static let outbox = """
        CREATE TABLE outbox (
            local_id INTEGER PRIMARY KEY REFERENCES message (local_id) ON DELETE CASCADE,
            queue_seq INTEGER NOT NULL UNIQUE,
            state TEXT NOT NULL CHECK (state IN ('queued', 'uploading', 'sending', 'parked')),
            attempts INTEGER NOT NULL DEFAULT 0,
            next_attempt_ms INTEGER NOT NULL DEFAULT 0,
            last_error_code TEXT,
            last_error_text TEXT,
            attempt_cursor INTEGER,
            claimed_ms INTEGER,
            cancel_requested INTEGER NOT NULL DEFAULT 0,
            depends_on_local_id INTEGER REFERENCES message (local_id)
        );
        CREATE INDEX outbox_dependency ON outbox (depends_on_local_id) WHERE depends_on_local_id IS NOT NULL;

        CREATE TABLE pending_message_deletion (
            message_id TEXT NOT NULL PRIMARY KEY,
            channel_id TEXT NOT NULL,
            queue_seq INTEGER NOT NULL,
            claimed INTEGER NOT NULL DEFAULT 0,
            attempts INTEGER NOT NULL DEFAULT 0,
            next_attempt_ms INTEGER NOT NULL DEFAULT 0,
            parked INTEGER NOT NULL DEFAULT 0,
            last_error TEXT,
            snapshot_json TEXT
        );
        CREATE INDEX pending_message_deletion_channel ON pending_message_deletion (channel_id, queue_seq);
        """

    private static let files = """
        CREATE TABLE pending_file (
            id TEXT NOT NULL PRIMARY KEY,
            staged_path TEXT NOT NULL,
            type TEXT NOT NULL,
            name TEXT NOT NULL,
            mime TEXT NOT NULL,
            kind TEXT,
            is_public INTEGER NOT NULL,
            byte_count INTEGER NOT NULL,
            sha256 TEXT NOT NULL,
            token TEXT NOT NULL UNIQUE,
            state TEXT NOT NULL CHECK (state IN ('waiting', 'created', 'uploaded', 'parked')),
            claimed_ms INTEGER,
            attempts INTEGER NOT NULL DEFAULT 0,
            next_attempt_ms INTEGER NOT NULL DEFAULT 0,
            last_error TEXT,
            file_json TEXT
        );

        CREATE TABLE pending_file_attachment (
            local_id INTEGER NOT NULL REFERENCES message (local_id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            pending_file_id TEXT NOT NULL REFERENCES pending_file (id),
            is_oembed INTEGER NOT NULL,
            PRIMARY KEY (local_id, position),
            UNIQUE (local_id, pending_file_id)
        ) WITHOUT ROWID;
        CREATE INDEX pending_file_use ON pending_file_attachment (pending_file_id);

        CREATE TABLE pending_file_deletion (
            file_id TEXT NOT NULL PRIMARY KEY,
            attempts INTEGER NOT NULL DEFAULT 0,
            next_attempt_ms INTEGER NOT NULL DEFAULT 0
        );
        """

    /// The full-text indexes.
    ///
    /// There are no triggers for new rows, because a trigger per row would account for three quarters of the cost of
    /// inserting a page. Code that inserts rows adds them to the index with one statement. Rows without text are added
    /// too, because SQLite's integrity check expects every row of the content table.
    private static let fullText = [
        index("message", of: "text", in: "message"), index("location", of: "name", in: "location_instance"),
        index("place", of: "name", in: "place", key: "key"),
    ].joined(separator: "\n")

    private static func index(
        _ name: String,
        of column: String,
        in table: String,
        key: String = "local_id"
    ) -> String {
        """
        CREATE VIRTUAL TABLE \(name)_fts USING fts5(
            \(column), content = '\(table)', content_rowid = '\(key)', tokenize = 'unicode61 remove_diacritics 2'
        );
        CREATE TRIGGER \(name)_fts_delete AFTER DELETE ON \(table) BEGIN
            INSERT INTO \(name)_fts (\(name)_fts, rowid, \(column)) VALUES ('delete', old.\(key), old.\(column));
        END;
        CREATE TRIGGER \(name)_fts_update AFTER UPDATE OF \(column) ON \(table) WHEN old.\(column) IS NOT new.\(column) BEGIN
            INSERT INTO \(name)_fts (\(name)_fts, rowid, \(column)) VALUES ('delete', old.\(key), old.\(column));
            INSERT INTO \(name)_fts (rowid, \(column)) VALUES (new.\(key), new.\(column));
        END;
        """
    }
}
