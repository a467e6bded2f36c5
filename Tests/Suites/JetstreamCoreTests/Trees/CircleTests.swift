import HeliumCore
import HeliumJSON
import Observation
import Synchronization
import Testing

@testable import JetstreamCore

/// Changes of a cycle that were not sent when its scope is freed.
enum UnsentChange: CaseIterable {
    case recorded, removed, pending, pendingRemoval
}

/// Objects that refer to each other in a circle, which counting references does not free.
@Suite("Cycles of objects")
struct CircleTests {
    private let receiver = Receiver()
    private var root: TestModel { receiver.root }
    private var scope: Scope { receiver.scope }

    /// Puts a circle of two objects, one with itself in an array, below the root, as a peer does.
    private func receiveCircle(of name: String = "TestModel") {
        receiver.receive(state: [
            Receiver.change(1, ["childModel": Receiver.text(2)]),
            Receiver.add(2, ["string": "two", "childModel": Receiver.text(3), "children": [Receiver.text(2)]]),
            Receiver.add(
                3,
                ["string": "three", "childModel2": Receiver.text(2), "childModel": Receiver.text(4)],
                name
            ),
            Receiver.add(4, ["string": "below"]),
        ])
    }

    private func removeCircle() { receiver.receive(sync: [Receiver.change(1, ["childModel": .null])]) }

    @Test("a cycle that a peer made is freed when a peer removes it, with the objects below")
    func ofPeer() throws {
        receiveCircle()
        weak let two = root.childModel
        weak let three = two?.childModel
        weak let below = three?.childModel
        #expect(two != nil && three?.childModel2 === two && two?.children.first === two && below != nil)
        removeCircle()
        #expect(two == nil && three == nil && below == nil)
        #expect(scope.count == 1)
    }

    @Test("a cycle with an object of an unknown class is freed")
    func withPlaceholder() throws {
        receiveCircle(of: "Unknown")
        weak let two = root.childModel
        #expect(two != nil && two?.childModel == nil)
        removeCircle()
        #expect(two == nil)
    }

    @Test("a cycle that the app removed is freed when the changes are collected")
    func ofApp() throws {
        weak var first: TestModel?
        do {
            let (one, two) = (TestModel(), TestModel())
            one.childModel = two
            two.childModel = one
            root.childModel = one
            first = one
        }
        _ = scope.getAndClearSyncFragments()
        root.childModel = nil
        #expect(first != nil, "the removal is not collected")
        _ = scope.getAndClearSyncFragments()
        #expect(first == nil)
    }

    @Test("a cycle that the app holds stays unchanged, and calls no observer", arguments: ["TestModel", "Unknown"])
    func held(class name: String) throws {
        receiveCircle(of: name)
        let two = try #require(root.childModel)
        let fragments = scope.stateFragments
        final class Reports { var count = 0 }
        final class Told: Sendable { let value = Mutex(false) }
        let (reports, told) = (Reports(), Told())
        withObservationTracking {
            _ = (two.childModel, two.children, two.string)
        } onChange: {
            told.value.withLock { $0 = true }
        }
        two.observeChangeImmediately(reports) { reports.count += 1 }
        removeCircle()
        #expect(reports.count == 0 && !told.value.withLock(\.self))
        #expect(two.scope == nil && two.children.first === two)
        #expect(two.parents.contains { $0.parent === two && $0.key == "children" })
        root.childModel = two
        #expect(Set(scope.stateFragments.map(\.uuid)) == Set(fragments.map(\.uuid)))
        for fragment in fragments where fragment.uuid != root.uuid {
            #expect(scope.stateFragments.first { $0.uuid == fragment.uuid } == fragment)
        }
        two.string = "reported"
        #expect(reports.count > 0 && told.value.withLock(\.self))
    }

    @Test("a cycle in an array that the app has read stays")
    func heldByArray() throws {
        receiveCircle()
        let objects = try #require(root.childModel).children
        removeCircle()
        #expect(objects.first?.childModel?.childModel2 === objects.first)
    }

    @Test("a cycle below an object that the app holds stays")
    func heldFromAbove() throws {
        receiver.receive(state: [
            Receiver.change(1, ["childModel": Receiver.text(5)]),
            Receiver.add(5, ["childModel": Receiver.text(2)]),
            Receiver.add(2, ["childModel": Receiver.text(3)]),
            Receiver.add(3, ["childModel": Receiver.text(2), "childModel2": Receiver.text(6)]),
            Receiver.add(6, ["childModel": Receiver.text(7)]),
            Receiver.add(7, ["childModel": Receiver.text(6)]),
        ])
        let above = try #require(root.childModel)
        weak let two = above.childModel
        weak let lower = two?.childModel?.childModel2
        removeCircle()
        #expect(two?.childModel?.childModel === two && lower?.childModel?.childModel === lower)
        #expect(above.childModel === two)
        above.childModel = nil
    }

