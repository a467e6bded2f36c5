import AppNet
import Foundation
import GRDB
import HeliumDatabase
import Testing

@testable import MessageBeast

@Suite("Rows that earlier versions derived wrongly")
struct Version4Tests {
    /// A latitude whose cell depends on the rounding: `latitude * 1000` and `latitude / 0.001` are on two sides of it.
    static let latitude = 0.010999999

    /// A store of version 3 with the faults.
    private func old() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { database in
            try BeastSchema.migrate(database, upTo: SchemaVersion3.name)
            try MetaTable(database: database).set(.account, "1")
            try Journal.saveChannels(in: database)
            func insert(_ id: String, _ key: Int64, _ kind: String, _ channel: String, hidden: Bool, _ message: Message)
                throws
            {
                try database.execute(
                    sql: """
                        INSERT INTO message (id, channel_id, display_date_ms, sort_key, created_ms, kind, hidden,
                            json_version, text, json) VALUES (?, ?, 1, ?, 1, ?, ?, 1, ?, ?)
                        """,
                    arguments: [
                        id, channel, key, kind, hidden, message.text, try IncomingMessage.text(of: message),
                    ]
                )
            }
            let home = LocationTests.ohai("New", 1, 2, id: "u1")
            try insert("7", 7, "sent", "100", hidden: false, Journal.message(7, "Later", annotations: [home]))
            try insert("token", (1 << 62) + 1, "unsent", "200", hidden: true, Journal.action(8, on: 7))
            try database.execute(
                sql: """
                    INSERT INTO action_spec VALUES (2, '200', '7', '100', 1);
                    INSERT INTO place (id, name, latitude, longitude, lat_key, lon_key, is_custom, sort_key, json)
                    VALUES ('u1', 'Old', 1, 2, 1000, 2000, 1, 4611686018427387905, '{}');
                    INSERT INTO meta VALUES ('configuration_fingerprint', 'x');
                    """
            )
            try database.execute(
                sql: "INSERT INTO geocode_queue (local_id, latitude, longitude) VALUES (1, ?, 2)",
                arguments: [Self.latitude]
            )
            try StoreCheck(database: database).rebuildIndexes()
        }
        return queue
    }

    @Test("a check finds them in a store of version 3, and the migration corrects them")
    func migration() throws {
        let queue = try old()
        let problems = try queue.write { try StoreCheck(database: $0).problems() }
        #expect(
            problems == [
                "the cancelled action with the local id 2 is on",
                "the place with the key 1 keeps the name from an unsent message",
                "the message with the local id 1 waits for the name of another cell",
            ]
        )
        let beast = try BeastDatabase(DatabaseAccess(queue), account: "1")
        var configuration = MessageManagerConfiguration()
        configuration.isLocationLookupEnabled = true
        let derivation = Rederivation(configuration: configuration, now: Milliseconds(1))
        #expect(try queue.write { try StoreCheck(database: $0).problems() } == [])
        #expect(
            try queue.read { try Int64.fetchAll($0, sql: "SELECT lat_key FROM geocode_queue") }
                == [Coordinates.key(Self.latitude)]
        )
        #expect(try queue.read(derivation.isNeeded))
        while try queue.write({ try derivation.step(in: $0) }) {}
        #expect(try queue.read { try PlaceTable(database: $0).place("u1")?.name } == "New")
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM action_spec") } == 0)
        #expect(beast.account == "1")
    }
}
