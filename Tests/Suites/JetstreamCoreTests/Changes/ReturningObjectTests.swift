import Foundation
import HeliumCore
import HeliumJSON
import Testing

@testable import JetstreamCore

/// Unsent changes of objects that a peer removes (Docs/Protocols/Jetstream.md §4.3).
@Suite("Objects that come back")
struct ReturningObjectTests {
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

    /// A peer removes the child.
    private func removeByPeer() { receiver.receive(sync: [Receiver.change(1, ["childModel": .null])]) }

    /// A peer brings the child back.
    private func bringBackByPeer() {
        receiver.receive(sync: [
            Receiver.add(2, ["string": "theirs", "int32": 12]), Receiver.change(1, ["childModel2": Receiver.text(2)]),
        ])
    }

    private func settle(_ set: ChangeSet, isAccepted: Bool = true) throws {
        let error = isAccepted ? nil : ErrorObject(message: "no")
        try scope.reply(set, set.fragments.map { _ in FragmentReply(error: error) })
    }

    /// The identifiers of added objects.
    private func added(_ set: ChangeSet) -> Set<ModelID> {
        Set(set.fragments.filter { $0.kind == .add }.map(\.uuid))
    }

    @Test("unsent changes of an object are sent when a peer brings it back", arguments: [true, false])
    func broughtBack(isAddedFirst: Bool) throws {
        child.string = "mine"
        removeByPeer()
        #expect(child.scope == nil && scope.flush() == nil)
        child.int32 = 5
        let add = Receiver.add(2, ["string": "theirs", "int32": 12])
        let link = Receiver.change(1, ["childModel2": Receiver.text(2)])
        receiver.receive(sync: isAddedFirst ? [add, link] : [link, add])
        #expect(root.childModel2 === child && child.string == "mine")
        #expect(child.int32 == 12 && child.childModel == nil, "changes of removed objects are not recorded")
        let set = try #require(scope.flush())
        #expect(set.fragments == [Receiver.change(2, ["string": "mine"])])
        try settle(set, isAccepted: false)
        #expect(child.string == "theirs")
    }

