import HeliumCore
import HeliumJSON
import Testing

@testable import JetstreamCore

/// A session that queues change sets while a state is applied, and then sends those that the scope passes to it.
private final class GatedSession {
    private var queued: [ChangeSet] = []
    private var numbers = 0
    private(set) var sent: [ChangeSet] = []
    var isLive = false

    func hooks() -> ScopeHooks {
        ScopeHooks(
            batchBegan: {},
            submit: { set in
                self.numbers += 1
                set.changesID = ChangesID(self.numbers)
                if self.isLive { self.sent.append(set) } else { self.queued.append(set) }
                return nil
            },
            stateApplied: { unsent in
                self.sent += unsent
                self.queued = []
                self.isLive = true
            }
        )
    }
}

/// Change sets that are made by callbacks of a scope.
@Suite("Change sets of callbacks")
struct CallbackSetTests {
    /// The code of an app that runs while a state is applied.
    enum Callback: CaseIterable {
        case remoteSync, change, changeOfRebasedProperty, collectionAdd, collectionRemove, attach, detach, addedToParent
        case removedFromParent, completion, outcome
    }

    enum Call: CaseIterable {
        case modify, modifyAtomically, modifyWithProcedure, undo
    }

    private let receiver = Receiver()
    private let session = GatedSession()
    private let owner = Counter()
    private var root: TestModel { receiver.root }
    private var scope: Scope { receiver.scope }
    /// An object that others have removed, and that the next state brings back.
    private let former: TestModel

    init() throws {
        receiver.scope.attach(session.hooks())
        receiver.receive(state: [
            Receiver.change(
                1,
                [
                    "childModel": Receiver.text(2), "array": .array([Receiver.text(3)]),
                    "childModel2": Receiver.text(4),
                ]
            ), Receiver.add(2), Receiver.add(3, [:], "AnotherTestModel"), Receiver.add(4),
        ])
        former = try #require(receiver.root.childModel2)
        receiver.receive(sync: [Receiver.change(1, ["childModel2": .null])])
    }

    private func observe(_ callback: Callback, _ unsent: ChangeSet, _ body: @escaping () -> Void) {
        let child = root.childModel
        switch callback {
        case .remoteSync: scope.onRemoteSync(owner, body)
        case .change: root.observeChangeImmediately(owner, key: "int8", body)
        case .changeOfRebasedProperty: root.observeChangeImmediately(owner, key: "int32", body)
        case .collectionAdd: root.observeCollectionAdd(owner, key: "array") { (_: AnotherTestModel) in body() }
        case .collectionRemove: root.observeCollectionRemove(owner, key: "array") { (_: AnotherTestModel) in body() }
        case .attach: former.observeAttach(owner) { _ in body() }
        case .detach: child?.observeDetach(owner) { _ in body() }
        case .addedToParent: former.observeAddedToParent(owner) { _, _ in body() }
        case .removedFromParent: child?.observeRemovedFromParent(owner) { _, _ in body() }
        case .completion: unsent.observeCompletion(owner) { _ in body() }
        case .outcome: unsent.observeState(owner) { _ in body() }
        }
    }

    private func make(_ call: Call, undoing earlier: ChangeSet) -> ChangeSet {
        let change = { root.int16 += 1 }
        return switch call {
        case .modify: scope.modify(change)
        case .modifyAtomically: scope.modifyAtomically(change)
        case .modifyWithProcedure: scope.modifyWithProcedure("TestModel.count", change)
        case .undo: scope.undo(earlier)
        }
    }

    @Test(
        "a set that a callback makes while a state is applied is sent, behind the older unsent ones, and settles",
        arguments: Callback.allCases,
        Call.allCases
    )
    func duringState(callback: Callback, call: Call) throws {
        let earlier = scope.modify { root.uint64 = 7 }
        try scope.reply(earlier, [FragmentReply()])
        session.isLive = false
        let kept = scope.modify { root.int32 = 9 }
        let settled = scope.modify { root.string = "other" }
        var made: [ChangeSet] = []
        observe(callback, settled) {
            if made.isEmpty { made.append(make(call, undoing: earlier)) }
        }
        let count = session.sent.count
        // Settles one unsent set, and changes, adds and removes objects.
        receiver.receive(state: [
            Receiver.change(
                1,
                [
                    "string": "other", "int8": 1, "uint64": 7, "childModel2": Receiver.text(4),
                    "array": .array([Receiver.text(5)]),
                ]
            ), Receiver.add(4), Receiver.add(5, [:], "AnotherTestModel"),
        ])
        let set = try #require(made.first)
        let sent = session.sent.dropFirst(count)
        #expect(sent.map(ObjectIdentifier.init) == [ObjectIdentifier(kept), ObjectIdentifier(set)])
        #expect(settled.state == .completed && kept.state == .syncing && set.state == .syncing)
        for set in sent { try scope.reply(set, set.fragments.map { _ in FragmentReply() }) }
        #expect(set.state == .completed && scope.changeSets.isEmpty)
        receiver.receive(sync: [Receiver.change(1, ["int16": 100, "uint64": 100])])
        #expect(root.int16 == 100 && root.uint64 == 100, "nothing masks the properties")
    }

