import Foundation
import HeliumJSON
import Testing

@testable import JetstreamCore

@Suite("Scopes")
struct ScopeTests {
    private let root = TestModel()
    private let scope = Scope(name: "test")

    private func makeRoot() { root.setScopeAndMakeRootModel(scope) }

    /// The fragments' kinds and what they are about.
    private func recorded(_ names: [(any ModelObject, String)] = []) -> [String] {
        scope.getAndClearSyncFragments().map { fragment in
            let name = names.first { $0.0.uuid == fragment.uuid }?.1 ?? "root"
            return "\(fragment.kind) \(name)"
        }
    }

    @Test("an object that becomes a scope's root has its own tree", .original("testAutomaticScopeCreation"))
    func automatic() {
        root.isScopeRoot = true
        #expect(root.scope?.count == 1)
        #expect(root.scope?.name == "TestModel")
        root.childModel = TestModel()
        #expect(root.scope?.count == 2)
        root.childModel = TestModel()
        #expect(root.scope?.count == 2)
        let scope = root.scope
        root.isScopeRoot = false
        #expect(scope?.count == 0)
        #expect(root.scope == nil)
    }

    @Test("a tree that was built before is added and removed as a whole", .original("testAutomaticLateScopeCreation"))
    func late() {
        let chain = [TestModel(), TestModel(), TestModel()]
        root.childModel = chain[0]
        chain[0].childModel = chain[1]
        chain[0].childModel2 = chain[1]
        chain[1].childModel = chain[2]
        root.isScopeRoot = true
        let scope = root.scope
        #expect(scope?.count == 4)
        root.isScopeRoot = false
        #expect(scope?.count == 0)
        #expect(chain.allSatisfy { $0.scope == nil })
    }

    @Test("a scope has its root and the objects that it refers to", .original("testScope"))
    func explicit() {
        makeRoot()
        root.childModel = TestModel()
        #expect(scope.count == 2)
        #expect(scope.root === root)
        #expect(root.scope === scope)
        #expect(scope.object(id: root.uuid) === root)
        #expect(scope.object(id: root.childModel?.uuid ?? UUID()) === root.childModel)
        #expect(scope.object(id: root.uuid.uuidString) === root)
        let other = TestModel()
        other.setScopeAndMakeRootModel(scope)
        #expect(scope.root === root, "a second root is ignored")
    }

    @Test("attached objects are recorded as adds, and changed ones as changes", .original("testScopeFragmentCount"))
    func fragments() {
        makeRoot()
        #expect(recorded() == [])
        let (child, grandchild) = (TestModel(), TestModel())
        let names: [(any ModelObject, String)] = [(child, "child"), (grandchild, "grandchild")]
        root.childModel = child
        child.childModel = grandchild
        #expect(recorded(names) == ["add child", "change root", "add grandchild"])
        #expect(recorded() == [])
        child.string = "a"
        #expect(recorded(names) == ["change child"])
        root.childModel = nil
        let fragments = scope.getAndClearSyncFragments()
        #expect(fragments.map(\.properties) == [["childModel": nil]])
        child.string = "b"
        #expect(recorded() == [])
    }

    @Test("changes after an add are part of it", .original("testScopeFragmentCountWhenAddingAndChanging"))
    func addingAndChanging() {
        makeRoot()
        let (child, grandchild) = (TestModel(), TestModel())
        root.childModel = child
        child.childModel = grandchild
        child.string = "a"
        grandchild.integer = 1
        root.string = "b"
        let fragments = scope.getAndClearSyncFragments()
        #expect(fragments.count == 3)
        #expect(fragments[0].properties["string"] == "a")
        #expect(fragments[2].properties["integer"] == 1)
    }

    @Test(
        "changes of an object before its removal are dropped",
        .original("testScopeFragmentCountWhenChangingAndRemoving")
    )
    func changingAndRemoving() {
        makeRoot()
        let (child, grandchild) = (TestModel(), TestModel())
        root.childModel = child
        child.childModel = grandchild
        _ = recorded()
        child.string = "a"
        grandchild.string = "b"
        root.childModel = nil
        #expect(recorded() == ["change root"])
    }