    @Test("they are sent once, and an unchanged object that comes back again has the peer's values")
    func onlyOnce() throws {
        child.string = "mine"
        removeByPeer()
        bringBackByPeer()
        try settle(try #require(scope.flush()))
        receiver.receive(sync: [Receiver.change(1, ["childModel2": .null])])
        bringBackByPeer()
        #expect(child.string == "theirs" && scope.flush() == nil)
    }

    @Test("they are in the add when the app brings the object back, and are reverted with it")
    func addedAgain() throws {
        child.string = "mine"
        removeByPeer()
        let set = scope.modify { root.childModel2 = child }
        #expect(added(set) == [Receiver.id(2), Receiver.id(3)])
        #expect(set.fragments.first { $0.uuid == child.uuid }?.properties["string"] == "mine")
        try settle(set, isAccepted: false)
        #expect(root.childModel2 == nil && child.string == "child")
    }

    @Test("they are kept although the app links the object and removes the link again")
    func linkedForAMoment() throws {
        child.string = "mine"
        removeByPeer()
        root.childModel2 = child
        root.childModel2 = nil
        _ = scope.flush()
        bringBackByPeer()
        #expect(root.childModel2 == nil && child.string == "mine", "the app's change of the reference is pending")
        try settle(try #require(session.submitted.last), isAccepted: false)
        #expect(root.childModel2 === child)
        #expect(scope.flush()?.fragments == [Receiver.change(2, ["string": "mine"])])
    }

    @Test("they are later than a pending set, whose refusal does not affect them", arguments: [true, false])
    func laterThanSet(isRefusedBefore: Bool) throws {
        let set = scope.modify { child.string = "sent" }
        child.string = "mine"
        removeByPeer()
        if isRefusedBefore { try settle(set, isAccepted: false) }
        #expect(child.string == "mine")
        bringBackByPeer()
        #expect(child.string == "mine")
        if !isRefusedBefore { try settle(set) }
        #expect(child.string == "mine" && child.int32 == 12)
        #expect(scope.flush()?.fragments == [Receiver.change(2, ["string": "mine"])])
    }

    /// The time at which objects that left with their parent are changed.
    enum Moment: CaseIterable {
        /// Before the scope lets go of them.
        case inObserver
        case afterwards
        /// While a local property of the root holds them in the tree.
        case whileHeldLocally
    }

    @Test("objects that only a pending set brings back have what the set gave them", arguments: Moment.allCases)
    func broughtBackBySet(moment: Moment) throws {
        let (new, deep) = (TestModel(), TestModel())
        (new.string, new.childModel, deep.string) = ("sent", deep, "deep")
        let sets = [scope.modify { child.childModel2 = new }, scope.modify { new.int32 = 205 }]
        if moment == .whileHeldLocally { root.localModel = new }
        func change() {
            (new.int32, new.childModel, deep.string) = (168, nil, "changed")
        }
        let observation = root.observeChangeImmediately(nil, key: "childModel") {
            if moment == .inObserver { change() }
        }
        removeByPeer()
        observation.cancel()
        if moment != .inObserver { change() }
        bringBackByPeer()
        #expect(root.childModel2 === child && child.childModel2 === new && new.childModel === deep)
        #expect(new.int32 == 205 && new.string == "sent" && deep.string == "deep")
        #expect(scope.flush() == nil)
        for set in sets { try settle(set) }
        #expect(new.int32 == 205 && new.childModel === deep && deep.string == "deep")
    }

    @Test("objects that a pending set puts below one that comes back are kept while a mask keeps it out of the tree")
    func belowMasked() throws {
        let (new, deep, other) = (TestModel(), TestModel(), TestModel())
        new.childModel = deep
        let adding = scope.modify { child.childModel2 = new }
        removeByPeer()
        let masking = scope.modify { root.childModel2 = other }
        bringBackByPeer()
        #expect(root.childModel2 === other && child.scope == nil)
        try settle(adding)
        receiver.receive(sync: [change(new, ["string": "theirs"]), change(deep, ["string": "deep"])])
        receiver.receive(sync: [Receiver.change(2, ["childModel2": .string(new.uuid.uuidString.lowercased())])])
        try settle(masking, isAccepted: false)
        #expect(root.childModel2 === child && child.childModel2 === new && new.childModel === deep)
        #expect(new.string == "theirs" && deep.string == "deep" && scope.flush() == nil)
    }

    private func change(_ object: TestModel, _ properties: JSONObject) -> SyncFragment {
        SyncFragment(.change, uuid: object.uuid, className: "TestModel", properties: properties)
    }

    @Test("changes of an object that the app removed are dropped when the removal is accepted")
    func removedByApp() throws {
        let removal = scope.modify { root.childModel = nil }
        child.string = "mine"
        try settle(removal)
        bringBackByPeer()
        #expect(child.string == "theirs" && scope.flush() == nil)
    }

    @Test("an unsent reference to a new object adds it when a peer brings the owner back")
    func newObject() throws {
        let mine = TestModel()
        child.childModel2 = mine
        removeByPeer()
        #expect(scope.flush() == nil && mine.scope == nil)
        bringBackByPeer()
        #expect(child.childModel2 === mine && mine.scope === scope)
        let set = try #require(scope.flush())
        #expect(added(set) == [mine.uuid] && set.fragments.count == 2)
        try settle(set)
        #expect(scope.modify { mine.string = "later" }.fragments.map(\.kind) == [.change])
    }

    @Test("an unsent reference to an object that left with its owner adds that object")
    func removedReference() throws {
        let grandchild = try #require(child.childModel)
        child.childModel2 = grandchild
        removeByPeer()
        bringBackByPeer()
        #expect(child.childModel == nil && child.childModel2 === grandchild && grandchild.scope === scope)
        let set = try #require(scope.flush())
        #expect(added(set) == [Receiver.id(3)])
    }

    @Test("an object that the app has linked again before a peer removes it is added")
    func linkedBefore() throws {
        root.childModel2 = child
        child.string = "mine"
        removeByPeer()
        #expect(root.childModel2 === child && child.scope === scope && scope.count == 3)
        let set = try #require(scope.flush())
        #expect(added(set) == [Receiver.id(2), Receiver.id(3)])
        #expect(set.fragments.first { $0.uuid == child.uuid }?.properties["string"] == "mine")
        try settle(set)
        #expect(scope.modify { child.string = "later" }.fragments == [Receiver.change(2, ["string": "later"])])
    }

    @Test("an object that the server still has because a removal was not sent is not added when it comes back")
    func stillLinked() throws {
        try settle(scope.modify { root.children = [child] })
        root.childModel = nil
        receiver.receive(sync: [Receiver.change(1, ["children": []])])
        #expect(child.scope == nil)
        root.childModel2 = child
        #expect(scope.flush()?.fragments.map(\.kind) == [.change], "the server still has the former reference")
    }

    @Test("an object that a peer puts below one that came back is added with it")
    func addedBelow() throws {
        let removal = scope.modify { root.childModel = nil }
        root.childModel2 = child
        receiver.receive(sync: [
            Receiver.add(4, ["string": "new"]), Receiver.change(2, ["childModel2": Receiver.text(4)]),
        ])
        #expect(child.childModel2?.scope === scope)
        let set = try #require(scope.flush())
        #expect(added(set) == [Receiver.id(2), Receiver.id(3), Receiver.id(4)])
        try settle(removal)
        try settle(set)
        #expect(child.childModel2?.string == "new")
    }

    @Test("unsent changes are sent when a new state brings the object back, and not in another set")
    func newState() throws {
        child.string = "mine"
        removeByPeer()
        let other = scope.modifyAtomically { root.string = "new" }
        receiver.receive(state: [
            Receiver.change(1, ["string": "root", "childModel2": Receiver.text(2)]),
            Receiver.add(2, ["string": "theirs"]),
        ])
        #expect(root.childModel2 === child && child.string == "mine")
        #expect(other.fragments == [Receiver.change(1, ["string": "new"])])
        let sent = try #require(session.applied.last)
        #expect(sent.map(\.fragments) == [[Receiver.change(2, ["string": "mine"])], other.fragments])
    }

    @Test("a peer does not take an object from another scope that it has entered")
    func elsewhere() {
        removeByPeer()
        let other = Scope(name: "other", root: child)
        bringBackByPeer()
        #expect(root.childModel2 !== child && root.childModel2?.string == "theirs")
        #expect(child.scope === other && child.string == "child")
    }
}
