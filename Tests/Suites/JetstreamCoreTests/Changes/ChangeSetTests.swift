import HeliumCore
import HeliumJSON
import Testing

@testable import JetstreamCore

@Suite("Change sets")
struct ChangeSetTests {
    private let root = TestModel()
    private let scope = Scope(name: "test")

    init() {
        root.setScopeAndMakeRootModel(scope)
    }

    @Test("a revert restores values and records nothing", .original("testBasicReversal"))
    func values() {
        (root.integer, root.float32, root.string) = (1, 1, "one")
        _ = scope.getAndClearSyncFragments()
        let set = scope.modify { (root.integer, root.float32, root.string) = (2, 2, "two") }
        #expect(set.fragments.count == 1)
        set.revert()
        #expect(root.integer == 1 && root.float32 == 1 && root.string == "one")
        #expect(scope.getAndClearSyncFragments() == [])
        #expect(set.state == .reverted)
        #expect(scope.changeSets.isEmpty)
    }

    @Test("reverting an attached child detaches it", .original("testModelReversal"))
    func attached() {
        let set = scope.modify { root.childModel = TestModel() }
        #expect(scope.count == 2)
        set.revert()
        #expect(root.childModel == nil)
        #expect(scope.count == 1)
    }

    @Test("reverting a removal restores the same child", .original("testModelReapplying"))
    func removed() throws {
        root.childModel = TestModel()
        _ = scope.getAndClearSyncFragments()
        let child = ObjectIdentifier(try #require(root.childModel))
        let set = scope.modify { root.childModel = nil }
        #expect(scope.count == 1)
        set.revert()
        #expect(root.childModel.map { ObjectIdentifier($0) } == child)
        #expect(scope.count == 2)
        root.childModel?.integer = 3
        #expect(scope.getAndClearSyncFragments().map(\.kind) == [.change], "the server still has it")
    }

    @Test("reverting an append empties the array", .original("testArrayReversal"))
    func array() {
        let set = scope.modify { root.array.append(AnotherTestModel()) }
        #expect(set.fragments.count == 2)
        set.revert()
        #expect(root.array.isEmpty)
        #expect(scope.count == 1)
    }

    @Test("moving a child between properties adds nothing", .original("testMovingChildModel"))
    func moving() {
        let child = TestModel()
        #expect(scope.modify { root.childModel = child }.fragments.count == 2)
        let move = scope.modify {
            root.childModel = nil
            root.childModel2 = child
        }
        #expect(move.fragments.map(\.kind) == [.change])
        #expect(scope.modify { root.childModel2 = nil }.fragments.count == 1)
        #expect(scope.modify { root.childModel = child }.fragments.count == 2)
    }

    @Test(
        "children in local properties are not added",
        .original("testRemovalOfAddFragmentsWhenNotAttachedToAnyProperties")
    )
    func local() {
        let (child, element) = (TestModel(), AnotherTestModel())
        let sets = [
            scope.modify { root.localModel = child }, scope.modify { root.localArray = [element] },
            scope.modify {
                root.localModel = TestModel()
                root.localArray.append(AnotherTestModel())
            },
        ]
        #expect(sets.allSatisfy { $0.fragments.isEmpty && $0.state == .completed })
    }

    @Test("an empty set is completed at once")
    func empty() async throws {
        let set = scope.modify {}
        #expect(set.state == .completed)
        try await set.completion()
        var isCalled = false
        set.observeCompletion(nil) { isCalled = $0 == nil }
        #expect(isCalled)
    }

    @Test("changes before, in and after a modify are three sets")
    func separate() {
        var sets: [[JSONObject]] = []
        scope.onChanges(scope) { sets.append($0.fragments.map(\.properties)) }
        root.integer = 1
        scope.modify { root.integer = 2 }
        root.integer = 3
        scope.flush()
        #expect(sets == [[["integer": 1]], [["integer": 2]], [["integer": 3]]])
    }

    @Test("the changes of a closure that throws stay in a set")
    func throwing() {
        struct Stop: Error {}
        var count = 0
        scope.onChanges(scope) { _ in count += 1 }
        #expect(throws: Stop.self) {
            try scope.modify {
                root.integer = 2
                throw Stop()
            }
        }
        #expect(count == 1)
        #expect(root.integer == 2)
    }

