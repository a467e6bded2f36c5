import JetstreamCore
import Testing

/// The number of times that an object came into a scope and left it.
private final class Visits {
    private(set) var attached = 0
    private(set) var detached = 0

    init(_ object: any ModelObject) {
        object.observeAttach(self) { [unowned self] _ in attached += 1 }
        object.observeDetach(self) { [unowned self] _ in detached += 1 }
    }

    var both: [Int] { [attached, detached] }
}

@Suite("Objects in a tree")
struct TreeChangeTests {
    private let root = TestModel()
    private let scope = Scope(name: "test")

    private func makeRoot() { root.setScopeAndMakeRootModel(scope) }

    @Test(
        "each child that is replaced or set to nil is attached and detached once",
        .original("testAssigmentAndRemoval")
    )
    func replacing() {
        makeRoot()
        let children = [TestModel(), TestModel(), TestModel()]
        let visits = children.map(Visits.init)
        for (index, child) in children.enumerated() {
            root.childModel = child
            #expect(child.parents.map(\.key) == ["childModel"])
            #expect(child.parents.first?.parent === root)
            #expect(child.scope === scope)
            #expect(children[..<index].allSatisfy { $0.parents.isEmpty && $0.scope == nil })
        }
        root.childModel = nil
        #expect(children.allSatisfy { $0.parents.isEmpty && $0.scope == nil })
        #expect(visits.map(\.both) == [[1, 1], [1, 1], [1, 1]])
    }

    @Test("a chain is attached and detached at once", .original("testChainedAddition"))
    func chain() {
        makeRoot()
        let chain = [TestModel(), TestModel(), TestModel()]
        let visits = chain.map(Visits.init)
        chain[0].childModel = chain[1]
        chain[1].childModel = chain[2]
        #expect(visits.map(\.both) == [[0, 0], [0, 0], [0, 0]])
        root.childModel = chain[0]
        #expect(visits.map(\.both) == [[1, 0], [1, 0], [1, 0]])
        root.childModel = nil
        #expect(visits.map(\.both) == [[1, 1], [1, 1], [1, 1]])
    }

    @Test("setting the same object again does nothing", .original("testObserveActualyAssigments"))
    func equal() {
        makeRoot()
        let child = TestModel()
        let visits = Visits(child)
        for _ in 0..<3 { root.childModel = child }
        for _ in 0..<3 { root.childModel = nil }
        #expect(visits.both == [1, 1])
    }

    @Test(
        "children that are set one after the other are each attached and detached once",
        .original("testChainedRemoval")
    )
    func row() {
        makeRoot()
        let children = [TestModel(), TestModel(), TestModel()]
        let visits = children.map(Visits.init)
        for child in children {
            root.childModel = child
            root.childModel = nil
        }
        #expect(visits.map(\.both) == [[1, 1], [1, 1], [1, 1]])
    }

    @Test("nothing is attached without a scope", .original("testMovingWithoutRoot"))
    func noRoot() {
        let child = TestModel()
        let visits = Visits(child)
        root.childModel = child
        root.childModel = nil
        root.childModel2 = child
        #expect(visits.both == [0, 0])
    }

    @Test("a doubled link in a chain attaches once", .original("testMultiassigment"))
    func doubled() {
        makeRoot()
        let chain = [TestModel(), TestModel()]
        let visits = chain.map(Visits.init)
        chain[0].childModel = chain[1]
        chain[0].childModel2 = chain[1]
        root.childModel = chain[0]
        #expect(visits.map(\.both) == [[1, 0], [1, 0]])
        #expect(chain[1].parents.map(\.key) == ["childModel", "childModel2"])
        chain[0].childModel = nil
        #expect(visits.map(\.both) == [[1, 0], [1, 0]])
        chain[0].childModel2 = nil
        #expect(visits.map(\.both) == [[1, 0], [1, 1]])
    }

    @Test("an object that becomes a root leaves its parent's property and scope", .original("testRootAssigments"))
    func newRoot() {
        makeRoot()
        let chain = [TestModel(), TestModel(), TestModel()]
        let visits = chain.map(Visits.init)
        root.childModel = chain[0]
        chain[0].childModel = chain[1]
        chain[1].childModel = chain[2]
        chain[1].isScopeRoot = true
        #expect(chain[1].isScopeRoot)
        #expect(chain[0].childModel == nil)
        #expect(chain[1].parents.isEmpty)
        #expect(visits.map(\.both) == [[1, 0], [2, 1], [2, 1]])
        #expect(chain[1].scope !== scope)
        chain[1].isScopeRoot = false
        #expect(chain[1].scope == nil)
        #expect(visits.map(\.both) == [[1, 0], [2, 2], [2, 2]])
    }

    @Test("an element has a parent and a scope until it is removed", .original("testArrayAssigments"))
    func array() {
        makeRoot()
        let element = AnotherTestModel()
        let visits = Visits(element)
        root.array.append(element)
        #expect(element.parents.map(\.key) == ["array"])
        #expect(element.scope === scope)
        root.array.removeLast()
        #expect(element.parents.isEmpty)
        #expect(element.scope == nil)
        #expect(visits.both == [1, 1])
    }

    @Test("detaching an element takes it out of the array", .original("testArrayRemovals"))
    func detaching() {
        makeRoot()
        let element = AnotherTestModel()
        root.array = [element, AnotherTestModel(), element]
        element.detach()
        #expect(root.array.count == 1)
        #expect(element.parents.isEmpty)
        #expect(element.scope == nil)
    }

    @Test("an object in two arrays leaves the scope with the last one", .original("testMultiArrayRemovals"))
    func twoArrays() {
        makeRoot()
        let element = AnotherTestModel()
        root.array = [element]
        root.array2 = [element]
        #expect(element.parents.count == 2)
        root.array = []
        #expect(element.parents.count == 1)
        #expect(element.scope === scope)
        root.array2 = []
        #expect(element.parents.isEmpty)
        #expect(element.scope == nil)
    }

    @Test("an attached object attaches its elements", .original("testArrayScopePropagation"))
    func propagation() {
        makeRoot()
        let child = TestModel()
        let elements = [AnotherTestModel(), AnotherTestModel()]
        child.array = elements
        root.childModel = child
        #expect(elements.allSatisfy { $0.scope === scope })
        #expect(scope.count == 4)
    }

    @Test("an object with two references leaves the scope with the second", .original("testMultiParrentAssigments"))
    func twoReferences() {
        makeRoot()
        let (child, grandchild) = (TestModel(), TestModel())
        let visits = [child, grandchild].map(Visits.init)
        child.childModel = grandchild
        root.childModel = child
        root.childModel2 = child
        #expect(visits.map(\.both) == [[1, 0], [1, 0]])
        root.childModel = nil
        #expect(visits.map(\.both) == [[1, 0], [1, 0]])
        root.childModel2 = nil
        #expect(visits.map(\.both) == [[1, 1], [1, 1]])
    }
}
