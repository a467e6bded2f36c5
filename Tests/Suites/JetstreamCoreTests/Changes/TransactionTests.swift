import Foundation
import HeliumCore
import HeliumJSON
import Testing

@testable import JetstreamCore

/// The hooks of a session that notes what it is told.
final class RecordingSession {
    var batches = 0
    var submitted: [ChangeSet] = []
    var refusal: JetstreamError?
    var applied: [[ChangeSet]] = []
    /// The last set that was sent, as the session says when the scope leaves it.
    var lastSent: ChangesID?
    /// The time of the session's clock.
    var now: Duration?
    /// Whether the scope has said that it is paused.
    var isPaused = false

    func hooks() -> ScopeHooks {
        ScopeHooks(
            batchBegan: { self.batches += 1 },
            submit: { set in
                self.submitted.append(set)
                set.changesID = ChangesID(self.submitted.count)
                return self.refusal
            },
            stateApplied: { self.applied.append($0) },
            detached: { self.lastSent },
            paused: { self.isPaused = $0 },
            uptime: { self.now }
        )
    }
}

extension Scope {
    /// Receives the server's reply to a set.
    func reply(_ set: ChangeSet, _ replies: [FragmentReply]) throws {
        receive(.settled(try #require(set.changesID), .replied(replies)))
    }
}

@Suite("Outcomes of change sets")
struct TransactionTests {
    private let receiver = Receiver()
    private let session = RecordingSession()
    private var root: TestModel { receiver.root }
    private var scope: Scope { receiver.scope }

    init() {
        receiver.scope.attach(session.hooks())
        receiver.receiveChild()
    }

    @Test("an accepted set keeps its values", .original("testChangeSetSuccessfulCompletionWithoutModifications"))
    func accepted() async throws {
        let set = scope.modify { root.string = "new" }
        try scope.reply(set, [FragmentReply()])
        try await set.completion()
        #expect(root.string == "new")
        #expect(set.state == .completed)
    }

    @Test("an object whose add was refused is added again when it comes back")
    func addedAnew() throws {
        let object = TestModel()
        let refused = scope.modify { root.childModel2 = object }
        try scope.reply(refused, refused.fragments.map { _ in FragmentReply(error: ErrorObject(message: "no")) })
        #expect(root.childModel2 == nil && object.scope == nil)
        let second = scope.modify { root.childModel2 = object }
        #expect(second.fragments.contains { $0.kind == .add && $0.uuid == object.uuid })
        try scope.reply(second, second.fragments.map { _ in FragmentReply() })
        #expect(scope.modify { object.string = "new" }.fragments.map(\.kind) == [.change])
    }

    @Test("an object whose add is refused is known if the server accepts a reference to it")
    func knownToServer() throws {
        let object = TestModel()
        let set = scope.modify { root.childModel2 = object }
        let error = ErrorObject(message: "the object exists")
        try scope.reply(set, set.fragments.map { FragmentReply(error: $0.kind == .add ? error : nil) })
        #expect(set.state == .partiallyReverted && root.childModel2 === object)
        #expect(scope.modify { object.string = "new" }.fragments.map(\.kind) == [.change])
    }

    @Test("an object that came back while its removal was pending is not added if the removal is refused")
    func backBeforeRefusal() throws {
        let child = try #require(root.childModel)
        let removal = scope.modify { root.childModel = nil }
        root.childModel2 = child
        try scope.reply(removal, [FragmentReply(error: ErrorObject(message: "no"))])
        #expect(root.childModel === child)
        #expect(scope.flush()?.fragments.map(\.kind) == [.change])
    }

    @Test("a refused change of an object before its second add does not affect what that add sent")
    func changedBetweenAdds() throws {
        let object = TestModel()
        let add = scope.modify { root.childModel2 = object }
        let change = scope.modify { object.string = "changed" }
        try scope.reply(add, add.fragments.map { _ in FragmentReply(error: ErrorObject(message: "no")) })
        #expect(object.scope == nil)
        let second = scope.modify { root.childModel2 = object }
        #expect(second.fragments.first { $0.kind == .add }?.properties["string"] == "changed")
        try scope.reply(change, [FragmentReply(error: ErrorObject(message: "no such object"))])
        #expect(object.string == "changed", "as the server has it")
        try scope.reply(second, second.fragments.map { _ in FragmentReply() })
        #expect(object.string == "changed" && root.childModel2 === object)
        #expect(scope.getAndClearSyncFragments() == [])
    }

    @Test(
        "a peer's change of an object before its pending add counts only if the add is refused",
        arguments: [true, false]
    )
    func changedBeforeAdd(isAccepted: Bool) throws {
        let child = try #require(root.childModel)
        receiver.receive(sync: [Receiver.change(1, ["childModel": .null])])
        child.string = "ours"
        let add = scope.modify { root.childModel2 = child }
        #expect(add.fragments.contains { $0.kind == .add })
        receiver.receive(sync: [
            Receiver.add(2, ["string": "theirs"]), Receiver.change(1, ["childModel": Receiver.text(2)]),
        ])
        receiver.receive(sync: [Receiver.change(2, ["string": "later", "int32": 3])])
        #expect(child.string == "ours" && child.int32 != 3 && root.childModel === child)
        let error = isAccepted ? nil : ErrorObject(message: "no")
        try scope.reply(add, add.fragments.map { _ in FragmentReply(error: error) })
        #expect(child.string == (isAccepted ? "ours" : "later") && (child.int32 == 3) != isAccepted)
        #expect(scope.modify { child.string = "new" }.fragments.map(\.kind) == [.change], "the server has it")
    }

    @Test(
        "the server's modifications replace the values of a set",
        .original("testChangeSetSuccessfulCompletionWithModifications")
    )
    func modifications() throws {
        let set = scope.modify { root.string = "new" }
        try scope.reply(set, [FragmentReply(modifications: ["string": "newer", "date": 10, "integer": 2])])
        #expect(root.string == "newer")
        #expect(root.integer == 2)
        #expect(root.date?.timeIntervalSince1970 == 10)
        #expect(scope.getAndClearSyncFragments() == [])
    }

    @Test("the server's modifications do not replace the values of a later set")
    func modificationsBelow() throws {
        let first = scope.modify { root.string = "first" }
        let second = scope.modify { root.string = "second" }
        try scope.reply(first, [FragmentReply(modifications: ["string": "server's"])])
        #expect(root.string == "second")
        try scope.reply(second, [FragmentReply(error: ErrorObject(message: "no"))])
        #expect(root.string == "server's")
    }

    @Test("a reply of another length reverts the whole set", .original("testChangeSetFragmentReplyMismatch"))
    func mismatch() throws {
        let set = scope.modify { root.string = "new" }
        try scope.reply(set, [])
        #expect(set.state == .reverted && set.error?.kind == .replyMismatch)
        #expect(root.string == "root")
    }

    @Test("a reply of another type reverts the whole set", .original("testChangeInvalidMessageTypeError"))
    func wrongReply() throws {
        let set = scope.modify { root.string = "new" }
        let error = JetstreamError(.replyMismatch, "a reply of another type", delivery: .answered)
        scope.receive(.settled(try #require(set.changesID), .reverted(error)))
        #expect(set.state == .reverted)
        #expect(root.string == "root")
    }

    @Test("only the refused fragment of a set is reverted", .original("testSpecificFragmentReversal"))
    func partial() throws {
        let set = scope.modify {
            root.string = "new root"
            root.childModel?.string = "new child"
        }
        let refused = ErrorObject(message: "no")
        try scope.reply(set, [FragmentReply(), FragmentReply(error: refused)])
        #expect(root.string == "new root")
        #expect(root.childModel?.string == "child")
        #expect(set.state == .partiallyReverted)
        #expect(set.error?.kind == .changesRefused)
        #expect(set.error?.fragmentErrors == [nil, refused])
        #expect(scope.changeSets.isEmpty)
    }

    @Test("a set of which nothing is accepted is reverted")
    func refused() throws {
        let set = scope.modify {
            root.childModel2 = TestModel()
            root.string = "new"
        }
        try scope.reply(set, set.fragments.map { _ in FragmentReply(error: ErrorObject(message: "no")) })
        #expect(set.state == .reverted)
        #expect(root.childModel2 == nil && root.string == "root")
        #expect(scope.count == 2)
    }

    @Test("a set that may have been sent keeps its values")
    func maybeSent() throws {
        let set = scope.modify { root.string = "new" }
        let error = JetstreamError(.sessionLost, "lost", delivery: .maybeSent)
        scope.receive(.settled(try #require(set.changesID), .unknown(error)))
        #expect(set.state == .maybeSent)
        #expect(root.string == "new")
        #expect(scope.changeSets.isEmpty)
    }

    @Test("a set that the session refuses is reverted")
    func notTaken() {
        session.refusal = JetstreamError(.ceilingExceeded, "full", delivery: .notSent)
        let set = scope.modify { root.string = "new" }
        #expect(set.state == .reverted)
        #expect(root.string == "root")
    }

    @Test("the end of the session reverts sets that were never sent")
    func ended() {
        let sets = [scope.modify { root.string = "a" }, scope.modify { root.string = "b" }]
        // The fetch was answered, and the sets were not sent.
        scope.receive(.ended(JetstreamError(.fetchRefused, "refused", delivery: .answered)))
        #expect(sets.allSatisfy { $0.state == .reverted && $0.error?.delivery == .notSent })
        #expect(root.string == "root")
        #expect(!scope.isAttached)
    }

    @Test("a batch is announced once, and at the latest when the session attaches")
    func batches() {
        root.string = "a"
        root.integer = 9
        #expect(session.batches == 1)
        scope.flush()
        root.integer = 10
        #expect(session.batches == 2)
        let other = Scope(name: "other", root: TestModel())
        (other.root as? TestModel)?.integer = 4
        let late = RecordingSession()
        other.attach(late.hooks())
        #expect(late.batches == 1)
    }

    // MARK: A new session (Jetstream.md §7 no 5)

    @Test("sets that were never sent are applied to a new state, and sent")
    func resubmitted() throws {
        let unsent = scope.modify { root.string = "mine" }
        root.integer = 70
        receiver.receive(state: [
            Receiver.change(1, ["string": "theirs", "integer": 6, "int32": 8, "childModel": Receiver.text(2)]),
            Receiver.add(2),
        ])
        #expect(root.string == "mine" && root.integer == 70 && root.int32 == 8)
        #expect(unsent.state == .syncing)
        #expect(session.applied.last?.count == 2)
        #expect(session.applied.last?.first === unsent)
        #expect(unsent.fragments.map(\.properties) == [["string": "mine"]])
        scope.settle(unsent, .replied([FragmentReply(error: ErrorObject(message: "no"))]))
        #expect(root.string == "theirs")
    }

    @Test("objects that a new state lacks are added again")
    func addedAgain() throws {
        let child = TestModel()
        let maybe = scope.modify { root.childModel2 = child }
        child.string = "changed"
        let unsent = try #require(scope.flush())
        let move = scope.modify { root.children = [child] }
        scope.settle(maybe, .unknown(JetstreamError(.sessionLost, "lost", delivery: .maybeSent)))
        receiver.receive(state: [Receiver.change(50, ["string": "root"])], root: Receiver.id(50))
        #expect(root.uuid == Receiver.id(50))
        #expect(root.childModel2 == nil, "the set with the reference may have been sent: the state decides")
        #expect(root.children.first === child)
        #expect(move.fragments.map(\.kind) == [.add, .change])
        #expect(move.fragments.map(\.uuid) == [child.uuid, Receiver.id(50)])
        #expect(move.fragments.first?.properties["string"] == "changed")
        #expect(unsent.state == .syncing && session.applied.last?.count == 1, "the add has its change")
        try scope.reply(move, move.fragments.map { _ in FragmentReply() })
        #expect(unsent.state == .completed)
    }

    @Test("sets that were sent in this session mask the state")
    func sent() throws {
        let set = scope.modify { root.string = "sent" }
        receiver.receive(
            state: [Receiver.change(1, ["string": "older", "integer": 3])],
            sent: [try #require(set.changesID)]
        )
        #expect(root.string == "sent" && root.integer == 3)
        try scope.reply(set, [FragmentReply(error: ErrorObject(message: "no"))])
        #expect(root.string == "older")
    }
}

@Suite("Throttled properties")
struct ThrottledModificationTests {
    @Test("a value that `modify` sends begins an interval, in which the next one waits")
    func modified() throws {
        let (root, session) = (TestModel(), RecordingSession())
        let scope = Scope(name: "test", root: root)
        scope.attach(session.hooks())
        session.now = .seconds(5)
        #expect(scope.modify { root.throttled = 1 }.fragments.map(\.properties) == [["throttled": 1]])
        root.throttled = 2
        #expect(scope.flush(at: .milliseconds(5010)) == nil)
        #expect(scope.nextDeadline == .milliseconds(5050))
        session.now = .milliseconds(5020)
        let second = scope.modify { root.throttled = 3 }
        #expect(
            session.submitted.map { $0.fragments.map(\.properties) } == [
                [["throttled": 1]], [["throttled": 2]], [["throttled": 3]],
            ],
            "`modify` first sends what waits, and waits for nothing itself"
        )
        #expect(second.state == .syncing && scope.nextDeadline == nil)
        root.throttled = 4
        #expect(scope.flush(at: .milliseconds(5060)) == nil && scope.nextDeadline == .milliseconds(5070))
        #expect(scope.flush(at: .milliseconds(5070))?.fragments.map(\.properties) == [["throttled": 4]])
    }
}

@Suite("Pausing a scope")
struct ScopePauseTests {
    private let receiver = Receiver()
    private var root: TestModel { receiver.root }
    private var scope: Scope { receiver.scope }

    @Test("messages during a pause are applied when it ends", .original("testPause"))
    func pause() {
        receiver.receiveChild()
        scope.pauseIncomingMessages()
        receiver.receive(sync: [Receiver.change(1, ["string": "new"])])
        #expect(root.string == "root")
        scope.resumeIncomingMessages()
        #expect(root.string == "new")
    }

    @Test("several messages of a pause are applied in order", .original("testMultiMessagePause"))
    func several() {
        receiver.receiveChild()
        scope.pauseIncomingMessages()
        scope.pauseIncomingMessages()
        receiver.receive(sync: [Receiver.change(1, ["string": "new", "integer": 1])])
        receiver.receive(sync: [Receiver.change(1, ["string": "newer"])])
        scope.resumeIncomingMessages()
        #expect(root.string == "root" && scope.isPaused)
        scope.resumeIncomingMessages()
        #expect(root.string == "newer" && root.integer == 1)
    }

    @Test("the session is told of pauses, also of one that began before it")
    func told() {
        let session = RecordingSession()
        scope.pauseIncomingMessages()
        scope.attach(session.hooks())
        #expect(session.isPaused)
        scope.pauseIncomingMessages()
        scope.resumeIncomingMessages()
        #expect(session.isPaused)
        scope.resumeIncomingMessages()
        #expect(!session.isPaused)
    }

    @Test("what waits for the end of a pause does not keep the scope alive")
    func freed() {
        weak var held: Scope?
        do {
            let receiver = Receiver()
            receiver.scope.pauseIncomingMessages()
            receiver.receive(sync: [Receiver.change(1, ["string": "new"])])
            receiver.scope.applySyncFragments([Receiver.change(1, ["string": "newer"])])
            held = receiver.scope
        }
        #expect(held == nil)
    }

    @Test("changes of others and outcomes of sets keep their order")
    func order() {
        receiver.receiveChild()
        let set = scope.modify { root.string = "new" }
        set.changesID = ChangesID(1)
        scope.pauseIncomingMessages()
        receiver.receive(sync: [Receiver.change(1, ["string": "older"])])
        scope.receive(.settled(ChangesID(1), .replied([FragmentReply()])))
        scope.resumeIncomingMessages()
        #expect(set.state == .completed && root.string == "new")
    }

    @Test("an observer may pause and resume, and each message is applied once")
    func nested() {
        receiver.receiveChild()
        var count = 0
        let observation = scope.onRemoteSync(nil) {
            count += 1
            guard count < 10 else { return }
            scope.pauseIncomingMessages()
            scope.resumeIncomingMessages()
        }
        scope.pauseIncomingMessages()
        receiver.receive(sync: [Receiver.change(1, ["string": "new"])])
        receiver.receive(sync: [Receiver.change(1, ["string": "newer"])])
        scope.resumeIncomingMessages()
        #expect(count == 2 && root.string == "newer")
        observation.cancel()
    }

    @Test("the outcome of a set is decided when it is applied")
    func outcome() {
        receiver.receiveChild()
        let set = scope.modify { root.string = "new" }
        set.changesID = ChangesID(1)
        scope.pauseIncomingMessages()
        let error = FragmentReply(error: ErrorObject(message: "no"))
        scope.receive(.settled(ChangesID(1), .replied([error])))
        #expect(set.state == .syncing && root.string == "new")
        scope.resumeIncomingMessages()
        #expect(set.state == .reverted && root.string == "root")
    }
}
