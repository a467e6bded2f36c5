import Foundation
import JetstreamCore
import Observation
import Testing

/// The ways to end an observation.
enum ObservationEnd: CaseIterable, Sendable {
    case cancelling
    case releasingToken
    case removingObservers
}

@Suite("Coalesced observers")
struct CoalescedObserverTests {
    private let model = TestModel()
    private let turn = Turn()
    private let calls = Counter()

    @Test(
        "a coalesced observer of a key is called once for two changes of it",
        .original("testSpecificPropertyListeners")
    )
    func oneKey() {
        model.observeChange(calls, key: "string", on: turn) { calls.add() }
        model.string = "a"
        model.string = "b"
        model.integer = 1
        #expect(calls.count == 0)
        turn.flush()
        #expect(calls.count == 1)
        model.integer = 2
        turn.flush()
        #expect(calls.count == 1)
    }

    @Test(
        "a coalesced observer of two keys is called once for several changes",
        .original("testMultiPropertyListeners")
    )
    func twoKeys() {
        model.observeChange(calls, keys: ["string", "integer"], on: turn) { calls.add() }
        let byPath = Counter()
        model.observeChange(byPath, \.string, \.integer, on: turn) { byPath.add() }
        for value in 1...3 {
            model.integer = value
            model.string = "\(value)"
        }
        turn.flush()
        #expect(calls.count == 1)
        #expect(byPath.count == 1)
    }

    @Test(
        "a coalesced observer is called once for changes with equal values among them",
        .original("testNoDispatchForNoChange")
    )
    func equalValues() {
        model.observeChange(calls, on: turn) { calls.add() }
        for _ in 0..<2 {
            model.string = "a"
            model.color = RGBAColor(1)
            model.date = Date(timeIntervalSince1970: 1)
        }
        turn.flush()
        model.string = "a"
        turn.flush()
        #expect(calls.count == 1)
    }

    @Test("a change made by an observer belongs to the next turn")
    func nextTurn() {
        model.observeChange(calls, on: turn) {
            calls.add()
            if model.integer < 3 { model.integer += 1 }
        }
        model.integer = 1
        turn.flush()
        #expect(calls.count == 1)
        turn.flush()
        turn.flush()
        turn.flush()
        #expect(calls.count == 3)
        #expect(turn.isEmpty)
    }

    @Test(
        "an observation that ends after a change is not called at the end of the turn",
        arguments: ObservationEnd.allCases
    )
    func ended(end: ObservationEnd) {
        let owner = Counter()
        var observation: ModelObservation? = model.observeChange(end == .releasingToken ? nil : owner, on: turn) {
            calls.add()
        }
        let tree = model.observeTreeChange(owner, on: turn) { calls.add() }
        model.integer = 1
        tree.cancel()
        switch end {
        case .cancelling: observation?.cancel()
        case .releasingToken: observation = nil
        case .removingObservers: model.removeObservers(owner)
        }
        turn.flush()
        model.integer = 2
        turn.flush()
        #expect(calls.count == 0)
        #expect(observation != nil || end == .releasingToken)
    }

    @Test("an observation that its own closure cancels was called once")
    func endedByItself() {
        var observation: ModelObservation?
        observation = model.observeChange(calls, on: turn) {
            calls.add()
            model.integer += 1
            observation?.cancel()
        }
        model.integer = 1
        turn.flush()
        turn.flush()
        #expect(calls.count == 1)
    }

    @Test(
        "on an actor, an observation that ends after a change is not called either",
        .timeLimit(.minutes(5)),
        arguments: ObservationEnd.allCases
    )
    @MainActor
    func endedOnActor(end: ObservationEnd) async {
        let shape = MainShape()
        let (owner, last, calls) = (Counter(), Counter(), Counter())
        var observation: ModelObservation? = shape.observeChange(end == .releasingToken ? nil : owner) { calls.add() }
        await withCheckedContinuation { continuation in
            // Called after the first one would be.
            shape.observeChange(last) { continuation.resume() }
            shape.x = 1
            switch end {
            case .cancelling: observation?.cancel()
            case .releasingToken: observation = nil
            case .removingObservers: shape.removeObservers(owner)
            }
        }
        #expect(calls.count == 0)
        #expect(observation != nil || end == .releasingToken)
    }

    @Test("a coalesced observer on an actor is called in a later turn", .timeLimit(.minutes(5)))
    @MainActor
    func actor() async {
        let shape = MainShape()
        let calls = Counter()
        await withCheckedContinuation { continuation in
            shape.observeChange(calls) {
                calls.add()
                continuation.resume()
            }
            shape.x = 1
            shape.y = 2
            #expect(calls.count == 0)
        }
        #expect(calls.count == 1)
    }

    @Test("a coalesced observer of a plain model works on an actor", .timeLimit(.minutes(5)))
    func plainOnActor() async { await Studio().run() }

