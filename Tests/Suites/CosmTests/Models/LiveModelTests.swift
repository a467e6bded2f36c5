import Foundation
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import Observation
import Synchronization
import TestSupport
import Testing

@testable import Cosm

@Suite("Subscribed models", .timeLimit(.minutes(5)))
struct LiveModelTests {
    /// A feed with a datastream, and the API of somebody else who writes to it.
    private func withFeed(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (_ feed: FeedModel, _ writer: CosmClient, _ server: RunningServer) async throws -> Void
    ) async throws {
        try await withEmbeddedServer { server in
            let cosm = server.ready.cosm
            func connect() throws -> CosmClient {
                try CosmClient(apiKey: Secret(cosm.key), baseURL: cosm.base, socketURL: cosm.webSocket)
            }
            let (api, writer) = (try connect(), try connect())
            let socket = try api.socket
            let feed = FeedModel(Feed(title: "Shed"), api: api)
            feed.datastreams.add(Datastream(id: "temp", currentValue: 1))
            try await feed.save()
            try await body(feed, writer, server)
            await socket.close()
            await api.close()
            await writer.close()
        }
    }

    /// The next event of a kind.
    private func next(_ kind: ModelEvent.Kind, of events: ModelEvents) async throws -> ModelEvent {
        for await event in events where event.kind == kind { return event }
        throw CancellationError()
    }

    @Test("a subscribed model changes in place, keeps its children and its unsaved changes")
    func update() async throws {
        try await withFeed { feed, writer, _ in
            let id = try #require(feed.id)
            let temp = try #require(feed.datastreams["temp"])
            temp.tags = ["mine"]
            let mine = feed.datastreams.add(Datastream(id: "mine"))
            let (events, childEvents) = (feed.events, temp.events)
            #expect(!feed.isSubscribed)
            try await feed.subscribe()
            #expect(feed.isSubscribed)

            try await writer.updateFeed(
                id,
                Feed(title: "Barn", datastreams: [Datastream(id: "temp", currentValue: 2), Datastream(id: "new")])
            )
            let event = try await next(.updated, of: events)
            #expect(event.changes.members.isSuperset(of: ["title", "updated"]))
            #expect(event.changes.insertedChildren == ["new"] && event.changes.updatedChildren == ["temp"])
            #expect(event.changes.origin == .push && !event.changes.followsGap)
            #expect(feed.title == "Barn" && feed.datastreams["temp"] === temp && temp.currentValue == 2)
            #expect(temp.tags == ["mine"] && feed.datastreams["mine"] === mine)
            #expect(try await next(.updated, of: childEvents).changes.members.contains("current_value"))
        }
    }

    @Test("a subscribed datastream model gets its own updates without a fetch before")
    func datastream() async throws {
        try await withFeed { feed, writer, _ in
            let id = try #require(feed.id)
            let stream = DatastreamModel(id: "temp", feedID: id, api: feed.api)
            let events = stream.events
            try await stream.subscribe()
            #expect(stream.currentValue == nil)
            try await writer.updateDatastream("temp", in: id, Datastream(id: nil, currentValue: 7))
            _ = try await next(.updated, of: events)
            #expect(stream.currentValue == 7 && stream.at != nil)
        }
    }

