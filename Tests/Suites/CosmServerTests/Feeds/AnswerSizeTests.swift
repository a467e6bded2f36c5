import GRDB
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Size of Cosm's responses", .timeLimit(.minutes(5)))
struct AnswerSizeTests {
    private static let long = String(repeating: "x", count: 20_000)

    @Test("a page of feeds has all its feeds within the limit: the largest lose their datastreams, then their texts")
    func abbreviates() async throws {
        try await withCosm {
            $0.maxima.answerBytes = 65_536
        } _: { peer async throws in
            for number in 1...8 {
                try await peer.createFeed(
                    #"{"title":"F\#(number)","description":"\#(Self.long)","datastreams":[{"id":"a","current_value":"1"}]}"#
                )
            }
            for suffix in ["?per_page=8", "?per_page=8&content=summary"] {
                let answer = try await peer.get("/feeds\(suffix)")
                #expect(answer.body.count <= 65_536)
                let results = answer.document?["results"]?.arrayValue ?? []
                #expect(results.compactMap { $0["title"]?.stringValue }.sorted() == (1...8).map { "F\($0)" })
                #expect(answer.document?["totalResults"] == 8)
                #expect(answer.document?["itemsPerPage"] == 8)
                let complete = results.count { $0["description"] != nil }
                #expect(complete > 0 && complete < 8)
            }
            // A page of one feed has all of it.
            let one = try await peer.document("/feeds?per_page=1")
            #expect(one["results", 0, "description"]?.stringValue == Self.long)
            #expect(one["results", 0, "datastreams", 0, "id"] == "a")
        }
    }

    @Test("feeds with very many datastreams cost a list no more than its limit")
    func boundsDatastreams() throws {
        var page = FeedPage(count: 2, maximumBytes: 100_000)
        let use = masterUse()
        let feed = FeedRecord(id: 1, owner: "ann", title: "t", created: use.now, updated: use.now)
        let granted = try use.grant(feed)
        #expect(page.datastreamCapacity < 250)
        var document = FeedDocument(granted)
        document.datastreams = (0..<100).compactMap { number in
            let stream = DatastreamRecord(number: Int64(number), feed: 1, id: "s\(number)")
            return granted.part(stream).map { DatastreamDocument($0) }
        }
        for _ in 0..<4 { page.append(document) }
        #expect(page.documents.map { $0.datastreams?.count } == [100, 100, 100, nil])
    }

    @Test("texts and datastreams that have no room in a list are read up to twice its limit only")
    func boundsWork() throws {
        var page = FeedPage(count: 1_000, maximumBytes: 100_000)
        let use = masterUse()
        var feed = FeedRecord(id: 1, owner: "ann", title: "t", created: use.now, updated: use.now)
        feed.description = String(repeating: "d", count: 40_000)
        let granted = try use.grant(feed)
        var document = FeedDocument(granted)
        document.datastreams = (0..<10).compactMap { number in
            var stream = DatastreamRecord(number: Int64(number), feed: 1, id: "s\(number)")
            stream.tags = [String(repeating: "t", count: 1_000)]
            return granted.part(stream).map { DatastreamDocument($0) }
        }
        var reads = 0
        while page.readsTexts, reads < 1_000 {
            reads += 1
            page.append(document, isComplete: reads.isMultiple(of: 2))
        }
        #expect(reads == 4)
        #expect(page.datastreamCapacity == 0)
        #expect(page.documents.count == 4)
    }

    @Test("a feed that is read without its texts is the same as one that loses them")
    func abbreviatedFeed() throws {
        let now = stamp("2013-02-01T00:00:00Z")
        var feed = FeedRecord(id: 7, owner: "ann", title: "t", created: now, updated: now)
        feed.description = "d"
        feed.website = "w"
        feed.email = "e"
        feed.icon = "i"
        feed.tags = ["a", "b"]
        feed.isPrivate = true
        feed.location = LocationRecord(
            name: "n",
            domain: "physical",
            exposure: "indoor",
            disposition: "mobile",
            latitude: 1,
            longitude: 2,
            elevation: "3"
        )
        let stored = feed
        let database = try ServerDatabase.memory()
        try CosmSchema.migrate(database)
        let read = try database.write { database in
            let table = FeedTable(database: database)
            try table.insert(stored)
            return try table.abbreviatedFeed(7)
        }
        var expected = FeedDocument(try masterUse().grant(feed))
        expected.abbreviate()
        #expect(read == expected.feed)
    }

