import Foundation
import HeliumJSON
import Testing

@testable import JetstreamCore

/// A root whose scope gets states and syncs.
struct Receiver {
    let root = TestModel()
    let scope = Scope(name: "test")
    static let rootID = id(1)

    init() { root.setScopeAndMakeRootModel(scope) }

    static func id(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012d", number)) ?? UUID()
    }

    static func text(_ number: Int) -> JSONValue { .string(id(number).uuidString.lowercased()) }

    static func add(_ number: Int, _ properties: JSONObject = [:], _ name: String = "TestModel") -> SyncFragment {
        SyncFragment(.add, uuid: id(number), className: name, properties: properties)
    }

    static func change(_ number: Int, _ properties: JSONObject, _ name: String = "TestModel") -> SyncFragment {
        SyncFragment(.change, uuid: id(number), className: name, properties: properties)
    }

    func receive(state fragments: [SyncFragment], root id: UUID = rootID, sent: [ChangesID] = []) {
        scope.receive(state: fragments, root: id, sent: sent)
    }

    func receive(sync fragments: [SyncFragment]) { scope.receive(.sync(fragments)) }

    /// A state of the root with one child.
    func receiveChild() {
        receive(state: [
            Self.change(1, ["string": "root", "integer": 5, "childModel": Self.text(2)]),
            Self.add(2, ["string": "child", "int32": 10]),
        ])
    }
}

extension Scope {
    /// Receives a state.
    func receive(state fragments: [SyncFragment], root id: ModelID = Receiver.rootID, sent: [ChangesID] = []) {
        let state = JetstreamMessage.ScopeState(index: 1, scopeIndex: 0, rootUUID: id, fragments: fragments)
        receive(.state(state, sent: sent))
    }
}

/// Fragments of a ``Panel``.
enum PanelFragment {
    static func add(_ number: Int, _ properties: JSONObject) -> SyncFragment {
        Receiver.add(number, properties, "Panel")
    }

    static func change(_ number: Int, _ properties: JSONObject) -> SyncFragment {
        Receiver.change(number, properties, "Panel")
    }
}

@Suite("Full states")
struct StateMessageTests {
    private let receiver = Receiver()
    private var root: TestModel { receiver.root }
    private var scope: Scope { receiver.scope }

    @Test("a state sets identifier and values of the root, and creates its objects", .original("setup"))
    func setup() {
        receiver.receiveChild()
        #expect(root.uuid == Receiver.rootID)
        #expect(root.string == "root" && root.integer == 5)
        #expect(root.childModel?.uuid == Receiver.id(2))
        #expect(root.childModel?.string == "child" && root.childModel?.int32 == 10)
        #expect(scope.count == 2)
        #expect(scope.object(id: Receiver.rootID) === root)
        #expect(scope.getAndClearSyncFragments() == [])
    }

    @Test("an equal state calls no observer", .original("testReaplying"))
    func again() {
        receiver.receiveChild()
        let child = root.childModel
        let calls = Counter()
        root.observeChangeImmediately(calls) { calls.add() }
        child?.observeChangeImmediately(calls) { calls.add() }
        child?.observeDetach(calls) { _ in calls.add() }
        receiver.receiveChild()
        #expect(calls.count == 0)
        #expect(root.childModel === child)
    }

    @Test("a state without the child removes it, and resets missing properties", .original("testReapplyingRemoval"))
    func removal() {
        receiver.receiveChild()
        root.title = "changed"
        root.tint = RGBAColor(1)
        root.localString = "local"
        root.localModel = TestModel()
        _ = scope.getAndClearSyncFragments()
        let child = root.childModel
        receiver.receive(state: [Receiver.change(1, ["integer": nil, "string": nil])])
        #expect(root.childModel == nil)
        #expect(child?.scope == nil)
        #expect(scope.count == 2, "the local object stays")
        #expect(root.title == "untitled" && root.tint == RGBAColor(0xFF))
        #expect(root.integer == 0, "null resets a number")
        #expect(root.localString == "local")
    }

    @Test("a state whose root has the identifier of the child gives the child another one")
    func rootWithIdentifierOfChild() throws {
        receiver.receiveChild()
        let child = try #require(root.childModel)
        receiver.receive(state: [], root: Receiver.id(2))
        #expect(root.uuid == Receiver.id(2) && root.childModel === child)
        #expect(scope.object(id: Receiver.id(2)) === root && scope.object(id: child.uuid) === child)
        #expect(scope.count == 2)
        receiver.receive(state: [Receiver.change(2, ["string": "root"])], root: Receiver.id(2))
        #expect(root.childModel == nil && child.scope == nil && scope.count == 1)
    }

    @Test("a state that moves the child keeps it", .original("testReapplyingMoving"))
    func moving() {
        receiver.receiveChild()
        let child = root.childModel
        let calls = Counter()
        child?.observeDetach(calls) { _ in calls.add() }
        receiver.receive(state: [Receiver.change(1, ["childModel2": Receiver.text(2)]), Receiver.add(2)])
        #expect(root.childModel == nil)
        #expect(root.childModel2 === child)
        #expect(child?.string == nil, "what the state does not name is reset")
        #expect(scope.count == 2)
        #expect(calls.count == 0)
    }

