import AppNet
import GRDB
import Testing

@testable import MessageBeast

/// Each change of a row that may make something due names the loop that it concerns.
@Suite("The rows of a transaction that make something due")
struct DueRowsTests {
    struct Change: Sendable, CustomTestStringConvertible {
        let sql: String
        let loops: Set<EngineLoop>

        init(_ sql: String, _ loops: Set<EngineLoop>) { (self.sql, self.loops) = (sql, loops) }

        var testDescription: String { sql }
    }

    private static let (journal, actions) = (EngineLoop.channel(Journal.channel), EngineLoop.channel(Journal.actions))

    static let changes = [
        Change("UPDATE outbox SET next_attempt_ms = 0 WHERE local_id = 1", [journal]),
        Change("UPDATE outbox SET state = 'queued' WHERE local_id = 1", [journal]),
        Change("UPDATE outbox SET depends_on_local_id = NULL WHERE local_id = 2", [actions]),
        Change("DELETE FROM outbox WHERE local_id = 2", [actions]),
        Change("DELETE FROM message WHERE local_id = 2", [actions]),
        Change("DELETE FROM message WHERE local_id = 3", []),
        Change("UPDATE action_spec SET target_message_id = '7'", [actions]),
        Change("UPDATE action_spec SET target_local_id = NULL", []),
        Change("DELETE FROM action_spec", [actions]),
        Change(
            "INSERT INTO pending_message_deletion (message_id, channel_id, queue_seq) VALUES ('9', '100', 9)",
            [journal]
        ),
        Change("UPDATE pending_message_deletion SET next_attempt_ms = 0", [actions]),
        Change("DELETE FROM pending_message_deletion", [actions]),
        // A message waits for the first file, and none uses the second.
        Change("UPDATE pending_file SET state = 'uploaded' WHERE id = 'used'", [journal]),
        Change("UPDATE pending_file SET state = 'waiting' WHERE id = 'unused'", [.files]),
        Change("DELETE FROM pending_file WHERE id = 'unused'", [.files]),
        Change("DELETE FROM pending_file_attachment", [.files]),
        Change("INSERT INTO pending_file_deletion (file_id) VALUES ('9')", [.files]),
        Change("UPDATE pending_file_deletion SET next_attempt_ms = 0", [.files]),
        Change("INSERT INTO geocode_queue (local_id, latitude, longitude) VALUES (2, 1, 2)", [.geocoder]),
        Change("UPDATE geocode_queue SET next_attempt_ms = 0", [.geocoder]),
        Change(
            "INSERT INTO geocode_queue (local_id, latitude, longitude) VALUES (3, 1, 2) ON CONFLICT (local_id) DO UPDATE SET latitude = 3",
            [.geocoder]
        ),
        Change("UPDATE message SET text = 'Coffee'", []),
        Change(
            "UPDATE outbox SET attempts = 1; UPDATE pending_file_deletion SET attempts = 1",
            [journal, actions, .files]
        ),
    ]

    private func filled() throws -> Journal {
        let journal = try Journal()
        try journal.writer.write { database in
            try database.execute(
                sql: """
                    INSERT INTO message (local_id, id, channel_id, display_date_ms, sort_key, created_ms, kind, json_version,
                        json)
                    VALUES (1, 'a', '100', 1, 1, 1, 'unsent', 1, '{}'), (2, 'b', '200', 2, 2, 2, 'unsent', 1, '{}'),
                        (3, '3', '100', 3, 3, 3, 'sent', 1, '{}');
                    INSERT INTO outbox (local_id, queue_seq, state, depends_on_local_id)
                    VALUES (1, 1, 'parked', NULL), (2, 2, 'queued', 1);
                    INSERT INTO action_spec (action_local_id, action_channel_id, target_message_id, target_channel_id,
                        target_local_id) VALUES (2, '200', 'a', '100', 1);
                    INSERT INTO pending_message_deletion (message_id, channel_id, queue_seq) VALUES ('8', '200', 1);
                    INSERT INTO pending_file (id, staged_path, type, name, mime, is_public, byte_count, sha256, token, state)
                    VALUES ('used', 'used', 'a.b', 'a', 'a/b', 0, 1, '', 't', 'waiting'),
                        ('unused', 'unused', 'a.b', 'a', 'a/b', 0, 1, '', 'u', 'waiting');
                    INSERT INTO pending_file_attachment VALUES (1, 0, 'used', 0);
                    INSERT INTO pending_file_deletion (file_id) VALUES ('5');
                    INSERT INTO geocode_queue (local_id, latitude, longitude) VALUES (3, 1, 2)
                    """
            )
            _ = try DueRows(database: database).take(by: nil)
        }
        return journal
    }

    @Test("wakes the loops that the row concerns", arguments: changes)
    func loops(_ change: Change) throws {
        let journal = try filled()
        try journal.writer.write { database in
            try database.execute(sql: change.sql)
            #expect(Set(try DueRows(database: database).take(by: nil)) == change.loops)
            #expect(try DueRows(database: database).take(by: nil) == [])
        }
    }

    @Test("does not wake the writer that goes on by itself")
    func writers() throws {
        let journal = try filled()
        try journal.writer.write { database in
            try database.execute(sql: "UPDATE outbox SET attempts = 1")
            #expect(try DueRows(database: database).take(by: .sender(Journal.channel)) == [Self.actions])
            try database.execute(sql: "UPDATE pending_file SET attempts = 1 WHERE id = 'used'")
            #expect(try DueRows(database: database).take(by: .upload("used")) == [])
        }
    }

    @Test("a transaction that is rolled back leaves no loop to wake")
    func rollback() throws {
        let journal = try filled()
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try journal.writer.write { database in
                try database.execute(sql: "UPDATE outbox SET attempts = 1")
                throw Failure()
            }
        }
        #expect(try journal.writer.write { try DueRows(database: $0).take(by: nil) } == [])
    }
}