    @Test("a history that would exceed the limit is 400, and a smaller one is read")
    func history() async throws {
        try await withCosm {
            $0.maxima.answerBytes = 15_000
        } _: { peer async throws in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"a"},{"id":"b"}]}"#)
            for id in ["a", "b"] {
                let rows = (0..<100).map { "2013-02-01T10:\(10 + $0 / 60):\(10 + $0 % 50)Z,\($0)" }
                let path = "/feeds/1/datastreams/\(id)/datapoints.csv"
                #expect(try await peer.post(path, rows.joined(separator: "\n")).status == 200)
            }
            #expect(try await peer.get("/feeds/1?limit=1000").status == 400)
            #expect(try await peer.get("/feeds/1?limit=20").status == 200)
            #expect(try await peer.get("/feeds/1?limit=1000&datastreams=a").status == 200)
            #expect(try await peer.get("/feeds/1").status == 200)
        }
    }

    @Test("a host that is longer than any name is not repeated in the URLs of a list")
    func longHost() async throws {
        try await withCosm { peer async throws in
            try await peer.createFeed()
            let connection = try RawConnection(port: peer.port)
            let host = String(repeating: "a.", count: 2_000) + "example"
            try await connection.send(Peer.bytes("GET", "/v2/feeds", host: host, fields: [("X-ApiKey", peer.key)]))
            let answer = try await connection.answer()
            #expect(answer.document?["results", 0, "feed"]?.stringValue == "\(peer.base)/feeds/1.json")
        }
    }

    @Test(
        "a list of keys has all of them within the limit: the largest lose their permissions",
        arguments: ["json", "xml"]
    )
    func keys(_ format: String) async throws {
        try await withCosm {
            $0.maxima.answerBytes = 12_000
        } _: { peer async throws in
            let resources = (1...300).map { #"{"feed_id":\#($0)}"# }.joined(separator: ",")
            var created = [peer.key]
            for label in ["small", "large", "large"] {
                let list = label == "large" ? resources : #"{"feed_id":1}"#
                created.append(
                    try await peer.createKey(
                        #"{"key":{"label":"\#(label)","permissions":[{"access_methods":["get"],"resources":[\#(list)]}]}}"#
                    )
                )
            }
            let answer = try await peer.get("/keys.\(format)")
            #expect(answer.status == 200)
            #expect(answer.body.count <= 12_000)
            for key in created { #expect(answer.text.contains(key)) }
            #expect(answer.text.contains("small"))
            if format == "json" {
                let keys = answer.document?["keys"]?.arrayValue ?? []
                #expect(keys.map { $0["permissions"]?.arrayValue?.count } == [1, 1, 1, 0])
                #expect(keys.map { $0["label"]?.stringValue } == ["master key", "small", "large", "large"])
                // The keys that are filtered out leave room.
                let filtered = try await peer.document("/keys?feed_id=300")["keys"]?.arrayValue ?? []
                #expect(filtered.map { $0["permissions"]?.arrayValue?.count } == [1, 1])
            }
            // A read of a key has all of it.
            #expect(try await peer.get("/keys/\(created[3])").text.contains("300"))
        }
    }

    @Test("keys that a limited key may not see have no room in its list, also in that of a feed")
    func invisibleKeys() async throws {
        try await withCosm {
            $0.maxima.answerBytes = 24_000
        } _: { peer async throws in
            let resources = (1...300).map { #"{"feed_id":\#($0)}"# }.joined(separator: ",")
            func key(_ label: String, _ members: String) async throws -> String {
                try await peer.createKey(#"{"key":{"label":"\#(label)",\#(members)}}"#)
            }
            let large = #""permissions":[{"access_methods":["get"],"resources":[\#(resources)]}]"#
            let soon = #""expires_at":"2090-01-01T00:00:00Z","#
            for _ in 0..<8 { _ = try await key("hidden", large) }
            let methods = #"["get","put","post","delete"]"#
            let limited = try await key(
                "limited",
                soon + #""private_access":true,"permissions":[{"access_methods":\#(methods)}]"#
            )
            for _ in 0..<3 { _ = try await key("visible", soon + large) }
            let reader = CosmPeer(peer.running, key: limited)
            let keys = try await reader.document("/keys")["keys"]?.arrayValue ?? []
            #expect(keys.map { $0["label"]?.stringValue } == ["limited", "visible", "visible", "visible"])
            #expect(keys.map { $0["permissions"]?.arrayValue?.count } == [1, 1, 1, 1])
            let ofFeed = try await reader.document("/keys?feed_id=300")["keys"]?.arrayValue ?? []
            #expect(ofFeed.map { $0["permissions"]?.arrayValue?.count } == [1, 1, 1])
        }
    }

    @Test(
        "a list of accounts has all of them within the limit: the largest have their login only",
        arguments: ["json", "xml"]
    )
    func users(_ format: String) async throws {
        try await withCosm {
            $0.maxima.answerBytes = 12_000
        } _: { peer async throws in
            let about = String(repeating: "x", count: 4_000)
            for number in 1...4 {
                let body = #"{"user":{"login":"user\#(number)","about":"\#(about)"}}"#
                #expect(try await peer.post("/users", body).status == 201)
            }
            let answer = try await peer.get("/users.\(format)")
            #expect(answer.status == 200)
            #expect(answer.body.count <= 12_000)
            for number in 1...4 { #expect(answer.text.contains("user\(number)")) }
            #expect(try await peer.document("/users/user4").text.contains(about))
        }
    }

    @Test("an elevation, which each waypoint repeats, and the tags of a feed have limits")
    func texts() {
        var input = FeedInput()
        input.location.elevation = .set(String(repeating: "1", count: 256))
        input.tags = .set([String(repeating: "t", count: 65_537)])
        let messages = FeedRules.violations(of: input, isNew: false)
        #expect(messages == ["Elevation is too long (maximum is 255 characters)", "Tags is too long"])
    }
}
