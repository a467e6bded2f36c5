import HeliumJSON
import TestSupport
import Testing

@testable import Cosm

@Suite("State of a model")
struct ModelStateTests {
    private func known(_ feed: Feed = Feed(id: 7, title: "Shed", tags: ["wood"])) -> ModelState<Feed> {
        ModelState(feed, isKnown: true, at: 1)
    }

    // MARK: Edits

    @Test("a new entity is unsaved as a whole, except for the server's members")
    func new() {
        let feed = Feed(id: 7, title: "Shed", status: .live, datastreams: [Datastream(id: "a")], extra: ["mine": 1])
        let state = ModelState(feed, isKnown: false, at: 1)
        #expect(state.unsavedMembers == ["title", "mine"])
        #expect(state.value.datastreams == nil)
    }

    @Test("setting a member to its present value is an edit")
    func sameValue() {
        var state = known()
        #expect(state.set(\.title, to: "Shed", at: 2).isEmpty)
        #expect(state.unsavedMembers == ["title"])
    }

    @Test("a change of a member that saves do not send is no edit")
    func told() {
        var state = known()
        #expect(state.set(\.status, to: .frozen, at: 2) == ["status"])
        #expect(state.unsavedMembers.isEmpty)
    }

    @Test("discarding restores the server's values, and nothing is unsaved")
    func discard() {
        var state = known()
        _ = state.set(\.title, to: "Barn", at: 2)
        _ = state.setInfo(["id": 7, "title": ["no", "text"], "tags": ["wood"], "mine": 1], at: 3)
        #expect(state.discardEdits() == ["title", "mine"])
        #expect(state.value == Feed(id: 7, title: "Shed", tags: ["wood"]))
        #expect(state.unsavedMembers.isEmpty && state.untyped.isEmpty)
    }

    @Test("only changed members of an edited copy are taken over")
    func update() {
        var state = known()
        let before = state.value
        var after = before
        after.description = "of wood"
        _ = state.set(\.title, to: "Barn", at: 2)
        #expect(state.update(from: before, to: after, at: 3) == ["description"])
        #expect(state.value.title == "Barn" && state.value.description == "of wood")
    }

    // MARK: Documents

    @Test("a document changes saved members, removes missing ones, and the changes are reported")
    func merge() {
        var state = known()
        _ = state.set(\.title, to: "Barn", at: 2)
        let changed = state.merge(Feed(id: 7, title: "Hut", description: "new"), askedAt: 3)
        #expect(changed == ["description", "tags"])
        #expect(state.value == Feed(id: 7, title: "Barn", description: "new"))
        _ = state.discardEdits()
        #expect(state.value.title == "Hut")
    }

    @Test("id and owner stay if a document lacks them")
    func kept() {
        var state = known(Feed(id: 7, title: "Shed", user: User(login: "ann")))
        #expect(state.merge(Feed(title: "Shed"), askedAt: 2).isEmpty)
        #expect(state.value.id == 7 && state.value.user?.login == "ann")
    }

    @Test("unknown members follow the documents")
    func extra() {
        var state = known(Feed(id: 7, extra: ["a": 1, "b": 2]))
        #expect(state.merge(Feed(id: 7, extra: ["b": 3, "c": 4]), askedAt: 2) == ["a", "b", "c"])
        #expect(state.value.extra == ["b": 3, "c": 4])
    }

    @Test("a document that was requested before a save does not undo it")
    func overtakenBySave() throws {
        var state = known()
        _ = state.set(\.title, to: "Barn", at: 2)
        let draft = try state.draft(isNew: false)
        _ = state.confirm(draft.snapshot, at: 4)
        #expect(state.merge(Feed(id: 7, title: "Shed", description: "new"), askedAt: 3) == ["description", "tags"])
        #expect(state.value.title == "Barn")
        #expect(state.merge(Feed(id: 7, title: "Hut"), askedAt: 5).contains("title"))
    }

    @Test("the response to the later request counts, whichever comes first")
    func overtakenByAnswer() {
        var state = known()
        _ = state.merge(Feed(id: 7, title: "new"), askedAt: 9)
        #expect(state.merge(Feed(id: 7, title: "old"), askedAt: 8).isEmpty)
        #expect(state.value.title == "new")
    }

    // MARK: Saving

    @Test("an update sends only what was changed")
    func draft() throws {
        var state = known(
            Feed(id: 7, title: "Shed", status: .live, location: Location(latitude: 51.2), extra: ["old": 1])
        )
        _ = state.set(\.description, to: "of wood", at: 2)
        #expect(try state.draft(isNew: false).body == ["description": "of wood"])
    }

