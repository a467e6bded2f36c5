import HeliumTesting
import TestSupport
import Testing

@testable import ConAir

@Suite("Concurrent callers of a store", .timeLimit(.minutes(5)))
struct SingleFlightTests {
    @Test("concurrent callers share one request and its outcome")
    func joining() async throws {
        let fixture = try StoreFixture()
        fixture.source.set(noon - 120, 1)
        let gate = fixture.source.hold()
        let callers = (0..<5).map { _ in Task { try await fixture.store.collect() } }
        try await fixture.waiters(5)
        gate.settle()
        for caller in callers { #expect(try await caller.value.insertedCount == 1) }
        #expect(fixture.source.requests.count == 1 && fixture.store.snapshot.number == 1)
    }

    @Test("concurrent callers share a failure, which counts once")
    func failure() async throws {
        let fixture = try StoreFixture()
        fixture.source.fail([MemorySource.Failure()])
        let gate = fixture.source.hold()
        let callers = (0..<3).map { _ in Task { try await fixture.store.collect() } }
        try await fixture.waiters(3)
        gate.settle()
        for caller in callers { await #expect(throws: MemorySource.Failure()) { try await caller.value } }
        #expect(fixture.store.state.failureCount == 1 && fixture.store.state.phase == .idle)
        #expect(fixture.store.state.lastError as? MemorySource.Failure == MemorySource.Failure())
        #expect(fixture.store.state.lastFailure == noon && fixture.store.state.lastSuccess == nil)
        fixture.source.release()
        try await fixture.store.collect()
        #expect(fixture.store.state.failureCount == 0 && fixture.store.state.lastSuccess == noon)
    }

    @Test("cancelling one of several callers leaves the others' request alone", arguments: [0, 1])
    func cancellation(index: Int) async throws {
        let fixture = try StoreFixture()
        fixture.source.set(noon - 120, 1)
        let gate = fixture.source.hold()
        let callers = [Task { try await fixture.store.collect() }, Task { try await fixture.store.collect() }]
        try await fixture.waiters(2)
        callers[index].cancel()
        await #expect(throws: CancellationError.self) { try await callers[index].value }
        try await fixture.waiters(1)
        gate.settle()
        #expect(try await callers[1 - index].value.insertedCount == 1)
        #expect(fixture.source.cancelledCount == 0)
    }

    @Test("cancelling all callers ends the request, and the next one starts again")
    func lastCancellation() async throws {
        let fixture = try StoreFixture()
        fixture.source.set(noon - 120, 1)
        _ = fixture.source.hold()
        let callers = (0..<2).map { _ in Task { try await fixture.store.collect() } }
        try await fixture.waiters(2)
        try await fixture.requests(1)
        for caller in callers { caller.cancel() }
        try await eventually { fixture.source.cancelledCount == 1 }
        #expect(fixture.store.state.phase == .idle && fixture.store.state.failureCount == 0)
        fixture.source.release()
        #expect(try await fixture.store.collect().insertedCount == 1)
    }

    @Test("a caller that is cancelled before starts no request")
    func cancelledBefore() async throws {
        let fixture = try StoreFixture()
        let caller = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await fixture.store.collect()
        }
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(fixture.source.requests.isEmpty && fixture.store.state.phase == .idle)
    }

    @Test("publishing a state does not wait for the cancellation of a task that listens and collects")
    func cancelledListener() async throws {
        let fixture = try StoreFixture()
        _ = fixture.source.hold()
        for _ in 0..<200 {
            let store = fixture.store
            let listener = Task {
                await withTaskGroup(of: Void.self) { group in
                    // Cancelling the listener also cancels the caller, whose handler changes the store.
                    group.addTask { _ = try? await store.collect() }
                    for await _ in store.states {}
                }
            }
            let publisher = Task.detached {
                for _ in 0..<20 {
                    store.startPolling()
                    store.stopPolling()
                }
            }
            await Task.yield()
            listener.cancel()
            await listener.value
            await publisher.value
        }
    }
}
