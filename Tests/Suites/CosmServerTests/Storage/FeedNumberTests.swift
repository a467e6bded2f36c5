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

    @Test("a sequence near its end uses no number twice, and is exhausted two numbers before the greatest")
    func end() throws {
        let database = try ServerDatabase.memory()
        try CosmSchema.migrate(database)
        try database.write { database throws in
            let settings = SettingTable(database: database)
            // As if each feed had been deleted before the next one is created.
            #expect(try settings.next("feed", first: .max - 3, above: 0) == .max - 3)
            #expect(try settings.next("feed", first: .max - 3, above: 0) == .max - 2)
            for _ in 0..<2 {
                #expect(throws: NumbersExhausted.self) { try settings.next("feed", first: .max - 3, above: 0) }
            }
        }
    }

    @Test(
        "the first feeds and triggers have the first ids, up to 2^62",
        arguments: [1, 1 << 53, (1 << 62) - 1, 1 << 62]
    )
    func first(id: Int) async throws {
        try await withCosm {
            ($0.firstFeedID, $0.firstTriggerID) = (id, id)
        } _: { peer async throws in
            let feed = #"{"title":"Shed","datastreams":[{"id":"a","current_value":"7"}]}"#
            for number in [id, id + 1] {
                #expect(try await peer.createFeed(feed) == number)
                #expect(try await peer.get("/feeds/\(number)").status == 200)
                let trigger =
                    #"{"environment_id":\#(number),"stream_id":"a","url":"http://h/","#
                    + #""trigger_type":"gt","threshold_value":5}"#
                #expect(try await peer.post("/triggers", trigger).location == "\(number)")
                #expect(try await peer.get("/triggers/\(number)").status == 200)
            }
            #expect(try await peer.get("/feeds").status == 200)
        }
    }

    @Test("first ids outside of 1 to 2^62 are refused", arguments: [Int.min, -1, 0, (1 << 62) + 1, .max])
    func refused(id: Int) {
        for first: WritableKeyPath<CosmConfiguration, Int> in [\.firstFeedID, \.firstTriggerID] {
            var configuration = EmbeddedServerConfiguration()
            configuration.cosm[keyPath: first] = id
            let error = #expect(throws: EmbeddedServerError.self) { try EmbeddedServer(configuration) }
            #expect(error?.kind == .invalidConfiguration)
        }
    }
}
