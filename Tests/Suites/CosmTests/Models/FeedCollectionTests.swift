import HeliumTesting
import Testing

@testable import Cosm

@Suite("A feed collection", .timeLimit(.minutes(5)))
struct FeedCollectionTests {
    private static let first = """
        {"totalResults":"3","startIndex":0,"itemsPerPage":2,"more":1,
         "results":[{"id":1,"title":"a","datastreams":[{"id":"temp"}]},{"id":2,"title":"b"}]}
        """

    @Test("a page of feeds becomes models, with its totals")
    func fetch() async throws {
        let transport = MockTransport(reading: Self.first)
        let feeds = FeedCollection(api: try makeAPI(transport))
        feeds.useParameter("per_page", withValue: 2)
        let changes = try await feeds.fetch()
        #expect(feeds.feeds.map(\.title) == ["a", "b"] && feeds[2]?.title == "b")
        #expect(feeds.totalResults == 3 && feeds.startIndex == 0 && feeds.itemsPerPage == 2)
        #expect(feeds.info == ["totalResults": 3, "startIndex": 0, "itemsPerPage": 2, "more": 1])
        #expect(changes.insertedChildren == ["1", "2"])
        #expect(transport.requests[0].queryItems.map(\.value) == ["2"])
        // LibCOSM handed its datastreams feed id 0 here.
        #expect(feeds[1]?.datastreams["temp"]?.feedID == 1)
        #expect(feeds.feeds.allSatisfy { !$0.isNew && $0.unsavedMembers.isEmpty })
    }

    @Test("the next page replaces the models, except feeds on both pages and unsaved changes")
    func again() async throws {
        let documents = Documents([Self.first, #"{"results":[{"id":3},{"id":2,"title":"c"}]}"#])
        let feeds = FeedCollection(api: try makeAPI(MockTransport(cosm: { _ in .json(documents.next()) })))
        try await feeds.fetch()
        let second = feeds[2]
        let new = FeedModel()
        feeds.add(new)
        let changes = try await feeds.fetch()
        #expect(feeds.feeds.map(\.id) == [3, 2, nil])
        #expect(feeds[2] === second && second?.title == "c" && feeds.feeds[2] === new)
        #expect(changes.removedChildren == ["1"] && changes.updatedChildren == ["2"])
        #expect(changes.insertedChildren == ["3"])
    }

    @Test("deleted feeds are removed from the collection")
    func removeDeleted() async throws {
        let feeds = FeedCollection(api: try makeAPI(MockTransport(reading: Self.first)))
        try await feeds.fetch()
        feeds[1]?.isDeleted = true
        feeds.removeDeleted()
        #expect(feeds.feeds.map(\.id) == [2])
    }

    @Test("a failed fetch of a collection is thrown and reported, and its feeds stay")
    func failure() async throws {
        let calls = Collected<Int>()
        let transport = MockTransport(cosm: { _ in
            calls.add(1)
            return calls.all.count > 1 ? .json(#"{"title":"Unauthorized"}"#, status: 401) : .json(Self.first)
        })
        let feeds = FeedCollection(api: try makeAPI(transport))
        try await feeds.fetch()
        let events = feeds.events
        await #expect(throws: CosmError.self) { try await feeds.fetch() }
        #expect(await events.next(1).map(\.kind) == [.fetchFailed])
        #expect(feeds.feeds.count == 2)
    }
}
