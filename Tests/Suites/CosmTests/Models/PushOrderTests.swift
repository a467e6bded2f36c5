import Foundation
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import Cosm

@Suite("Models and pushes in any order", .timeLimit(.minutes(5)))
struct PushOrderTests {
    private func next(of events: ModelEvents) async throws -> ModelEvent {
        for await event in events where event.kind == .updated { return event }
        throw CancellationError()
    }

    private func subscribed(_ api: CosmClient) async throws -> (model: FeedModel, pushed: PushedFeed) {
        let model = FeedModel(id: 504, api: api)
        let pushed = PushedFeed(model)
        try await pushed.subscribe()
        return (model, pushed)
    }

    /// A feed on the server, whose document a test changes.
    private final class Server: Sendable {
        private let state = Guarded(
            Feed(id: 504, title: "Shed", datastreams: [Datastream(id: "temp", currentValue: "1")])
        )
        let reads = Guarded(0)

        var feed: Feed {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }

        func transport() -> MockTransport {
            MockTransport(cosm: { [self] request throws(TransportFailure) in
                guard request.method == .get else { return nil }
                reads.withLock { $0 += 1 }
                return try .json(encoding: feed)
            })
        }
    }

    @Test("a push during a fetch keeps what only the response has: the owner and the datapoints of datastreams")
    func pushDuringFetch() async throws {
        let gate = MockTransport.Gate()
        let transport = MockTransport(cosm: { request throws(TransportFailure) in
            guard request.method == .get else { return nil }
            try await gate.pass()
            return .json(
                #"{"id":504,"title":"Shed","user":{"login":"ann"},"datastreams":[{"id":"temp","current_value":"1","#
                    + #""datapoints":[{"at":"2013-02-01T09:00:00Z","value":"1"}]},{"id":"gone"}]}"#
            )
        })
        let model = FeedModel(id: 504, api: try makeAPI(transport))
        model.useParameter("duration", withValue: "1day")
        let pushed = PushedFeed(model)
        try await pushed.subscribe()
        let fetch = Task { try await model.fetch() }
        await gate.waitForArrivals(1)
        let events = model.events
        pushed.push(Feed(id: 504, title: "Barn", datastreams: [Datastream(id: "temp", currentValue: "2")]))
        _ = try await next(of: events)
        gate.openPermanently()
        #expect(try await fetch.value.members == ["user"])
        let temp = try #require(model.datastreams["temp"])
        #expect(model.title == "Barn" && model.user?.login == "ann" && temp.currentValue == "2")
        #expect(temp.datapoints.datapoints.map(\.value) == ["1"])
        #expect(model.datastreams.datastreams.map(\.id) == ["temp"])
        await model.unsubscribe()
    }

    @Test("a push that was sent before a save does not revert the saved members, and keeps the new datastream")
    func pushBeforeSave() async throws {
        let server = Server()
        let model = FeedModel(id: 504, api: try makeAPI(server.transport()))
        try await model.fetch()
        let pushed = PushedFeed(model)
        try await pushed.subscribe()
        let before = server.feed
        model.title = "Barn"
        let mine = model.datastreams.add(Datastream(id: "mine", currentValue: "7"))
        try await model.save()
        let temp = try #require(model.datastreams["temp"])
        temp.currentValue = "5"
        try await temp.save()
        server.feed.title = "Barn"
        server.feed.datastreams = [
            Datastream(id: "temp", currentValue: "5"), Datastream(id: "mine", currentValue: "7"),
        ]

        let events = model.events
        pushed.push(before)
        _ = try await next(of: events)
        #expect(model.title == "Barn" && temp.currentValue == "5")
        #expect(model.datastreams["mine"] === mine && mine.currentValue == "7")
        #expect(server.reads.withLock { $0 } == 2, "the push is in doubt, so the feed is read")

        // The pushes of the saves agree with them, and so do all later ones.
        pushed.push(server.feed)
        server.feed.title = "Hut"
        server.feed.datastreams?.removeLast()
        pushed.push(server.feed)
        _ = try await next(of: events)
        // A push changes one property after the other.
        try await eventually { model.title == "Hut" && model.datastreams.datastreams.map(\.id) == ["temp"] }
        #expect(server.reads.withLock { $0 } == 2)
        await model.unsubscribe()
    }