    @Test("a change set says whether it is atomic or a procedure")
    func kinds() {
        #expect(!scope.modify { root.integer = 1 }.isAtomic)
        #expect(scope.modifyAtomically { root.integer = 2 }.isAtomic)
        let set = scope.modifyWithProcedure("TestModel.set") { root.integer = 3 }
        #expect(set.isAtomic && set.procedure == "TestModel.set")
        let outgoing = set.outgoing(as: ChangesID(4))
        #expect(outgoing.fragments == set.fragments && outgoing.isAtomic && outgoing.id == ChangesID(4))
    }

    @Test("a set that does not match its constraints is reverted and not announced")
    func constraints() async {
        var announced = 0
        scope.onChanges(scope) { _ in announced += 1 }
        let only = [Constraint(.change, className: "TestModel", properties: ["integer": .value(5)])]
        let bad = scope.modifyWithProcedure("TestModel.five", constraints: only) { root.integer = 4 }
        #expect(bad.state == .reverted && bad.error?.kind == .invalidChanges)
        #expect(root.integer == 0)
        await #expect(throws: JetstreamError.self) { try await bad.completion() }
        let good = scope.modifyWithProcedure("TestModel.five", constraints: only) { root.integer = 5 }
        #expect(good.state == .syncing)
        #expect(announced == 1)
    }

    @Test("a set beyond the limit is reverted")
    func ceiling() {
        scope.maximumPendingChangeSets = 2
        scope.modify { root.integer = 1 }
        scope.modify { root.integer = 2 }
        let set = scope.modify { root.integer = 3 }
        #expect(set.state == .reverted && set.error?.kind == .ceilingExceeded)
        #expect(root.integer == 2)
    }

    @Test("undo makes another set of the former values, where they are unchanged")
    func undo() throws {
        (root.integer, root.string) = (1, "one")
        root.childModel = TestModel()
        _ = scope.getAndClearSyncFragments()
        let child = root.childModel
        let set = scope.modify {
            (root.integer, root.string) = (2, "two")
            root.childModel = nil
        }
        scope.settle(set, .replied([FragmentReply()]))
        scope.modify { root.string = "three" }
        let undo = scope.undo(set)
        #expect(root.integer == 1 && root.string == "three" && root.childModel === child)
        #expect(undo.fragments.map(\.kind).sorted { "\($0)" < "\($1)" } == [.add, .change])
        #expect(undo.state == .syncing)
    }

    @Test("callbacks of a set end with their owner, and are called once")
    func owners() {
        let (set, owner) = (scope.modify { root.integer = 1 }, Counter())
        var gone: Counter? = Counter()
        var calls: [String] = []
        set.observeCompletion(owner) { calls.append("completed \($0 == nil)") }
        set.observeState(owner) { calls.append("state \($0.state)") }
        set.observeCompletion(gone) { _ in calls.append("gone") }
        gone = nil
        scope.settle(set, .replied([FragmentReply()]))
        scope.settle(set, .replied([FragmentReply(error: ErrorObject(message: "late"))]))
        #expect(calls == ["state completed", "completed true"])
        #expect(gone == nil)
        #expect(root.integer == 1)
    }
}

extension ChangeSet {
    /// Takes the set back, as after a reply that refuses all.
    func revert() { revert(JetstreamError(.changesRefused, "refused", delivery: .answered)) }
}

extension Scope {
    /// Settles a set as accepted.
    func accept(_ set: ChangeSet) { settle(set, .replied(set.fragments.map { _ in FragmentReply() })) }
}
