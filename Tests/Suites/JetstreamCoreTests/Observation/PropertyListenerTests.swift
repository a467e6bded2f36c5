import Foundation
import JetstreamCore
import Testing

@Suite("Observers of changes")
struct PropertyListenerTests {
    private let model = TestModel()
    private let changes = Counter()

    @Test("a change is reported before the setter returns", .original("testGenericPropertyListeners"))
    func immediate() {
        var seen: [String?] = []
        model.observeChangeImmediately(changes) { seen.append(model.string) }
        model.string = "a"
        #expect(seen == ["a"])
        model.string = nil
        #expect(seen == ["a", nil])
    }

    @Test("an observer of a key gets its changes only", .original("testSpecificPropertyListeners"))
    func oneKey() {
        model.observeChangeImmediately(changes, key: "string") { changes.add() }
        model.string = "a"
        model.integer = 1
        #expect(changes.count == 1)
        model.string = nil
        #expect(changes.count == 2)
    }

    @Test("a cancelled observer is not called", .original("testCancelPropertyListeners"))
    func cancelling() {
        let observation = model.observeChangeImmediately(changes, key: "string") { changes.add() }
        model.string = "a"
        observation.cancel()
        model.string = "b"
        #expect(changes.count == 1)
    }

    @Test("an observer of two keys gets the changes of both", .original("testMultiPropertyListeners"))
    func twoKeys() {
        model.observeChangeImmediately(changes, keys: ["string", "integer"]) { changes.add() }
        let byPath = Counter()
        model.observeChangeImmediately(byPath, \.string, \.integer) { byPath.add() }
        model.string = "a"
        model.integer = 1
        model.double64 = 1
        #expect(changes.count == 2)
        #expect(byPath.count == 2)
    }

    @Test("setting an equal value is no change, for each type", .original("testNoDispatchForNoChange"))
    func equalValues() {
        let child = TestModel()
        let element = AnotherTestModel()
        func set() {
            model.string = "a"
            model.integer = 1
            model.unsignedInteger = 2
            model.int8 = 3
            model.uint8 = 4
            model.int16 = 5
            model.uint16 = 6
            model.int32 = 7
            model.uint32 = 8
            model.int64 = 9
            model.uint64 = 10
            model.double64 = 11
            model.boolean = true
            model.testType = .active
            model.testName = .second
            model.date = Date(timeIntervalSince1970: 12)
            model.color = RGBAColor(13)
            model.image = Data([14])
            model.identifier = UUID(uuidString: "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0")
            model.optionalInteger = 15
            model.tags = ["a", "b"]
            model.types = [.active]
            model.localString = "local"
            model.childModel = child
            model.children = [child]
            model.float32 = 16
            model.array = [element]
        }
        model.observeChangeImmediately(changes) { changes.add() }
        set()
        // The composite that depends on float32 and array counts too.
        #expect(changes.count == 29)
        set()
        #expect(changes.count == 29)
    }

    @Test("an array reports each element that is added and removed", .original("testArrayListeners"))
    func arrays() {
        let (added, removed) = (Counter(), Counter())
        model.observeChangeImmediately(changes, key: "array") { changes.add() }
        model.observeCollectionAdd(added, key: "array") { (_: AnotherTestModel) in added.add() }
        model.observeCollectionRemove(removed, \.array) { _ in removed.add() }
        let other = Counter()
        model.observeCollectionAdd(other, key: "array") { (_: TestModel) in other.add() }
        model.array.append(AnotherTestModel())
        model.array[0] = AnotherTestModel()
        model.array.removeLast()
        let element = AnotherTestModel()
        model.array = [element]
        #expect([changes, added, removed, other].map(\.count) == [4, 3, 2, 0])
        element.detach()
        #expect(removed.count == 3)
    }

    @Test("elements are reported with their kind, twice if they are in an array twice")
    func elements() {
        let elements = (0..<4).map { _ in AnotherTestModel() }
        var (added, removed): ([AnotherTestModel], [AnotherTestModel]) = ([], [])
        model.observeCollectionAdd(changes, \.array) { added.append($0) }
        model.observeCollectionRemove(changes, \.array) { removed.append($0) }
        model.array = [elements[0], elements[1], elements[0]]
        #expect(added.map(\.uuid) == [elements[0], elements[1], elements[0]].map(\.uuid))
        model.array = [elements[1], elements[0], elements[2]]
        #expect(added.count == 4 && added.last === elements[2])
        #expect(removed.isEmpty)
        model.array = [elements[3]]
        #expect(removed.map(\.uuid).sorted() == elements[..<3].map(\.uuid).sorted())
    }

    @Test(
        "moves are the fewest that explain the new order",
        arguments: [
            ([0, 1, 2, 3], [0, 1, 2, 3], []), ([0, 1, 2, 3], [3, 0, 1, 2], ["3: 3 to 0"]),
            ([0, 1, 2, 3], [1, 2, 3, 0], ["0: 0 to 3"]), ([0, 1, 2, 3], [0, 2, 1, 3], ["2: 2 to 1"]),
            ([0, 1, 2], [2, 4, 1, 0], ["2: 2 to 0", "1: 1 to 2"]), ([0, 1], [2, 3], []),
        ] as [([Int], [Int], [String])]
    )
    func moves(old: [Int], new: [Int], expected: [String]) {
        let elements = (0..<5).map { index in
            let element = AnotherTestModel()
            element.anotherInteger = index
            return element
        }
        model.array = old.map { elements[$0] }
        var moves: [String] = []
        model.observeCollectionMove(changes, \.array) { moves.append("\($0.anotherInteger): \($1) to \($2)") }
        model.array = new.map { elements[$0] }
        #expect(moves == expected)
    }

