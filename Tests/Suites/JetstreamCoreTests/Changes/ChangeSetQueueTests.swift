import HeliumJSON
import TestSupport
import Testing

@testable import JetstreamCore

@Suite("Queue of change sets")
struct ChangeSetQueueTests {
    private let root = TestModel()
    private let scope = Scope(name: "test")

    init() {
        root.setScopeAndMakeRootModel(scope)
        (root.integer, root.float32, root.string) = (1, 1, "1")
        _ = scope.getAndClearSyncFragments()
    }

    private var values: [String] { ["\(root.integer)", "\(root.float32)", root.string ?? "nil"] }

    /// A set of the first properties.
    private func set(_ value: Int, _ keys: String = "abc") -> ChangeSet {
        scope.modify {
            if keys.contains("a") { root.integer = value }
            if keys.contains("b") { root.float32 = Float(value) }
            if keys.contains("c") { root.string = "\(value)" }
        }
    }

    @Test("a completed set keeps its values and leaves the queue", .original("testCompleting"))
    func completing() {
        let only = set(2)
        #expect(scope.changeSets.count == 1)
        scope.accept(only)
        #expect(values == ["2", "2.0", "2"])
        #expect(scope.changeSets.isEmpty && only.state == .completed)
    }

    @Test("a reverted change set restores all values", .original("testReverting"))
    func reverting() {
        set(2).revert()
        #expect(values == ["1", "1.0", "1"])
        #expect(scope.changeSets.isEmpty)
    }

    @Test("a later set's values stay until it is reverted too", .original("testRebasing"))
    func rebasing() {
        let sets = [set(2), set(3)]
        sets[0].revert()
        #expect(values == ["3", "3.0", "3"])
        #expect(scope.changeSets.count == 1)
        sets[1].revert()
        #expect(values == ["1", "1.0", "1"])
    }

    @Test(
        "reverting all sets in order restores all values",
        .original("testSubsetRebasing, testSupersetRebasing, testRebasingOverChangeSets"),
        arguments: [["a", "ab", "abc"], ["abc", "ab", "a"], ["abc", "ac", "abc"]]
    )
    func rebasingOver(keys: [String]) {
        let sets = keys.enumerated().map { set($0.offset + 2, $0.element) }
        for set in sets { set.revert() }
        #expect(values == ["1", "1.0", "1"])
        #expect(scope.changeSets.isEmpty)
    }

    @Test(
        "the values of a completed set stay if an earlier set is reverted",
        .original("testReverseInBetweenChangeSet")
    )
    func between() {
        let sets = [set(2), set(3)]
        sets[0].revert()
        scope.accept(sets[1])
        #expect(values == ["3", "3.0", "3"])
        #expect(scope.changeSets.isEmpty)
    }

    @Test("a set on another object between two sets loses nothing")
    func otherObject() {
        root.childModel = TestModel()
        _ = scope.getAndClearSyncFragments()
        let first = set(2)
        let other = scope.modify { root.childModel?.integer = 7 }
        let second = set(3)
        first.revert()
        other.revert()
        second.revert()
        #expect(values == ["1", "1.0", "1"])
        #expect(root.childModel?.integer == 0)
    }

    @Test("a change that is not part of a set yet stays when earlier sets are reverted")
    func uncollected() {
        let first = set(2)
        root.integer = 9
        first.revert()
        #expect(values == ["9", "1.0", "1"])
        let second = scope.flush()
        second?.revert()
        #expect(values == ["1", "1.0", "1"])
    }

    // MARK: Remote values while sets are pending (Jetstream.md §4.3)

    @Test("a remote value that a pending set masks is restored by its revert")
    func masked() {
        let first = set(2, "a")
        let second = set(3, "a")
        scope.receive(.sync([Self.change(root, ["integer": 50, "float32": 60])]))
        #expect(values == ["3", "60.0", "1"], "only touched properties are masked")
        first.revert()
        #expect(root.integer == 3)
        second.revert()
        #expect(root.integer == 50)
    }