    @Test(
        "a removed member is sent as an empty value of its kind",
        arguments: [
            ("title", #"{"title":""}"#), ("tags", #"{"tags":[]}"#), ("mine", #"{"mine":""}"#),
            ("location", #"{"location":{"lat":"","name":""}}"#),
        ]
    )
    func clearing(member: String, body: String) throws {
        let feed = Feed(
            title: "Shed",
            tags: ["wood"],
            location: Location(
                name: "Garden",
                latitude: 51.2,
                waypoints: [Location.Waypoint(at: Timestamp(microseconds: 0))]
            ),
            extra: ["mine": 1]
        )
        var state = known(feed)
        state.setMember(member, to: nil, at: 2)
        #expect(try state.draft(isNew: false).body == JSONValue(parsing: body).objectValue)
    }

    @Test("a location is sent with removed members empty, and without the server's waypoints")
    func clearingInside() throws {
        let way = [Location.Waypoint(at: Timestamp(microseconds: 0), latitude: 1, longitude: 2)]
        var state = known(Feed(location: Location(name: "Garden", latitude: 51.2, waypoints: way)))
        _ = state.set(\.location, to: Location(latitude: 52, waypoints: way), at: 2)
        #expect(try state.draft(isNew: false).body == ["location": ["lat": 52, "name": ""]])
    }

    @Test("a new entity is created without members to clear")
    func draftOfNew() throws {
        var state = ModelState(Feed(title: "Shed", description: "x"), isKnown: false, at: 1)
        _ = state.set(\.description, to: nil, at: 2)
        #expect(try state.draft(isNew: true).body == ["title": "Shed"])
    }

    @Test("edits during a save are unsaved after it")
    func editedMeanwhile() throws {
        var state = known()
        _ = state.set(\.title, to: "Barn", at: 2)
        _ = state.set(\.description, to: "x", at: 3)
        let draft = try state.draft(isNew: false)
        _ = state.set(\.title, to: "Hut", at: 4)
        _ = state.confirm(draft.snapshot, at: 5)
        #expect(state.unsavedMembers == ["title"])
        #expect(state.value.title == "Hut")
        _ = state.discardEdits()
        #expect(state.value.title == "Barn")
    }

    @Test("discarding during a save leaves the values that were saved")
    func discardedMeanwhile() throws {
        var state = known()
        _ = state.set(\.title, to: "Barn", at: 2)
        let draft = try state.draft(isNew: false)
        #expect(state.discardEdits() == ["title"])
        #expect(state.confirm(draft.snapshot, at: 3) == ["title"])
        #expect(state.value.title == "Barn" && state.unsavedMembers.isEmpty)
    }

    // MARK: The dictionary view

    @Test("the dictionary of a model has all members except the children, and takes over differences")
    func info() throws {
        var state = known(Feed(id: 7, title: "Shed", tags: ["wood"], extra: ["mine": 1]))
        var info = try state.info()
        #expect(info == ["id": 7, "title": "Shed", "tags": ["wood"], "mine": 1])
        info["title"] = nil
        info["mine"] = [2]
        info["email"] = .null
        info["website"] = "http://h"
        info["datastreams"] = [["id": "temp"]]
        #expect(state.setInfo(info, at: 2) == ["title", "mine", "website"])
        #expect(state.unsavedMembers == ["title", "mine", "website"])
        #expect(state.value == Feed(id: 7, website: "http://h", tags: ["wood"], extra: ["mine": [2]]))
    }

    @Test("a member of a wrong type is kept and sent unchanged")
    func untyped() throws {
        var state = known()
        _ = state.setInfo(["id": 7, "title": ["a", "b"], "tags": ["wood"]], at: 2)
        #expect(state.value.title == nil)
        #expect(try state.info()["title"] == ["a", "b"])
        #expect(try state.draft(isNew: false).body == ["title": ["a", "b"]])
        _ = state.set(\.title, to: "Barn", at: 3)
        #expect(try state.draft(isNew: false).body == ["title": "Barn"])
    }

    @Test(
        "values of a dictionary are read as leniently as those of documents",
        arguments: [("2", JSONValue.number(2)), ("2", "2"), ("herz", "herz")]
    )
    func lenient(text: String, member: JSONValue) throws {
        var state = ModelState(Datapoint(), isKnown: true, at: 1)
        _ = state.setInfo(["value": member], at: 2)
        #expect(state.value.value?.text == text)
        #expect(try state.info() == ["value": .string(text)])
    }

    @Test("the id is set by the dictionary, and is not sent")
    func id() throws {
        var state = ModelState(Feed(), isKnown: false, at: 1)
        #expect(state.setInfo(["id": 91], at: 2) == ["id"])
        #expect(state.value.id == 91 && state.unsavedMembers.isEmpty)
    }

    // MARK: At random

    @Test(
        "random orders of edits, saves and responses lose no edit, and end with the server's values",
        .tags(.random),
        arguments: ProofLength.seeds(10)
    )
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var state = known(Feed(id: 7))
        var server = Feed(id: 7)
        var newest: [Int: String] = [:]
        var number: UInt64 = 2
        var drafts: [ModelState<Feed>.Draft] = []
        var answers: [(Feed, UInt64)] = []
        let paths: [any WritableKeyPath<Feed, String?> & Sendable] = [\.title, \.description, \.website]
        func save(_ state: inout ModelState<Feed>) throws {
            // One save at a time, as models do.
            let draft = try state.draft(isNew: false)
            for (index, path) in paths.enumerated() {
                let name = ["title", "description", "website"][index]
                if let text = draft.body[name]?.stringValue { server[keyPath: path] = text }
            }
            drafts.append(draft)
        }
        for step in 0..<200 {
            number += 1
            switch random.below(5) {
            case 0, 1:
                let index = random.below(3)
                newest[index] = "\(step)"
                _ = state.set(paths[index], to: "\(step)", at: number)
            case 2 where drafts.isEmpty:
                try save(&state)
            case 2, 3:
                if let draft = drafts.popLast() { _ = state.confirm(draft.snapshot, at: number) }
                if random.oneIn(2) { answers.append((server, number)) }
            default:
                if !answers.isEmpty {
                    let (document, asked) = answers.remove(at: random.below(answers.count))
                    _ = state.merge(document, askedAt: asked)
                }
            }
            for (index, text) in newest { #expect(state.value[keyPath: paths[index]] == text) }
        }
        if let draft = drafts.popLast() { _ = state.confirm(draft.snapshot, at: number + 1) }
        try save(&state)
        _ = state.confirm(drafts[0].snapshot, at: number + 2)
        #expect(state.unsavedMembers.isEmpty)
        #expect(state.value == server)
    }
}
