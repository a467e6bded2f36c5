import HeliumCore
import HeliumJSON
import Testing

@testable import JetstreamCore

/// Objects that a pending set has taken out of the tree (Docs/Protocols/Jetstream.md §4.3).
@Suite("Removed objects")
struct RemovedObjectTests {
    private let receiver = Receiver()
    private let session = RecordingSession()
    private let child: TestModel
    private var root: TestModel { receiver.root }
    private var scope: Scope { receiver.scope }

    init() throws {
        receiver.scope.attach(session.hooks())
        receiver.receive(state: [
            Receiver.change(1, ["string": "root", "childModel": Receiver.text(2)]),
            Receiver.add(2, ["string": "child", "int32": 10, "childModel": Receiver.text(3)]),
            Receiver.add(3, ["string": "grandchild"]),
        ])
        child = try #require(receiver.root.childModel)
    }

    private func refuse(_ set: ChangeSet) throws {
        let replies = set.fragments.map { _ in FragmentReply(error: ErrorObject(message: "no")) }
        scope.receive(.settled(try #require(set.changesID), .replied(replies)))
    }

    private func accept(_ set: ChangeSet) throws {
        scope.receive(.settled(try #require(set.changesID), .replied(set.fragments.map { _ in FragmentReply() })))
    }

    @Test("a refused removal and a refused add restore the server's values")
    func refused() throws {
        let removal = scope.modify { root.childModel = nil }
        child.string = "unsent"
        let add = scope.modify {
            child.int32 = 11
            root.childModel2 = child
            child.childModel = nil
        }
        #expect(add.fragments.contains { $0.kind == .add && $0.properties["string"] == "unsent" })
        try refuse(removal)
        try refuse(add)
        #expect(root.childModel === child && root.childModel2 == nil)
        #expect(child.string == "child" && child.int32 == 10)
        #expect(child.childModel?.string == "grandchild")
        #expect(scope.getAndClearSyncFragments() == [])
    }

    @Test("an object below a removed one is kept, although a peer removed its other link")
    func below() throws {
        root.children = [try #require(child.childModel)]
        try accept(try #require(scope.flush()))
        let removal = scope.modify { root.childModel = nil }
        receiver.receive(sync: [Receiver.change(1, ["children": []])])
        let add = scope.modify {
            root.childModel2 = child
            child.childModel = nil
        }
        try refuse(removal)
        try refuse(add)
        #expect(root.childModel === child && child.childModel?.string == "grandchild")
    }

    @Test("a changed object below a removed one keeps its values")
    func changedBelow() throws {
        let removal = scope.modify { root.childModel = nil }
        receiver.receive(sync: [
            Receiver.add(4, ["string": "new"]), Receiver.change(2, ["childModel": Receiver.text(4)]),
        ])
        child.childModel = nil
        receiver.receive(sync: [Receiver.change(1, ["integer": 7])])
        let add = scope.modify { root.childModel2 = child }
        try refuse(removal)
        try refuse(add)
        #expect(root.childModel === child && child.childModel?.string == "new")
    }

    @Test("a peer's values from before an add do not replace the added ones")
    func masked() throws {
        let removal = scope.modify { root.childModel = nil }
        let add = scope.modify {
            child.string = "mine"
            root.childModel2 = child
        }
        receiver.receive(sync: [Receiver.change(2, ["string": "theirs", "int32": 12])])
        try accept(removal)
        try accept(add)
        #expect(child.string == "mine" && child.int32 == 10)
    }

    @Test("a peer's values from before an add do not replace those of an object below it")
    func maskedBelow() throws {
        let removal = scope.modify { root.childModel = nil }
        receiver.receive(sync: [
            Receiver.add(4, ["string": "new"]), Receiver.change(2, ["childModel": Receiver.text(4)]),
        ])
        let new = try #require(child.childModel)
        let add = scope.modify { root.childModel2 = child }
        receiver.receive(sync: [Receiver.change(4, ["string": "theirs"])])
        try accept(removal)
        try accept(add)
        #expect(new.scope === scope && new.string == "new")
    }

    @Test("an object that a peer restores has the values of pending sets")
    func changedBeforeRemoval() throws {
        let value = scope.modify { child.string = "sent" }
        let removal = scope.modify {
            child.string = "lost"
            root.childModel = nil
        }
        #expect(removal.fragments == [Receiver.change(1, ["childModel": .null])])
        receiver.receive(sync: [Receiver.change(1, ["childModel": .null])])
        receiver.receive(sync: [
            Receiver.add(2, ["string": "theirs", "int32": 12]), Receiver.change(1, ["childModel2": Receiver.text(2)]),
        ])
        #expect(root.childModel2 === child && child.string == "sent" && child.int32 == 12)
        try accept(value)
        try accept(removal)
        #expect(child.string == "sent" && scope.getAndClearSyncFragments() == [])
    }

    @Test("an object that a peer restores refers to what pending sets gave it")
    func reference() throws {
        let grandchild = try #require(child.childModel)
        let value = scope.modify { child.childModel2 = grandchild }
        receiver.receive(sync: [Receiver.change(1, ["childModel": .null])])
        #expect(child.scope == nil && grandchild.scope == nil)
        receiver.receive(sync: [
            Receiver.add(2, ["string": "again"]), Receiver.change(1, ["childModel": Receiver.text(2)]),
        ])
        #expect(child.childModel == nil && child.childModel2 === grandchild && grandchild.scope === scope)
        receiver.receive(sync: [Receiver.add(3, ["string": "again"])])
        try accept(value)
        #expect(child.childModel2?.string == "again")
    }

    @Test("after a refused add of an object that the server has, changes of it are sent as changes")
    func refusedAdd() throws {
        try accept(scope.modify { root.childModel = nil })
        let other = scope.modify { root.childModel2 = TestModel() }
        receiver.receive(sync: [
            Receiver.add(2, ["string": "theirs"]), Receiver.change(1, ["childModel2": Receiver.text(2)]),
        ])
        let add = scope.modify { root.childModel = child }
        #expect(add.fragments.contains { $0.kind == .add && $0.uuid == child.uuid })
        try refuse(add)
        try refuse(other)
        #expect(root.childModel == nil && root.childModel2 === child)
        #expect(scope.modify { child.int32 = 9 }.fragments == [Receiver.change(2, ["int32": 9])])
    }

    @Test("changes of a removed object are sent when the removal is refused")
    func changedMeanwhile() throws {
        let removal = scope.modify { root.childModel = nil }
        child.string = "mine"
        #expect(scope.flush() == nil)
        try refuse(removal)
        #expect(root.childModel === child && child.string == "mine")
        let set = try #require(scope.flush())
        #expect(set.fragments == [Receiver.change(2, ["string": "mine"])])
        try refuse(set)
        #expect(child.string == "child")
    }

    @Test("an object that a peer restores is the one that the app holds")
    func broughtBack() throws {
        try accept(scope.modify { root.childModel = nil })
        receiver.receive(sync: [
            Receiver.add(2, ["string": "again"]), Receiver.change(1, ["childModel2": Receiver.text(2)]),
        ])
        #expect(root.childModel2 === child)
        #expect(child.string == "again" && child.int32 == TestModel().int32 && child.childModel == nil)
        #expect(scope.object(id: Receiver.id(2)) === child)
    }
}
