import HeliumCore
import HeliumTesting
import Testing

@Suite("Test clock", .timeLimit(.minutes(5)))
struct TestClockTests {
    @Test("timeouts on a test clock are neither sleepers nor skipped")
    func deadlines() async throws {
        let clock = TestClock(skippingSleepsUpTo: .seconds(30))
        let limit = Task { try await clock.waitForDeadline(at: .seconds(20)) }
        await clock.waitForDeadlines()
        #expect(clock.deadlineCount == 1 && clock.nextDeadline == .seconds(20))
        #expect(clock.sleeperCount == 0 && clock.nextWakeTime == nil && clock.advanceToNextSleeper() == nil)
        try await clock.sleep(for: .seconds(19))
        #expect(clock.deadlineCount == 1 && clock.requestedSleeps == [.seconds(19)])
        try await clock.sleep(for: .seconds(1))
        try await limit.value
        try await clock.waitForDeadline(at: .seconds(20))
        let cancelled = Task { try await clock.waitForDeadline(at: .seconds(21)) }
        await clock.waitForDeadlines()
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(clock.deadlineCount == 0)
    }

    @Test(
        "a test clock takes any durations",
        arguments: [
            Duration(attoseconds: .max), Duration(attoseconds: .min), .seconds(Int64.max), .seconds(Int64.min), .zero,
        ]
    )
    func extremes(duration: Duration) async throws {
        let clock = TestClock(wallTime: duration, skippingSleepsUpTo: duration)
        for _ in 0..<3 {
            clock.advance(by: duration)
            clock.advance(to: duration)
            clock.setWallTime(duration)
            clock.advance(by: .seconds(1))
            let waits = [
                Task { try await clock.sleep(for: duration) }, Task { try await clock.waitForDeadline(at: duration) },
            ]
            for _ in 0..<100 { await Task.yield() }
            clock.advanceToNextSleeper()
            for wait in waits {
                wait.cancel()
                _ = await wait.result
            }
        }
    }

    @Test("sleepers of a test clock wake when their time has passed")
    func wakes() async throws {
        let clock = TestClock(wallTime: .seconds(100))
        let long = Task { try await clock.sleep(for: .seconds(10)) }
        let short = Task { try await clock.sleep(for: .seconds(5)) }
        await clock.waitForSleepers(2)
        #expect(clock.nextWakeTime == .seconds(5))
        clock.advance(by: .seconds(4))
        #expect(clock.sleeperCount == 2)
        clock.advance(to: .seconds(5))
        try await short.value
        #expect(clock.sleeperCount == 1 && clock.uptime == .seconds(5) && clock.wallTime == .seconds(105))
        #expect(clock.advanceToNextSleeper() == .seconds(5))
        try await long.value
        #expect(clock.advanceToNextSleeper() == nil && clock.nextWakeTime == nil)
        #expect(clock.requestedSleeps.sorted() == [.seconds(5), .seconds(10)])
    }

    @Test("the time of a test clock does not go back")
    func neverBack() {
        let clock = TestClock()
        clock.advance(by: .seconds(5))
        clock.advance(by: .seconds(-3))
        clock.advance(to: .seconds(1))
        #expect(clock.uptime == .seconds(5))
        clock.setWallTime(.zero)
        #expect(clock.wallTime == .zero && clock.uptime == .seconds(5))
    }

    @Test("a test clock skips short sleeps, and long ones wait")
    func skips() async throws {
        let clock = TestClock(skippingSleepsUpTo: .seconds(30))
        let deadline = Task { try await clock.sleep(for: .seconds(60)) }
        await clock.waitForSleepers()
        for _ in 0..<2 { try await clock.sleep(for: .seconds(20)) }
        #expect(clock.uptime == .seconds(40) && clock.sleeperCount == 1)
        // The jump passes the other's time: it wakes.
        try await clock.sleep(for: .seconds(20))
        try await deadline.value
        #expect(clock.uptime == .seconds(60))
    }

    @Test("a loop of sleeps on a test clock runs to its end without waiting")
    func runsUntilIdle() async throws {
        let clock = TestClock()
        let count = try await clock.runUntilIdle {
            for _ in 0..<100 { try await clock.sleep(for: .seconds(3600)) }
            return clock.requestedSleeps.count
        }
        #expect(count == 100 && clock.uptime == .seconds(360_000))
        await #expect(throws: CancellationError.self) {
            try await clock.runUntilIdle { throw CancellationError() }
        }
    }

    @Test("a test clock that runs until idle moves to the earliest of several pauses, whichever begins first")
    func runsSeveral() async throws {
        for _ in 0..<50 {
            let clock = TestClock()
            let times = try await clock.runUntilIdle { () async throws -> [Duration] in
                try await withThrowingTaskGroup(of: [Duration].self) { group in
                    group.addTask {
                        try await clock.sleep(for: .seconds(100))
                        return [clock.uptime]
                    }
                    group.addTask {
                        for _ in 0..<100 { await Task.yield() }
                        try await clock.sleep(for: .seconds(10))
                        return [clock.uptime]
                    }
                    var times: [Duration] = []
                    for try await time in group { times += time }
                    return times
                }
            }
            #expect(times == [.seconds(10), .seconds(100)])
        }
    }

    @Test("a cancelled sleeper of a test clock wakes at once")
    func cancels() async throws {
        let clock = TestClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers()
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test("waiting for sleepers of a test clock ends with its task")
    func cancelsWaiting() async {
        let clock = TestClock()
        let waiter = Task { await clock.waitForSleepers(3) }
        waiter.cancel()
        await waiter.value
        #expect(clock.sleeperCount == 0)
    }
}
