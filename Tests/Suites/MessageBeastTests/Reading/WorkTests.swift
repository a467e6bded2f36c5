import AppNet
import Foundation
import GRDB
import HeliumJSON
import Testing

@testable import MessageBeast

/// The steps of SQLite's virtual machine, not time.
@Suite("Work of look-ups")
struct WorkTests {
    @Test("a page of hits costs the same across the border between a full sync and later messages")
    func seam() throws {
        let journal = try Journal()
        func message(_ id: Int) -> Message { Journal.message(id, id.isMultiple(of: 2) ? "half" : "other") }
        // A full sync stores the newest page first.
        for page in stride(from: 5000, to: 0, by: -200) {
            try journal.store(((page - 199)...page).reversed().map(message))
        }
        try journal.store((5001...5060).reversed().map(message))
        let steps = try journal.steps { database in
            let reader = MessageReader(database: database, configuration: journal.configuration)
            let hits = try reader.search(text: "half", in: Journal.channel, limit: 50)
            #expect(journal.ids(hits.map(\.message)) == stride(from: 5060, to: 4960, by: -2).map { $0 })
        }
        #expect(steps < 10_000, "\(steps)")
    }

    @Test("a listing of few hashtags and places does not read all messages of the channel")
    func listings() throws {
        let journal = try Journal()
        try journal.store(
            (1...5000).reversed().map { id in
                let place = id.isMultiple(of: 500) ? [LocationTests.ohai("Home", 1, 2)] : nil
                return Journal.message(id, id.isMultiple(of: 500) ? "#tag" : "text", annotations: place)
            }
        )
        let steps = try journal.steps { database in
            let reader = InstanceReader(database: database, configuration: journal.configuration)
            let tags = try reader.hashtags(in: Journal.channel).map(\.messageIDs.count)
            let places = try reader.displayLocations(in: Journal.channel).map(\.messageIDs.count)
            #expect(tags == [10] && places == [10])
        }
        #expect(steps < 3000, "\(steps)")
    }

    @Test("the claim of a channel is found without reading the outbox")
    func claims() throws {
        let journal = try Journal()
        try journal.store((1...2000).reversed().map { Journal.message($0, "text") })
        try journal.writer.write { database in
            try database.execute(
                sql: "INSERT INTO outbox (local_id, queue_seq, state) SELECT local_id, local_id, 'queued' FROM message"
            )
        }
        let claimed = try journal.insertUnsent("claimed", "Claimed", sequence: 10_000, state: "sending")
        let steps = try journal.steps { database in
            let outbox = OutboxTable(database: database)
            let found = try outbox.claimed(in: Journal.channel.text)
            let other = try outbox.claimed(in: Journal.actions.text)
            #expect(found?.localID == claimed && other == nil)
        }
        #expect(steps < 500, "\(steps)")
    }

    @Test("a listing is the same whichever table is read first")
    func leaders() throws {
        let journal = try Journal()
        try journal.store((1...300).reversed().map { Journal.message($0, $0 <= 150 ? "#a #b\($0)" : "text") })
        // The window has fewer messages than there are hashtags.
        let window = (Journal.start.addingTimeInterval(100), Journal.start.addingTimeInterval(151))
        let part = try journal.list { try $0.hashtags(in: Journal.channel, since: window.0, before: window.1) }
        let all = try journal.list { try $0.hashtags(in: Journal.channel) }
        #expect(all.first?.messageIDs.count == 150 && all.count == 151)
        #expect(part.first?.messageIDs == (100...150).reversed().map { Message.ID($0) } && part.count == 52)
    }

    @Test("places near coordinates and by name are found by their indexes")
    func places() throws {
        let journal = try Journal()
        try journal.store(
            (1...3000).reversed().map { id in
                let (latitude, longitude) = (Double(id % 80), Double(id % 170))
                let place = LocationTests.checkin("Bar \(id)", latitude, longitude, id: "f\(id)")
                return Journal.message(id, annotations: [place])
            }
        )
        let near = try journal.steps {
            let found = try PlaceReader(database: $0).places(latitude: 5, longitude: 5).map(\.id)
            #expect(found == ["f1365", "f2725", "f5"])
        }
        let named = try journal.steps {
            let found = try PlaceReader(database: $0).places(matching: "bar 2717").map(\.id)
            #expect(found == ["f2717"])
        }
        #expect(near < 5000 && named < 1000, "\(near), \(named)")
    }
}
