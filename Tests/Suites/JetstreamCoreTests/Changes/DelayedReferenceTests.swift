import Foundation
import HeliumCore
import HeliumJSON
import Testing

@testable import JetstreamCore

/// References with a minimum sync interval (Docs/Protocols/Jetstream.md §3.5). Until a change of one is sent, the server
/// has the former reference.
@Suite("Delayed references")
struct DelayedReferenceTests {
    private let root = Panel()
    private let scope = Scope(name: "test")
    private let session = RecordingSession()
    private let two: Panel
    private let three: Panel

    /// The root has two panels, and the first of them has one. The focus was changed at zero, which began an interval.
    init() throws {
        root.setScopeAndMakeRootModel(scope)
        scope.attach(session.hooks())
        scope.receive(state: [
            PanelFragment.change(1, ["panels": [Receiver.text(2), Receiver.text(3)]]),
            PanelFragment.add(2, ["name": "two", "panels": [Receiver.text(4)]]),
            PanelFragment.add(3, ["name": "three"]),
            PanelFragment.add(4, ["name": "four"]),
        ])
        two = try #require(root.panels.first)
        three = try #require(root.panels.last)
    }

    /// Sends a change of the focus at zero, which begins an interval.
    private func focus(on panel: Panel) throws {
        root.focus = panel
        try accept(flush(at: 0))
    }

    private func flush(at milliseconds: Int) throws -> ChangeSet {
        try #require(scope.flush(at: .milliseconds(milliseconds)))
    }

    private func accept(_ set: ChangeSet) throws {
        try scope.reply(set, set.fragments.map { _ in FragmentReply() })
    }

    /// The identifiers of added objects.
    private func added(_ set: ChangeSet) -> Set<ModelID> {
        Set(set.fragments.filter { $0.kind == .add }.map(\.uuid))
    }

    private func text(_ panel: Panel) -> JSONValue { .string(panel.uuid.uuidString.lowercased()) }

    @Test("what only a delayed reference leads to is added with it")
    func movedToDelayed() throws {
        try focus(on: three)
        root.panels = [three]
        root.focus = two
        let first = try flush(at: 10)
        #expect(first.fragments == [PanelFragment.change(1, ["panels": [Receiver.text(3)]])])
        two.name = "mine"
        #expect(scope.flush(at: .milliseconds(20)) == nil, "the server does not have it")
        #expect(two.scope === scope && scope.nextDeadline == .milliseconds(50))
        let second = try flush(at: 50)
        #expect(added(second) == [Receiver.id(2), Receiver.id(4)])
        #expect(second.fragments.contains(PanelFragment.change(1, ["focus": Receiver.text(2)])))
        #expect(second.fragments.first { $0.uuid == two.uuid }?.properties["name"] == "mine")
        try accept(first)
        try accept(second)
        #expect(scope.modify { two.name = "later" }.fragments == [PanelFragment.change(2, ["name": "later"])])
    }

    @Test("a refused removal leaves what a delayed reference leads to known")
    func refusedRemoval() throws {
        try focus(on: three)
        root.panels = [three]
        root.focus = two
        let removal = try flush(at: 10)
        try scope.reply(removal, [FragmentReply(error: ErrorObject(message: "no"))])
        #expect(root.panels.map(\.uuid) == [two.uuid, three.uuid])
        #expect(try flush(at: 50).fragments == [PanelFragment.change(1, ["focus": Receiver.text(2)])])
    }

    @Test("a new object of a delayed reference is added with it, and not before")
    func newObject() throws {
        try focus(on: three)
        let new = Panel()
        root.focus = new
        root.name = "root"
        #expect(try flush(at: 10).fragments == [PanelFragment.change(1, ["name": "root"])])
        #expect(try added(flush(at: 50)) == [new.uuid])
    }