    @Test("the tree of an object changes with the objects below", .original("testTreeListeners"))
    func trees() {
        let turn = Turn()
        let (child, grandchild) = (TestModel(), TestModel())
        let counters = [Counter(), Counter(), Counter()]
        for (object, counter) in zip([model, child, grandchild], counters) {
            object.observeTreeChange(counter, on: turn) { counter.add() }
        }
        func counts(after change: () -> Void) -> [Int] {
            change()
            turn.flush()
            return counters.map(\.count)
        }
        #expect(counts { model.childModel = child } == [1, 0, 0])
        #expect(counts { child.childModel = grandchild } == [2, 1, 0])
        let both = counts {
            child.string = "a"
            child.string = "b"
        }
        #expect(both == [3, 2, 0])
        let below = counts {
            grandchild.string = "a"
            grandchild.string = "b"
        }
        #expect(below == [4, 3, 1])
    }

    @Test("observers of a tree in a scope are called once in each turn", arguments: [true, false])
    func treesInScope(isObservedFirst: Bool) {
        let turn = Turn()
        let scope = Scope(name: "test")
        let child = TestModel()
        func observe() { model.observeTreeChange(changes, on: turn) { changes.add() } }
        if isObservedFirst { observe() }
        model.setScopeAndMakeRootModel(scope)
        model.childModel = child
        child.childModel = TestModel()
        child.childModel?.integer = 1
        if !isObservedFirst { observe() }
        turn.flush()
        let before = changes.count
        #expect(before == (isObservedFirst ? 1 : 0))
        for round in 1...3 {
            child.childModel?.integer += 1
            child.childModel?.integer += 1
            turn.flush()
            #expect(changes.count == before + round)
        }
    }

    @Test("an observer above the scope sees what changes inside", arguments: [true, false])
    func treeAboveScope(isLinkedFirst: Bool) {
        let (turn, outside) = (Turn(), TestModel())
        let scope = Scope(name: "test", root: model)
        model.childModel = TestModel()
        model.childModel?.integer = 1
        if isLinkedFirst { outside.childModel = model.childModel }
        outside.observeTreeChange(changes, on: turn) { changes.add() }
        if !isLinkedFirst { outside.childModel = model.childModel }
        turn.flush()
        let before = changes.count
        model.childModel?.integer = 2
        turn.flush()
        #expect(changes.count == before + 1)
        #expect(scope.count == 2)
    }

    @Test("a reference that is set to nil reports the lost parent once", .original("testRemoveParent"))
    func removedFromParent() {
        let child = TestModel()
        var events: [String] = []
        child.observeAddedToParent(changes) { events.append("added \($0 === model) \($1)") }
        child.observeRemovedFromParent(changes) { events.append("removed \($0 === model) \($1)") }
        model.childModel = child
        model.childModel = nil
        #expect(events == ["added true childModel", "removed true childModel"])
    }

    @Test("events of one change come in the specified order")
    func order() {
        let scope = Scope(name: "test", root: model)
        let (old, new) = (AnotherTestModel(), AnotherTestModel())
        model.array = [old]
        var events: [String] = []
        for (name, object) in [("old", old), ("new", new)] {
            object.observeAddedToParent(changes) { _, _ in events.append("\(name) has a parent") }
            object.observeRemovedFromParent(changes) { _, _ in events.append("\(name) lost a parent") }
            object.observeAttach(changes) { _ in events.append("\(name) attached") }
            object.observeDetach(changes) { _ in events.append("\(name) detached") }
        }
        model.observeCollectionAdd(changes, \.array) { _ in events.append("added") }
        model.observeCollectionRemove(changes, \.array) { _ in events.append("removed") }
        model.observeChangeImmediately(changes, \.array) { events.append("changed") }
        model.observeChangeImmediately(changes, \.composite) { events.append("composite") }
        model.array = [new]
        #expect(
            events == [
                "old lost a parent", "old detached", "removed", "new has a parent", "new attached", "added", "changed",
                "composite",
            ]
        )
        #expect(scope.count == 2)
        model.array = []
        #expect(events.suffix(2) == ["changed", "composite"])
    }
}

@Suite("Composite properties")
struct DependencyTests {
    @Test(
        "a composite changes with its dependencies, and not with the inside of an element",
        .original("testDependentListeners")
    )
    func dependencies() {
        let (model, element) = (TestModel(), AnotherTestModel())
        let (ofModel, ofElement) = (Counter(), Counter())
        model.observeChangeImmediately(ofModel, key: "composite") { ofModel.add() }
        element.observeChangeImmediately(ofElement, \.anotherComposite) { ofElement.add() }
        model.float32 = 1
        model.float32 = 2
        model.array = [element]
        #expect(ofModel.count == 3)
        element.anotherString = "a"
        element.anotherInteger = 1
        #expect(ofModel.count == 3)
        #expect(ofElement.count == 2)
    }
}
