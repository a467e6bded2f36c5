import JetstreamCore
import TestSupport
import Testing

@Suite("Membership in a scope")
struct MembershipTests {
    @Test("a parent outside the scope does not keep an object in it")
    func foreignParent() {
        let (root, outside, child) = (TestModel(), TestModel(), TestModel())
        let scope = Scope(name: "test", root: root)
        outside.childModel = child
        #expect(child.scope == nil)
        root.childModel = child
        #expect(child.scope === scope)
        root.childModel = nil
        #expect(child.scope == nil)
        #expect(child.parents.count == 1)
    }

    @Test("objects that only refer to each other leave the scope")
    func cycle() {
        let (root, first, second) = (TestModel(), TestModel(), TestModel())
        let scope = Scope(name: "test", root: root)
        first.childModel = second
        second.childModel = first
        second.childModel2 = root
        root.childModel = first
        #expect(scope.count == 3)
        root.childModel = nil
        #expect(scope.count == 1)
        #expect(first.scope == nil && second.scope == nil)
        first.childModel = nil
        root.childModel2 = second
        #expect(scope.count == 3, "second still refers to first")
    }

    @Test("a reference back to the root neither keeps nor removes anything")
    func backReference() {
        let root = TestModel()
        let scope = Scope(name: "test", root: root)
        let elements = (0..<100).map { _ in AnotherTestModel() }
        for element in elements { element.owner = root }
        root.array = elements
        #expect(scope.count == 101)
        root.array.removeFirst(50)
        #expect(scope.count == 51)
        #expect(root.scope === scope)
    }

    @Test("an object that is moved stays in the scope, without events", arguments: [true, false])
    func moving(isLinkedFirst: Bool) {
        let (root, child) = (TestModel(), TestModel())
        let scope = Scope(name: "test", root: root)
        root.childModel = child
        let detached = Counter()
        child.observeDetach(detached) { detached.add() }
        if isLinkedFirst { root.childModel2 = child }
        root.childModel = nil
        root.childModel2 = child
        #expect(child.scope === scope)
        #expect(detached.count == (isLinkedFirst ? 0 : 1))
    }

    @Test(
        "a scope with random links has the objects that can be reached",
        .tags(.random),
        arguments: ProofLength.seeds(2)
    )
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let objects = (0..<12).map { _ in TestModel() }
        let scope = Scope(name: "test", root: objects[0])
        for step in 0..<300 {
            let (parent, child) = (random.pick(objects), random.oneIn(3) ? nil : random.pick(objects))
            switch random.below(3) {
            case 0: parent.childModel = child
            case 1: parent.childModel2 = child
            default: parent.children = (0..<random.below(4)).map { _ in random.pick(objects) }
            }
            var reached: Set<ObjectIdentifier> = []
            var waiting = [objects[0]]
            while let object = waiting.popLast() {
                guard reached.insert(ObjectIdentifier(object)).inserted else { continue }
                waiting += object.childModelObjects.compactMap { $0 as? TestModel }
            }
            for (index, object) in objects.enumerated() {
                #expect((object.scope === scope) == reached.contains(ObjectIdentifier(object)), "\(step): \(index)")
                for other in objects {
                    let links = other.parents.filter { $0.parent === object }.map(\.key).sorted()
                    var expected: [String] = []
                    if object.childModel === other { expected.append("childModel") }
                    if object.childModel2 === other { expected.append("childModel2") }
                    if object.children.contains(where: { $0 === other }) { expected.append("children") }
                    #expect(links == expected)
                }
            }
            #expect(scope.count == reached.count)
            #expect(scope.allObjects.count == reached.count)
        }
    }
}

@Suite("Memory of trees")
struct TreeMemoryTests {
    @Test("a tree with parent links and cycles that its owner breaks is freed with its scope")
    func freed() {
        weak var child: TestModel?
        weak var weakScope: Scope?
        do {
            let root = TestModel()
            let scope = Scope(name: "test", root: root)
            let made = TestModel()
            root.childModel = made
            root.array = [AnotherTestModel()]
            made.observeChangeImmediately(root) {}
            (child, weakScope) = (made, scope)
            #expect(scope.count == 3)
        }
        #expect(child == nil)
        #expect(weakScope == nil)
    }

    @Test("a root owns its private scope")
    func privateScope() {
        weak var child: TestModel?
        weak var scope: Scope?
        do {
            let root = TestModel()
            root.isScopeRoot = true
            let made = TestModel()
            root.childModel = made
            (child, scope) = (made, root.scope)
            #expect(scope?.count == 2)
            root.childModel = nil
            #expect(scope?.count == 1)
            root.childModel = made
        }
        #expect(child == nil)
        #expect(scope == nil)
    }

    @Test("an object outlives its scope")
    func outlives() {
        let root = TestModel()
        do {
            let scope = Scope(name: "test", root: root)
            root.childModel = TestModel()
            #expect(scope.count == 2)
        }
        #expect(root.scope == nil)
        #expect(root.childModel?.scope == nil)
        let other = Scope(name: "other", root: root)
        #expect(other.count == 2)
    }

    @Test("a removed object is freed when nothing can restore it")
    func removed() {
        let root = TestModel()
        let scope = Scope(name: "test", root: root)
        weak var child: TestModel?
        do {
            let made = TestModel()
            child = made
            root.childModel = made
        }
        _ = scope.getAndClearSyncFragments()
        root.childModel = nil
        #expect(child != nil, "a revert would need it")
        _ = scope.getAndClearSyncFragments()
        #expect(child == nil)
    }

    @Test("a chain of 20,000 objects is attached, detached and freed", arguments: [false, true])
    func deep(isInScope: Bool) {
        let root = TestModel()
        let scope = Scope(name: "test")
        scope.isRecording = false
        if isInScope { root.setScopeAndMakeRootModel(scope) }
        weak var last: TestModel?
        do {
            var top = TestModel()
            last = top
            for index in 1..<20_000 {
                let above = TestModel()
                if index.isMultiple(of: 2) { above.childModel = top } else { above.children = [top] }
                top = above
            }
            root.childModel = top
        }
        if isInScope { #expect(scope.count == 20_001) }
        #expect(last != nil)
        root.childModel = nil
        #expect(last == nil)
        if isInScope { #expect(scope.count == 1) }
    }

    @Test("an object with 10,000 parents is unlinked from each in constant time")
    func manyParents() {
        let root = TestModel()
        let scope = Scope(name: "test", root: root)
        let shared = TestModel()
        root.children = (0..<10_000).map { _ in TestModel() }
        for child in root.children { child.childModel = shared }
        #expect(shared.parents.count == 10_000)
        for child in root.children.reversed() { child.childModel = nil }
        #expect(shared.scope == nil)
        #expect(scope.count == 10_001)
    }
}
