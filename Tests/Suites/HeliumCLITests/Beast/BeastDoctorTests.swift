import Foundation
import GRDB
import TestSupport
import Testing

@Suite("helium beast doctor", .timeLimit(.minutes(5)))
struct BeastDoctorTests {
    private typealias World = BeastToolWorld

    /// Makes a database one of version 3, which lacks what later versions added, with rows that version 3 derived wrongly: a
    /// cancelled action that is on, a place with the key of an unsent message, and coordinates whose cell depends on the
    /// rounding.
    private static let makeOld = """
        DROP INDEX pending_message_deletion_sequence;
        ALTER TABLE pending_file_deletion DROP COLUMN parked;
        ALTER TABLE pending_file_deletion DROP COLUMN last_error;
        DROP INDEX geocode_queue_cell;
        ALTER TABLE geocode_queue DROP COLUMN lat_key;
        ALTER TABLE geocode_queue DROP COLUMN lon_key;
        ALTER TABLE deleted_id DROP COLUMN is_missing;
        DELETE FROM grdb_migrations WHERE identifier IN ('messagebeast-4', 'messagebeast-5');
        UPDATE message SET hidden = 1 WHERE local_id IN (SELECT action_local_id FROM action_spec);
        INSERT INTO place (key, id, name, latitude, longitude, lat_key, lon_key, is_custom, sort_key, json)
        VALUES (1, 'u1', 'Old', 1, 2, 1000, 2000, 1, 4611686018427387905, '{}');
        INSERT INTO place_words (rowid, name) VALUES (1, 'Old');
        INSERT INTO geocode_queue (local_id, latitude, longitude)
        SELECT local_id, 0.010999999, 2 FROM message WHERE kind = 'sent';
        """

    private func migrations(_ world: World) throws -> Set<String> {
        let queue = try openDatabase(world.path("journal.sqlite"))
        defer { try? queue.close() }
        return try queue.read { try String.fetchSet($0, sql: "SELECT identifier FROM grdb_migrations") }
    }

    @Test("helium beast doctor finds the rows that version 3 derived wrongly, before the database is upgraded")
    func version3() async throws {
        try await World.run { world in
            #expect(try await world.beast("init", "--action", "com.example.favorite").status == 0)
            let sent = try await world.beast("send", "Tea", "--format", "json").stdout
            let row = try #require(try JSONSerialization.jsonObject(with: Data(sent.utf8)) as? [String: Any])
            let id = try #require((row["message"] as? [String: Any])?["id"] as? String)
            #expect(try await world.offline("actions", "add", id, "--offline").status == 0)
            #expect(try await world.offline("doctor").stdout == "no problems\n")
            let queue = try openDatabase(world.path("journal.sqlite"))
            try await queue.write { try $0.execute(sql: Self.makeOld) }
            try queue.close()
            let old: Set = ["messagebeast-1", "messagebeast-2", "messagebeast-3"]
            for _ in 0..<2 {
                let found = try await world.offline("doctor")
                #expect(found.status == 1)
                #expect(
                    found.stdout == """
                        the cancelled action with the local id 2 is on
                        the place with the key 1 keeps the name from an unsent message
                        the message with the local id 1 waits for the name of another cell

                        """
                )
                // A check writes nothing.
                #expect(try migrations(world) == old)
            }
            let rebuilt = try await world.offline("doctor", "--rebuild")
            #expect(rebuilt.status == 0 && rebuilt.stdout == "no problems\n", "\(rebuilt)")
            #expect(try migrations(world).isSuperset(of: old.union(["messagebeast-4"])))
            #expect(try await world.offline("doctor").status == 0)
            let list = try await world.offline("actions", "list", "--format", "json")
            #expect(try World.list(list.stdout).isEmpty, "\(list)")
        }
    }
}
