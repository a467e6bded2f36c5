import HeliumTesting
import TestSupport
import Testing

@testable import Cosm

@Suite("Models used from many tasks", .timeLimit(.minutes(5)))
struct ModelConcurrencyTests {
    @Test("saves of one model run one after the other, each with the changes up to then")
    func serial() async throws {
        let gate = MockTransport.Gate()
        let transport = MockTransport(cosm: { request throws(TransportFailure) in
            try await gate.pass()
            return nil
        })
        let feed = FeedModel(id: 504, api: try makeAPI(transport))
        feed.title = "one"
        let first = Task { try await feed.save() }
        await gate.waitForArrivals(1)
        feed.title = "two"
        feed.description = "x"
        let second = Task { try await feed.save() }
        try await eventually { feed.core.writes.waiterCount > 0 }
        #expect(transport.requests.count == 1)
        gate.openPermanently()
        try await first.value
        try await second.value
        #expect(
            transport.lines == [
                #"PUT /v2/feeds/504 {"title":"one"}"#, #"PUT /v2/feeds/504 {"description":"x","title":"two"}"#,
            ]
        )
        #expect(feed.unsavedMembers.isEmpty)
    }

    @Test("two saves of a new feed model create it once")
    func createOnce() async throws {
        let transport = MockTransport(cosm: { _ in nil })
        let feed = FeedModel(Feed(title: "Shed"), api: try makeAPI(transport))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { try await feed.save() } }
            try await group.waitForAll()
        }
        #expect(transport.requests.count == 1)
    }

    @Test("a datastream that its feed's save creates is not created again by its own save")
    func childAndParent() async throws {
        let gate = MockTransport.Gate()
        let transport = MockTransport(cosm: { request throws(TransportFailure) in
            try await gate.pass()
            return nil
        })
        let feed = FeedModel(id: 504, api: try makeAPI(transport))
        let stream = feed.datastreams.add(Datastream(id: "temp"))
        let parent = Task { try await feed.save() }
        await gate.waitForArrivals(1)
        let child = Task { try await stream.save() }
        try await eventually { stream.core.writes.waiterCount > 0 }
        gate.openPermanently()
        try await parent.value
        try await child.value
        #expect(transport.requests.count == 1 && !stream.isNew)
    }

    @Test("a fetch in progress keeps what is edited and saved meanwhile")
    func overlap() async throws {
        let gate = MockTransport.Gate()
        let transport = MockTransport(cosm: { request throws(TransportFailure) in
            guard request.method == .get else { return nil }
            try await gate.pass()
            return .json(#"{"id":504,"title":"old","description":"old","website":"new"}"#)
        })
        let feed = FeedModel(id: 504, api: try makeAPI(transport))
        let fetch = Task { try await feed.fetch() }
        await gate.waitForArrivals(1)
        feed.title = "saved"
        try await feed.save()
        feed.description = "edited"
        gate.openPermanently()
        #expect(try await fetch.value.members == ["website"])
        #expect(feed.title == "saved" && feed.description == "edited" && feed.website == "new")
        #expect(feed.unsavedMembers == ["description"])
    }

    @Test("a datastream that is created during a fetch stays")
    func createdMeanwhile() async throws {
        let gate = MockTransport.Gate()
        let transport = MockTransport(cosm: { request throws(TransportFailure) in
            guard request.method == .get else { return nil }
            try await gate.pass()
            return .json(#"{"id":504,"datastreams":[{"id":"temp"}]}"#)
        })
        let feed = FeedModel(id: 504, api: try makeAPI(transport))
        let fetch = Task { try await feed.fetch() }
        await gate.waitForArrivals(1)
        let stream = feed.datastreams.add(Datastream(id: "mine"))
        try await stream.save()
        gate.openPermanently()
        _ = try await fetch.value
        #expect(feed.datastreams.datastreams.map(\.id) == ["temp", "mine"])
    }

    @Test("a late response changes nothing that a newer one contains")
    func lateAnswer() async throws {
        let gate = MockTransport.Gate()
        let documents = Documents([
            #"{"id":504,"title":"old","datastreams":[{"id":"gone"},{"id":"kept","current_value":"1"}]}"#,
            #"{"id":504,"title":"new","datastreams":[{"id":"kept","current_value":"2"},{"id":"came"}]}"#,
        ])
        let transport = MockTransport(cosm: { request throws(TransportFailure) in
            let document = documents.next()
            if document.contains("old") { try await gate.pass() }
            return .json(document)
        })
        let feed = FeedModel(id: 504, api: try makeAPI(transport))
        let late = Task { try await feed.fetch() }
        await gate.waitForArrivals(1)
        try await feed.fetch()
        gate.openPermanently()
        #expect(try await late.value.isEmpty)
        #expect(feed.title == "new" && feed.datastreams["kept"]?.currentValue == "2")
        #expect(feed.datastreams.datastreams.map(\.id) == ["kept", "came"])
    }

    @Test("a cancelled save that waits sends nothing, and one in progress loses nothing")
    func cancelled() async throws {
        let gate = MockTransport.Gate()
        let transport = MockTransport(cosm: { request throws(TransportFailure) in
            try await gate.pass()
            return nil
        })
        let feed = FeedModel(id: 504, api: try makeAPI(transport))
        feed.title = "Barn"
        let first = Task { try await feed.save() }
        await gate.waitForArrivals(1)
        let second = Task { try await feed.save() }
        try await eventually { feed.core.writes.waiterCount > 0 }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(transport.requests.count == 1 && feed.unsavedMembers == ["title"])
        gate.openPermanently()
        try await feed.save()
        #expect(feed.unsavedMembers.isEmpty)
    }

    @Test("concurrent edits, fetches and saves of a model lose no edit")
    func storm() async throws {
        let transport = MockTransport(reading: #"{"id":504,"title":"server","datastreams":[{"id":"temp"}]}"#)
        let feed = FeedModel(id: 504, api: try makeAPI(transport))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<50 { feed[member: "m\(task)"] = .string("\(number)") }
                    try await feed.save()
                }
                group.addTask { for _ in 0..<10 { try await feed.fetch() } }
            }
            try await group.waitForAll()
        }
        try await feed.save()
        #expect(feed.unsavedMembers.isEmpty)
        var sent: [String: String] = [:]
        for request in transport.requests where request.method == .put {
            sent.merge(try request.bodyJSON(as: [String: String].self)) { $1 }
        }
        #expect(sent == ["m0": "49", "m1": "49", "m2": "49", "m3": "49"])
    }
}
