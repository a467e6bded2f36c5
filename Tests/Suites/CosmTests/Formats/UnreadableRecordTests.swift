import Foundation
import HeliumKit
import HeliumTesting
import Testing

@testable import Cosm

@Suite("Datastreams, points, triggers and keys that cannot be read")
struct UnreadableRecordTests {
    private static let feed = #"""
        {"id":1,"title":"a","datastreams":[{"id":"t","current_value":"1"},{"id":"u","at":"yesterday"},null,{"id":"v"}]}
        """#
    private static let datastream = #"""
        {"id":"t","datapoints":[{"at":"2013-02-01T09:00:02Z","value":"1"},{"at":"yesterday","value":"2"},
        {"at":"2013-02-01T09:00:04Z","value":{}},{"at":"2013-02-01T09:00:05Z","value":"4"}]}
        """#

    private func decode<Document: CosmDocument>(
        _ type: Document.Type,
        _ document: String,
        _ format: CosmFormat = .json,
        _ dialect: CosmDialect = .stated
    ) throws -> Document {
        try format.decode(type, from: Data(document.utf8), dialect: dialect)
    }

    // MARK: Formats

    @Test("one datastream of a feed that cannot be read is left out and named, by each decoder")
    func datastreams() throws {
        let data = Data(Self.feed.utf8)
        for feed in [
            try decode(Feed.self, Self.feed), try HeliumJSONDecoder().decode(Feed.self, from: data),
            try JSONDecoder().decode(Feed.self, from: data),
        ] {
            #expect(feed.title == "a" && feed.datastreams?.map(\.id) == ["t", "v"])
            #expect(feed.unreadable.count == 1 && feed.unreadable.ids == ["u"])
            #expect(feed.unreadable.items.first?.reason.contains("yesterday") == true, "\(feed.unreadable.items)")
        }
    }

    @Test("points of a datastream that cannot be read are left out and counted, in a page of feeds too")
    func points() throws {
        let stream = try decode(Datastream.self, Self.datastream)
        #expect(stream.datapoints?.map(\.value) == ["1", "4"] && stream.unreadable.count == 2)
        let page = try decode(FeedPage.self, #"{"results":[{"id":1,"datastreams":[\#(Self.datastream)]}]}"#)
        #expect(page.unreadable.isEmpty && page.results.first?.unreadable.isEmpty == true)
        #expect(page.results.first?.datastreams?.first?.unreadable.count == 2)
    }

    @Test("a datastream of version 1 that cannot be read is left out and named, whether the document has the version")
    func version1() throws {
        let streams = #"[{"id":"0","values":[{"value":"1"}]},{"id":"1","values":[{"recorded_at":"soon"}]}]"#
        for feed in [
            try decode(Feed.self, #"{"version":"0.6-alpha","datastreams":\#(streams)}"#),
            try decode(Feed.self, #"{"datastreams":\#(streams)}"#, .json, .version1),
        ] {
            #expect(feed.datastreams == [Datastream(id: "0", currentValue: "1")] && feed.unreadable.ids == ["1"])
        }
    }

    @Test("datastreams and points in XML that cannot be read are left out and named")
    func xml() throws {
        let feed = try decode(
            Feed.self,
            """
            <eeml xmlns="http://www.eeml.org/xsd/0.5.1" version="0.5.1"><environment id="1"><data id="t">\
            <current_value>1</current_value><datapoints><value at="2013-02-01T09:00:02Z">1</value>\
            <value at="yesterday">2</value></datapoints></data><data id="u"><current_value at="soon">1</current_value>\
            </data></environment></eeml>
            """,
            .xml
        )
        #expect(feed.datastreams?.map(\.id) == ["t"] && feed.unreadable.ids == ["u"])
        #expect(feed.datastreams?.first?.datapoints?.map(\.value) == ["1"])
        #expect(feed.datastreams?.first?.unreadable.ids == ["yesterday"])
        let triggers = try decode(
            CosmList<Trigger>.self,
            """
            <datastream-triggers><datastream-trigger><id>1</id></datastream-trigger><datastream-trigger><id>2</id>\
            <threshold-value><a/></threshold-value></datastream-trigger></datastream-triggers>
            """,
            .xml
        )
        #expect(triggers.map(\.id) == [1] && triggers.unreadable.ids == ["2"])
    }

    @Test(
        "a feed with a row in CSV that cannot be read is left out of a list and named, and one feed in CSV is an error"
    )
    func csv() throws {
        let page = try decode(FeedPage.self, "9,a,,1\n7,b,soon,2\n7,c,,3\n", .csv)
        #expect(page.results.map(\.id) == [9] && page.unreadable.ids == ["7"])
        #expect(throws: CosmDocumentError.self) { try decode(FeedPage.self, "7,b,soon,2\n", .csv) }
        #expect(throws: CosmDocumentError.self) { try decode(Feed.self, "a,,1\nb,soon,2\n", .csv) }
    }

    @Test("a list of which nothing can be read is empty if records have ids, and names them, by each decoder")
    func onlyNamed() throws {
        let document = #"{"id":1,"datastreams":[{"id":"u","at":"yesterday"},null]}"#
        let markup = """
            <eeml xmlns="http://www.eeml.org/xsd/0.5.1" version="0.5.1"><environment id="1"><data id="u">\
            <current_value at="soon">1</current_value></data></environment></eeml>
            """
        let version1 = #"{"version":"0.6-alpha","datastreams":[{"id":"u","values":[{"recorded_at":"soon"}]}]}"#
        for feed in [
            try decode(Feed.self, document), try HeliumJSONDecoder().decode(Feed.self, from: Data(document.utf8)),
            try JSONDecoder().decode(Feed.self, from: Data(document.utf8)), try decode(Feed.self, markup, .xml),
            try decode(Feed.self, version1),
        ] {
            #expect(feed.datastreams == [] && feed.unreadable.ids == ["u"])
        }
        let triggers = """
            <datastream-triggers><datastream-trigger><id>2</id><threshold-value><a/></threshold-value>\
            </datastream-trigger></datastream-triggers>
            """
        for list in [
            try decode(CosmList<Trigger>.self, #"[{"id":2,"threshold_value":{}}]"#),
            try decode(CosmList<Trigger>.self, triggers, .xml),
        ] {
            #expect(list.isEmpty && list.unreadable.ids == ["2"])
        }
        // A timestamp is no id, by which a point could be requested.
        let points = """
            <eeml xmlns="http://www.eeml.org/xsd/0.5.1" version="0.5.1"><environment><data id="t"><datapoints>\
            <value at="yesterday">2</value></datapoints></data></environment></eeml>
            """
        #expect(throws: CosmDocumentError.self) { try decode(Datastream.self, points, .xml) }
    }

    @Test("a list of which nothing can be read and nothing has an id is an error, and so is an array with a bad value")
    func none() {
        #expect(throws: CosmDocumentError.self) { try decode(Feed.self, #"{"datastreams":[{"at":"soon"}]}"#) }
        #expect(throws: CosmDocumentError.self) { try decode(Datastream.self, #"{"datapoints":[{"at":"soon"}]}"#) }
        #expect(throws: CosmDocumentError.self) { try decode(CosmList<Trigger>.self, #"[{"threshold_value":{}}]"#) }
        #expect(throws: CosmDocumentError.self) { try decode([Trigger].self, #"[{"id":1},{"threshold_value":{}}]"#) }
        #expect(throws: CosmDocumentError.self) { try decode([Datastream].self, #"[{"id":"a"},{"at":"soon"}]"#) }
    }

    // MARK: No loss without a word

    @Test("a feed or datastream with such records cannot be written without a loss", arguments: CosmFormat.allCases)
    func losses(_ format: CosmFormat) throws {
        let feed = try decode(Feed.self, Self.feed)
        #expect(try feed.encoded(as: format).losses.contains { $0.path == "datastreams" && $0.reason.contains("u") })
        let stream = try decode(Datastream.self, Self.datastream)
        #expect(try stream.encoded(as: format).losses.contains { $0.path == "datapoints" })
        let nested = Feed(datastreams: [Datastream(id: "a"), stream])
        #expect(try nested.encoded(as: format).losses.contains { $0.path == "datastreams[1].datapoints" })
    }

    @Test("a feed with such a datastream is not sent, and the changes of one are")
    func sending() async throws {
        let transport = MockTransport { _ in .json("{}") }
        let api = try makeAPI(transport)
        let feed = try decode(Feed.self, Self.feed)
        let error = await CosmError.thrown { try await api.updateFeed(1, feed) }
        #expect(error?.kind == .unencodable && transport.requests.isEmpty)
        var changed = feed
        changed.title = "b"
        try await api.updateFeed(1, changed.changes(since: feed))
        #expect(transport.requests.count == 1)
    }

    @Test(
        "a document that is checked does not lose a record",
        arguments: [
            ("cosm.feed", feed), ("cosm.datastream", datastream), ("cosm.feeds", #"{"results":[\#(feed)]}"#),
            ("cosm.datastreams", #"{"datastreams":[\#(datastream)]}"#),
            ("cosm.socket", #"{"resource":"/feeds/1","body":\#(feed)}"#),
        ]
    )
    func checked(name: String, document: String) throws {
        let kind = try #require(CosmDocumentKind(named: name))
        #expect(throws: CosmDocumentError.self) { try kind.read(Data(document.utf8), as: .json, dialect: .stated) }
    }

    // MARK: Calls

    @Test("lists of triggers, keys, datastreams and users name what cannot be read, without secrets")
    func calls() async throws {
        let documents = Documents([
            #"[{"trigger":{"id":1}},{"trigger":{"id":2,"threshold_value":{}}}]"#,
            #"{"keys":[{"label":"a"},{"label":"b","private_access":"secret-key-1234"}]}"#, Self.feed,
            #"[{"user":{"login":"ann"}},{"user":{"login":{}}}]"#,
        ])
        let api = try makeAPI(MockTransport { _ in .json(documents.next()) })
        let triggers = try await api.triggers()
        #expect(triggers.map(\.id) == [1] && triggers.unreadable.ids == ["2"])
        let keys = try await api.keys()
        #expect(keys.map(\.label) == ["a"] && keys.unreadable.count == 1)
        let reason = try #require(keys.unreadable.items.first?.reason)
        #expect(reason.contains("private_access") && !reason.contains("secret-key"), "\(reason)")
        let streams = try await api.datastreams(in: 1)
        #expect(streams.map(\.id) == ["t", "v"] && streams.unreadable.ids == ["u"])
        let users = try await api.users()
        #expect(users.map(\.login) == ["ann"] && users.unreadable.count == 1)
    }

    @Test("a history passes over points that cannot be read, counts them for the limit of a response, and goes on")
    func history() async throws {
        let documents = Documents([
            #"""
            {"id":"t","datapoints":[{"at":"2013-02-01T09:00:01Z","value":"1"},{"at":"2013-02-01T09:00:02Z","value":{}},
            {"at":"2013-02-01T09:00:03Z","value":"3"}]}
            """#,
            #"{"id":"t","datapoints":[{"at":"2013-02-01T09:00:03Z","value":"3"},{"at":"2013-02-01T09:00:04Z","value":"4"}]}"#,
        ])
        let transport = MockTransport { _ in .json(documents.next()) }
        let start = try #require(Timestamp("2013-02-01T09:00:00Z"))
        let end = try #require(Timestamp("2013-02-01T09:01:00Z"))
        let history = try makeAPI(transport).history(of: "t", in: 1, from: start, to: end, pageLimit: 3)
        var points = history.makeAsyncIterator()
        var values: [DatapointValue?] = []
        while let point = try await points.next() { values.append(point.value) }
        #expect(values == ["1", "3", "4"] && points.unreadable.count == 1 && transport.requests.count == 2)
    }

    @Test("a datastream or a point that cannot be read is not removed from the models, and one that is missing is")
    func models() async throws {
        let whole = #"{"id":1,"datastreams":[{"id":"t"},{"id":"u","current_value":"5"},{"id":"v"},{"id":"w"}]}"#
        let feeds = Documents([whole, Self.feed])
        let feed = FeedModel(id: 1, api: try makeAPI(MockTransport(cosm: { _ in .json(feeds.next()) })))
        try await feed.fetch()
        try await feed.fetch()
        #expect(Set(feed.datastreams.datastreams.map(\.id)) == ["t", "u", "v"])
        let points = #"{"id":"t","datapoints":[{"at":"2013-02-01T09:00:03Z","value":"3"}]}"#
        let streams = Documents([points, Self.datastream])
        let api = try makeAPI(MockTransport(cosm: { _ in .json(streams.next()) }))
        let stream = DatastreamModel(id: "t", feedID: 1, api: api)
        try await stream.fetch()
        try await stream.fetch()
        #expect(stream.datapoints.datapoints.count == 3)
    }

    // MARK: Half an emoji

    @Test("half an emoji in a response or a frame is U+FFFD, and in a document that is checked an error")
    func surrogates() async throws {
        let document = #"{"id":1,"title":"cut \ud83d","datastreams":[{"id":"t","tags":["\ude00"]}]}"#
        let api = try makeAPI(MockTransport { _ in .json(document) })
        let feed = try await api.feed(1)
        #expect(feed.title == "cut \u{FFFD}" && feed.datastreams?.first?.tags == ["\u{FFFD}"])
        let frame = try SocketFrame(#"{"resource":"/feeds/1","body":\#(document)}"#)
        guard case .feed(let pushed) = frame.body else {
            Issue.record("no feed")
            return
        }
        #expect(pushed.title == "cut \u{FFFD}")
        #expect(throws: CosmDocumentError.self) { try decode(Feed.self, document) }
    }
}
