import Foundation
import HeliumCore
import HeliumJSON
import Jetstream
import Observation
import Synchronization
import Testing

@Model
final class Branch {
    var name = ""
    var branches: [Branch] = []
    weak var parent: Branch?
}

@Suite("Weak properties")
struct WeakPropertyTests {
    private let root = Branch()
    private let scope = Scope(name: "test")

    init() { root.setScopeAndMakeRootModel(scope) }

    private func grow() -> Branch {
        let branch = Branch()
        branch.parent = root
        root.branches = [branch]
        return branch
    }

    @Test("weak properties are sent with their object, and when they change")
    func sent() throws {
        let branch = grow()
        let added = scope.getAndClearSyncFragments()
        let parent = JSONValue.string(root.uuid.uuidString.lowercased())
        #expect(added.first { $0.kind == .add }?.properties["parent"] == parent)
        branch.parent = nil
        #expect(scope.getAndClearSyncFragments().map(\.properties) == [["parent": .null]])
        branch.parent = root
        #expect(scope.getAndClearSyncFragments().map(\.properties) == [["parent": parent]])
    }

    @Test("weak properties are received, also with an object of the same message")
    func received() throws {
        let (one, two) = (ModelID(), ModelID())
        let texts = [one, two].map { JSONValue.string($0.uuidString.lowercased()) }
        scope.applySyncFragments([
            SyncFragment(.add, uuid: one, className: "Branch", properties: ["parent": texts[1]]),
            SyncFragment(.add, uuid: two, className: "Branch", properties: [:]),
            SyncFragment(.change, uuid: root.uuid, className: "Branch", properties: ["branches": .array(texts)]),
        ])
        #expect(root.branches.count == 2 && root.branches[0].parent === root.branches[1])
        scope.applySyncFragments([
            SyncFragment(.change, uuid: one, className: "Branch", properties: ["parent": .null])
        ])
        #expect(root.branches[0].parent == nil)
    }

    @Test("weak properties do not make an object a part of the tree, and do not keep it")
    func membership() {
        let branch = grow()
        weak var other: Branch?
        do {
            let made = Branch()
            branch.parent = made
            other = made
            #expect(made.scope == nil && scope.count == 2)
            #expect(made.parents.isEmpty)
        }
        #expect(other == nil && branch.parent == nil)
        #expect(root.childModelObjects.count == 1 && branch.childModelObjects.isEmpty)
    }

    @Test("weak properties are observed")
    func observed() {
        final class Count { var value = 0 }
        final class Told: Sendable { let value = Mutex(false) }
        let (branch, count, told) = (grow(), Count(), Told())
        withObservationTracking {
            _ = branch.parent
        } onChange: {
            told.value.withLock { $0 = true }
        }
        branch.observeChangeImmediately(count, \.parent) { count.value += 1 }
        branch.parent = root
        #expect(count.value == 0)
        branch.parent = nil
        #expect(count.value == 1 && told.value.withLock(\.self))
    }

    @Test("weak properties do not keep a tree alive")
    func freed() {
        weak var top: Branch?
        do {
            let (above, below) = (Branch(), Branch())
            above.branches = [below]
            below.parent = above
            top = above
            #expect(below.parent === above)
        }
        #expect(top == nil)
    }

    @Test("weak properties are restored when their change is refused")
    func refused() {
        let branch = grow()
        _ = scope.getAndClearSyncFragments()
        let set = scope.modify { branch.parent = nil }
        set.revert(JetstreamError(.changesRefused, "no", delivery: .answered))
        #expect(branch.parent === root)
    }
}

/// Objects that the server keeps because of weak properties (Docs/Protocols/Jetstream.md §5.3).
@Suite("Objects that only weak properties refer to")
struct WeakLinkTests {
    private let root = Branch()
    private let scope = Scope(name: "test")
    private let session = RecordingSession()
    private let one: Branch
    private let two: Branch

    private static func id(_ number: UInt8) -> ModelID {
        ModelID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
    }

    private static func text(_ number: UInt8) -> JSONValue { .string(id(number).uuidString.lowercased()) }

    private static func fragment(_ kind: SyncFragment.Kind, _ number: UInt8, _ properties: JSONObject) -> SyncFragment {
        SyncFragment(kind, uuid: id(number), className: "Branch", properties: properties)
    }

    /// The root has two branches. The weak parent of the second is the first, which has a branch of its own.
    init() throws {
        root.setScopeAndMakeRootModel(scope)
        scope.attach(session.hooks())
        let state = JetstreamMessage.ScopeState(
            index: 1,
            scopeIndex: 0,
            rootUUID: Self.id(1),
            fragments: [
                Self.fragment(.change, 1, ["branches": [Self.text(2), Self.text(3)]]),
                Self.fragment(.add, 2, ["name": "one", "branches": [Self.text(4)]]),
                Self.fragment(.add, 3, ["name": "two", "parent": Self.text(2)]),
                Self.fragment(.add, 4, ["name": "leaf"]),
            ]
        )
        scope.receive(.state(state, sent: []))
        one = try #require(root.branches.first)
        two = try #require(root.branches.last)
    }

    private func accept(_ set: ChangeSet) throws {
        try scope.reply(set, set.fragments.map { _ in FragmentReply() })
    }

    private func receive(_ fragments: SyncFragment...) { scope.receive(.sync(fragments)) }