    @Test("a cycle that was held when it was removed is freed after later removals")
    func later() throws {
        receiveCircle()
        var two: TestModel? = root.childModel
        weak let weakTwo = two
        removeCircle()
        two = nil
        #expect(weakTwo != nil)
        for number in 10..<80 {
            receiver.receive(sync: [
                Receiver.change(1, ["childModel": Receiver.text(number)]), Receiver.add(number),
            ])
            removeCircle()
        }
        #expect(weakTwo == nil)
    }

    @Test("a tree with cycles is freed with its scope", arguments: [true, false])
    func ofScope(isRecording: Bool) throws {
        func make() -> Scope {
            let (root, child) = (TestModel(), TestModel())
            let scope = Scope(name: "test", root: root)
            scope.isRecording = isRecording
            root.childModel = child
            child.childModel = root
            child.childModel2 = TestModel()
            child.childModel2?.childModel = child
            return scope
        }
        var scope: Scope? = make()
        weak let root = scope?.root
        weak let below = (root as? TestModel)?.childModel?.childModel2
        #expect(scope?.count == 3 && below != nil)
        scope = nil
        #expect(root == nil && below == nil)
    }

    /// Makes a scope with a cycle through its root and one below it.
    private func makeScopeWithCycles() -> Scope {
        let (root, child) = (TestModel(), TestModel())
        let scope = Scope(name: "test", root: root)
        root.childModel = child
        child.childModel2 = TestModel()
        child.childModel2?.childModel = child.childModel2
        // A root that is set loses its parents.
        child.childModel = root
        return scope
    }

    @Test("a tree with cycles is freed when its root is removed", arguments: [true, false])
    func ofRemovedRoot(isRecording: Bool) throws {
        let scope = makeScopeWithCycles()
        scope.isRecording = isRecording
        weak let root = scope.root
        weak let below = (root as? TestModel)?.childModel?.childModel2
        #expect(root != nil && below != nil)
        scope.removeRoot()
        #expect(root == nil && below == nil)
    }

    @Test("a cycle that was held when it left is freed when the root is removed")
    func heldBeforeRemovedRoot() throws {
        receiveCircle()
        var two: TestModel? = root.childModel
        weak let weakTwo = two
        removeCircle()
        two = nil
        #expect(weakTwo != nil)
        scope.removeRoot()
        #expect(weakTwo == nil)
    }

    @Test("a cycle that was held when the root was removed is freed with the scope", arguments: [true, false])
    func heldAtRemovedRoot(hasOtherRoot: Bool) throws {
        var scope: Scope? = makeScopeWithCycles()
        var root = scope?.root as? TestModel
        var below = root?.childModel?.childModel2
        weak let weakRoot = root
        weak let weakBelow = below
        scope?.removeRoot()
        #expect(root?.childModel?.childModel === root && below?.childModel === below)
        if hasOtherRoot { scope?.setRoot(TestModel()) }
        (root, below) = (nil, nil)
        #expect(weakRoot != nil && weakBelow != nil)
        scope = nil
        #expect(weakRoot == nil && weakBelow == nil)
    }

    /// Pending sets and recorded changes refer to the objects that they changed.
    @Test("a cycle with unsent changes is freed with its scope", arguments: UnsentChange.allCases, [true, false])
    func unsent(change: UnsentChange, removesRoot: Bool) {
        var scope: Scope? = makeScopeWithCycles()
        weak var root: TestModel?
        weak var below: TestModel?
        do {
            let tree = scope?.root as? TestModel
            (root, below) = (tree, tree?.childModel?.childModel2)
            _ = scope?.getAndClearSyncFragments()
            switch change {
            case .recorded: tree?.string = "new"
            case .removed: tree?.childModel?.childModel2 = nil
            case .pending: scope?.modify { tree?.string = "new" }
            case .pendingRemoval: scope?.modify { tree?.childModel?.childModel2 = nil }
            }
        }
        #expect(root != nil && below != nil)
        if removesRoot { scope?.removeRoot() }
        scope = nil
        #expect(root == nil && below == nil)
    }

    @Test("all objects are searched when as many have left as the app holds of removed trees")
    func sweeps() {
        var formers = FormerObjects()
        let held = (0..<200).map { _ in TestModel() }
        for object in held {
            object.childModel = TestModel()
            formers.add(object)
        }
        formers.abandonAll()
        #expect(formers.living.count == held.count && formers.isSweepDue)
        _ = formers.takeSearch()
        formers.endSearch()
        for _ in 0..<199 { formers.add(TestModel()) }
        #expect(!formers.isSweepDue)
        formers.add(TestModel())
        #expect(formers.isSweepDue)
    }

