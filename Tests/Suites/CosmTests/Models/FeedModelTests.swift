import HeliumJSON
import HeliumTesting
import Testing

@testable import Cosm

@Suite("A feed model", .timeLimit(.minutes(5)))
struct FeedModelTests {
    private static let document = """
        {"id":504,"title":"Shed","private":"false","status":"live","tags":["wood"],"user":{"login":"ann"},"mine":null,
         "location":{"name":"Garden","lat":51.2},
         "datastreams":[{"id":"temp","current_value":"20.5"},{"id":"note","current_value":"herz"}]}
        """

    // MARK: Fetching

    @Test("a feed model is fetched with its user and with parameters, which stay until they are reset")
    func parameters() async throws {
        let transport = MockTransport(reading: Self.document)
        let feed = FeedModel(id: 504, api: try makeAPI(transport))
        feed.useParameter("duration", withValue: "1 day")
        feed.useParameter("limit", withValue: nil)
        try await feed.fetch()
        try await feed.fetch()
        feed.resetParameters()
        try await feed.fetch()
        let queries = transport.requests.map { Set($0.queryItems.map { "\($0.name)=\($0.value)" }) }
        #expect(
            queries == [
                ["duration=1 day", "show_user=true"], ["duration=1 day", "show_user=true"], ["show_user=true"],
            ]
        )
        #expect(transport.requests.allSatisfy { $0.decodedPath == "/v2/feeds/504" && $0.key == "secret-key-1234" })
    }

    @Test("a fetched feed model has typed and unknown members and children, and a null changes nothing")
    func fetched() async throws {
        let feed = FeedModel(id: 504, api: try makeAPI(MockTransport(reading: Self.document)))
        let changes = try await feed.fetch()
        #expect(feed.title == "Shed" && feed.isPrivate == false && feed.location?.latitude == 51.2)
        #expect(feed.user?.login == "ann" && feed.status == .live)
        #expect(feed.info["title"] == "Shed" && feed.info["datastreams"] == nil)
        #expect(feed.datastreams.datastreams.map(\.id) == ["temp", "note"])
        #expect(feed.datastreams["note"]?.currentValue == "herz")
        #expect(changes.members.isSuperset(of: ["title", "private", "tags", "location", "user"]))
        #expect(changes.insertedChildren == ["temp", "note"])
        #expect(!feed.isNew && feed.unsavedMembers.isEmpty)
    }

    @Test("a feed model keeps its children with unsaved changes, and removes those the server lacks")
    func refetched() async throws {
        let documents = Documents([
            Self.document,
            #"{"id":504,"title":"Barn","datastreams":[{"id":"temp","current_value":"21"},{"id":"new"}]}"#,
        ])
        let feed = FeedModel(id: 504, api: try makeAPI(MockTransport(cosm: { _ in .json(documents.next()) })))
        try await feed.fetch()
        let temp = try #require(feed.datastreams["temp"])
        let note = try #require(feed.datastreams["note"])
        temp.tags = ["thermal"]
        let added = feed.datastreams.add(Datastream(id: "mine"))
        let changes = try await feed.fetch()
        #expect(feed.datastreams.datastreams.map(\.id) == ["temp", "new", "mine"])
        #expect(feed.datastreams["temp"] === temp && feed.datastreams["mine"] === added)
        #expect(temp.currentValue == "21" && temp.tags == ["thermal"])
        #expect(note.feed === feed && changes.removedChildren == ["note"])
        #expect(changes.updatedChildren == ["temp"] && changes.insertedChildren == ["new"])
        #expect(feed.title == "Barn" && feed.tags == nil)
    }

    @Test("a feed model keeps the datastreams that a fetch did not ask for", arguments: ["datastreams", "time"])
    func partOfFeed(parameter: String) async throws {
        let documents = Documents([Self.document, #"{"id":504,"title":"Shed","datastreams":[{"id":"note"}]}"#])
        let feed = FeedModel(id: 504, api: try makeAPI(MockTransport(cosm: { _ in .json(documents.next()) })))
        try await feed.fetch()
        feed.useParameter(parameter, withValue: "note")
        try await feed.fetch()
        #expect(feed.datastreams.datastreams.map(\.id) == ["temp", "note"])
    }

    @Test("a feed model keeps its datastreams if a document has no list, and loses them if it is empty")
    func withoutList() async throws {
        let documents = Documents([Self.document, #"{"id":504,"title":"Shed"}"#, #"{"id":504,"datastreams":[]}"#])
        let feed = FeedModel(id: 504, api: try makeAPI(MockTransport(cosm: { _ in .json(documents.next()) })))
        try await feed.fetch()
        try await feed.fetch()
        #expect(feed.datastreams.datastreams.count == 2)
        try await feed.fetch()
        #expect(feed.datastreams.datastreams.isEmpty)
    }

    @Test("a feed model without an id is neither fetched nor deleted, and sends nothing")
    func noID() async throws {
        let transport = MockTransport()
        let feed = FeedModel(api: try makeAPI(transport))
        let events = feed.events
        await #expect(throws: IncompleteModel.feedHasNoID) { try await feed.fetch() }
        await #expect(throws: IncompleteModel.feedHasNoID) { try await feed.delete() }
        #expect(await events.next(2).map(\.kind) == [.fetchFailed, .deleteFailed])
        #expect(transport.requests.isEmpty && IncompleteModel.feedHasNoID.description == "Feed has no id")
    }

    // MARK: Saving

    @Test("a new feed model is created with its new datastreams, gets its id, and is saved")
    func create() async throws {
        let transport = MockTransport(cosm: { _ in nil })
        let feed = FeedModel(Feed(title: "Shed", tags: ["wood"]), api: try makeAPI(transport))
        let stream = feed.datastreams.add(Datastream(id: "temp", currentValue: 20.5, tags: ["thermal"]))
        #expect(feed.isNew && stream.isNew && stream.feedID == nil)
        try await feed.save()
        #expect(
            transport.lines == [
                #"POST /v2/feeds {"datastreams":[{"current_value":"20.5","id":"temp","tags":["thermal"]}],"tags":["wood"],"title":"Shed"}"#
            ]
        )
        #expect(feed.id == 504 && !feed.isNew && feed.unsavedMembers.isEmpty)
        #expect(!stream.isNew && stream.unsavedMembers.isEmpty && stream.feedID == 504)
        try await feed.save()
        #expect(transport.requests.count == 1)
    }

    @Test("a feed model sends what was changed and new datastreams only")
    func update() async throws {
        let transport = MockTransport(reading: Self.document)
        let feed = FeedModel(id: 504, api: try makeAPI(transport))
        try await feed.fetch()
        feed.title = "Barn"
        feed.info["mine"] = 1
        feed.datastreams["temp"]?.currentValue = 30
        feed.datastreams.add(Datastream(id: "new"))
        try await feed.save()
        #expect(
            transport.lines.last
                == #"PUT /v2/feeds/504 {"datastreams":[{"id":"new"}],"mine":1,"title":"Barn"}"#
        )
        #expect(feed.datastreams["temp"]?.unsavedMembers == ["current_value"])
    }

    @Test("removed members of a feed model are cleared on the server")
    func clear() async throws {
        let transport = MockTransport(reading: Self.document)
        let feed = FeedModel(id: 504, api: try makeAPI(transport))
        try await feed.fetch()
        feed.tags = nil
        feed.location?.name = nil
        try await feed.save()
        #expect(transport.lines.last == #"PUT /v2/feeds/504 {"location":{"lat":51.2,"name":""},"tags":[]}"#)
    }

    @Test("a datastream without an id keeps its feed model from being saved")
    func childWithoutID() async throws {
        let transport = MockTransport()
        let feed = FeedModel(Feed(title: "Shed"), api: try makeAPI(transport))
        feed.datastreams.add(Datastream())
        await #expect(throws: IncompleteModel.datastreamHasNoID) { try await feed.save() }
        #expect(transport.requests.isEmpty)
    }

    @Test("a failed save of a feed model loses no change", arguments: [401, 403, 404, 422])
    func failedSave(status: Int) async throws {
        let feed = FeedModel(Feed(title: "Shed"), api: try makeAPI(MockTransport(refusing: status)))
        let stream = feed.datastreams.add(Datastream(id: "temp", currentValue: 1))
        let events = feed.events
        let error = await #expect(throws: CosmError.self) { try await feed.save() }
        #expect(error?.status == status)
        #expect(feed.isNew && feed.unsavedMembers == ["title"] && feed.title == "Shed")
        #expect(stream.isNew && stream.unsavedMembers == ["current_value"])
        let event = try #require(await events.next(1).first)
        #expect(event.kind == .saveFailed && (event.error as? CosmError)?.status == status)
    }

    // MARK: Deleting

    @Test("a deleted feed model is marked, with its datastreams and datapoints")
    func delete() async throws {
        let transport = MockTransport(reading: Self.document)
        let feed = FeedModel(id: 504, api: try makeAPI(transport))
        try await feed.fetch()
        try await feed.delete()
        #expect(transport.lines.last == "DELETE /v2/feeds/504")
        #expect(feed.isDeleted && feed.datastreams["temp"]?.isDeleted == true)
        feed.datastreams.removeDeleted()
        #expect(feed.datastreams.datastreams.isEmpty)
    }

    @Test("a failed deletion of a feed model marks nothing")
    func failedDelete() async throws {
        let feed = FeedModel(id: 504, api: try makeAPI(MockTransport(refusing: 403)))
        await #expect(throws: CosmError.self) { try await feed.delete() }
        #expect(!feed.isDeleted)
    }

    // MARK: Members

    @Test("several members of a model are changed together, or none if the closure throws")
    func updateAtOnce() throws {
        let feed = FeedModel(id: 504)
        feed.update { feed in
            feed.title = "Shed"
            feed.tags = ["wood"]
        }
        #expect(feed.unsavedMembers == ["title", "tags"])
        #expect(throws: IncompleteModel.feedHasNoID) {
            try feed.update { feed throws(IncompleteModel) in
                feed.title = "Barn"
                throw .feedHasNoID
            }
        }
        #expect(feed.title == "Shed")
    }

    @Test("neither a model nor its error shows the key")
    func secrets() async throws {
        let feed = FeedModel(id: 504, api: try makeAPI(MockTransport(refusing: 403), key: "key-of-ann"))
        let stream = feed.datastreams.add(Datastream(id: "temp"))
        let error = await #expect(throws: CosmError.self) { try await feed.fetch() }
        var text = ""
        dump(feed, to: &text)
        dump(stream, to: &text)
        dump(error, to: &text)
        text += "\(feed) \(feed.datastreams) \(String(reflecting: feed)) \(String(describing: error))"
        #expect(!text.contains("key-of-ann") && text.contains("forbidden"))
    }

    @Test("a feed model without its id is new, and would be created as a whole")
    func idRemoved() async throws {
        let transport = MockTransport(reading: Self.document)
        let feed = FeedModel(id: 504, api: try makeAPI(transport))
        try await feed.fetch()
        feed.id = nil
        #expect(feed.isNew && feed.datastreams.feedID == nil)
        #expect(feed.unsavedMembers == ["title", "private", "tags", "location"])
    }
}

/// Documents that a mock gives one after the other.
final class Documents: Sendable {
    private let given = Collected<Void>()
    private let documents: [String]

    init(_ documents: [String]) { self.documents = documents }

    func next() -> String {
        given.add(())
        return documents[min(given.all.count, documents.count) - 1]
    }
}
