import Foundation
import HeliumJSON
import Jetstream
import Testing

/// Clients whose classes are of another version than the server's, or another client's (Docs/Protocols/Jetstream.md §2.7).
@Suite("Schemas that change", .timeLimit(.minutes(5)))
struct SchemaEvolutionTests {
    private let root = Board()
    private let scope: Scope
    private let ids = (1...9).map { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8($0))) }

    init() { scope = Scope(name: "Board", root: root) }

    private func text(_ index: Int) -> JSONValue { .string(ids[index].uuidString.lowercased()) }

    private func add(_ index: Int, _ className: String, _ properties: JSONObject) -> SyncFragment {
        SyncFragment(.add, uuid: ids[index], className: className, properties: properties)
    }

    private func change(_ properties: JSONObject) -> SyncFragment {
        SyncFragment(.change, uuid: root.uuid, className: "Board", properties: properties)
    }

    @Test("a property that an older client lacks has its default value")
    func newProperty() throws {
        scope.applySyncFragments([change(["cards": [text(0)]]), add(0, "Card", ["name": "old"])])
        let card = try #require(root.cards.first)
        #expect(card.title == "old" && card.priority == 3 && card.note == nil)
        card.priority = 5
        card.note = "mine"
        _ = scope.getAndClearSyncFragments()
        let state = [change(["cards": [text(0)]]), add(0, "Card", ["name": "old"])]
        scope.applySyncFragments(state, applyDefaults: true)
        #expect(root.cards.first === card && card.priority == 3 && card.note == nil)
    }

    @Test("unknown members of an object are kept, and sent when it is added again")
    func unknownMembers() throws {
        let members: JSONObject = ["name": "new", "shade": "dark", "size": 4.5, "marks": [1, 2]]
        scope.applySyncFragments([change(["cards": [text(0)]]), add(0, "Card", members)])
        let card = try #require(root.cards.first)
        root.cards = []
        _ = scope.getAndClearSyncFragments()
        root.cards = [card]
        let fragments = scope.getAndClearSyncFragments()
        let added = try #require(fragments.first { $0.kind == .add })
        #expect(added.uuid == ids[0])
        for (name, value) in members { #expect(added.properties[name] == value, "\(name)") }
    }

    @Test(
        "an object of an unknown class is left out of typed properties, and kept in arrays"
    )
    func unknownClass() throws {
        scope.applySyncFragments([
            change(["cards": [text(0), text(1), text(2)]]), add(0, "Card", [:]), add(1, "Poll", ["question": "?"]),
            add(2, "Card", [:]),
        ])
        #expect(root.cards.map(\.uuid) == [ids[0], ids[2]])
        let new = Card()
        root.cards.append(new)
        let fragments = scope.getAndClearSyncFragments()
        let written = try #require(fragments.first { $0.uuid == root.uuid }).properties["cards"]
        #expect(written == [text(0), text(1), text(2), .string(new.uuid.uuidString.lowercased())])
    }

    @Test("renamed properties and classes keep their names on the wire")
    func renames() throws {
        scope.applySyncFragments([change(["cards": [text(0)]]), add(0, "Card", ["name": "wire"])])
        let card = try #require(root.cards.first)
        #expect(card.title == "wire" && card.className == "Card")
        card.title = "local"
        let fragment = try #require(scope.getAndClearSyncFragments().first)
        #expect(fragment.className == "Card" && fragment.properties == ["name": "local"])
        #expect(throws: ModelKeyError.self) { try card.setJSON("x", forKey: "title") }
        try card.setJSON("x", forKey: "name")
        #expect(card.title == "x")
    }

    @Test("an unknown value of an enumeration changes nothing")
    func unknownCase() throws {
        scope.applySyncFragments([change(["cards": [text(0)]]), add(0, "Card", ["kind": 2])])
        let card = try #require(root.cards.first)
        #expect(card.kind == .task)
        scope.applySyncFragments([SyncFragment(.change, uuid: ids[0], className: "Card", properties: ["kind": 9])])
        #expect(card.kind == .task)
        scope.applySyncFragments([SyncFragment(.change, uuid: ids[0], className: "Card", properties: ["kind": 1])])
        #expect(card.kind == .note)
    }

    @Test("local properties are neither sent nor received")
    func local() throws {
        scope.applySyncFragments([change(["cards": [text(0)]]), add(0, "Card", ["isOpen": true])])
        let card = try #require(root.cards.first)
        #expect(!card.isOpen)
        card.isOpen = true
        #expect(scope.getAndClearSyncFragments().isEmpty)
    }

    @Test("a subclass is found if the scope has it, and is an unknown class otherwise")
    func subclasses() throws {
        let fragments = [change(["cards": [text(0)]]), add(0, "Photo", ["name": "n", "url": "u"])]
        scope.applySyncFragments(fragments)
        #expect(root.cards.isEmpty)
        let other = Board(uuid: root.uuid)
        let wider = Scope(name: "Board", root: other, subclasses: [Photo.self])
        wider.applySyncFragments(fragments)
        let photo = try #require(other.cards.first as? Photo)
        #expect(photo.title == "n" && photo.url == "u")
    }
}

@Model
private final class Board {
    var cards: [Card] = []
}

// The class was called Card, and its property name, when the server was written.
@Model
@ClassName("Card")
private class Card {
    @Key("name") var title = ""
    var priority = 3
    var note: String?
    var kind = Kind.note
    @Local var isOpen = false

    enum Kind: Int, ModelScalar { case note = 1, task }
}

@Model
private final class Photo: Card {
    var url = ""
}
