import Foundation
import HeliumJSON
import Testing

@testable import JetstreamCore

@Suite("Fragments of a peer")
struct SyncFragmentTests {
    private let receiver = Receiver()
    private var root: TestModel { receiver.root }
    private var scope: Scope { receiver.scope }

    @Test("a change of a peer sets values of the child", .original("testChange"))
    func change() {
        receiver.receiveChild()
        receiver.receive(sync: [Receiver.change(2, ["string": "new", "integer": 1])])
        #expect(root.childModel?.string == "new" && root.childModel?.integer == 1)
        #expect(root.childModel?.int32 == 10)
        #expect(scope.getAndClearSyncFragments() == [])
    }

    @Test(
        "an add of a peer and the change of its parent attach the child",
        .original("testAdd"),
        arguments: [true, false]
    )
    func add(isAddFirst: Bool) {
        receiver.receiveChild()
        let fragments = [
            Receiver.add(3, ["string": "grandchild"]), Receiver.change(2, ["childModel": Receiver.text(3)]),
        ]
        receiver.receive(sync: isAddFirst ? fragments : fragments.reversed())
        let grandchild = root.childModel?.childModel
        #expect(grandchild?.string == "grandchild")
        #expect(grandchild?.parents.first?.parent === root.childModel)
        #expect(grandchild?.scope === scope)
        #expect(scope.count == 3)
    }

    @Test("an add of a peer may be into an array", .original("testAddToArray"))
    func addToArray() {
        receiver.receiveChild()
        receiver.receive(sync: [
            Receiver.add(3, ["anotherString": "a"], "AnotherTestModel"),
            Receiver.change(1, ["array": [Receiver.text(3), Receiver.text(9)]]),
        ])
        #expect(root.array.map(\.anotherString) == ["a"], "an unknown identifier is left out")
        #expect(scope.count == 3)
    }

    @Test("null from a peer is nil for optional properties, and ignored for numbers", .original("testNullValues"))
    func null() {
        root.float32 = 2
        root.int32 = 3
        receiver.receive(sync: [])
        _ = scope.getAndClearSyncFragments()
        receiver.receiveChild()
        let child = root.childModel
        child?.float32 = 4
        _ = scope.getAndClearSyncFragments()
        child?.array = [AnotherTestModel()]
        _ = scope.getAndClearSyncFragments()
        receiver.receive(sync: [
            Receiver.change(2, ["string": nil, "float32": nil, "int32": nil, "array": nil, "tags": nil])
        ])
        #expect(child?.string == nil)
        #expect(child?.float32 == 4)
        #expect(child?.int32 == 10)
        #expect(child?.array.isEmpty == true)
    }

    @Test(
        "values of a wrong kind from a peer are nil or ignored, and fractions cut off",
        .original("testInvalidValues")
    )
    func invalid() {
        receiver.receiveChild()
        let child = root.childModel
        receiver.receive(sync: [
            Receiver.change(
                2,
                [
                    "string": 10, "integer": "a", "float32": "b", "int32": 5.5, "tags": ["a", 1], "int8": 1000,
                    "testType": 9,
                ]
            )
        ])
        #expect(child?.string == nil)
        #expect(child?.integer == 0 && child?.float32 == 0 && child?.int32 == 5 && child?.int8 == 0)
        #expect(child?.tags == [] && child?.testType == .normal)
    }

    @Test("an add of a known object sets its properties, and a change of an unknown one nothing")
    func known() {
        receiver.receiveChild()
        let child = root.childModel
        receiver.receive(sync: [
            Receiver.add(2, ["string": "again"]), Receiver.change(8, ["string": "nobody"]),
        ])
        #expect(root.childModel === child)
        #expect(child?.string == "again" && child?.int32 == 10)
        #expect(scope.count == 2)
    }

    @Test("an add of a peer that nothing refers to is forgotten")
    func orphan() {
        receiver.receiveChild()
        receiver.receive(sync: [Receiver.add(3)])
        receiver.receive(sync: [Receiver.change(1, ["childModel2": Receiver.text(3)])])
        #expect(root.childModel2 == nil)
        #expect(scope.count == 2)
    }

    @Test("a chain of 10,000 new objects is applied, and freed if nothing refers to it", arguments: [true, false])
    func deep(isReferredTo: Bool) {
        receiver.receiveChild()
        var fragments = (0..<10_000).map { Receiver.add(10 + $0, ["childModel": Receiver.text(11 + $0)]) }
        if isReferredTo { fragments.append(Receiver.change(1, ["childModel": Receiver.text(10)])) }
        receiver.receive(sync: fragments)
        #expect(scope.count == (isReferredTo ? 10_001 : 2))
        receiver.receive(sync: [Receiver.change(1, ["childModel": nil])])
        #expect(scope.count == 1)
    }