    @Test("leave the tree, but are not added when they come back", arguments: [true, false])
    func backAgain(isRemovedByPeer: Bool) throws {
        #expect(scope.count == 4 && two.parent === one)
        if isRemovedByPeer {
            receive(Self.fragment(.change, 1, ["branches": [Self.text(3)]]))
        } else {
            try accept(scope.modify { root.branches = [two] })
        }
        #expect(one.scope == nil && scope.count == 2 && two.parent === one)
        let back = scope.modify { root.branches = [two, one] }
        let expected = [Self.text(3), Self.text(2)]
        #expect(back.fragments == [Self.fragment(.change, 1, ["branches": .array(expected)])])
        try accept(back)
        #expect(scope.modify { one.name = "new" }.fragments == [Self.fragment(.change, 2, ["name": "new"])])
    }

    @Test("are changed by peers and by the app, and what the app puts below them is added")
    func changed() throws {
        try accept(scope.modify { root.branches = [two] })
        receive(Self.fragment(.change, 2, ["name": "theirs"]))
        #expect(one.name == "theirs")
        one.name = "mine"
        #expect(scope.flush()?.fragments == [Self.fragment(.change, 2, ["name": "mine"])])
        let leaf = Branch()
        let set = scope.modify { one.branches.append(leaf) }
        #expect(Set(set.fragments.map(\.uuid)) == [Self.id(2), leaf.uuid] && leaf.scope == nil)
        try accept(set)
        #expect(scope.modify { leaf.name = "leaf" }.fragments.map(\.kind) == [.change])
    }

    @Test("are forgotten when the weak property refers to something else", arguments: [true, false])
    func forgotten(isByPeer: Bool) throws {
        try accept(scope.modify { root.branches = [two] })
        if isByPeer {
            receive(Self.fragment(.change, 3, ["parent": .null]))
        } else {
            try accept(scope.modify { two.parent = nil })
        }
        one.name = "mine"
        #expect(scope.flush() == nil)
        let back = scope.modify { root.branches = [two, one] }
        let added = back.fragments.filter { $0.kind == .add }
        #expect(Set(added.map(\.uuid)) == [Self.id(2), Self.id(4)])
    }

    @Test("are forgotten with the object that refers to them")
    func forgottenTogether() throws {
        try accept(scope.modify { root.branches = [two] })
        try accept(scope.modify { root.branches = [] })
        let back = scope.modify { root.branches = [one] }
        #expect(Set(back.fragments.map(\.uuid)) == [Self.id(1), Self.id(2), Self.id(4)])
    }

    @Test("come back when the change of the weak property is refused")
    func refused() throws {
        let set = scope.modify {
            two.parent = nil
            root.branches = [two]
        }
        #expect(one.scope == nil)
        let error = ErrorObject(message: "no")
        try scope.reply(set, set.fragments.map { FragmentReply(error: $0.uuid == two.uuid ? error : nil) })
        #expect(two.parent === one && one.scope == nil)
        #expect(scope.modify { root.branches = [two, one] }.fragments.map(\.kind) == [.change])
    }
}

/// Objects that only the scope holds.
@Suite("Lives of objects that only weak properties refer to")
struct WeakLinkLifeTests {
    private static func id(_ number: UInt8) -> ModelID {
        ModelID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
    }

    private static func text(_ number: UInt8) -> JSONValue { .string(id(number).uuidString.lowercased()) }

    private static func change(_ number: UInt8, _ properties: JSONObject) -> SyncFragment {
        SyncFragment(.change, uuid: id(number), className: "Branch", properties: properties)
    }

    private static func add(_ number: UInt8, _ properties: JSONObject) -> SyncFragment {
        SyncFragment(.add, uuid: id(number), className: "Branch", properties: properties)
    }

    @Test("a state has them, peers bring them back, and they are freed when the weak property changes")
    func lives() throws {
        let (root, scope) = (Branch(), Scope(name: "test"))
        root.setScopeAndMakeRootModel(scope)
        let state = JetstreamMessage.ScopeState(
            index: 1,
            scopeIndex: 0,
            rootUUID: Self.id(1),
            fragments: [
                Self.change(1, ["branches": [Self.text(3)]]),
                Self.add(3, ["name": "two", "parent": Self.text(2)]),
                Self.add(2, ["name": "one", "branches": [Self.text(4)]]), Self.add(4, ["name": "leaf"]),
            ]
        )
        scope.receive(.state(state, sent: []))
        weak let one = root.branches.first?.parent
        weak let leaf = one?.branches.first
        #expect(one?.name == "one" && leaf?.name == "leaf")
        #expect(one?.scope == nil && scope.count == 2)
        scope.receive(.sync([Self.change(1, ["branches": [Self.text(3), Self.text(4)]])]))
        #expect(root.branches.last === leaf && leaf?.scope === scope && scope.count == 3)
        scope.receive(.sync([Self.change(3, ["parent": .null])]))
        #expect(one == nil && leaf?.scope === scope)
    }

    @Test("nothing keeps a scope with them alive")
    func freed() throws {
        weak var parent: Branch?
        do {
            let (root, scope) = (Branch(), Scope(name: "test"))
            root.setScopeAndMakeRootModel(scope)
            let (one, two) = (Branch(), Branch())
            two.parent = one
            root.branches = [one, two]
            scope.flush()
            root.branches = [two]
            scope.flush()
            parent = one
        }
        #expect(parent == nil)
    }
}