    @Test(
        "changes of an object after its removal are dropped",
        .original("testScopeFragmentCountWhenRemovingAndChanging")
    )
    func removingAndChanging() {
        makeRoot()
        let child = TestModel()
        root.childModel = child
        _ = recorded()
        root.childModel = nil
        child.string = "a"
        #expect(recorded() == ["change root"])
    }

    @Test(
        "an object that is added and removed in one batch is not recorded",
        .original("testScopeFragmentCountWhenAddingAndRemoving")
    )
    func addingAndRemoving() {
        makeRoot()
        let child = TestModel()
        root.childModel = child
        child.childModel = TestModel()
        root.childModel = nil
        #expect(recorded() == ["change root"])
    }

    @Test("a removal in the batch of the add sends null", .original("testSubsequentRemoval"))
    func subsequentRemoval() {
        makeRoot()
        root.childModel = TestModel()
        root.childModel = nil
        #expect(scope.getAndClearSyncFragments().map(\.properties) == [["childModel": .null]])
    }

    @Test(
        "adds have all values, changes the changed ones, and references are in lower case",
        .original("testScopeFragmentListening")
    )
    func listening() throws {
        makeRoot()
        let (child, grandchild) = (TestModel(), TestModel())
        var sets: [ChangeSet] = []
        scope.onChanges(scope) { sets.append($0) }
        root.childModel = child
        child.childModel = grandchild
        root.string = "a"
        child.integer = 4
        grandchild.array = []
        scope.flush()
        let fragments = try #require(sets.first).fragments
        #expect(fragments.map(\.kind) == [.add, .change, .add])
        #expect(fragments.map(\.uuid) == [child.uuid, root.uuid, grandchild.uuid])
        #expect(fragments.map(\.className) == ["TestModel", "TestModel", "TestModel"])
        let id = child.uuid.uuidString.lowercased()
        #expect(fragments[1].properties == ["childModel": .string(id), "string": "a"])
        #expect(fragments[0].properties["integer"] == 4)
        #expect(fragments[0].properties["title"] == "untitled")
        #expect(fragments[0].properties["childModel"] == .string(grandchild.uuid.uuidString.lowercased()))
        #expect(fragments[0].properties["string"] == nil, "nil is left out of an add")
        #expect(fragments[0].properties["localString"] == nil)
        #expect(fragments[2].properties["array"] == [])
        #expect(sets.count == 1)
        #expect(scope.flush() == nil)
    }

    @Test(
        "recorded values have their form on the wire",
        .original("testEnumerationParsing, testDateParsing, testColorParsing, testImageParsing")
    )
    func values() throws {
        makeRoot()
        root.testType = .active
        root.date = Date(timeIntervalSince1970: 10)
        root.color = RGBAColor(red: 1, green: 0.25, blue: 0.5, alpha: 0.25)
        root.image = Data(repeating: 7, count: 100)
        let properties = try #require(scope.getAndClearSyncFragments().first).properties
        #expect(properties["testType"] == 1)
        #expect(properties["date"] == 10)
        #expect(properties["color"] == .number(JSONNumber(0xFF3F_7F3F as UInt32)))
        #expect(properties["image"]?.stringValue?.count == 136)
        scope.format.dates = .iso8601
        root.date = Date(timeIntervalSince1970: 11)
        #expect(scope.getAndClearSyncFragments().first?.properties == ["date": "1970-01-01T00:00:11.000Z"])
    }

    @Test("a composite is not recorded, and its dependency is", .original("testCompositeProperties"))
    func composites() {
        makeRoot()
        root.float32 = 2
        #expect(scope.getAndClearSyncFragments().map(\.properties) == [["float32": 2]])
    }

