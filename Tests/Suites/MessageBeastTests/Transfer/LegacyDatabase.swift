import AppNet
import Foundation
import GRDB
import Testing

@testable import MessageBeast

/// A database as the libraries wrote it that MessageBeast succeeds, with its original schema
/// (Docs/Protocols/MessageBeast.md §2.1).
struct LegacyDatabase: Sendable, CustomStringConvertible {
    let description: String
    /// Whether it is that of the library for Android.
    let isAndroid: Bool

    static let seed = Self(description: "iOS", isAndroid: false)
    static let android = Self(description: "Android", isAndroid: true)

    static let temporaryID = "5C0C1DA8-97BC-4C59-A6F5-8E3F4E4C1D11"
    static let secondTemporaryID = "0E0F7A3B-63B0-4D2B-9C07-1D2E3F405162"
    static let actionID = "91B7C1F2-0A5E-4F4D-8F57-7C0A3C2B1E00"

    private var schema: String {
        let (tags, places) = isAndroid ? ("hashtags", "locations") : ("hashtag_instances", "location_instances")
        let annotation = isAndroid ? "annotation_instance" : "annotation"
        let url = isAndroid ? "pending_file_uri" : "pending_file_url"
        let action = isAndroid ? "action" : "action_message"
        return """
            CREATE TABLE messages (message_id INTEGER PRIMARY KEY, message_message_id TEXT UNIQUE,
                message_channel_id TEXT NOT NULL,
                message_date INTEGER NOT NULL, message_json TEXT NOT NULL, message_text TEXT, message_unsent BOOLEAN,
                message_send_attempts INTEGER);
            CREATE VIRTUAL TABLE messages_search USING fts4 (content="messages", message_message_id TEXT,
                message_channel_id TEXT, message_text TEXT);
            CREATE TABLE \(tags) (hashtag_name TEXT NOT NULL, hashtag_message_id TEXT NOT NULL,
                hashtag_channel_id TEXT NOT NULL,
                hashtag_date INTEGER NOT NULL, PRIMARY KEY (hashtag_name, hashtag_message_id));
            CREATE TABLE annotation_instances (\(annotation)_type TEXT NOT NULL, \(annotation)_message_id TEXT NOT NULL,
                \(annotation)_channel_id TEXT NOT NULL, \(annotation)_count INTEGER NOT NULL,
                    \(annotation)_date INTEGER NOT NULL,
                PRIMARY KEY (\(annotation)_type, \(annotation)_message_id));
            CREATE TABLE \(places) (location_id INTEGER PRIMARY KEY, location_message_id TEXT UNIQUE,
                location_name TEXT NOT NULL,
                location_short_name TEXT, location_channel_id TEXT NOT NULL, location_latitude REAL NOT NULL,
                location_longitude REAL NOT NULL, location_factual_id TEXT, location_date INTEGER NOT NULL);
            CREATE TABLE geolocations (geolocation_locality TEXT NOT NULL, geolocation_sublocality TEXT,
                geolocation_latitude REAL NOT NULL, geolocation_longitude REAL NOT NULL,
                PRIMARY KEY (geolocation_latitude, geolocation_longitude));
            CREATE TABLE places (place_id TEXT PRIMARY KEY, place_name TEXT NOT NULL, place_rounded_latitude REAL NOT NULL,
                place_rounded_longitude REAL NOT NULL, place_is_custom BOOLEAN NOT NULL, place_json TEXT NOT NULL);
            CREATE TABLE pending_message_deletions (pending_message_deletion_message_id TEXT PRIMARY KEY,
                pending_message_deletion_channel_id TEXT NOT NULL);
            CREATE TABLE pending_files (pending_file_id TEXT PRIMARY KEY, \(url) TEXT NOT NULL, pending_file_type TEXT NOT NULL,
                pending_file_name TEXT NOT NULL, pending_file_mimetype TEXT NOT NULL, pending_file_kind TEXT,
                pending_file_public BOOLEAN, pending_file_send_attempts INTEGER);
            CREATE TABLE pending_file_attachments (pending_file_attachment_file_id TEXT NOT NULL,
                pending_file_attachment_message_id TEXT NOT NULL, pending_file_attachment_channel_id TEXT NOT NULL,
                pending_file_attachment_is_oembed INTEGER NOT NULL,
                PRIMARY KEY (pending_file_attachment_file_id, pending_file_attachment_message_id));
            CREATE TABLE pending_file_deletions (pending_file_deletion_file_id TEXT PRIMARY KEY);
            CREATE TABLE action_messages (\(action)_id TEXT PRIMARY KEY, \(action)_channel_id TEXT NOT NULL,
                \(action)_target_message_id TEXT NOT NULL, \(action)_target_channel_id TEXT NOT NULL,
                \(action)_target_message_display_date INTEGER NOT NULL);
            """
    }

