import HeliumConcurrency
import HeliumTesting
import Observation
import Synchronization
import Testing

@testable import Cosm

@Suite("Events of models", .timeLimit(.minutes(5)))
struct ModelEventTests {
    private static let document = #"{"id":504,"title":"Shed","datastreams":[{"id":"temp","current_value":"1"}]}"#

    // MARK: Sequences

    @Test("events of a model come in order to every listener, with the changes")
    func order() async throws {
        let feed = FeedModel(id: 504, api: try makeAPI(MockTransport(reading: Self.document)))
        let (one, other) = (feed.events, feed.events)
        try await feed.fetch()
        feed.title = "Barn"
        try await feed.save()
        try await feed.delete()
        for events in [await one.next(3), await other.next(3)] {
            #expect(events.map(\.kind) == [.fetched, .saved, .deleted])
            #expect(events[0].changes.members == ["title"] && events[0].changes.insertedChildren == ["temp"])
        }
    }

    @Test("a child that a fetch of its feed changed has its own event")
    func children() async throws {
        let documents = Documents([Self.document, #"{"id":504,"datastreams":[{"id":"temp","current_value":"2"}]}"#])
        let feed = FeedModel(id: 504, api: try makeAPI(MockTransport(cosm: { _ in .json(documents.next()) })))
        try await feed.fetch()
        let events = try #require(feed.datastreams["temp"]).events
        try await feed.fetch()
        let event = try #require(await events.next(1).first)
        #expect(event.kind == .fetched && event.changes.members == ["current_value"])
    }

    @Test("the sequence of events ends with its model, and does not keep it alive")
    func end() async throws {
        var feed: FeedModel? = FeedModel(id: 504)
        weak let reference = feed
        let events = try #require(feed).events
        feed = nil
        #expect(reference == nil)
        #expect(await events.next(1).isEmpty)
    }

    @Test("a slow reader of events loses the oldest, and gets their number")
    func slow() async throws {
        let broadcast = ModelEvents.broadcast()
        let events = ModelEvents(broadcast)
        for number in 0..<ModelEvents.capacity + 10 {
            var changes = ModelChanges()
            changes.members = ["\(number)"]
            broadcast.send(ModelEvent(.updated, changes: changes))
        }
        let read = await events.next(ModelEvents.capacity)
        #expect(read.first?.changes.members == ["10"])
        // The last event's loss is told by the next.
        #expect(read.map(\.omitted).reduce(0, +) == 9)
        broadcast.send(ModelEvent(.updated))
        #expect(await events.next(1).first?.omitted == 1)
    }

    // MARK: Observation

    @Test("an observed property of a model reports its own changes only")
    func observation() async throws {
        let feed = FeedModel(id: 504, api: try makeAPI(MockTransport(reading: Self.document)))
        let told = Collected<String>()
        withObservationTracking {
            _ = feed.title
        } onChange: {
            told.add("title \(feed.title ?? "-")")
        }
        withObservationTracking {
            _ = feed.description
        } onChange: {
            told.add("description")
        }
        withObservationTracking {
            _ = feed.datastreams.datastreams
        } onChange: {
            told.add("datastreams")
        }
        withObservationTracking {
            _ = feed.info
        } onChange: {
            told.add("info")
        }
        withObservationTracking {
            _ = feed.isDeleted
        } onChange: {
            told.add("deleted")
        }
        withObservationTracking {
            _ = feed.unsavedMembers
        } onChange: {
            told.add("unsaved")
        }
        try await feed.fetch()
        // The new value is there when the observer is told.
        #expect(Set(told.all) == ["title Shed", "datastreams", "info"])
        feed.title = "Barn"
        #expect(Set(told.all) == ["title Shed", "datastreams", "info", "unsaved"])
        feed.isDeleted = true
        #expect(told.all.last == "deleted")
    }

    @Test("an observer may read the model in its callback")
    func reentrant() async throws {
        let documents = Documents([Self.document, #"{"id":504,"datastreams":[{"id":"temp","current_value":"2"}]}"#])
        let feed = FeedModel(id: 504, api: try makeAPI(MockTransport(cosm: { _ in .json(documents.next()) })))
        try await feed.fetch()
        let temp = try #require(feed.datastreams["temp"])
        let told = Collected<Int>()
        withObservationTracking {
            _ = temp.currentValue
        } onChange: {
            feed.datastreams.add(Datastream(id: "seen"))
            told.add(feed.datastreams.datastreams.count)
        }
        try await feed.fetch()
        #expect(told.all == [2])
    }

    // MARK: Delegates

    @MainActor
    private final class Teller: FeedModelDelegate, DatastreamModelDelegate, FeedCollectionDelegate,
        DatapointCollectionDelegate, DatapointModelDelegate
    {
        var told: [String] = []
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)

        private func tell(_ text: String) {
            told.append(text)
            continuation.yield(text)
        }

        func modelDidFetch(_ feed: FeedModel) { tell("fetched \(feed.title ?? "")") }
        func modelFailedToSave(_ feed: FeedModel, error: any Error) { tell("save failed: \(error)") }
        func modelDidDelete(_ feed: FeedModel) { tell("deleted") }
        func modelDidSave(_ datastream: DatastreamModel) { tell("saved \(datastream.id ?? "")") }
        func feedCollectionDidFetch(_ collection: FeedCollection) { tell("list") }
        func datapointCollectionDidSaveAll(_ collection: DatapointCollection) { tell("points") }
        func modelFailedToFetch(_ datapoint: DatapointModel, error: any Error) { tell("no point: \(error)") }
    }

    @Test("a delegate is called in order on the main actor, and is not kept alive")
    @MainActor
    func delegate() async throws {
        let api = try makeAPI(MockTransport(reading: Self.document))
        let feed = FeedModel(id: 504, api: api)
        var teller: Teller? = Teller()
        let told = try #require(teller).stream
        feed.delegate = teller
        #expect(feed.delegate === teller)
        try await feed.fetch()
        feed.datastreams.add(Datastream())
        await #expect(throws: IncompleteModel.self) { try await feed.save() }
        try await feed.delete()
        var heard: [String] = []
        for await text in told {
            heard.append(text)
            if heard.count == 3 { break }
        }
        #expect(heard == ["fetched Shed", "save failed: Datastream has no id", "deleted"])
        weak let reference = teller
        teller = nil
        #expect(reference == nil && feed.delegate == nil)
    }

    @Test("one object may be the delegate of models of every kind")
    @MainActor
    func manyKinds() async throws {
        let api = try makeAPI(MockTransport(cosm: { $0.method == .get ? .json(#"{"results":[]}"#) : nil }))
        let teller = Teller()
        let stream = DatastreamModel(Datastream(id: "temp"), feedID: 504, api: api)
        let feeds = FeedCollection(api: api)
        let points = DatapointCollection(feedID: 504, datastreamID: "temp", api: api)
        let point = DatapointModel(api: api)
        (stream.delegate, feeds.delegate, points.delegate, point.delegate) = (teller, teller, teller, teller)
        var iterator = teller.stream.makeAsyncIterator()
        try await stream.save()
        #expect(await iterator.next() == "saved temp")
        try await feeds.fetch()
        #expect(await iterator.next() == "list")
        try await points.save()
        #expect(await iterator.next() == "points")
        await #expect(throws: IncompleteModel.self) { try await point.fetch() }
        #expect(await iterator.next() == "no point: Datapoint has no feed id")
    }
}
