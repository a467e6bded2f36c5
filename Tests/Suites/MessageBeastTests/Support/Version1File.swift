import AppNet
import Foundation
import GRDB
import HeliumDatabase

@testable import MessageBeast

/// A file of the first schema, with something in every table.
enum Version1File {
    static var configuration: MessageManagerConfiguration {
        var configuration = MessageManagerConfiguration()
        configuration.isHashtagExtractionEnabled = true
        configuration.isLocationLookupEnabled = true
        configuration.annotationTypes = ["net.example.mood"]
        return configuration
    }

    /// Everything in the tables of the first schema, as text.
    static func contents(_ database: Database) throws -> [String: [String]] {
        let tables: [String: String] = [
            "meta": "key, value",
            "channel": """
            id, kind, type, action_type, target_channel_id, json, query_params_json, full_sync_state, backfill_cursor,
            newest_cursor, last_reconciled_ms
            """,
            "message": """
            local_id, id, channel_id, display_date_ms, sort_key, created_ms, kind, hidden, client_token, json_version,
            text, json
            """,
            "hashtag_instance": "folded, local_id, name",
            "annotation_instance": "type, local_id, count",
            "location_instance": "local_id, name, short_name, factual_id, latitude, longitude, source",
            "geolocation": "lat_key, lon_key, locality, sub_locality, fetched_ms, failed_until_ms",
            "geocode_queue": "local_id, latitude, longitude, attempts, next_attempt_ms",
            "place": "key, id, name, latitude, longitude, lat_key, lon_key, is_custom, sort_key, json",
            "action_spec": "action_local_id, action_channel_id, target_message_id, target_channel_id, target_local_id",
            "outbox": """
            local_id, queue_seq, state, attempts, next_attempt_ms, last_error_code, last_error_text, attempt_cursor,
            claimed_ms, cancel_requested, depends_on_local_id
            """,
            "pending_message_deletion": """
            message_id, channel_id, queue_seq, claimed, attempts, next_attempt_ms, parked, last_error, snapshot_json
            """,
            "pending_file_deletion": "file_id, attempts, next_attempt_ms",
            "pending_file": """
            id, staged_path, type, name, mime, kind, is_public, byte_count, sha256, token, state, claimed_ms, attempts,
            next_attempt_ms, last_error, file_json
            """,
            "pending_file_attachment": "local_id, position, pending_file_id, is_oembed",
        ]
        var contents: [String: [String]] = [:]
        for (table, columns) in tables {
            let rows = try Row.fetchAll(database, sql: "SELECT \(columns) FROM \(table)")
            contents[table] = rows.map { $0.description }.sorted()
        }
        return contents
    }

    /// Writes the file. It has no write-ahead log.
    static func make(at path: String) throws {
        let queue = try DatabaseQueue(path: path)
        // Small pages make a small file.
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA page_size = 1024") }
        try queue.write { try BeastSchema.migrate($0, upTo: "messagebeast-1") }
        try queue.write { database in
            try Journal.saveChannels(in: database)
            try MetaTable(database: database).set(.account, "1")
            try MetaTable(database: database).set(.fingerprint, configuration.fingerprint)
            try fillMessages(database)
            try database.execute(sql: rows)
        }
        try queue.writeWithoutTransaction {
            try $0.execute(
                sql: """
                    PRAGMA application_id = \(BeastSchema.mark.applicationID);
                    PRAGMA user_version = \(BeastSchema.mark.version)
                    """
            )
        }
        try queue.vacuum()
        try queue.close()
    }

    /// Messages as version 1 stored them. SQL and not the tables of the present version, which may differ.
    private static func fillMessages(_ database: Database) throws {
        for (index, text) in ["First #Tag", "At home", "今日は日本語", nil, nil].enumerated() {
            let id = index < 3 ? index + 1 : 18 + index
            var message = Journal.message(id, text)
            if index == 3 { message.addTargetMessage(1) }
            if index == 4 { message.addTargetMessage(999) }
            try insert(message, "\(id)", Int64(id), "sent", index < 3 ? "100" : "200", database)
        }
        for number in 1...4 {
            let message = Message(text: "Unsent \(number)")
            try insert(message, "token-\(number)", (1 << 62) + Int64(number), "unsent", "100", database)
        }
        try insert(Message(text: "Draft"), "draft-1", (1 << 62) + 5, "draft", "100", database)
        try database.execute(sql: "INSERT INTO message_fts (rowid, text) SELECT local_id, text FROM message")
    }

