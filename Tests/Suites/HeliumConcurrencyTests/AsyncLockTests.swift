import HeliumConcurrency
import Synchronization
import TestSupport
import Testing

@Suite("A lock of tasks", .timeLimit(.minutes(5)))
struct AsyncLockTests {
    private struct Broken: Error {}

    @Test("a lock admits one task at a time, in the order of arrival")
    func order() async throws {
        let lock = AsyncLock()
        let log = Log()
        try await lock.lock()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<20 {
            let isWaiting = lock.waiterCount
            tasks.append(
                Task {
                    try await lock.withLock {
                        log.add(number)
                        await Task.yield()
                        log.add(number)
                    }
                }
            )
            try await eventually { lock.waiterCount != isWaiting }
        }
        lock.unlock()
        for task in tasks { try await task.value }
        #expect(log.numbers == (0..<20).flatMap { [$0, $0] })
    }

    @Test("a lock does not admit a task that is cancelled while it waits, and admits the next one")
    func cancelled() async throws {
        let lock = AsyncLock()
        try await lock.lock()
        let waiting = Task { try await lock.withLock { Issue.record("it began") } }
        try await eventually { lock.waiterCount > 0 }
        let next = Task { try await lock.withLock { 1 } }
        try await eventually { lock.waiterCount != 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        lock.unlock()
        #expect(try await next.value == 1)
        #expect(try await lock.withLock { 2 } == 2)
    }

    @Test("a lock is released if its body throws")
    func throwing() async throws {
        let lock = AsyncLock()
        await #expect(throws: Broken.self) { try await lock.withLock { throw Broken() } }
        #expect(try await lock.withLock { 1 } == 1)
    }

    @Test("a lock admits as many tasks as it has permits", arguments: 1...3)
    func permits(count: Int) async throws {
        let lock = AsyncLock(permits: count)
        for _ in 0..<count { try await lock.lock() }
        let next = Task { try await lock.withLock { 1 } }
        try await eventually { lock.waiterCount == 1 }
        lock.unlock()
        #expect(try await next.value == 1)
        // All permits are back.
        for _ in 1..<count { lock.unlock() }
        for _ in 0..<count { try await lock.lock() }
        #expect(lock.waiterCount == 0)
    }

    @Test("a lock is released if the next of several cannot be acquired")
    func several() async throws {
        let (first, second) = (AsyncLock(), AsyncLock())
        try await second.lock()
        let both = Task { try await AsyncLock.withLocks([first, second]) { Issue.record("it began") } }
        try await eventually { second.waiterCount > 0 }
        both.cancel()
        await #expect(throws: CancellationError.self) { try await both.value }
        #expect(try await first.withLock { 1 } == 1)
    }
}

private final class Log: Sendable {
    private let entries = Guarded<[Int]>([])

    var numbers: [Int] { entries.withLock { $0 } }

    func add(_ number: Int) { entries.withLock { $0.append(number) } }
}
