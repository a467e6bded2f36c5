import HeliumCore
import HeliumJSON
import Testing

@testable import JetstreamCore

/// Objects to which local properties lead, which the server does not count (Docs/Protocols/Jetstream.md §3.5).
@Suite("Objects of local properties")
struct LocalLinkTests {
    private let receiver = Receiver()
    private let session = RecordingSession()
    private let owner = Counter()
    private let child: TestModel
    private var root: TestModel { receiver.root }
    private var scope: Scope { receiver.scope }

    /// The root refers to the child by a synced property and by a local one.
    init() throws {
        receiver.scope.attach(session.hooks())
        receiver.receive(state: [
            Receiver.change(1, ["childModel": Receiver.text(2)]),
            Receiver.add(2, ["string": "child", "int32": 10, "childModel": Receiver.text(3)]),
            Receiver.add(3, ["string": "grandchild"]),
        ])
        child = try #require(receiver.root.childModel)
        receiver.root.localModel = child
    }

    private func settle(_ set: ChangeSet, isAccepted: Bool = true) throws {
        let error = isAccepted ? nil : ErrorObject(message: "no")
        try scope.reply(set, set.fragments.map { _ in FragmentReply(error: error) })
    }

    /// The identifiers of added objects.
    private func added(_ set: ChangeSet) -> Set<ModelID> {
        Set(set.fragments.filter { $0.kind == .add }.map(\.uuid))
    }

    private func isKnown(_ object: TestModel) -> Bool {
        scope.modify { object.integer += 1 }.fragments.map(\.kind) == [.change]
    }

    @Test(
        "one that no synced property refers to any more stays, and is added when one refers to it again",
        arguments: [true, false]
    )
    func removed(isSettled: Bool) throws {
        let removal = scope.modify { root.childModel = nil }
        #expect(removal.fragments == [Receiver.change(1, ["childModel": .null])])
        #expect(child.scope === scope && scope.count == 3)
        if isSettled { try settle(removal) }
        child.string = "mine"
        #expect(scope.flush() == nil, "the server does not have the object")
        let add = scope.modify { root.childModel2 = child }
        #expect(added(add) == [Receiver.id(2), Receiver.id(3)])
        #expect(add.fragments.first { $0.uuid == child.uuid }?.properties["string"] == "mine")
        if !isSettled { try settle(removal) }
        try settle(add)
        #expect(scope.modify { child.string = "later" }.fragments == [Receiver.change(2, ["string": "later"])])
    }

    @Test("one that a peer removes stays, and is added when a synced property refers to it again")
    func removedByPeer() throws {
        receiver.receive(sync: [Receiver.change(1, ["childModel": .null])])
        #expect(child.scope === scope && scope.count == 3)
        child.string = "mine"
        #expect(scope.flush() == nil)
        let add = scope.modify { root.children = [child] }
        #expect(added(add) == [Receiver.id(2), Receiver.id(3)])
        try settle(add)
        #expect(isKnown(child))
    }

    @Test("one that is moved to another synced property in a batch is not added")
    func moved() {
        root.childModel = nil
        root.childModel2 = child
        #expect(scope.flush()?.fragments.map(\.kind) == [.change])
        #expect(isKnown(child))
    }

    @Test("a refused removal leaves it known, and what was changed meanwhile is sent", arguments: [true, false])
    func refusedRemoval(isLinkedAgain: Bool) throws {
        let removal = scope.modify { root.childModel = nil }
        child.string = "mine"
        if isLinkedAgain { root.childModel2 = child }
        try settle(removal, isAccepted: false)
        #expect(root.childModel === child)
        let set = try #require(scope.flush())
        #expect(set.fragments.map(\.kind) == (isLinkedAgain ? [.change, .change] : [.change]))
        #expect(set.fragments.first { $0.uuid == child.uuid }?.properties == ["string": "mine"])
    }

    @Test("what else synced properties lead to stays known")
    func shared() throws {
        let grandchild = try #require(child.childModel)
        try settle(scope.modify { root.children = [grandchild] })
        try settle(scope.modify { root.childModel = nil })
        #expect(isKnown(grandchild))
        #expect(added(scope.modify { root.childModel2 = child }) == [Receiver.id(2)])
    }

    @Test("what only a removed object leads to is not known either, although a local property holds it")
    func below() throws {
        let grandchild = try #require(child.childModel)
        root.localModel = grandchild
        try settle(scope.modify { root.childModel = nil })
        #expect(child.scope == nil && grandchild.scope === scope)
        #expect(added(scope.modify { root.childModel2 = grandchild }) == [Receiver.id(3)])
    }

    @Test("one that a peer adds again has the peer's values and is known")
    func broughtBack() throws {
        try settle(scope.modify { root.childModel = nil })
        receiver.receive(sync: [
            Receiver.change(1, ["childModel2": Receiver.text(2)]), Receiver.add(2, ["string": "again"]),
        ])
        #expect(root.childModel2 === child && child.string == "again" && child.int32 == TestModel().int32)
        #expect(child.childModel == nil && isKnown(child))
    }

    @Test("what only local properties of an object lead to is not known when a peer brings that object back")
    func belowLocal() throws {
        let local = TestModel()
        child.localModel = local
        root.localModel = nil
        try settle(scope.modify { root.childModel = nil })
        #expect(local.scope == nil)
        receiver.receive(sync: [Receiver.add(2), Receiver.change(1, ["childModel": Receiver.text(2)])])
        #expect(root.childModel === child && local.scope === scope)
        #expect(added(scope.modify { root.childModel2 = local }) == [local.uuid])
    }