    @Test("a local property is not recorded", .original("testLocalProperties"))
    func local() {
        makeRoot()
        root.localString = "here"
        root.string = "there"
        #expect(scope.getAndClearSyncFragments().map(\.properties) == [["string": "there"]])
        root.localString = "still here"
        #expect(recorded() == [])
    }

    @Test(
        "a throttled property is recorded at once, and then once in each interval with the last value",
        .original("testMinUpdateInterval")
    )
    func throttle() {
        makeRoot()
        var sent: [(Int, JSONValue?)] = []
        for time in 0..<20 {
            // 10 ms a step: changes for 0.14 s, then none.
            if time < 14 { root.throttled += 1 }
            for fragment in scope.getAndClearSyncFragments(at: .milliseconds(10 * time)) {
                sent.append((time, fragment.properties["throttled"]))
            }
            if time == 13 { #expect(scope.nextDeadline == .milliseconds(150)) }
        }
        #expect(sent.map(\.0) == [0, 5, 10, 15])
        #expect(sent.map(\.1) == [1, 6, 11, 14])
        #expect(scope.nextDeadline == nil)
    }

    @Test("other properties do not wait for a throttled one")
    func throttledBeside() {
        makeRoot()
        root.throttled = 1
        _ = scope.getAndClearSyncFragments(at: .zero)
        root.throttled = 2
        root.string = "a"
        let first = scope.getAndClearSyncFragments(at: .milliseconds(10)).map(\.properties)
        #expect(first == [["string": "a"]])
        let second = scope.getAndClearSyncFragments(at: .milliseconds(50)).map(\.properties)
        #expect(second == [["throttled": 2]])
    }

    // MARK: Corrections of the original's defects

    @Test("an object that is added, removed and added again in one batch is added")
    func addedAgain() {
        makeRoot()
        let child = TestModel()
        root.childModel = child
        root.childModel = nil
        root.childModel2 = child
        // Its place is that of its return.
        #expect(recorded([(child, "child")]) == ["change root", "add child"])
    }

    @Test("changes of an object that leaves and comes back in one batch are kept, and it is not added")
    func backAgain() {
        makeRoot()
        let child = TestModel()
        root.childModel = child
        _ = recorded()
        child.string = "before"
        root.childModel = nil
        child.integer = 7
        root.childModel2 = child
        let fragments = scope.getAndClearSyncFragments()
        #expect(fragments.map(\.kind) == [.change, .change])
        #expect(fragments.first { $0.uuid == child.uuid }?.properties == ["string": "before", "integer": 7])
    }

    @Test("an object that comes back in a later batch is added again")
    func backLater() {
        makeRoot()
        let child = TestModel()
        root.childModel = child
        _ = recorded()
        root.childModel = nil
        #expect(recorded() == ["change root"])
        root.childModel = child
        #expect(recorded([(child, "child")]) == ["add child", "change root"])
    }

    @Test("adds that nothing in the tree refers to are left out")
    func unreferred() {
        makeRoot()
        let (local, below) = (TestModel(), TestModel())
        local.childModel = below
        root.localModel = local
        #expect(scope.count == 3)
        #expect(recorded() == [])
        local.string = "not known to the server"
        #expect(recorded() == [])
        root.childModel = local
        #expect(recorded([(local, "local"), (below, "below")]).sorted() == ["add below", "add local", "change root"])
    }

    @Test("a filled tree that becomes a scope's root records no adds")
    func populated() {
        root.childModel = TestModel()
        makeRoot()
        #expect(recorded() == [])
        #expect(scope.count == 2)
    }

    @Test("the state of a scope is its root as a change and the others as adds, depth first")
    func state() {
        makeRoot()
        let (child, grandchild, element) = (TestModel(), TestModel(), AnotherTestModel())
        child.childModel = grandchild
        grandchild.childModel = root
        root.array = [element]
        root.childModel = child
        let state = scope.stateFragments
        #expect(state.map(\.uuid) == [root.uuid, child.uuid, grandchild.uuid, element.uuid])
        #expect(state.map(\.kind) == [.change, .add, .add, .add])
    }
}