    @Test("a push with another value of a saved member is applied if the server has that value")
    func pushAfterForeignWrite() async throws {
        let server = Server()
        let model = FeedModel(id: 504, api: try makeAPI(server.transport()))
        let pushed = PushedFeed(model)
        try await pushed.subscribe()
        model.title = "Barn"
        try await model.save()
        // Another client has written since. The push of the save was lost.
        server.feed.title = "Hut"
        let events = model.events
        pushed.push(server.feed)
        _ = try await next(of: events)
        #expect(model.title == "Hut")
        server.feed.title = "Shed"
        pushed.push(server.feed)
        _ = try await next(of: events)
        #expect(model.title == "Shed" && server.reads.withLock { $0 } == 1)
        await model.unsubscribe()
    }

    @Test("a push that was sent before the response to a fetch does not revert it")
    func pushBeforeFetch() async throws {
        let server = Server()
        server.feed.updated = Timestamp(microseconds: 2)
        let model = FeedModel(id: 504, api: try makeAPI(server.transport()))
        let pushed = PushedFeed(model)
        try await pushed.subscribe()
        try await model.fetch()
        var older = server.feed
        (older.title, older.updated) = ("older", Timestamp(microseconds: 1))
        let events = model.events
        pushed.push(older)
        _ = try await next(of: events)
        #expect(model.title == "Shed")
        await model.unsubscribe()
    }

    @Test("a datastream that was deleted and removed does not come back with a push or a response from before")
    func deleted() async throws {
        let server = Server()
        let gate = MockTransport.Gate()
        let transport = MockTransport(cosm: { request throws(TransportFailure) in
            guard request.method == .get else { return nil }
            let document = server.feed
            if request.queryItems.contains(where: { $0.name == "show_user" }) { try await gate.pass() }
            return try .json(encoding: document)
        })
        let model = FeedModel(id: 504, api: try makeAPI(transport))
        let temp = DatastreamModel(id: "temp", feedID: 504)
        model.datastreams.add(temp)
        let pushed = PushedFeed(model)
        try await pushed.subscribe()
        let fetch = Task { try await model.fetch() }
        await gate.waitForArrivals(1)
        let before = server.feed
        try await temp.delete()
        server.feed.datastreams = []
        model.datastreams.removeDeleted()
        let events = model.events
        pushed.push(before)
        _ = try await next(of: events)
        #expect(model.datastreams.datastreams.isEmpty)
        gate.openPermanently()
        _ = try await fetch.value
        #expect(model.datastreams.datastreams.isEmpty)
        await model.unsubscribe()
    }

    @Test("a deleted datastream does not come back with pushes from before its creation and from before its deletion")
    func deletedWithPushes() async throws {
        func feed(_ updated: Int64, _ ids: [String]) -> Feed {
            Feed(
                id: 504,
                title: updated.description,
                updated: Timestamp(microseconds: updated),
                datastreams: ids.map { Datastream(id: $0) }
            )
        }
        let server = Server()
        let model = FeedModel(id: 504, api: try makeAPI(server.transport()))
        let temp = DatastreamModel(id: "temp", feedID: 504)
        model.datastreams.add(temp)
        let pushed = PushedFeed(model)
        try await pushed.subscribe()
        try await temp.delete()
        server.feed = feed(3, [])
        model.datastreams.removeDeleted()
        let events = model.events
        for push in [feed(1, []), feed(2, ["temp"])] {
            pushed.push(push)
            _ = try await next(of: events)
            #expect(model.datastreams.datastreams.isEmpty)
        }
        #expect(model.title == "3")
        await model.unsubscribe()
    }

    @Test("a deleted datastream that a list has removed does not come back with a later response from before")
    func deletedAndListed() throws {
        let collection = DatastreamCollection(feedID: 504, api: try makeAPI(MockTransport()))
        let temp = DatastreamModel(id: "temp", feedID: 504)
        collection.add(temp)
        let (first, second) = (DocumentContext(parameters: [:]), DocumentContext(parameters: [:]))
        temp.isDeleted = true
        _ = collection.merge([], first)
        #expect(collection.datastreams.isEmpty)
        collection.removeDeleted()
        // The service has handled the later request before the deletion.
        _ = collection.merge([Datastream(id: "temp")], second)
        #expect(collection.datastreams.isEmpty)
        // Somebody has created it again.
        _ = collection.merge([Datastream(id: "temp")], DocumentContext(parameters: [:]))
        #expect(collection.datastreams.map(\.id) == ["temp"])
    }

