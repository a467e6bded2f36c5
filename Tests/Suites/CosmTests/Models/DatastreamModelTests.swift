import HeliumTesting
import Testing

@testable import Cosm

@Suite("A datastream model", .timeLimit(.minutes(5)))
struct DatastreamModelTests {
    private static let history = """
        {"id":"temp","current_value":"3","at":"2013-02-01T09:00:02.000000Z","version":"1.0.0","unit":{"label":"Celsius"},
         "datapoints":[{"at":"2013-02-01T09:00:00.000000Z","value":"1"},{"at":"2013-02-01T09:00:01.000000Z","value":"2"}]}
        """

    @Test("a new datastream model is created through its feed, and is not new after that")
    func create() async throws {
        let transport = MockTransport(cosm: { _ in nil })
        let stream = DatastreamModel(
            Datastream(id: "temp", currentValue: "0000017"),
            feedID: 504,
            api: try makeAPI(transport)
        )
        #expect(stream.isNew)
        try await stream.save()
        #expect(
            transport.lines == [#"PUT /v2/feeds/504 {"datastreams":[{"current_value":"0000017","id":"temp"}]}"#]
        )
        #expect(!stream.isNew && stream.unsavedMembers.isEmpty)
        try await stream.save()
        #expect(transport.requests.count == 1)
    }

    @Test("a datastream model sends what was changed, without the timestamp of an earlier value")
    func update() async throws {
        let transport = MockTransport(reading: Self.history)
        let stream = DatastreamModel(id: "temp", feedID: 504, api: try makeAPI(transport))
        try await stream.fetch()
        stream.currentValue = 20.5
        try await stream.save()
        #expect(transport.lines.last == #"PUT /v2/feeds/504/datastreams/temp {"current_value":"20.5"}"#)
        stream.currentValue = 20.5
        try await stream.save()
        #expect(transport.requests.count == 3, "the same value again is another measurement")
    }

    @Test("a fetch with history parameters replaces the saved datapoints and keeps unsaved ones")
    func fetchHistory() async throws {
        let documents = Documents([
            Self.history,
            #"{"id":"temp","datapoints":[{"at":"2013-02-01T09:00:01Z","value":"5"}]}"#, #"{"id":"temp"}"#,
        ])
        let transport = MockTransport(cosm: { _ in .json(documents.next()) })
        let stream = DatastreamModel(id: "temp", feedID: 504, api: try makeAPI(transport))
        stream.useParameter("duration", withValue: "1day")
        try await stream.fetch()
        #expect(stream.datapoints.datapoints.map(\.value) == ["1", "2"])
        let second = stream.datapoints.datapoints[1]
        let own = stream.datapoints.add(Datapoint(value: 9))
        let changes = try await stream.fetch()
        #expect(stream.datapoints.datapoints.map(\.value) == ["5", 9])
        #expect(stream.datapoints.datapoints[0] === second && stream.datapoints.datapoints[1] === own)
        #expect(changes.removedChildren == ["2013-02-01T09:00:00.000000Z"])
        #expect(changes.updatedChildren == ["2013-02-01T09:00:01.000000Z"])
        // A stream without points in the window leaves the member out.
        try await stream.fetch()
        #expect(stream.datapoints.datapoints.map(\.value) == [9])
    }

    @Test("a fetch without history parameters keeps the datapoints")
    func fetchWithoutHistory() async throws {
        let documents = Documents([Self.history, #"{"id":"temp"}"#])
        let stream = DatastreamModel(
            id: "temp",
            feedID: 504,
            api: try makeAPI(MockTransport(cosm: { _ in .json(documents.next()) }))
        )
        stream.useParameter("limit", withValue: 2)
        try await stream.fetch()
        stream.resetParameters()
        try await stream.fetch()
        #expect(stream.datapoints.datapoints.count == 2)
    }

    @Test("a datastream model without ids sends nothing, and the error names them", arguments: [true, false])
    func missing(isNew: Bool) async throws {
        let transport = MockTransport()
        let api = try makeAPI(transport)
        let noFeed = DatastreamModel(Datastream(id: "temp"), isNew: isNew, api: api)
        let noID = DatastreamModel(feedID: 504, isNew: isNew, api: api)
        for (stream, error) in [(noFeed, IncompleteModel.datastreamHasNoFeedID), (noID, .datastreamHasNoID)] {
            await #expect(throws: error) { try await stream.fetch() }
            await #expect(throws: error) { try await stream.save() }
            await #expect(throws: error) { try await stream.delete() }
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("ids of feeds and datastreams are percent-encoded")
    func encoded() async throws {
        let transport = MockTransport(reading: #"{"id":"üö %s/a"}"#)
        let stream = DatastreamModel(id: "üö %s/a", feedID: 504, api: try makeAPI(transport))
        try await stream.fetch()
        #expect(transport.requests[0].path == "/v2/feeds/504/datastreams/%C3%BC%C3%B6%20%25s%2Fa.json")
    }

    @Test("a deleted datastream model is marked, with its datapoints")
    func delete() async throws {
        let transport = MockTransport(cosm: { _ in nil })
        let stream = DatastreamModel(id: "temp", feedID: 504, api: try makeAPI(transport))
        let point = stream.datapoints.add(Datapoint(value: 1))
        try await stream.delete()
        #expect(transport.lines == ["DELETE /v2/feeds/504/datastreams/temp"])
        #expect(stream.isDeleted && point.isDeleted)
    }

    @Test("a datastream model uses the API of its feed or its own, and outlives the feed's model")
    func inheritsAPI() async throws {
        let transport = MockTransport(reading: #"{"results":[{"id":504,"datastreams":[{"id":"temp"},{"id":"note"}]}]}"#)
        let feeds = FeedCollection(api: try makeAPI(transport, key: "of-list"))
        try await feeds.fetch()
        let temp = try #require(feeds[504]?.datastreams["temp"])
        let note = try #require(feeds[504]?.datastreams["note"])
        note.api = try makeAPI(transport, key: "of-note")
        func keys() async throws -> [String?] {
            let count = transport.requests.count
            temp.currentValue = 1
            note.currentValue = 1
            try await temp.save()
            try await note.save()
            let point = temp.datapoints.add(Datapoint(value: 1))
            try await point.save()
            return transport.requests[count...].map(\.key)
        }
        #expect(try await keys() == ["of-list", "of-note", "of-list"])
        feeds[504]?.api = try makeAPI(transport, key: "of-feed")
        #expect(try await keys() == ["of-feed", "of-note", "of-feed"])
        try feeds.remove(#require(feeds[504]))
        #expect(temp.feed == nil)
        #expect(try await keys() == ["of-feed", "of-note", "of-feed"])
        #expect(transport.lines.last?.hasPrefix("POST /v2/feeds/504/datastreams/temp/datapoints ") == true)
    }
}