    private static func insert(
        _ message: Message,
        _ id: String,
        _ sortKey: Int64,
        _ kind: String,
        _ channel: String,
        _ database: Database
    ) throws {
        let date = Milliseconds(message.createdAt ?? Journal.start.addingTimeInterval(1000)).value
        try database.execute(
            sql: """
                INSERT INTO message (id, channel_id, display_date_ms, sort_key, created_ms, kind, client_token, json_version,
                    text, json)
                VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?)
                """,
            arguments: [
                id, channel, date, sortKey, date, kind, kind == "unsent" ? id : nil,
                kind == "draft" ? nil : message.text,
                try IncomingMessage.text(of: message),
            ]
        )
    }

    /// Local ids: 1 to 3 are messages, 4 and 5 actions, 6 to 9 unsent, 10 is a draft.
    private static let rows = """
        UPDATE channel SET full_sync_state = 2, backfill_cursor = 1, newest_cursor = 3, last_reconciled_ms = 5 WHERE id = '100';
        UPDATE channel SET full_sync_state = 1, backfill_cursor = 21 WHERE id = '200';
        INSERT INTO hashtag_instance VALUES ('tag', 1, 'Tag');
        INSERT INTO annotation_instance VALUES ('net.example.mood', 2, 2);
        INSERT INTO location_instance VALUES (2, 'Home', NULL, NULL, 50.0, 8.0, 'ohai');
        INSERT INTO location_fts (rowid, name) VALUES (2, 'Home');
        INSERT INTO geolocation VALUES (50000, 8000, 'Town', NULL, 1, NULL), (1, 2, NULL, NULL, 1, 2592000001);
        INSERT INTO geocode_queue VALUES (3, 51.5, 7.25, 1, 2000);
        INSERT INTO place VALUES (1, 'u1', 'Home', 50.0, 8.0, 50000, 8000, 1, 2, '{"id":"u1","name":"Home"}');
        INSERT INTO place_fts (rowid, name) VALUES (1, 'Home');
        INSERT INTO action_spec VALUES (4, '200', '1', '100', 1), (5, '200', '999', '100', NULL);
        INSERT INTO outbox VALUES
            (6, 11, 'sending', 1, 0, NULL, NULL, 3, 1400000001000, 0, NULL),
            (7, 12, 'queued', 0, 0, NULL, NULL, NULL, NULL, 0, 6),
            (8, 13, 'uploading', 2, 1400000002000, 'timedOut', 'a time limit ran out', NULL, NULL, 0, NULL),
            (9, 14, 'parked', 8, 0, 'badRequest', 'refused', 3, 1400000001000, 0, NULL);
        INSERT INTO pending_message_deletion VALUES ('40', '100', 1, 0, 0, 0, 0, NULL, '{"id":"40"}'),
            ('41', '100', 2, 1, 3, 9000, 1, 'forbidden', NULL);
        INSERT INTO pending_file_deletion VALUES ('70', 2, 9000);
        INSERT INTO pending_file VALUES
            ('f-1', 'f-1', 'net.example.photo', 'a.jpg', 'image/jpeg', 'image', 0, 3, 'aa', 'file-token-1', 'waiting', NULL,
                0, 0, NULL, NULL),
            ('f-2', 'f-2', 'net.example.text', 'b.txt', 'text/plain', 'other', 1, 3, 'bb', 'file-token-2', 'uploaded', NULL,
                1, 0, NULL, '{"id":"71","file_token":"secret"}');
        INSERT INTO pending_file_attachment VALUES (8, 0, 'f-2', 0), (8, 1, 'f-1', 1), (10, 0, 'f-1', 1);
        """
}