    private actor Studio {
        let shape = Shape()
        var calls = 0

        func run() async {
            await withCheckedContinuation { continuation in
                let owner = Counter()
                shape.observeChange(owner, \.x) { [owner] in
                    owner.add()
                    self.calls += 1
                    continuation.resume()
                }
                shape.x = 1
                shape.x = 2
            }
            #expect(calls == 1)
        }
    }
}

@Suite("Lifetimes of observers")
struct ObserverLifeTests {
    private let model = TestModel()

    @Test("an observation ends with its owner")
    func owner() {
        let calls = Counter()
        var owner: Counter? = Counter()
        model.observeChangeImmediately(owner) { calls.add() }
        model.integer = 1
        owner = nil
        model.integer = 2
        #expect(calls.count == 1)
    }

    @Test("an observation without owner ends with its token")
    func token() {
        let calls = Counter()
        var observation: ModelObservation? = model.observeChangeImmediately(nil) { calls.add() }
        model.integer = 1
        #expect(observation != nil)
        observation = nil
        model.integer = 2
        #expect(calls.count == 1)
    }

    @Test("all observers of an owner are removed at once, of this object only")
    func removing() {
        let (owner, other) = (Counter(), Counter())
        model.observeChangeImmediately(owner) { owner.add() }
        model.observeChangeImmediately(owner, key: "integer") { owner.add() }
        model.observeChangeImmediately(other) { other.add() }
        model.removeObservers(owner)
        model.integer = 1
        #expect(owner.count == 0)
        #expect(other.count == 1)
    }

    @Test("a cancelled observation releases its closure")
    func captured() {
        weak var captured: Counter?
        let observation: ModelObservation
        do {
            let counter = Counter()
            captured = counter
            observation = model.observeChangeImmediately(self.model) { counter.add() }
        }
        #expect(captured != nil)
        observation.cancel()
        #expect(captured == nil)
    }

    @Test("observers may add and remove observers while they are called")
    func whileFiring() {
        let owner = Counter()
        var calls: [String] = []
        var second: ModelObservation?
        model.observeChangeImmediately(owner) {
            calls.append("first")
            second?.cancel()
            model.observeChangeImmediately(owner) { calls.append("added") }
        }
        second = model.observeChangeImmediately(owner) { calls.append("second") }
        model.integer = 1
        #expect(calls == ["first"])
        model.integer = 2
        #expect(calls == ["first", "first", "added"])
    }

    @Test("observers of a scope that are removed while an event is delivered are not called")
    func removedFromScope() {
        let scope = Scope(name: "test", root: model)
        let (owner, other) = (Counter(), Counter())
        scope.onChanges(other) { _ in scope.removeObservers(owner) }
        scope.onChanges(owner) { _ in owner.add() }
        scope.onChanges(other) { _ in other.add() }
        scope.modify { model.integer = 1 }
        #expect(owner.count == 0 && other.count == 1)
        scope.onRemoteSync(other) { scope.removeObservers(owner) }
        scope.onRemoteSync(owner) { owner.add() }
        scope.onRemoteSync(other) { other.add() }
        scope.receive(.sync([]))
        #expect(owner.count == 0 && other.count == 2)
    }

    @Test("Observation registers the properties that were read")
    func withTracking() {
        let calls = Guard()
        withObservationTracking {
            _ = model.composite
        } onChange: {
            calls.set()
        }
        model.integer = 1
        #expect(!calls.isSet)
        model.float32 = 1
        #expect(calls.isSet)
    }

    // `onChange` runs within the set of the property, on the thread that reads this afterwards: one thread has it.
    private final class Guard: @unchecked Sendable {
        private(set) var isSet = false
        func set() { isSet = true }
    }
}

@Suite("Sequences of changes")
struct ChangeSequenceTests {
    @Test("a slow reader gets one element for many changes", .timeLimit(.minutes(5)))
    func changes() async throws {
        var model: TestModel? = TestModel()
        let changes = try #require(model?.changes(keys: ["integer", "string"]))
        var iterator = changes.makeAsyncIterator()
        model?.string = "a"
        model?.integer = 1
        model?.integer = 2
        model?.double64 = 1
        #expect(await iterator.next() == ["string", "integer"])
        model?.integer = 3
        #expect(await iterator.next() == ["integer"])
        model = nil
        #expect(await iterator.next() == nil)
    }

    @Test("changes below an object are elements of its tree's sequence", .timeLimit(.minutes(5)))
    func tree() async {
        let model = TestModel()
        let scope = Scope(name: "test", root: model)
        var iterator = model.treeChanges().makeAsyncIterator()
        for value in 1...3 {
            if value == 1 { model.childModel = TestModel() } else { model.childModel?.integer = value }
            #expect(await iterator.next() == [""])
        }
        #expect(scope.count == 2)
    }
}