    @Test("what a peer adds below an object that a pending set has removed is added with it")
    func addedBelow() throws {
        let removal = scope.modify { root.childModel = nil }
        receiver.receive(sync: [
            Receiver.add(4, ["string": "new"]), Receiver.change(2, ["childModel2": Receiver.text(4)]),
        ])
        #expect(child.childModel2?.scope === scope)
        let add = scope.modify { root.childModel2 = child }
        #expect(added(add) == [Receiver.id(2), Receiver.id(3), Receiver.id(4)])
        try settle(removal, isAccepted: false)
        try settle(add, isAccepted: false)
        #expect(root.childModel === child && child.childModel2?.string == "new")
        #expect(isKnown(child))
    }

    @Test("one that a new state lacks is added when a synced property refers to it again")
    func newState() throws {
        receiver.receive(state: [Receiver.change(1, ["string": "root"])])
        #expect(child.scope === scope && root.childModel == nil)
        let add = scope.modify { root.childModel = child }
        #expect(added(add) == [Receiver.id(2), Receiver.id(3)])
    }

    @Test("a set of one that a new state lacks ends with an error")
    func newStateOfSet() {
        let set = scope.modify { child.string = "late" }
        receiver.receive(state: [Receiver.change(1, ["string": "root"])])
        #expect(child.scope === scope && session.applied.last?.isEmpty == true)
        #expect(set.state == .reverted && set.error?.kind == .objectRemoved)
    }

    @Test("unsent changes of one that a peer removes are sent when a peer brings it back")
    func unsentChanges() throws {
        child.string = "mine"
        receiver.receive(sync: [Receiver.change(1, ["childModel": .null])])
        #expect(child.scope === scope && scope.flush() == nil)
        receiver.receive(sync: [
            Receiver.add(2, ["string": "theirs", "int32": 12]), Receiver.change(1, ["childModel2": Receiver.text(2)]),
        ])
        #expect(child.string == "mine" && child.int32 == 12)
        #expect(scope.flush()?.fragments == [Receiver.change(2, ["string": "mine"])])
    }

    // MARK: Changes that are not recorded

    /// A peer removes the child.
    private func removeByPeer() { receiver.receive(sync: [Receiver.change(1, ["childModel": .null])]) }

    /// A peer brings the child back.
    private func bringBackByPeer() {
        receiver.receive(sync: [
            Receiver.add(2, ["string": "theirs", "childModel": Receiver.text(3)]),
            Receiver.add(3, ["string": "grandchild"]),
            Receiver.change(1, ["childModel": Receiver.text(2)]),
        ])
    }

    @Test(
        "one that comes back has the value of a pending set, and not what was changed while the server did not have it",
        arguments: [false, true],
        [false, true]
    )
    func changedMeanwhile(isCallback: Bool, isAccepted: Bool) throws {
        let set = scope.modify { child.string = "sent" }
        if isCallback {
            child.observeRemovedFromParent(owner) { [unowned scope, unowned child] _, _ in
                scope.modify { child.string = "mine" }
            }
        }
        removeByPeer()
        if !isCallback { child.string = "mine" }
        #expect(child.scope === scope && child.string == "mine" && scope.flush() == nil)
        bringBackByPeer()
        #expect(child.string == "sent" && isKnown(child))
        try settle(set, isAccepted: isAccepted)
        #expect(child.string == (isAccepted ? "sent" : "theirs"))
    }

    @Test("one that comes back refers again to an object that a pending set has added", arguments: [false, true])
    func removedMeanwhile(isState: Bool) throws {
        let mine = TestModel()
        let set = scope.modify { child.childModel2 = mine }
        let sent = try #require(set.changesID)
        removeByPeer()
        child.childModel2 = nil
        #expect(mine.scope == nil && scope.flush() == nil)
        if isState {
            receiver.receive(
                state: [
                    Receiver.change(1, ["childModel": Receiver.text(2)]), Receiver.add(2, ["string": "theirs"]),
                ],
                sent: [sent]
            )
        } else {
            bringBackByPeer()
        }
        #expect(child.childModel2 === mine && mine.scope === scope && scope.flush() == nil)
        try settle(set)
        #expect(child.childModel2 === mine && isKnown(mine))
    }

    @Test("a refused add of one that a peer has brought back restores the value of an earlier set")
    func refusedAdd() throws {
        let set = scope.modify { child.string = "sent" }
        removeByPeer()
        child.string = "mine"
        let add = scope.modify { root.childModel2 = child }
        #expect(added(add) == [Receiver.id(2), Receiver.id(3)])
        bringBackByPeer()
        try settle(set)
        #expect(child.string == "mine", "the add is pending")
        let exists = ErrorObject(message: "the object already exists")
        try scope.reply(add, add.fragments.map { FragmentReply(error: $0.kind == .add ? exists : nil) })
        #expect(root.childModel2 === child && child.string == "sent" && isKnown(child))
    }

    @Test("removing any number of links takes one search")
    func searches() {
        let objects = (0..<1000).map { _ in AnotherTestModel() }
        root.array = objects
        root.localArray = objects
        scope.flush()
        let before = scope.searches
        root.array = []
        scope.flush()
        #expect(scope.searches - before < 10)
        #expect(objects.allSatisfy { $0.scope === scope })
        root.array2 = objects
        #expect(scope.flush()?.fragments.count == 1001)
    }
}
