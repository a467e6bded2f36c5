import Cosm
import HeliumServer
import HeliumServerTesting
import Testing

/// The assertions of LibCOSM's own tests against the live service (Docs/Protocols/Cosm.md §16), by number, against the
/// embedded server.
@Suite("Assertions of LibCOSM's tests", .timeLimit(.minutes(5)))
struct LibCOSMBehaviourTests {
    private func withAPI(_ body: (CosmClient) async throws -> Void) async throws {
        try await withEmbeddedServer { server in
            let cosm = server.ready.cosm
            let api = try CosmClient(apiKey: Secret(cosm.key), baseURL: cosm.base)
            try await body(api)
            await api.close()
        }
    }

    /// A feed for the time of a closure.
    private func withFeed(_ body: (FeedModel, CosmClient) async throws -> Void) async throws {
        try await withAPI { api in
            let feed = FeedModel(Feed(title: "Temporary"), api: api)
            try await feed.save()
            try await body(feed, api)
            try await feed.delete()
            #expect(feed.isDeleted)
        }
    }

    // MARK: Lists

    @Test("LibCOSM 1: a list of feeds without a key fails with a reason")
    func listWithoutKey() async throws {
        try await withEmbeddedServer { server in
            let feeds = FeedCollection(api: try CosmClient(apiKey: nil, baseURL: server.ready.cosm.base))
            let events = feeds.events
            let error = await #expect(throws: CosmError.self) { try await feeds.fetch() }
            #expect(error?.kind == .unauthorized)
            #expect(await events.next(1).first?.kind == .fetchFailed)
        }
    }

    @Test("LibCOSM 2: a list of feeds with the default API has feeds")
    func listWithDefault() async throws {
        try await withEmbeddedServer { server in
            try CosmClient.setDefault(
                CosmClient(apiKey: Secret(server.ready.cosm.key), baseURL: server.ready.cosm.base)
            )
            try await FeedModel(Feed(title: "Shed")).save()
            let feeds = FeedCollection()
            try await feeds.fetch()
            #expect(feeds.feeds.map(\.title) == ["Shed"])
        }
    }

    @Test("LibCOSM 3 to 5: a list of nine feeds a page with a custom API, without feeds marked as deleted")
    func list() async throws {
        try await withAPI { api in
            for number in 0..<12 { try await FeedModel(Feed(title: "Feed \(number)"), api: api).save() }
            let feeds = FeedCollection(api: api)
            try await feeds.fetch()
            #expect(feeds.feeds.count == 12 && feeds.totalResults == 12)
            feeds.useParameter("per_page", withValue: 9)
            try await feeds.fetch()
            #expect(feeds.feeds.count == 9 && feeds.itemsPerPage == 9)
            feeds.feeds[3].isDeleted = true
            feeds.removeDeleted()
            #expect(feeds.feeds.count == 8)
        }
    }

    // MARK: Feeds

    @Test("LibCOSM 6: a feed without id is neither fetched nor deleted")
    func feedWithoutID() async throws {
        try await withAPI { api in
            let feed = FeedModel(api: api)
            await #expect(throws: IncompleteModel.feedHasNoID) { try await feed.fetch() }
            await #expect(throws: IncompleteModel.feedHasNoID) { try await feed.delete() }
        }
    }

    @Test("LibCOSM 7 to 10: a feed is created, fetched, updated and deleted")
    func feed() async throws {
        try await withAPI { api in
            let feed = FeedModel(api: api)
            feed.info["title"] = "Shed"
            #expect(feed.isNew && !feed.isDeleted)
            try await feed.save()
            #expect(!feed.isNew)
            let id = try #require(feed.id)

            let fresh = FeedModel(id: id, api: api)
            try await fresh.fetch()
            #expect(fresh.title == "Shed" && fresh.id == id && !fresh.isNew)

            feed.title = "Barn"
            try await feed.save()
            #expect(feed.title == "Barn")
            try await fresh.fetch()
            #expect(fresh.title == "Barn")

            try await feed.delete()
            #expect(feed.isDeleted)
            let error = await #expect(throws: CosmError.self) { try await fresh.fetch() }
            #expect(error?.kind == .notFound)
        }
    }