    @Test("a datastream that a list has removed before its deletion is confirmed does not stay as another model")
    func listedDuringDeletion() async throws {
        let gate = MockTransport.Gate()
        let transport = MockTransport(cosm: { _ throws(TransportFailure) in
            try await gate.pass()
            return nil
        })
        let model = FeedModel(id: 504, api: try makeAPI(transport))
        let temp = DatastreamModel(id: "temp", feedID: 504)
        model.datastreams.add(temp)
        let deletion = Task { try await temp.delete() }
        await gate.waitForArrivals(1)
        let contexts = (0..<3).map { _ in DocumentContext(parameters: [:]) }
        // The service has handled the first request after the deletion, and the others before it.
        _ = model.datastreams.merge([], contexts[0])
        _ = model.datastreams.merge([Datastream(id: "temp")], contexts[1])
        let other = try #require(model.datastreams["temp"])
        #expect(other !== temp && !other.isDeleted)
        gate.open()
        try await deletion.value
        #expect(other.isDeleted)
        model.datastreams.removeDeleted()
        _ = model.datastreams.merge([Datastream(id: "temp")], contexts[2])
        #expect(model.datastreams.datastreams.isEmpty)
    }

    @Test("a datastream that is added while a feed's save waits is created by its own save alone")
    func addedDuringSave() async throws {
        let gate = MockTransport.Gate()
        let bodies = Collected<String>()
        let transport = MockTransport(cosm: { request throws(TransportFailure) in
            let document = try? request.bodyJSON(as: Feed.self)
            let ids = document?.datastreams?.compactMap(\.id).joined(separator: ",") ?? ""
            bodies.add(ids)
            // The first creation of each waits.
            if bodies.all.count(where: { $0 == ids }) == 1 { try await gate.pass() }
            return nil
        })
        let model = FeedModel(id: 504, api: try makeAPI(transport))
        let first = model.datastreams.add(Datastream(id: "first", currentValue: "1"))
        let firstSave = Task { try await first.save() }
        await gate.waitForArrivals(1)
        let save = Task { try await model.save() }
        try await eventually { first.core.writes.waiterCount == 1 }
        let second = model.datastreams.add(Datastream(id: "second", currentValue: "1"))
        let secondSave = Task { try await second.save() }
        await gate.waitForArrivals(2)
        gate.open()
        try await firstSave.value
        try await save.value
        gate.openPermanently()
        try await secondSave.value
        #expect(bodies.all == ["first", "second"])
        try await model.save()
        #expect(bodies.all == ["first", "second"] && !second.isNew)
    }

