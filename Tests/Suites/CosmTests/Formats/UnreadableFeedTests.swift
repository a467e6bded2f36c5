import Foundation
import HeliumKit
import HeliumTesting
import Testing

@testable import Cosm

@Suite("Lists of feeds with feeds that cannot be read")
struct UnreadableFeedTests {
    private static let broken = #"{"id":2,"title":"b","location":{"lat":"52,5","lon":"13"}}"#

    private static let documents = [
        #"{"totalResults":3,"results":[{"id":1},\#(broken),null,{"id":3}]}"#, #"[{"id":1},\#(broken),{"id":3}]"#,
        #"{"feeds":[{"id":1},{"feed":{"id":3}},\#(broken)]}"#,
    ]

    @Test("one feed that cannot be read is left out and named", arguments: documents)
    func json(_ document: String) throws {
        let page = try CosmFormat.json.decode(FeedPage.self, from: Data(document.utf8))
        #expect(page.results.map(\.id) == [1, 3])
        #expect(page.unreadable.count == 1 && page.unreadable.ids == ["2"])
        #expect(page.unreadable.items.first?.reason.contains("lat") == true, "\(page.unreadable.items)")
    }

    private static let deep =
        #"{"title":"b","unknown":"# + String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        + #","id":2}"#

    @Test("one feed that is nested too deep is left out and named", arguments: documents)
    func deep(_ document: String) throws {
        let text = document.replacingOccurrences(of: Self.broken, with: Self.deep)
        let page = try CosmFormat.json.decode(FeedPage.self, from: Data(text.utf8))
        #expect(page.results.map(\.id) == [1, 3] && page.unreadable.ids == ["2"])
        #expect(page.unreadable.items.first?.reason.contains("512") == true, "\(page.unreadable.items)")
        #expect(try page.encoded(as: .json).losses.contains { $0.reason.contains("2") })
    }

