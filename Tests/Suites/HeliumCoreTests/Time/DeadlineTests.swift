import HeliumCore
import HeliumTesting
import Testing

@Suite("Deadline", .timeLimit(.minutes(5)))
struct DeadlineTests {
    private let clock = TestClock()

    @Test("the time left until a deadline is never negative")
    func remaining() {
        let deadline = Deadline(after: .seconds(5), clock: clock)
        #expect(deadline.remaining == .seconds(5))
        clock.advance(by: .seconds(3))
        #expect(deadline.remaining == .seconds(2))
        clock.advance(by: .seconds(3))
        #expect(deadline.remaining == .zero)
        #expect(deadline.hasPassed)
        #expect(Deadline(after: nil, clock: clock).remaining == nil)
        #expect(Deadline(after: .seconds(Int64.max), clock: clock).remaining.map { $0 > .seconds(1 << 30) } == true)
    }

    @Test("a race with a deadline has the operation's value or error")
    func outcome() async throws {
        let deadline = Deadline(after: .seconds(5), clock: clock)
        #expect(try await deadline.race { 42 } == 42)
        await #expect(throws: UnexpectedSuccess.self) { try await deadline.race { throw UnexpectedSuccess() } }
    }

    @Test("a race ends at its deadline, also if the operation ignores its cancellation")
    func timeout() async throws {
        let deadline = Deadline(after: .seconds(5), clock: clock)
        let (stuck, release) = AsyncStream<Void>.makeStream()
        let race = Task { try await deadline.race { for await _ in stuck { break } } }
        await clock.waitForDeadlines()
        clock.advance(by: .seconds(5))
        await #expect(throws: DeadlineExceeded.self) { try await race.value }
        release.finish()
    }

    @Test("a race ends when its task is cancelled, also if the operation ignores it")
    func cancellation() async throws {
        let deadline = Deadline(after: .seconds(5), clock: clock)
        let (stuck, release) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await deadline.race {
                await withTaskCancellationHandler {
                    for await _ in stuck { break }
                } onCancel: {
                }
            }
        }
        await clock.waitForDeadlines()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        release.finish()
    }

    @Test("a race after its deadline does not start")
    func passed() async throws {
        let deadline = Deadline(after: .zero, clock: clock)
        await #expect(throws: DeadlineExceeded.self) { try await deadline.race { Issue.record("it ran") } }
    }
}