    @Test("an object of another class than the property's is refused")
    func wrongClass() {
        receiver.receiveChild()
        receiver.receive(sync: [
            Receiver.add(3, [:], "AnotherTestModel"), Receiver.change(1, ["another": Receiver.text(3)]),
        ])
        let child = root.childModel
        receiver.receive(sync: [Receiver.change(1, ["childModel": Receiver.text(3), "array": [Receiver.text(2)]])])
        #expect(root.childModel === child)
        #expect(root.array.isEmpty)
    }

    @Test("objects of subclasses that the scope was given are made")
    func subclasses() {
        let root = TestModel(uuid: Receiver.rootID)
        let scope = Scope(name: "test", root: root, subclasses: [DerivedTestModel.self])
        scope.applySyncFragments([
            Receiver.add(2, ["extra": 5, "integer": 6], "DerivedTestModel"),
            Receiver.change(1, ["childModel": Receiver.text(2)]),
        ])
        #expect((root.childModel as? DerivedTestModel)?.extra == 5)
        #expect(root.childModel?.integer == 6)
    }
}

@Suite("Unknown members and classes")
struct UnknownTests {
    private let receiver = Receiver()
    private var root: TestModel { receiver.root }
    private var scope: Scope { receiver.scope }

    @Test("unknown members of an object are sent again with an add")
    func members() throws {
        receiver.receiveChild()
        receiver.receive(sync: [Receiver.change(2, ["later": ["a": 1], "integer": 3])])
        let child = try #require(root.childModel)
        root.childModel = nil
        _ = scope.getAndClearSyncFragments()
        root.childModel = child
        let add = try #require(scope.getAndClearSyncFragments().first { $0.kind == .add })
        #expect(add.properties["later"] == ["a": 1])
        #expect(add.properties["integer"] == 3)
    }

    /// A state whose root has objects 2 and 4 of a known class and 3 and 5 of an unknown one in an array.
    private func receiveUnknown() {
        receiver.receive(state: [
            Receiver.change(
                1,
                [
                    "children": [Receiver.text(2), Receiver.text(3), Receiver.text(4), Receiver.text(5)],
                    "another": Receiver.text(3),
                ]
            ),
            Receiver.add(2), Receiver.add(3, ["x": 1, "ref": Receiver.text(6), "list": [Receiver.text(7)]], "Later"),
            Receiver.add(4), Receiver.add(5, [:], "Later"), Receiver.add(6), Receiver.add(7),
        ])
    }

    @Test("an object of an unknown class is left out of arrays, and objects below it stay")
    func placeholder() {
        receiveUnknown()
        #expect(root.children.map(\.uuid) == [Receiver.id(2), Receiver.id(4)])
        #expect(root.another == nil)
        #expect(scope.object(id: Receiver.id(3)) == nil)
        #expect(scope.object(id: Receiver.id(6))?.scope === scope)
        #expect(scope.object(id: Receiver.id(7))?.scope === scope)
        #expect(scope.count == 5)
    }

    @Test("a changed array is sent with the identifiers of unknown objects at their positions")
    func writtenBack() throws {
        receiveUnknown()
        let new = TestModel(uuid: Receiver.id(8))
        root.children.insert(new, at: 1)
        let change = try #require(scope.getAndClearSyncFragments().first { $0.kind == .change })
        #expect(change.properties == ["children": .array([2, 3, 8, 4, 5].map(Receiver.text))])
        root.children.removeFirst()
        let second = try #require(scope.getAndClearSyncFragments().first)
        #expect(second.properties == ["children": .array([8, 4, 5, 3].map(Receiver.text))])
    }

    @Test("a reference to an unknown class is sent with an add, and replaced by a set")
    func reference() throws {
        receiveUnknown()
        let state = scope.stateFragments
        #expect(state.first?.properties["another"] == Receiver.text(3))
        #expect(state.first { $0.uuid == Receiver.id(3) }?.className == "Later")
        #expect(state.first { $0.uuid == Receiver.id(3) }?.properties["x"] == 1)
        let other = AnotherTestModel()
        root.another = other
        #expect(scope.stateFragments.first?.properties["another"] == .string(other.uuid.uuidString.lowercased()))
        root.children = []
        _ = scope.getAndClearSyncFragments()
        #expect(scope.object(id: Receiver.id(6)) != nil, "the array still has the unknown objects")
        receiver.receive(sync: [Receiver.change(1, ["children": []])])
        #expect(scope.object(id: Receiver.id(6)) == nil)
        #expect(scope.count == 2)
    }

    @Test("a chain of 10,000 objects of unknown classes is freed", arguments: [false, true])
    func deep(isAlternating: Bool) {
        receiver.receiveChild()
        receiver.receive(
            sync: (0..<10_000).map {
                Receiver.add(
                    10 + $0,
                    ["childModel": Receiver.text(11 + $0)],
                    isAlternating && $0.isMultiple(of: 2) ? "TestModel" : "Later"
                )
            } + [Receiver.change(1, ["childModel": Receiver.text(10), "childModel2": Receiver.text(11)])]
        )
        #expect(scope.stateFragments.count == 10_001)
        receiver.receive(sync: [Receiver.change(1, ["childModel": nil, "childModel2": nil])])
        #expect(scope.count == 1)
    }
}
