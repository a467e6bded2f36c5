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