    @Test("unsubscribing ends the read for a push that is in doubt")
    func unsubscribeDuringRead() async throws {
        let gate = MockTransport.Gate()
        let transport = MockTransport(cosm: { request throws(TransportFailure) in
            guard request.method == .get else { return nil }
            try await gate.pass()
            return .json(#"{"id":504,"title":"other"}"#)
        })
        let model = FeedModel(id: 504, api: try makeAPI(transport))
        let pushed = PushedFeed(model)
        try await pushed.subscribe()
        model.title = "Barn"
        try await model.save()
        pushed.push(Feed(id: 504, title: "Shed"))
        await gate.waitForArrivals(1)
        await model.unsubscribe()
        #expect(model.title == "Barn")
    }

    @Test("if the feed cannot be read, a push that is in doubt is applied")
    func failedRead() async throws {
        let transport = MockTransport(cosm: { request in request.method == .get ? .empty(status: 404) : nil })
        let model = FeedModel(id: 504, api: try makeAPI(transport))
        let pushed = PushedFeed(model)
        try await pushed.subscribe()
        model.title = "Barn"
        try await model.save()
        let events = model.events
        pushed.push(Feed(id: 504, title: "Shed"))
        _ = try await next(of: events)
        #expect(model.title == "Shed")
        await model.unsubscribe()
    }

    @Test("of many pushes that were sent before a save, one causes a read, and the first one after the save is applied")
    func manyBeforeSave() async throws {
        let server = Server()
        let model = FeedModel(id: 504, api: try makeAPI(server.transport(), clock: TestClock()))
        let pushed = PushedFeed(model)
        try await pushed.subscribe()
        var push = server.feed
        model.title = "Barn"
        try await model.save()
        server.feed.title = "Barn"
        for number in 0..<100 {
            push.description = number.description
            pushed.push(push)
        }
        (push.title, push.description) = ("Barn", "last")
        pushed.push(push)
        try await eventually { model.description == "last" }
        #expect(server.reads.withLock { $0 } == 1)
        await model.unsubscribe()
    }

    @Test("if only pushes in doubt follow a read, the feed is read again after a second")
    func lateReads() async throws {
        let (server, clock) = (Server(), TestClock())
        let model = FeedModel(id: 504, api: try makeAPI(server.transport(), clock: clock))
        let pushed = PushedFeed(model)
        try await pushed.subscribe()
        model.title = "Barn"
        try await model.save()
        server.feed.title = "Barn"
        let events = model.events
        pushed.push(Feed(id: 504, title: "Shed"))
        _ = try await next(of: events)
        server.feed.title = "Hut"
        for number in 0..<3 { pushed.push(Feed(id: 504, title: "Shed", description: number.description)) }
        await clock.waitForSleepers(1)
        #expect(model.title == "Barn" && server.reads.withLock { $0 } == 1)
        clock.advance(by: .seconds(1))
        _ = try await next(of: events)
        #expect(model.title == "Hut" && server.reads.withLock { $0 } == 2)

        server.feed.title = "Cabin"
        pushed.push(Feed(id: 504, title: "Shed"))
        await clock.waitForSleepers(1)
        await model.unsubscribe()
        #expect(model.title == "Hut" && server.reads.withLock { $0 } == 2)
    }

    @Test("an update that is not applied passes its gap on to the next one")
    func gapOfDoubt() async throws {
        let gate = MockTransport.Gate()
        let transport = MockTransport(cosm: { request throws(TransportFailure) in
            guard request.method == .get else { return nil }
            try await gate.pass()
            return .json(#"{"id":504,"title":"Barn"}"#)
        })
        let model = FeedModel(id: 504, api: try makeAPI(transport, clock: TestClock()))
        let pushed = PushedFeed(model)
        try await pushed.subscribe()
        model.title = "Barn"
        try await model.save()
        let events = model.events
        // More than are buffered while the feed is read.
        for number in 0...300 {
            pushed.push(Feed(id: 504, title: "Shed", description: number.description))
            if number == 0 { await gate.waitForArrivals(1) }
        }
        pushed.push(Feed(id: 504, title: "Barn", description: "last"))
        gate.openPermanently()
        #expect(try await next(of: events).changes.followsGap == false)
        #expect(try await next(of: events).changes.followsGap == true)
        #expect(model.description == "last")
        await model.unsubscribe()
    }

    @Test("a page with a feed that cannot be read is not mixed with one that was requested before it")
    func overlappingUnreadablePages() async throws {
        let gate = MockTransport.Gate()
        let calls = Collected<Bool>()
        let transport = MockTransport(cosm: { _ throws(TransportFailure) in
            calls.add(true)
            let number = calls.all.count
            if number == 1 { try await gate.pass() }
            let unreadable = number == 2 ? #",{"title":{}}"# : ""
            return .json(#"{"totalResults":\#(number),"results":[{"id":\#(number)}\#(unreadable)]}"#)
        })
        let feeds = FeedCollection(api: try makeAPI(transport))
        let first = Task { try await feeds.fetch() }
        await gate.waitForArrivals(1)
        try await feeds.fetch()
        gate.openPermanently()
        _ = try await first.value
        #expect(feeds.feeds.map(\.id) == [2] && feeds.totalResults == 2)
    }

    @Test("of two overlapping fetches of a collection, its page and its feeds are those of the later one")
    func overlappingPages() async throws {
        let gate = MockTransport.Gate()
        let calls = Collected<Bool>()
        let transport = MockTransport(cosm: { _ throws(TransportFailure) in
            calls.add(true)
            let number = calls.all.count
            if number == 1 { try await gate.pass() }
            return .json(#"{"totalResults":\#(number),"startIndex":\#(number),"results":[{"id":\#(number)}]}"#)
        })
        let feeds = FeedCollection(api: try makeAPI(transport))
        let first = Task { try await feeds.fetch() }
        await gate.waitForArrivals(1)
        try await feeds.fetch()
        gate.openPermanently()
        _ = try await first.value
        #expect(feeds.feeds.map(\.id) == [2] && feeds.totalResults == 2 && feeds.startIndex == 2)
    }
}