    @Test("a cycle below a root that owns its scope is freed with the root", arguments: [true, false])
    func ofPrivateScope(keepsScope: Bool) {
        var kept: Scope?
        weak var child: TestModel?
        weak var held: TestModel?
        var other: TestModel?
        do {
            let root = TestModel()
            root.isScopeRoot = true
            let circle = TestModel()
            circle.childModel = circle
            root.childModel = circle
            root.childModel2 = TestModel()
            root.childModel2?.childModel = root.childModel2
            (child, held, other) = (circle, root.childModel2, root.childModel2)
            if keepsScope { kept = root.scope }
        }
        #expect(child == nil && other?.childModel === other && other?.scope == nil)
        #expect(kept?.count ?? 0 == 0)
        other?.childModel = nil
        other = nil
        #expect(held == nil)
    }

    /// Puts two objects that refer to each other below another one.
    ///
    /// - Returns: The first one.
    private func addPair(below parent: TestModel) -> TestModel {
        let (one, two) = (TestModel(), TestModel())
        one.childModel = two
        parent.childModel = one
        two.childModel = one
        two.childModel2 = root
        return one
    }

    @Test("a cycle through an object that left, which the app made afterwards, is freed", arguments: [true, false])
    func madeAfterwards(removedByApp: Bool) {
        receiver.receiveChild()
        weak var weakHeld: TestModel?
        weak var below: TestModel?
        do {
            let held = root.childModel
            if removedByApp { root.childModel = nil } else { removeCircle() }
            let new = TestModel()
            held?.childModel = new
            new.childModel = held
            (weakHeld, below) = (held, new)
        }
        #expect(weakHeld != nil && below != nil)
        scope.removeRoot()
        #expect(weakHeld == nil && below == nil)
    }

    @Test(
        "a cycle that the app put below an object that left is freed when a peer brings that one back",
        arguments: [true, false]
    )
    func belowReturningObject(removedByApp: Bool) {
        receiver.receiveChild()
        weak var below: TestModel?
        let held = root.childModel
        if removedByApp { root.childModel = nil } else { removeCircle() }
        do { below = held.map(addPair) }
        #expect(below != nil && held?.scope == nil)
        if removedByApp { _ = scope.getAndClearSyncFragments() }
        receiver.receive(sync: [Receiver.change(1, ["childModel": Receiver.text(2)]), Receiver.add(2)])
        #expect(root.childModel === held && held?.childModel == nil)
        scope.removeRoot()
        #expect(below == nil && root.parents.isEmpty)
    }

    @Test("a cycle that the app put below an object that left is freed although that one was freed before")
    func belowFreedObject() {
        receiver.receiveChild()
        weak var below: TestModel?
        do {
            let held = root.childModel
            removeCircle()
            below = held.map(addPair)
        }
        #expect(below != nil && scope.object(id: Receiver.id(2)) == nil)
        receiver.receive(sync: [Receiver.change(1, ["string": "new"])])
        #expect(below == nil && root.parents.isEmpty)
    }

    @Test("a cycle that left is freed although another object has received an identifier of it")
    func withReusedIdentifier() {
        receiveCircle()
        var two = root.childModel
        weak let weakTwo = two
        removeCircle()
        receiver.receive(sync: [
            Receiver.change(1, ["childModel": Receiver.text(2)]), Receiver.add(2, [:], "Unknown"),
        ])
        #expect(scope.object(id: Receiver.id(2)) == nil && two?.scope == nil)
        two = nil
        #expect(weakTwo != nil)
        scope.removeRoot()
        #expect(weakTwo == nil)
    }

    @Test("a cycle that a peer adds outside of the tree is freed")
    func outsideOfTree() {
        receiver.receive(state: [Receiver.change(1, ["string": "root"])])
        receiver.receive(sync: [
            Receiver.add(2, ["childModel": Receiver.text(3)]),
            Receiver.add(3, ["childModel": Receiver.text(2), "childModel2": Receiver.text(1)]),
            Receiver.add(4, ["childModel": Receiver.text(4), "childModel2": Receiver.text(1)]),
        ])
        #expect(root.uuid == Receiver.rootID && root.parents.isEmpty && scope.count == 1)
    }

