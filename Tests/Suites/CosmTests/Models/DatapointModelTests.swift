import HeliumTesting
import Testing

@testable import Cosm

@Suite("Datapoint models and their collection", .timeLimit(.minutes(5)))
struct DatapointModelTests {
    private static let at = Timestamp("2013-02-01T09:00:00Z")

    @Test("a datapoint model is stored as a whole, and again only after a change")
    func save() async throws {
        let transport = MockTransport(cosm: { _ in nil })
        let point = DatapointModel(
            Datapoint(at: Self.at, value: 1),
            feedID: 504,
            datastreamID: "temp",
            api: try makeAPI(transport)
        )
        #expect(point.isNew)
        try await point.save()
        try await point.save()
        #expect(!point.isNew)
        point.value = 2
        try await point.save()
        let path = "POST /v2/feeds/504/datastreams/temp/datapoints"
        #expect(
            transport.lines == [
                #"\#(path) {"datapoints":[{"at":"2013-02-01T09:00:00.000000Z","value":"1"}]}"#,
                #"\#(path) {"datapoints":[{"at":"2013-02-01T09:00:00.000000Z","value":"2"}]}"#,
            ]
        )
    }

    @Test("a datapoint model without an instant gets the present time when it is saved")
    func stamped() async throws {
        let point = DatapointModel(
            Datapoint(value: 1),
            feedID: 504,
            datastreamID: "temp",
            api: try makeAPI(MockTransport(cosm: { _ in nil }))
        )
        let before = Timestamp.now
        try await point.save()
        let at = try #require(point.at)
        #expect(before <= at && at <= .now)
    }

    @Test("a datapoint model is fetched and deleted by its instant")
    func fetch() async throws {
        let transport = MockTransport(reading: #"{"value":"2","at":"2013-02-01T09:00:00.000000Z"}"#)
        let point = DatapointModel(
            Datapoint(at: Self.at),
            feedID: 504,
            datastreamID: "temp",
            api: try makeAPI(transport)
        )
        try await point.fetch()
        #expect(point.value?.text == "2" && point.info["value"] == "2" && !point.isNew)
        try await point.delete()
        #expect(point.isDeleted)
        #expect(
            transport.requests.map(\.decodedPath)
                == Array(repeating: "/v2/feeds/504/datastreams/temp/datapoints/2013-02-01T09:00:00.000000Z", count: 2)
        )
    }

    @Test("a datapoint model without ids or an instant sends nothing, and the error names them")
    func missing() async throws {
        let transport = MockTransport()
        let api = try makeAPI(transport)
        let noFeed = DatapointModel(Datapoint(at: Self.at), datastreamID: "temp", api: api)
        let noStream = DatapointModel(Datapoint(at: Self.at), feedID: 504, api: api)
        let noInstant = DatapointModel(feedID: 504, datastreamID: "temp", api: api)
        for (point, error) in [
            (noFeed, IncompleteModel.datapointHasNoFeedID), (noStream, .datapointHasNoDatastreamID),
        ] {
            await #expect(throws: error) { try await point.save() }
            await #expect(throws: error) { try await point.fetch() }
            await #expect(throws: error) { try await point.delete() }
        }
        await #expect(throws: IncompleteModel.datapointHasNoInstant) { try await noInstant.fetch() }
        await #expect(throws: IncompleteModel.datapointHasNoInstant) { try await noInstant.delete() }
        let noCollectionFeed = DatapointCollection(datastreamID: "temp", api: api)
        await #expect(throws: IncompleteModel.collectionHasNoFeedID) { try await noCollectionFeed.save() }
        let noCollectionStream = DatapointCollection(feedID: 504, api: api)
        await #expect(throws: IncompleteModel.collectionHasNoDatastreamID) { try await noCollectionStream.save() }
        #expect(transport.requests.isEmpty)
    }

    // MARK: The collection

    @Test("a collection stores new and changed points, each with an instant of its own")
    func saveAll() async throws {
        let transport = MockTransport(cosm: { _ in nil })
        let points = DatapointCollection(feedID: 504, datastreamID: "temp", api: try makeAPI(transport))
        points.parse([Datapoint(at: Self.at, value: 1), Datapoint(at: Self.at?.advanced(by: .seconds(1)), value: 2)])
        points.datapoints[1].value = 5
        for value in 0..<3 { points.add(Datapoint(value: DatapointValue(value))) }
        try await points.save()
        let sent: [String: [Datapoint]] = try #require(transport.requests.first).bodyJSON()
        #expect(sent["datapoints"]?.map(\.value) == ["5", "0", "1", "2"])
        #expect(Set(sent["datapoints"]?.map(\.at) ?? []).count == 4)
        #expect(points.datapoints.allSatisfy { !$0.isNew && $0.unsavedMembers.isEmpty })
        try await points.save()
        #expect(transport.requests.count == 1)
    }

    @Test("an empty collection of datapoints is saved without a request")
    func empty() async throws {
        let transport = MockTransport()
        try await DatapointCollection(feedID: 504, datastreamID: "temp", api: try makeAPI(transport)).save()
        #expect(transport.requests.isEmpty)
    }

    @Test("the points of a failed batch stay unsaved, and only they are sent again")
    func partialFailure() async throws {
        let calls = Collected<Int>()
        let transport = MockTransport(cosm: { _ in
            calls.add(1)
            return calls.all.count == 2 ? .json(#"{"title":"JSON Parser Error"}"#, status: 400) : nil
        })
        let points = DatapointCollection(feedID: 504, datastreamID: "temp", api: try makeAPI(transport))
        for second in 0..<1200 {
            points.add(Datapoint(at: Self.at?.advanced(by: .seconds(second)), value: DatapointValue(second)))
        }
        await #expect(throws: (any Error).self) { try await points.save() }
        #expect(
            points.datapoints.map(\.isNew) == Array(repeating: false, count: 500) + Array(repeating: true, count: 700)
        )
        try await points.save()
        #expect(points.datapoints.allSatisfy { !$0.isNew })
        let sizes = try transport.requests.map { try $0.bodyJSON(as: [String: [Datapoint]].self)["datapoints"]?.count }
        #expect(sizes == [500, 500, 500, 200])
    }
}
