import HeliumConcurrency
import Synchronization
import TestSupport
import Testing

@testable import Cosm

@Suite("Writes in line", .timeLimit(.minutes(1)))
struct WriteLineTests {
    @Test("one is under way at a time, in the order of asking")
    func order() async throws {
        let line = WriteLine()
        let log = Log()
        try await line.enter()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<20 {
            let isWaiting = line.count
            tasks.append(
                Task {
                    try await line.run {
                        log.add(number)
                        await Task.yield()
                        log.add(number)
                    }
                }
            )
            try await eventually { line.count != isWaiting }
        }
        line.leave()
        for task in tasks { try await task.value }
        #expect(log.numbers == (0..<20).flatMap { [$0, $0] })
    }

    @Test("who is cancelled while waiting does not begin, and holds nobody up")
    func cancelled() async throws {
        let line = WriteLine()
        try await line.enter()
        let waiting = Task { try await line.run { Issue.record("it began") } }
        try await eventually { line.count > 0 }
        let next = Task { try await line.run { 1 } }
        try await eventually { line.count != 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        line.leave()
        #expect(try await next.value == 1)
        #expect(try await line.run { 2 } == 2)
    }

    @Test("a write that throws lets the next in")
    func throwing() async throws {
        let line = WriteLine()
        await #expect(throws: IncompleteModel.feedHasNoID) { try await line.run { throw IncompleteModel.feedHasNoID } }
        #expect(try await line.run { 1 } == 1)
    }

    @Test("several lines are left when one can't be entered")
    func several() async throws {
        let (first, second) = (WriteLine(), WriteLine())
        try await second.enter()
        let both = Task { try await WriteLine.run(inAll: [first, second]) { Issue.record("it began") } }
        try await eventually { second.count > 0 }
        both.cancel()
        await #expect(throws: CancellationError.self) { try await both.value }
        #expect(try await first.run { 1 } == 1)
    }
}

private final class Log: Sendable {
    private let entries = Guarded<[Int]>([])

    var numbers: [Int] { entries.withLock { $0 } }

    func add(_ number: Int) { entries.withLock { $0.append(number) } }
}