    /// Accepts the oldest pending change set.
    private func acceptSet() {
        let id = ChangesID(1)
        let count = scope.changeSets.first { _ in true }.map { set in
            set.changesID = id
            return set.fragments.count
        }
        scope.receive(.settled(id, .replied(Array(repeating: FragmentReply(), count: count ?? 0))))
    }

    @Test("a cycle that a change set of the app removed is freed when the server accepts the set")
    func ofAcceptedSet() {
        receiveCircle()
        weak let two = root.childModel
        scope.modify { root.childModel = nil }
        #expect(two != nil && scope.changeSets.count == 1)
        acceptSet()
        #expect(two == nil && scope.changeSets.isEmpty)
    }

    @Test("a cycle that a change set of the app held is freed after the set", arguments: [true, false])
    func ofHeldSet(hasRoot: Bool) {
        receiveCircle()
        weak let two = root.childModel
        do {
            let set = scope.modify { root.childModel = nil }
            acceptSet()
            if !hasRoot { scope.removeRoot() }
            #expect(set.state == .completed && two != nil)
            if hasRoot {
                scope.undo(set)
                #expect(root.childModel === two && two?.childModel?.childModel2 === two)
                scope.modify { root.childModel = nil }
                acceptSet()
                acceptSet()
            }
        }
        #expect(two != nil)
        scope.detachSession()
        receiver.receive(sync: [Receiver.change(1, ["string": "new"])])
        #expect(two == nil)
    }

    @Test("a cycle of objects that leave one after the other is freed", arguments: [true, false])
    func leavingInParts(isAddedLater: Bool) {
        receiver.receiveChild()
        weak let known = root.childModel
        weak var new: TestModel?
        do {
            let known = root.childModel
            let added = TestModel()
            new = added
            scope.modify {
                if !isAddedLater { known?.childModel = added }
                root.childModel = nil
                known?.childModel = added
                added.childModel = known
            }
        }
        // The set may be rejected, so the known object is retained.
        receiver.receive(sync: [Receiver.change(1, ["string": "new"])])
        #expect(known != nil && new != nil)
        acceptSet()
        #expect(known == nil && new == nil)
    }

    @Test("a large cycle that leaves a local tree is freed when the next object leaves")
    func ofLocalTree() {
        let root = TestModel()
        root.isScopeRoot = true
        weak var first: TestModel?
        do {
            let objects = (0..<100).map { _ in TestModel() }
            for (object, next) in zip(objects, objects.dropFirst() + objects.prefix(1)) { object.childModel = next }
            root.childModel = objects[0]
            first = objects[0]
            #expect(root.scope?.count == 101)
        }
        root.childModel = nil
        root.childModel = TestModel()
        #expect(first != nil)
        root.childModel = nil
        #expect(first == nil)
    }

    @Test("objects of a root that is removed and set again are not noted twice")
    func repeatedRoot() {
        let held = (0..<10).map { _ in TestModel() }
        root.children = held
        for _ in 0..<10 {
            scope.removeRoot()
            #expect(scope.formers.living.count <= 1 + held.count)
            scope.setRoot(root)
        }
    }

    @Test("an object that leaves and returns often is not noted each time")
    func returning() {
        let (root, held) = (TestModel(), TestModel())
        root.isScopeRoot = true
        for _ in 0..<200 {
            root.childModel = held
            root.childModel = nil
        }
        var formers = root.scope?.formers ?? FormerObjects()
        #expect(formers.living.count == 1 && formers.recentCount < 100)
        _ = formers.takeSearch()
        #expect(formers.recentCount == 0)
    }

    @Test("objects below a released one are searched only as often as many have left")
    func searchesBelow() throws {
        receiver.receiveChild()
        let held = try #require(root.childModel)
        held.children = (0..<10_000).map { _ in TestModel() }
        removeCircle()
        var searched = 0
        for _ in 0..<100 {
            scope.changeSetReleased([held])
            var formers = scope.formers
            if (formers.takeSearch()?.credit ?? 0) > 0 { searched += 1 }
            scope.freeCircles()
        }
        #expect(searched > 1 && searched < 20)
    }

    @Test("a cycle of 10,000 objects is freed without recursion")
    func ring() throws {
        let count = 10_000
        var fragments = [Receiver.change(1, ["childModel": Receiver.text(10)])]
        for number in 10..<(10 + count) {
            let next = number + 1 < 10 + count ? number + 1 : 10
            fragments.append(Receiver.add(number, ["childModel": Receiver.text(next)]))
        }
        receiver.receive(state: fragments)
        weak let first = root.childModel
        weak let last = scope.object(id: Receiver.id(9 + count))
        #expect(scope.count == count + 1 && first != nil && last != nil)
        removeCircle()
        #expect(first == nil && last == nil)
    }
}