    @Test("what a delayed change removes is known until the change is sent")
    func removedLater() throws {
        let new = Panel()
        try focus(on: new)
        root.focus = nil
        #expect(scope.flush(at: .milliseconds(10)) == nil && new.scope == nil)
        new.name = "mine"
        #expect(try flush(at: 20).fragments.map(\.properties) == [["name": "mine"]])
        root.panels.append(new)
        let back = try flush(at: 30)
        let expected: [JSONValue] = [Receiver.text(2), Receiver.text(3), text(new)]
        #expect(back.fragments == [PanelFragment.change(1, ["panels": .array(expected)])], "it is not added")
        #expect(try flush(at: 50).fragments == [PanelFragment.change(1, ["focus": .null])])
        #expect(scope.modify { new.name = "later" }.fragments.map(\.kind) == [.change])
    }

    @Test("what a delayed change has removed is added when it comes back")
    func removed() throws {
        let new = Panel()
        try focus(on: new)
        root.focus = nil
        #expect(scope.flush(at: .milliseconds(10)) == nil)
        try accept(flush(at: 50))
        #expect(added(scope.modify { root.panels.append(new) }) == [new.uuid])
    }

    @Test("what a peer removes is added with a delayed reference to it")
    func removedByPeer() throws {
        try focus(on: three)
        root.focus = two
        #expect(scope.flush(at: .milliseconds(10)) == nil)
        scope.receive(.sync([PanelFragment.change(1, ["panels": [Receiver.text(3)]])]))
        #expect(two.scope === scope)
        let set = try flush(at: 50)
        #expect(added(set) == [Receiver.id(2), Receiver.id(4)])
    }

    @Test("a peer's value of a property with a delayed change decides what is known")
    func replacedByPeer() throws {
        let new = Panel()
        try focus(on: new)
        root.focus = nil
        #expect(scope.flush(at: .milliseconds(10)) == nil)
        scope.receive(
            .sync([PanelFragment.change(1, ["focus": Receiver.text(9)]), PanelFragment.add(9, ["name": "nine"])])
        )
        #expect(root.focus == nil)
        let set = scope.modify { root.panels.append(new) }
        #expect(session.submitted.dropLast().last?.fragments == [PanelFragment.change(1, ["focus": .null])])
        #expect(added(set) == [new.uuid])
    }

    @Test("a refused delayed change restores what a peer has set meanwhile")
    func refusedChange() throws {
        try focus(on: three)
        root.focus = two
        #expect(scope.flush(at: .milliseconds(10)) == nil)
        scope.receive(
            .sync([PanelFragment.change(1, ["focus": Receiver.text(9)]), PanelFragment.add(9, ["name": "nine"])])
        )
        let set = try flush(at: 50)
        try scope.reply(set, [FragmentReply(error: ErrorObject(message: "no"))])
        let nine = try #require(root.focus)
        #expect(nine.name == "nine" && nine.scope === scope)
        #expect(scope.modify { nine.name = "later" }.fragments == [PanelFragment.change(9, ["name": "later"])])
    }
}

@Suite("Weak references to objects of local properties")
struct WeakLocalTests {
    private let root = Panel()
    private let scope = Scope(name: "test")

    init() { root.setScopeAndMakeRootModel(scope) }

    @Test("what only a local property holds is added with a weak reference to it", arguments: [true, false])
    func added(isBelowNewObject: Bool) {
        let other = Panel()
        root.pinned = other
        #expect(scope.flush() == nil)
        let set = scope.modify {
            let new = Panel()
            new.partner = other
            if isBelowNewObject { root.panels = [new] } else { root.partner = other }
        }
        let added = set.fragments.filter { $0.kind == .add }
        #expect(added.count == (isBelowNewObject ? 2 : 1) && added.contains { $0.uuid == other.uuid })
        scope.accept(set)
        root.pinned = nil
        #expect(other.scope == nil)
        #expect(scope.modify { other.name = "new" }.fragments.map(\.kind) == [.change], "the server keeps it")
    }
}
