import GRDB
import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Ids of new feeds and triggers of Cosm", .timeLimit(.minutes(5)))
struct FeedNumberTests {
    /// Settings from which the next id would be one in use, or none.
    static let settings = ["1", "2", "0", "-7", "", "x", "1e9", "9223372036854775807", "9223372036854775808", nil]

    @Test("a new feed or trigger never replaces another, whatever the setting of the next id is", arguments: settings)
    func neverReplaces(value: String?) async throws {
        try await withCosm { peer in
            let trigger =
                #"{"environment_id":1,"stream_id":"a","url":"http://h/","trigger_type":"gt","threshold_value":5}"#
            try await peer.createFeed(#"{"title":"Shed","datastreams":[{"id":"a","current_value":"7"}]}"#)
            try await peer.createFeed(#"{"title":"Barn"}"#)
            #expect(try await peer.post("/triggers", trigger).location == "1")
            #expect(try await peer.post("/triggers", trigger).location == "2")
            let before = try await Self.documents(peer)
            _ = try await peer.running.cosm.state.store.write { database in
                let settings = SettingTable(database: database)
                for name in ["feed", "trigger"] {
                    if let value {
                        try settings.set(name, value)
                    } else {
                        try database.execute(sql: "DELETE FROM cosm_setting WHERE name = ?", arguments: [name])
                    }
                }
            } publish: { _, _ in
            }
            #expect(try await peer.createFeed(#"{"title":"new"}"#) == 3)
            #expect(try await peer.createFeed(#"{"title":"newer"}"#) == 4)
            #expect(try await peer.post("/triggers", trigger).location == "3")
            #expect(try await Self.documents(peer) == before)
        }
    }

    private static func documents(_ peer: CosmPeer) async throws -> [String] {
        var texts: [String] = []
        for path in ["/feeds/1", "/feeds/2", "/triggers/1", "/triggers/2"] {
            texts.append(try await peer.document(path).text)
        }
        return texts
    }

    @Test("an id in use is an error of the insertion, and of the sequence if no greater one is left")
    func taken() throws {
        let database = try ServerDatabase.memory()
        try CosmSchema.migrate(database)
        try database.write { database in
            var feed = FeedRecord.blank
            feed.id = .max
            let feeds = FeedTable(database: database)
            try feeds.insert(feed)
            #expect(throws: DatabaseError.self) { try feeds.insert(feed) }
            var trigger = TriggerRecord.blank
            trigger.id = .max
            let triggers = TriggerTable(database: database)
            try triggers.insert(trigger)
            #expect(throws: DatabaseError.self) { try triggers.insert(trigger) }
            let settings = SettingTable(database: database)
            #expect(throws: NumbersExhausted.self) { try settings.next("feed", above: feeds.greatestID()) }
            #expect(throws: NumbersExhausted.self) { try settings.next("other", first: .max, above: 0) }
        }
    }
}
