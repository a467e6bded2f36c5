import HeliumConcurrency
import Synchronization
import Testing

@Suite("Tasks whose outcome several callers share", .timeLimit(.minutes(5)))
struct SharedTaskTests {
    private struct Failure: Error {}

    @Test("all callers get the outcome, also those that come later", arguments: [true, false])
    func outcome(succeeds: Bool) async throws {
        let gate = Signal<Void>()
        let task = SharedTask<Int> {
            try await gate.value()
            if succeeds { return 7 }
            throw Failure()
        }
        let early = Task { try await task.value() }
        gate.settle()
        for result in [await early.result, await Task { try await task.value() }.result] {
            switch result {
            case .success(let value): #expect(succeeds && value == 7)
            case .failure(let error): #expect(!succeeds && error is Failure)
            }
        }
    }

    @Test("cancelling a caller ends its wait, and not the task")
    func cancelledCaller() async throws {
        let gate = Signal<Void>()
        let task = SharedTask<Int> {
            try await gate.value()
            return 7
        }
        let caller = Task { try await task.value() }
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        gate.settle()
        #expect(try await task.value() == 7)
    }

    @Test("cancelling the task ends it for all callers")
    func cancelled() async {
        let task = SharedTask<Void> { try await Signal<Void>().value() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value() }
    }
}