    @Test("observers see what a state and the unsent sets give together")
    func consistent() {
        session.isLive = false
        scope.modify { root.int32 = 9 }
        var seen: [Int32] = []
        root.observeChangeImmediately(owner, key: "int8") { [root] in seen.append(root.int32) }
        receiver.receive(state: [Receiver.change(1, ["int8": 1, "int32": 5])])
        #expect(seen == [9])
    }

    @Test("a callback of a reverted set sees it reverted, and its pending sets gone")
    func afterRevert() throws {
        let set = scope.modify { root.int32 = 9 }
        var seen: [ChangeSet.State] = []
        root.observeChangeImmediately(owner, key: "int32") { [scope] in
            seen.append(set.state)
            scope.undo(set)
        }
        try scope.reply(set, [FragmentReply(error: ErrorObject(message: "no"))])
        #expect(seen == [.reverted] && scope.changeSets.isEmpty && root.int32 == 0)
    }

    @Test("when a session ends, the callbacks run after all sets are settled")
    func afterEnd() {
        let (first, second) = (scope.modify { root.int32 = 9 }, scope.modify { root.int8 = 3 })
        var states: [ChangeSet.State] = []
        var made: ChangeSet?
        second.observeCompletion(owner) { [scope, root] _ in
            states = [first.state, second.state]
            made = scope.modify { root.int8 = 4 }
        }
        scope.receive(.ended(JetstreamError(.clientClosed, "closed", delivery: .notSent)))
        #expect(states == [.reverted, .reverted])
        #expect(made?.state == .syncing, "it waits for the scope's next session")
    }

    // MARK: Objects that are not in the scope yet

    @Test("an observer of an object that comes back is called after the changes were applied: what it changes is sent")
    func comesBack() {
        former.observeChangeImmediately(owner) { [root] in root.int32 = 5 }
        receiver.receive(sync: [
            Receiver.add(4, ["integer": 7]), Receiver.change(1, ["childModel2": Receiver.text(4)]),
        ])
        #expect(scope.flush()?.fragments.map(\.properties) == [["int32": 5]])
    }

    @Test("an observer of an object that a new object refers to is called after the changes were applied")
    func referredToByNew() throws {
        let child = try #require(root.childModel)
        child.observeAddedToParent(owner) { [root] _, _ in root.int32 = 6 }
        receiver.receive(sync: [
            Receiver.add(5, ["childModel": Receiver.text(2)]), Receiver.change(1, ["childModel2": Receiver.text(5)]),
        ])
        #expect(scope.flush()?.fragments.map(\.properties) == [["int32": 6]])
    }

    @Test("a state that arrives after the root was removed ends the unsent sets, and later sets are sent")
    func withoutRoot() {
        session.isLive = false
        let set = scope.modify { root.int32 = 1 }
        scope.removeRoot()
        receiver.receive(state: [Receiver.change(1, ["int32": 3])])
        #expect(set.state == .reverted && set.error?.kind == .invalidScope && set.error?.delivery == .notSent)
        #expect(session.isLive && session.sent.isEmpty && scope.changeSets.isEmpty)
        let other = TestModel()
        scope.setRoot(other)
        let next = scope.modify { other.int32 = 2 }
        #expect(session.sent.count == 1 && session.sent.first === next)
    }

    // MARK: Change observers

    @Test("a set that an observer of sets makes is sent after the set that it observed", arguments: [false, true])
    func afterSubmission(undoes: Bool) {
        var reported: [ChangeSet] = []
        scope.onChanges(owner) { [scope, root] set in
            reported.append(set)
            if reported.count > 1 { return }
            if undoes { scope.undo(set) } else { scope.modify { root.int32 = 2 } }
        }
        var others: [ChangeSet] = []
        scope.onChanges(owner) { others.append($0) }
        let outer = scope.modify { root.int32 = 1 }
        #expect(session.sent.first === outer && session.sent.count == 2)
        let sent = session.sent.map(ObjectIdentifier.init)
        #expect(reported.map(ObjectIdentifier.init) == sent && others.map(ObjectIdentifier.init) == sent)
        #expect(root.int32 == (undoes ? 0 : 2))
    }

    @Test("a set that the session rejects is not reported")
    func rejected() {
        let session = RecordingSession()
        session.refusal = JetstreamError(.invalidChanges, "no", delivery: .notSent)
        scope.attach(session.hooks())
        var count = 0
        scope.onChanges(owner) { _ in count += 1 }
        #expect(scope.modify { root.int32 = 1 }.state == .reverted && count == 0)
    }
}