    @Test("a remote value is masked by changes that are not part of a set yet")
    func maskedByPending() {
        root.integer = 2
        scope.receive(.sync([Self.change(root, ["integer": 50])]))
        #expect(root.integer == 2)
        scope.flush()?.revert()
        #expect(root.integer == 50)
    }

    @Test("after a set was accepted, remote values apply again")
    func unmasked() {
        let first = set(2, "a")
        scope.receive(.sync([Self.change(root, ["integer": 50])]))
        scope.accept(first)
        #expect(root.integer == 2)
        scope.receive(.sync([Self.change(root, ["integer": 51])]))
        #expect(root.integer == 51)
    }

    @Test("an object that only a masked value refers to is kept, changed, and restored by a revert")
    func maskedObject() {
        let first = scope.modify { root.childModel = TestModel() }
        scope.receive(
            .sync([
                Receiver.add(7, ["string": "remote"]), Self.change(root, ["childModel": Receiver.text(7)]),
            ])
        )
        #expect(scope.object(id: Receiver.id(7)) == nil)
        scope.receive(.sync([Receiver.change(7, ["string": "changed", "integer": 4])]))
        first.revert()
        #expect(root.childModel?.uuid == Receiver.id(7))
        #expect(root.childModel?.string == "changed" && root.childModel?.integer == 4)
        #expect(scope.count == 2)
        root.childModel?.integer = 5
        #expect(scope.getAndClearSyncFragments().map(\.kind) == [.change])
    }

    @Test("an object that only a masked value refers to is forgotten when the set is accepted")
    func maskedObjectForgotten() {
        let first = scope.modify { root.childModel = TestModel() }
        scope.receive(.sync([Receiver.add(7), Self.change(root, ["childModel": Receiver.text(7)])]))
        #expect(scope.retained.count == 1)
        scope.accept(first)
        #expect(scope.retained.isEmpty)
    }

    @Test("an object that a pending set removed gets remote changes")
    func removedObject() {
        let child = TestModel()
        scope.accept(scope.modify { root.childModel = child })
        let removal = scope.modify { root.childModel = nil }
        scope.receive(.sync([Self.change(child, ["integer": 8])]))
        #expect(child.scope == nil && child.integer == 8)
        removal.revert()
        #expect(root.childModel === child && child.scope === scope)
        let again = scope.modify { root.childModel = nil }
        scope.accept(again)
        #expect(scope.retained.isEmpty)
        scope.receive(.sync([Self.change(child, ["integer": 9])]))
        #expect(child.integer == 8)
    }

    @Test(
        "random sets, replies and remote changes end with the server's values",
        .tags(.random),
        arguments: ProofLength.seeds(10)
    )
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // A server that has one object, applies sets in order, and whose other client writes.
        var server = ["integer": 1, "int32": 0, "int16": 0]
        var waiting: [ChangeSet] = []
        func settle() {
            guard !waiting.isEmpty else { return }
            let set = waiting.removeFirst()
            let isRefused = random.oneIn(3)
            if !isRefused {
                for (name, value) in set.fragments[0].properties { server[name] = value.intValue }
            }
            scope.settle(
                set,
                .replied([FragmentReply(error: isRefused ? ErrorObject(message: "no") : nil)])
            )
        }
        scope.onChanges(scope) { waiting.append($0) }
        for step in 1...200 {
            switch random.below(5) {
            case 0: root.integer = step
            case 1: root.int32 = Int32(step)
            case 2:
                let name = random.pick(["integer", "int32", "int16"])
                server[name] = -step
                scope.receive(.sync([Self.change(root, JSONObject([(name, .number(JSONNumber(-step)))]))]))
            case 3: scope.flush()
            default: settle()
            }
        }
        scope.flush()
        while !waiting.isEmpty { settle() }
        #expect(root.integer == server["integer"])
        #expect(Int(root.int32) == server["int32"])
        #expect(Int(root.int16) == server["int16"])
        #expect(scope.changeSets.isEmpty)
    }

    private static func change(_ object: any ModelObject, _ properties: JSONObject) -> SyncFragment {
        SyncFragment(.change, uuid: object.uuid, className: object.className, properties: properties)
    }
}