    @Test("adds of a state may be in reverse order of dependency", .original("testAddingDependentFirst"))
    func reverse() {
        receiver.receive(state: [
            Receiver.add(3), Receiver.add(2, ["childModel": Receiver.text(3)]),
            Receiver.change(1, ["childModel": Receiver.text(2)]),
        ])
        #expect(root.childModel?.childModel?.uuid == Receiver.id(3))
        #expect(scope.count == 3)
    }

    @Test("a state may have values of all kinds", .original("testModelValueTypes"))
    func values() {
        receiver.receive(state: [
            Receiver.change(
                1,
                [
                    "testType": 1, "color": 4_279_271_488, "date": 100.0, "image": "AQID", "testName": "second",
                    "tags": ["a", "b"], "types": [2, 0], "optionalInteger": 4, "boolean": true, "double64": 0.5,
                ]
            )
        ])
        #expect(root.testType == .active)
        #expect(root.color?.rawValue == 0xFF10_8040)
        #expect(root.date == Date(timeIntervalSince1970: 100))
        #expect(root.image == Data([1, 2, 3]))
        #expect(root.testName == .second)
        #expect(root.tags == ["a", "b"] && root.types == [.disabled, .normal])
        #expect(root.optionalInteger == 4 && root.boolean && root.double64 == 0.5)
    }

    @Test("a state may have cycles and shared objects")
    func cycles() {
        receiver.receive(state: [
            Receiver.change(1, ["childModel": Receiver.text(2), "childModel2": Receiver.text(3)]),
            Receiver.add(2, ["childModel": Receiver.text(1), "childModel2": Receiver.text(3)]),
            Receiver.add(3, ["childModel": Receiver.text(2)]),
        ])
        #expect(scope.count == 3)
        #expect(root.childModel?.childModel === root)
        #expect(root.childModel2 === root.childModel?.childModel2)
        root.childModel = nil
        #expect(scope.count == 3, "the other child refers to it")
        root.childModel2 = nil
        #expect(scope.count == 1)
    }

    @Test("the last of two fragments of one object counts in a state")
    func twice() {
        for integer in [1, 2] {
            receiver.receive(state: [
                Receiver.change(1, ["childModel": Receiver.text(2), "childModel2": Receiver.text(2)]),
                Receiver.add(2, ["string": "first", "integer": 9, "childModel": Receiver.text(3)]),
                Receiver.add(3, ["string": "of the first"]),
                Receiver.add(2, ["integer": .number(JSONNumber(integer)), "later": 1], "AnotherTestModel"),
            ])
            #expect(scope.count == 2 && root.childModel === root.childModel2)
            #expect(root.childModel?.integer == integer && root.childModel?.string == nil)
            #expect(root.childModel?.childModel == nil && scope.object(id: Receiver.id(2)) === root.childModel)
        }
    }

    @Test("an object that a sync adds twice is made once, with the values of both")
    func twiceInSync() {
        receiver.receive(state: [Receiver.change(1, [:])])
        receiver.receive(sync: [
            Receiver.add(2, ["string": "first", "integer": 9]), Receiver.add(2, ["integer": 1]),
            Receiver.add(3, ["later": 1], "Unknown"), Receiver.add(3, ["later": 2], "Unknown"),
            Receiver.change(1, ["childModel": Receiver.text(2), "children": [Receiver.text(3), Receiver.text(2)]]),
        ])
        #expect(scope.count == 2 && root.children.count == 1 && root.children.first === root.childModel)
        #expect(root.childModel?.string == "first" && root.childModel?.integer == 1)
        let written = scope.stateFragments
        #expect(written.count == 3 && Set(written.map(\.uuid)).count == 3)
        #expect(written.first { $0.className == "Unknown" }?.properties == ["later": 2])
    }

    @Test("the root of a state may be added too")
    func rootTwice() {
        receiver.receive(state: [
            Receiver.change(1, ["string": "root", "childModel": Receiver.text(1)]), Receiver.add(1, ["integer": 2]),
        ])
        #expect(scope.count == 1 && root.integer == 2 && root.childModel == nil)
        #expect(scope.object(id: Receiver.rootID) === root)
    }

    @Test("a state without a root is discarded")
    func noRoot() {
        let scope = Scope(name: "test")
        scope.receive(state: [Receiver.change(1, ["string": "a"])])
        #expect(scope.root == nil)
    }

    @Test("observers of remote changes see the whole state, and what they change is recorded")
    func observersSeeAll() {
        receiver.receiveChild()
        let owner = Counter()
        var seen: [String?] = []
        root.observeChangeImmediately(owner, key: "string") {
            seen.append(root.childModel?.string)
            root.integer = 99
        }
        receiver.receive(sync: [
            Receiver.change(1, ["string": "new"]), Receiver.change(2, ["string": "new too"]),
        ])
        #expect(seen == ["new too"])
        #expect(scope.getAndClearSyncFragments().map(\.properties) == [["integer": 99]])
    }
}
