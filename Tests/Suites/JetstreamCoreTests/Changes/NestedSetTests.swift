import HeliumCore
import HeliumJSON
import Testing

@testable import JetstreamCore

@Suite("Change sets inside others")
struct NestedSetTests {
    private let receiver = Receiver()
    private let session = RecordingSession()
    private let owner = Counter()
    private var root: TestModel { receiver.root }
    private var scope: Scope { receiver.scope }

    init() {
        receiver.scope.attach(session.hooks())
        receiver.receiveChild()
    }

    @Test("the changes of an immediate observer's call belong to the outer set", arguments: [false, true])
    func joins(isProcedure: Bool) {
        var inner: ChangeSet?
        root.observeChangeImmediately(owner, key: "integer") { [scope, root] in
            inner = scope.modify { root.int32 = 2 }
        }
        let change = {
            root.int8 = 1
            root.integer = 9
            root.int16 = 3
        }
        let outer = isProcedure ? scope.modifyWithProcedure("TestModel.set", change) : scope.modifyAtomically(change)
        #expect(inner === outer && session.submitted.count == 1 && session.submitted.first === outer)
        #expect(outer.fragments.map(\.properties) == [["int8": 1, "integer": 9, "int32": 2, "int16": 3]])
        #expect(outer.isAtomic && outer.procedure == (isProcedure ? "TestModel.set" : nil))
    }

    @Test("what an observer of an earlier set changes does not become part of the next set and its procedure")
    func observerOfEarlierSet() {
        var reported: [ChangeSet] = []
        scope.onChanges(owner) { [root] set in
            if reported.isEmpty { root.int32 = 4 }
            reported.append(set)
        }
        root.int8 = 1
        let set = scope.modifyWithProcedure("TestModel.set") { root.int16 = 3 }
        #expect(set.fragments.map(\.properties) == [["int16": 3]])
        #expect(session.submitted.map { $0.fragments.map(\.properties) } == [[["int8": 1]], [["int16": 3]]])
        #expect(reported.map(ObjectIdentifier.init) == session.submitted.map(ObjectIdentifier.init))
        let rest = scope.flush()
        #expect(rest?.fragments.map(\.properties) == [["int32": 4]] && rest?.procedure == nil)
    }

    @Test("an atomic call inside another makes the set atomic, and undo inside another joins")
    func atomic() throws {
        let earlier = scope.modify { root.int32 = 5 }
        try scope.reply(earlier, [FragmentReply()])
        let outer = scope.modify {
            root.int8 = 1
            #expect(scope.modifyAtomically { root.int16 = 2 }.state == .syncing)
            scope.undo(earlier)
        }
        #expect(outer.isAtomic && session.submitted.count == 2)
        #expect(outer.fragments.map(\.properties) == [["int8": 1, "int16": 2, "int32": 0]])
        #expect(try #require(session.submitted.last).outgoing(as: ChangesID(2)).isAtomic)
    }

    @Test("a call with a procedure inside a set without it is refused and changes nothing")
    func procedureInside() {
        for procedure in [String?.none, "TestModel.other"] {
            var inner: ChangeSet?
            let body = {
                root.int8 += 1
                inner = scope.modifyWithProcedure("TestModel.set") { root.int16 = 2 }
            }
            let outer = procedure.map { scope.modifyWithProcedure($0, body) } ?? scope.modify(body)
            #expect(inner?.state == .reverted && inner?.error?.kind == .invalidChanges && root.int16 == 0)
            #expect(outer.state == .syncing && outer.fragments.first?.properties.count == 1)
        }
    }

    @Test("a set of nested calls with the same procedure must match the conditions of both")
    func conditions() {
        func set(_ outer: Int, _ inner: Int) -> ChangeSet {
            scope.modifyWithProcedure("TestModel.set", constraints: [condition("integer", outer)]) {
                root.integer = 1
                scope.modifyWithProcedure("TestModel.set", constraints: [condition("int32", inner)]) { root.int32 = 2 }
            }
        }
        #expect(set(1, 3).error?.kind == .invalidChanges && set(2, 2).error?.kind == .invalidChanges)
        #expect(session.submitted.isEmpty && root.int32 == 0)
        #expect(set(1, 2).state == .syncing)
    }

    private func condition(_ name: String, _ value: Int) -> Constraint {
        Constraint(.change, className: "TestModel", properties: [name: .value(.number(JSONNumber(value)))])
    }

    @Test("an error of an inner closure passes to the outer one, which may catch it; the changes stay")
    func throwing() {
        struct Stop: Error {}
        let outer = scope.modify {
            root.int8 = 1
            #expect(throws: Stop.self) {
                try scope.modify {
                    root.int16 = 2
                    throw Stop()
                }
            }
        }
        #expect(outer.fragments.map(\.properties) == [["int8": 1, "int16": 2]])
        #expect(throws: Stop.self) {
            try scope.modify {
                root.int8 = 2
                throw Stop()
            }
        }
        #expect(session.submitted.count == 2)
    }

    @Test("an inner set is not settled before the outer closure returns, and is completed if nothing has changed")
    func empty() {
        var inner: ChangeSet?
        var isCompleted = false
        let outer = scope.modify {
            inner = scope.modify {}
            inner?.observeCompletion(owner) { isCompleted = $0 == nil }
            #expect(inner?.state == .syncing && !isCompleted)
        }
        #expect(inner === outer && outer.state == .completed && isCompleted && session.submitted.isEmpty)
    }

    @Test("collecting changes and resuming deliveries inside a closure do not split its set")
    func whole() {
        scope.pauseIncomingMessages()
        receiver.receive(sync: [Receiver.change(1, ["int8": 5])])
        let outer = scope.modify {
            root.int16 = 1
            #expect(scope.flush() == nil)
            scope.resumeIncomingMessages()
            #expect(root.int8 == 0, "the delivery waits")
            root.int32 = 2
        }
        #expect(outer.fragments.map(\.properties) == [["int16": 1, "int32": 2]])
        #expect(root.int8 == 5 && session.submitted.count == 1)
    }

    @Test("a set cannot be undone inside the closure that makes it")
    func undoneWhileMade() {
        var undone: ChangeSet?
        let outer = scope.modify {
            let inner = scope.modify { root.int8 = 2 }
            undone = scope.undo(inner)
        }
        #expect(undone?.state == .reverted && undone?.error?.kind == .invalidChanges)
        #expect(outer.fragments.map(\.properties) == [["int8": 2]] && session.submitted.count == 1)
    }

    @Test("a set of another scope inside a closure is its own")
    func otherScope() {
        let other = Scope(name: "other", root: TestModel())
        let second = RecordingSession()
        other.attach(second.hooks())
        let outer = scope.modify {
            root.int8 = 1
            other.modify { (other.root as? TestModel)?.int8 = 2 }
        }
        #expect(session.submitted.count == 1 && session.submitted.first === outer && second.submitted.count == 1)
    }
}