    @Test("an unsubscribed model gets no update, and reports its end once")
    func unsubscribe() async throws {
        try await withFeed { feed, writer, server in
            let events = feed.events
            let observed = Collected<Bool>()
            try await feed.subscribe()
            withObservationTracking {
                _ = feed.isSubscribed
            } onChange: {
                observed.add(feed.isSubscribed)
            }
            await feed.unsubscribe()
            await feed.unsubscribe()
            #expect(!feed.isSubscribed && observed.all == [false] && server.cosm.subscriptionCount == 0)
            try await writer.updateFeed(try #require(feed.id), Feed(title: "Barn"))
            try await feed.fetch()
            let told = await events.next(3)
            #expect(told.map(\.kind) == [.subscribed, .unsubscribed, .fetched] && told[1].error == nil)
        }
    }

    @Test("subscribed models share a connection, which is restored, and read what they missed")
    func restored() async throws {
        try await withFeed { feed, writer, server in
            let id = try #require(feed.id)
            let temp = try #require(feed.datastreams["temp"])
            try await feed.subscribe()
            try await temp.subscribe()
            #expect(server.cosm.liveConnectionCount == 1 && server.cosm.subscriptionCount == 2)
            let events = feed.events
            server.cosm.dropSockets()
            try await writer.updateFeed(id, Feed(datastreams: [Datastream(id: "temp", currentValue: 3)]))
            // Told by the read after the connection was restored, which may come before the write, or by a push.
            repeat {
                let event = try await next(.updated, of: events)
                #expect(event.changes.origin == .resynchronised || event.changes.origin == .push)
            } while temp.currentValue != 3
            #expect(feed.isSubscribed)
        }
    }

    @Test("a refused subscription of a model is thrown, reported once, and can be repeated")
    func refused() async throws {
        try await withFeed { feed, _, server in
            let cosm = server.ready.cosm
            let stranger = try CosmClient(apiKey: "unknown-key", baseURL: cosm.base, socketURL: cosm.webSocket)
            let model = FeedModel(id: try #require(feed.id), api: stranger)
            let socket = try stranger.socket
            let events = model.events
            for _ in 0..<2 {
                let error = await #expect(throws: CosmError.self) { try await model.subscribe() }
                #expect(error?.kind == .unauthorized && !model.isSubscribed)
            }
            model.api = feed.api
            try await model.subscribe()
            let told = await events.next(3)
            #expect(told.map(\.kind) == [.unsubscribed, .unsubscribed, .subscribed])
            #expect(told.map { ($0.error as? CosmError)?.kind } == [.unauthorized, .unauthorized, nil])
            await socket.close()
        }
    }

    @Test("subscribing a model from many tasks subscribes once")
    func once() async throws {
        try await withFeed { feed, _, server in
            let events = feed.events
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 { group.addTask { try await feed.subscribe() } }
                try await group.waitForAll()
            }
            try await feed.subscribe()
            #expect(server.cosm.subscriptionCount == 1)
            await feed.unsubscribe()
            #expect(await events.next(2).map(\.kind) == [.subscribed, .unsubscribed])
        }
    }

    @Test(
        "subscribing and unsubscribing in any order ends in the last requested state",
        .tags(.random),
        arguments: ProofLength.seeds(3)
    )
    func restless(seed: UInt64) async throws {
        try await withFeed { feed, writer, server in
            var random = SeededRandom(seed: seed)
            for _ in 0..<20 {
                if random.oneIn(2) {
                    let attempt = Task { try await feed.subscribe() }
                    if random.oneIn(3) { attempt.cancel() }
                    _ = await attempt.result
                } else {
                    await feed.unsubscribe()
                }
            }
            await feed.unsubscribe()
            #expect(!feed.isSubscribed)
            // Of an attempt that was cancelled the frame that ends it may still be under way.
            try await eventually { server.cosm.subscriptionCount == 0 }
            try await feed.subscribe()
            let events = feed.events
            try await writer.updateFeed(try #require(feed.id), Feed(title: "Barn"))
            _ = try await next(.updated, of: events)
            #expect(feed.isSubscribed && feed.title == "Barn" && server.cosm.subscriptionCount == 1)
        }
    }

    @Test("a model is unsubscribed when nothing refers to it")
    func forgotten() async throws {
        try await withFeed { feed, writer, server in
            let id = try #require(feed.id)
            try await feed.subscribe()
            var other: DatastreamModel? = DatastreamModel(id: "temp", feedID: id, api: feed.api)
            try await other?.subscribe()
            #expect(server.cosm.subscriptionCount == 2)
            weak let reference = other
            other = nil
            #expect(reference == nil)
            // The frame that ends it goes out on its own.
            try await eventually { server.cosm.subscriptionCount == 1 }
        }
    }

    @Test("one of several callers who wait for a subscription can be cancelled alone")
    func independentWaiters() async throws {
        try await TestStation.run { station, socket async throws in
            let base = try #require(URL(string: "http://cosm.test/v2"))
            let api = try CosmClient(apiKey: "EXAMPLE_KEY", baseURL: base, socketURL: socket.url)
            let feed = FeedModel(Feed(id: TestStation.feedID), api: api)
            station.manners.ignored = ["subscribe"]
            let first = Task { try await feed.subscribe() }
            await station.wait { station.requests.count == 1 }
            let second = Task { try await feed.subscribe() }
            try await eventually { feed.core.state.withLock { $0.updater?.waiterCount } == 2 }
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
            station.say(#"{"status":200,"resource":"/feeds/91","token":"\#(station.requests[0].token ?? "")"}"#)
            try await second.value
            #expect(feed.isSubscribed)
            await feed.unsubscribe()

            let last = Task { try await feed.subscribe() }
            await station.wait { station.requests.count == 3 }
            last.cancel()
            await #expect(throws: CancellationError.self) { try await last.value }
            #expect(!feed.isSubscribed)
            try await api.socket.close()
        }
    }

    @Test("a deleted model is unsubscribed")
    func deleted() async throws {
        try await withFeed { feed, _, _ in
            let events = feed.events
            try await feed.subscribe()
            try await feed.delete()
            #expect(!feed.isSubscribed)
            #expect(await events.next(3).map(\.kind) == [.subscribed, .unsubscribed, .deleted])
        }
    }

    @Test("a model without ids cannot be subscribed to, and the error names them")
    func missing() async throws {
        let api = try makeAPI(MockTransport())
        await #expect(throws: IncompleteModel.feedHasNoID) { try await FeedModel(api: api).subscribe() }
        await #expect(throws: IncompleteModel.datastreamHasNoFeedID) {
            try await DatastreamModel(Datastream(id: "temp"), api: api).subscribe()
        }
        await #expect(throws: IncompleteModel.datastreamHasNoID) {
            try await DatastreamModel(feedID: 504, api: api).subscribe()
        }
    }

    @Test("the delegate of a model gets its subscriptions and updates")
    @MainActor
    func delegate() async throws {
        final class Teller: FeedModelDelegate {
            let (stream, continuation) = AsyncStream.makeStream(of: String.self)
            func modelDidSubscribe(_ feed: FeedModel) { continuation.yield("subscribed") }
            func modelUpdatedViaSubscription(_ feed: FeedModel, changes: ModelChanges) {
                continuation.yield("updated \(feed.title ?? "")")
            }
            func modelDidUnsubscribe(_ feed: FeedModel, error: (any Error)?) { continuation.yield("unsubscribed") }
        }
        try await withFeed { feed, writer, _ in
            let teller = Teller()
            feed.delegate = teller
            var told = teller.stream.makeAsyncIterator()
            try await feed.subscribe()
            #expect(await told.next() == "subscribed")
            try await writer.updateFeed(try #require(feed.id), Feed(title: "Barn"))
            #expect(await told.next() == "updated Barn")
            await feed.unsubscribe()
            #expect(await told.next() == "unsubscribed")
        }
    }
}