    @Test("a datastream, a point and a trigger that are nested too deep are left out of their lists")
    func deepRecords() throws {
        let datastreams = #"[{"id":"a"},\#(Self.deep)]"#
        for document in [#"{"id":1,"datastreams":\#(datastreams)}"#, #"{"feed":{"datastreams":\#(datastreams)}}"#] {
            let feed = try CosmFormat.json.decode(Feed.self, from: Data(document.utf8))
            #expect(feed.datastreams?.map(\.id) == ["a"] && feed.unreadable.ids == ["2"])
        }
        let points = #"{"id":"a","datapoints":[{"at":"2026-11-27T10:00:00Z","value":"1"},\#(Self.deep)]}"#
        let datastream = try CosmFormat.json.decode(Datastream.self, from: Data(points.utf8))
        #expect(datastream.datapoints?.count == 1 && datastream.unreadable.count == 1)
        for list in [#"[{"id":1},\#(Self.deep)]"#, #"{"triggers":[{"trigger":{"id":1}},{"trigger":\#(Self.deep)}]}"#] {
            let triggers = try CosmFormat.json.decode(CosmList<Trigger>.self, from: Data(list.utf8))
            #expect(triggers.count == 1 && triggers.unreadable.ids == ["2"])
        }
        for document in [Self.deep, #"{"results":[],"unknown":\#(Self.deep)}"#, #"{"results":\#(Self.deep)}"#] {
            #expect(throws: CosmDocumentError.self) {
                try CosmFormat.json.decode(FeedPage.self, from: Data(document.utf8))
            }
        }
    }

    @Test("the other members of a page with such a feed are read, by each decoder")
    func members() throws {
        let document = Data(Self.documents[0].utf8)
        for page in [
            try HeliumJSONDecoder().decode(FeedPage.self, from: document),
            try JSONDecoder().decode(FeedPage.self, from: document),
        ] {
            #expect(page.totalResults == 3 && page.results.count == 2 && page.unreadable.ids == ["2"])
        }
    }

    @Test("a page with such a feed cannot be written without a loss", arguments: CosmFormat.allCases)
    func losses(_ format: CosmFormat) throws {
        let page = try CosmFormat.json.decode(FeedPage.self, from: Data(Self.documents[0].utf8))
        #expect(try page.encoded(as: format).losses.contains { $0.path == "results" && $0.reason.contains("2") })
    }

    @Test("one feed in XML that cannot be read is left out and named")
    func xml() throws {
        let document = """
            <eeml xmlns="http://www.eeml.org/xsd/0.5.1" version="0.5.1"><environment id="1"><title>a</title></environment>\
            <environment id="2"><location><lat>52,5</lat></location></environment></eeml>
            """
        let page = try CosmFormat.xml.decode(FeedPage.self, from: Data(document.utf8))
        #expect(page.results.map(\.id) == [1] && page.unreadable.ids == ["2"])
    }

    @Test("a list of which no feed can be read names the feeds by their ids")
    func onlyUnreadable() throws {
        let documents = [
            #"{"totalResults":1,"results":[\#(Self.broken)]}"#, "[\(Self.broken)]",
            #"{"feeds":[\#(Self.broken),null]}"#,
        ]
        for document in documents {
            let page = try CosmFormat.json.decode(FeedPage.self, from: Data(document.utf8))
            #expect(page.results.isEmpty && page.unreadable.ids == ["2"], "\(document)")
        }
        let page = try JSONDecoder().decode(FeedPage.self, from: Data(documents[0].utf8))
        #expect(page.results.isEmpty && page.unreadable.ids == ["2"] && page.totalResults == 1)
        let xml = """
            <eeml xmlns="http://www.eeml.org/xsd/0.5.1" version="0.5.1">\
            <environment id="2"><location><lat>52,5</lat></location></environment></eeml>
            """
        #expect(try CosmFormat.xml.decode(FeedPage.self, from: Data(xml.utf8)).unreadable.ids == ["2"])
    }

    @Test("a list of which no feed can be read and none has an id is an error, and so is a bad one of other records")
    func none() {
        let nameless = #"{"title":"b","location":{"lat":"52,5","lon":"13"}}"#
        for document in [#"{"results":[\#(nameless)]}"#, "[\(nameless)]", #"{"results":5}"#] {
            #expect(throws: CosmDocumentError.self) {
                try CosmFormat.json.decode(FeedPage.self, from: Data(document.utf8))
            }
        }
        #expect(throws: CosmDocumentError.self) {
            let xml = """
                <eeml xmlns="http://www.eeml.org/xsd/0.5.1" version="0.5.1">\
                <environment><location><lat>52,5</lat></location></environment></eeml>
                """
            return try CosmFormat.xml.decode(FeedPage.self, from: Data(xml.utf8))
        }
        let triggers = #"[{"id":1},{"id":2,"threshold_value":{}}]"#
        #expect(throws: CosmDocumentError.self) {
            try CosmFormat.json.decode([Trigger].self, from: Data(triggers.utf8))
        }
    }

    @Test("a document that is checked does not lose a feed")
    func checked() throws {
        let kind = try #require(CosmDocumentKind(named: "cosm.feeds"))
        #expect(throws: CosmDocumentError.self) {
            try kind.read(Data(Self.documents[0].utf8), as: .json, dialect: .stated)
        }
    }

    @Test("an iteration over all feeds passes over a feed that cannot be read, and ends")
    func walk() async throws {
        let transport = MockTransport { _ in .json(Self.documents[0]) }
        var ids: [Feed.ID?] = []
        for try await feed in try makeAPI(transport).allFeeds() { ids.append(feed.id) }
        #expect(ids == [1, 3] && transport.requests.count == 1)
    }

    @Test("an iteration continues after a page of which no feed can be read, and ends if that page is repeated")
    func walkOverUnreadable() async throws {
        let pages = [#"{"results":[{"id":1}]}"#, #"{"results":[\#(Self.broken)]}"#, #"{"results":[{"id":3}]}"#]
        let documents = Documents(pages + [#"{"results":[]}"#])
        var ids: [Feed.ID?] = []
        for try await feed in try makeAPI(MockTransport(cosm: { _ in .json(documents.next()) })).allFeeds() {
            ids.append(feed.id)
        }
        #expect(ids == [1, 3])
        let repeated = MockTransport { _ in .json(pages[1]) }
        for try await feed in try makeAPI(repeated).allFeeds() { Issue.record("\(feed)") }
        #expect(repeated.requests.count == 2)
    }

    @Test("a feed that cannot be read is not removed from a collection")
    func collection() async throws {
        let whole = #"{"totalResults":3,"results":[{"id":1},{"id":2,"title":"b"},{"id":3}]}"#
        let documents = Documents([whole, Self.documents[0]])
        let feeds = FeedCollection(api: try makeAPI(MockTransport(cosm: { _ in .json(documents.next()) })))
        try await feeds.fetch()
        try await feeds.fetch()
        #expect(Set(feeds.feeds.map(\.id)) == [1, 2, 3] && feeds[2]?.title == "b")
    }

    @Test("a page with such a feed replaces the page before it, unless the feed has no id and may be any of them")
    func nextPage() async throws {
        let documents = Documents([
            #"{"results":[{"id":4},{"id":2,"title":"b"}]}"#, Self.documents[0],
            #"{"results":[{"id":5},{"location":{"lat":"52,5"}}]}"#,
        ])
        let feeds = FeedCollection(api: try makeAPI(MockTransport(cosm: { _ in .json(documents.next()) })))
        try await feeds.fetch()
        let changes = try await feeds.fetch()
        #expect(Set(feeds.feeds.map(\.id)) == [1, 2, 3] && feeds[2]?.title == "b")
        #expect(changes.removedChildren == ["4"])
        try await feeds.fetch()
        #expect(Set(feeds.feeds.map(\.id)) == [1, 2, 3, 5])
    }
}
