import HeliumConcurrency
import Synchronization
import TestSupport
import Testing

@Suite("A signal", .timeLimit(.minutes(5)))
struct SignalTests {
    private struct Broken: Error {}

    @Test("a signal returns its first outcome to all who wait, early and late")
    func first() async throws {
        let signal = Signal<Int>()
        let waiting = (0..<10).map { _ in Task { try await signal.value() } }
        await Task.yield()
        #expect(!signal.isSettled)
        let isFirst = [signal.settle(.success(1)), signal.settle(.success(2)), signal.settle(.failure(Broken()))]
        #expect(isFirst == [true, false, false])
        for task in waiting { #expect(try await task.value == 1) }
        #expect(try await signal.value() == 1)
        #expect(try await signal.valueIgnoringCancellation() == 1)
        #expect(signal.isSettled)
    }

    @Test("a signal throws the error that it was settled with")
    func failure() async throws {
        let signal = Signal<Int>()
        let waiting = Task { try await signal.value() }
        signal.settle(.failure(Broken()))
        await #expect(throws: Broken.self) { try await waiting.value }
        await #expect(throws: Broken.self) { try await signal.value() }
    }

    @Test("a signal releases a cancelled task, and no other")
    func cancelled() async throws {
        let signal = Signal<Int>()
        let (leaving, staying) = (Task { try await signal.value() }, Task { try await signal.value() })
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        signal.settle(.success(1))
        #expect(try await staying.value == 1)
    }

    @Test("a signal keeps a task that ignores its cancellation")
    func uncancellable() async throws {
        let signal = Signal<Void>()
        let hasReturned = Guarded(false)
        let waiting = Task {
            try await signal.valueIgnoringCancellation()
            hasReturned.withLock { $0 = true }
        }
        waiting.cancel()
        for _ in 0..<10 { await Task.yield() }
        let isEarly = hasReturned.withLock { $0 }
        #expect(!isEarly)
        signal.settle()
        try await waiting.value
    }

    @Test("a signal calls actions once, late ones immediately, and removed ones never")
    func actions() {
        let signal = Signal<Int>()
        let seen = Guarded<[String]>([])
        let note: @Sendable (String, Result<Int, any Error>) -> Void = { name, outcome in
            seen.withLock { $0.append("\(name) \((try? outcome.get()) ?? 0)") }
        }
        let early = signal.add { note("early", $0) }
        let removed = signal.add { note("removed", $0) }
        if let removed { signal.remove(removed) }
        signal.settle(.success(1))
        signal.settle(.success(2))
        let late = signal.add { note("late", $0) }
        #expect(early != nil && late == nil)
        let lines = seen.withLock { $0 }
        #expect(lines == ["early 1", "late 1"])
    }

    @Test(
        "a signal calls what is left in the order of adding",
        arguments: [[0], [2], [4], [0, 1], [4, 3], [1, 2, 3], [0, 4, 2]]
    )
    func order(removed: [Int]) {
        let signal = Signal<Void>()
        let seen = Guarded<[Int]>([])
        let waiters = (0..<5).map { number in signal.add { _ in seen.withLock { $0.append(number) } } }
        for number in removed {
            // The second time does nothing.
            for _ in 0..<2 { if let waiter = waiters[number] { signal.remove(waiter) } }
        }
        #expect(signal.waiterCount == 5 - removed.count)
        signal.settle()
        for waiter in waiters { if let waiter { signal.remove(waiter) } }
        #expect(seen.withLock { $0 } == (0..<5).filter { !removed.contains($0) })
        #expect(signal.waiterCount == 0)
    }

    @Test("a signal frees any number of actions, settled or not", arguments: [true, false])
    func many(isSettled: Bool) {
        let count = Guarded(0)
        weak var freed: Signal<Void>?
        do {
            let signal = Signal<Void>()
            freed = signal
            for _ in 0..<300_000 { signal.add { _ in count.withLock { $0 += 1 } } }
            if isSettled { signal.settle() }
        }
        #expect(freed == nil)
        #expect(count.withLock { $0 } == (isSettled ? 300_000 : 0))
    }

    @Test("a signal loses no task when outcomes and cancellations coincide")
    func storm() async {
        for _ in 0..<200 {
            let signal = Signal<Int>()
            let tasks = (0..<4).map { _ in Task { try await signal.value() } }
            let settling = Task { _ = signal.settle(.success(1)) }
            tasks[0].cancel()
            for (number, task) in tasks.enumerated() {
                switch await task.result {
                case .success(let value): #expect(value == 1)
                case .failure(let error): #expect(number == 0 && error is CancellationError)
                }
            }
            await settling.value
            #expect(signal.isSettled && signal.waiterCount == 0)
        }
    }
}