    // MARK: Datastreams

    @Test("LibCOSM 11: a datastream without feed id is not saved, fetched or deleted")
    func datastreamWithoutFeed() async throws {
        try await withAPI { api in
            for isNew in [true, false] {
                let stream = DatastreamModel(Datastream(id: "temp"), isNew: isNew, api: api)
                await #expect(throws: IncompleteModel.datastreamHasNoFeedID) { try await stream.save() }
                await #expect(throws: IncompleteModel.datastreamHasNoFeedID) { try await stream.fetch() }
                await #expect(throws: IncompleteModel.datastreamHasNoFeedID) { try await stream.delete() }
            }
        }
    }

    @Test("LibCOSM 12 to 14: a datastream is created under a feed, fetched, changed and deleted")
    func datastream() async throws {
        try await withFeed { feed, api in
            let stream = DatastreamModel(Datastream(id: "temp"), feedID: feed.id, api: api)
            #expect(stream.isNew)
            try await stream.save()
            #expect(!stream.isNew)

            let id = try #require(feed.id)
            let fresh = DatastreamModel(id: "temp", feedID: id, api: api)
            try await fresh.fetch()
            #expect(!fresh.isNew && fresh.id == "temp")

            fresh.info["tags"] = ["thermal", "wood"]
            try await fresh.save()
            try await stream.fetch()
            #expect(stream.tags == ["thermal", "wood"])

            try await stream.delete()
            #expect(stream.isDeleted)
        }
    }

    // MARK: Datapoints

    @Test("LibCOSM 15 and 16: a datapoint collection is saved with both ids only, also an empty one")
    func datapointCollection() async throws {
        try await withFeed { feed, api in
            try await DatastreamModel(Datastream(id: "temp"), feedID: feed.id, api: api).save()
            let points = DatapointCollection(api: api)
            await #expect(throws: IncompleteModel.collectionHasNoFeedID) { try await points.save() }
            points.feedID = feed.id
            await #expect(throws: IncompleteModel.collectionHasNoDatastreamID) { try await points.save() }
            points.datastreamID = "temp"
            try await points.save()
            for value in 0..<4 { points.add(Datapoint(value: DatapointValue(value))) }
            try await points.save()
            #expect(points.datapoints.allSatisfy { !$0.isNew })

            let stream = DatastreamModel(id: "temp", feedID: try #require(feed.id), api: api)
            stream.useParameter("duration", withValue: "1hour")
            try await stream.fetch()
            #expect(stream.datapoints.datapoints.map(\.value) == [0, 1, 2, 3])
        }
    }

    @Test("LibCOSM 17 to 19: a datapoint is stored, overwritten, fetched as text and deleted")
    func datapoint() async throws {
        try await withFeed { feed, api in
            try await DatastreamModel(Datastream(id: "temp"), feedID: feed.id, api: api).save()
            let point = DatapointModel(feedID: feed.id, datastreamID: "temp", api: api)
            #expect(point.isNew)
            point.info = ["at": "2013-01-04T10:22:46Z", "value": "1"]
            try await point.save()
            #expect(!point.isNew)
            point.info["value"] = 2
            try await point.save()

            let fresh = DatapointModel(
                Datapoint(at: Timestamp("2013-01-04T10:22:46Z")),
                feedID: feed.id,
                datastreamID: "temp",
                api: api
            )
            try await fresh.fetch()
            #expect(fresh.info["value"] == "2" && !fresh.isNew)
            try await fresh.delete()
            #expect(fresh.isDeleted)
            let error = await #expect(throws: CosmError.self) { try await point.fetch() }
            #expect(error?.kind == .notFound)
        }
    }

    @Test("LibCOSM 20: deleting a feed deletes its datastreams and datapoints")
    func everything() async throws {
        try await withAPI { api in
            let feed = FeedModel(Feed(title: "Shed", datastreams: [Datastream(id: "temp", currentValue: 1)]), api: api)
            try await feed.save()
            let stream = try #require(feed.datastreams["temp"])
            try await feed.delete()
            #expect(stream.isDeleted)
            let error = await #expect(throws: CosmError.self) { try await stream.fetch() }
            #expect(error?.kind == .notFound)
        }
    }
}