    /// A date as the library stores it: 2014-05-13, and `seconds`.
    private func date(_ seconds: Double) -> any DatabaseValueConvertible {
        let value = 1_400_000_000 + seconds
        return isAndroid ? Int64((value * 1000).rounded()) : value
    }

    /// Writes the file.
    ///
    /// - Parameter picture: The path of a pending file. Another one is missing.
    func make(at path: String, picture: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(sql: schema)
            for number in 1...3 {
                let text = number == 2 ? "At the café #Tea 日本" : "Message \(number)"
                try insert("\(number)", "100", Double(number) + 0.25, text, database)
            }
            // Deleted here, and not on the service.
            try insert("4", "100", 4, "Deleted", database)
            try insert("20", "200", 20, nil, database, target: "1")
            try insert(Self.secondTemporaryID, "100", 9.5, "Second unsent", database, attempts: 0)
            try insert(Self.temporaryID, "100", 8.5, "First unsent #Later", database, attempts: 3)
            try insert(Self.actionID, "200", 10, nil, database, target: Self.temporaryID, attempts: 0)
            try database.execute(
                sql: "INSERT INTO messages VALUES (99, '77', '100', ?, '{\"id\":', 'broken', 0, 0)",
                arguments: [date(5)]
            )
            try insertRest(picture, database)
        }
        try queue.close()
    }

    private func insert(
        _ id: String,
        _ channel: String,
        _ seconds: Double,
        _ text: String?,
        _ database: Database,
        target: String? = nil,
        attempts: Int? = nil
    ) throws {
        var message = Journal.message(Int(id) ?? 0, nil, at: seconds)
        message.id = Message.ID(id)
        message.channelID = AppNetChannel.ID(channel)
        message.isMachineOnly = text == nil ? true : nil
        message.entities = text.flatMap { TextProcessor().process($0).entities }
        if let target { message.addTargetMessage(Message.ID(target)) }
        if id == "3" {
            message.annotations = [
                Annotation(type: MessageBeastNames.geolocation, value: ["latitude": 50.1234, "longitude": 8.5678])
            ]
        }
        if attempts != nil { message.createdAt = nil }
        try database.execute(
            sql: """
                INSERT INTO messages (message_message_id, message_channel_id, message_date, message_json, message_text,
                    message_unsent, message_send_attempts)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, channel, date(seconds), try IncomingMessage.text(of: message), text, attempts != nil, attempts ?? 0,
            ]
        )
    }

    private func insertRest(_ picture: String, _ database: Database) throws {
        let action = isAndroid ? "action" : "action_message"
        let url = isAndroid ? "file://\(picture)" : URL(fileURLWithPath: picture).absoluteString
        try database.execute(
            sql: """
                INSERT INTO messages_search (docid, message_message_id, message_channel_id, message_text)
                VALUES (1, '1', '100', 'ghost of another message'), (500, '500', '100', 'row without content');
                INSERT INTO \(isAndroid ? "hashtags" : "hashtag_instances") VALUES ('stale', '1', '100', 1);
                INSERT INTO geolocations VALUES ('Frankfurt', 'Bockenheim', 50.123, 8.567);
                INSERT INTO places VALUES ('p1', 'Café Laumer', 50.119, 8.655, 0,
                    '{"factual_id":"p1","name":"Café Laumer","latitude":50.11937,"longitude":8.65541}');
                INSERT INTO pending_message_deletions VALUES ('4', '100'), ('5', '100');
                INSERT INTO pending_file_deletions VALUES ('70');
                INSERT INTO pending_files VALUES
                    ('file-1', '\(url)', 'net.example.photo', 'a.jpg', 'image/jpeg', 'image', 0, 1),
                    ('file-2', '/none/b.jpg', 'net.example.photo', 'b.jpg', 'image/jpeg', 'image', 1, 0),
                    ('file-3', '\(url)', 'net.example.photo', 'c.jpg', 'image/jpeg', NULL, 0, 0);
                INSERT INTO pending_file_attachments VALUES ('file-2', '\(Self.temporaryID)', '100', 0),
                    ('file-1', '\(Self.temporaryID)', '100', 1);
                INSERT INTO action_messages (\(action)_id, \(action)_channel_id, \(action)_target_message_id,
                    \(action)_target_channel_id, \(action)_target_message_display_date)
                VALUES ('20', '200', '1', '100', 1), ('\(Self.actionID)', '200', '\(Self.temporaryID)', '100', 8.5),
                    ('21', '200', '2', '100', 2);
                """
        )
        guard isAndroid else { return }
        try database.execute(
            sql: """
                CREATE TABLE message_drafts (message_draft_id TEXT PRIMARY KEY, message_draft_channel_id TEXT NOT NULL,
                    message_draft_date INTEGER NOT NULL, message_draft_json TEXT NOT NULL);
                """
        )
        try database.execute(
            sql: "INSERT INTO message_drafts VALUES ('draft-1', '100', ?, '{\"text\":\"A draft\"}')",
            arguments: [date(11)]
        )
    }
}
