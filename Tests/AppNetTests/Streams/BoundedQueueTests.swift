import Testing

@testable import AppNet

@Suite("Queues of streams", .timeLimit(.minutes(1)))
struct BoundedQueueTests {
    private struct Broken: Error {}

    @Test("keep their order, and refuse more than they may hold")
    func order() async throws {
        let queue = BoundedQueue<Int>(limit: 3)
        #expect(queue.offer([1, 2]))
        #expect(!queue.offer([3, 4]))
        #expect(queue.offer([3]))
        #expect(queue.offer([4, 5], isForced: true))
        for number in 1...5 { #expect(try await queue.next() == number) }
    }

    @Test("give what waits before their end")
    func end() async throws {
        let queue = BoundedQueue<Int>(limit: 3)
        _ = queue.offer([1])
        queue.finish(throwing: Broken())
        #expect(queue.offer([2]))
        #expect(try await queue.next() == 1)
        await #expect(throws: Broken.self) { try await queue.next() }
        await #expect(throws: Broken.self) { try await queue.next() }
    }

    @Test("wake a consumer that waits, with an element or with the end")
    func wake() async throws {
        let queue = BoundedQueue<Int>(limit: 3)
        let taking = Task { [try await queue.next(), try await queue.next()] }
        await Task.yield()
        _ = queue.offer([7])
        queue.finish()
        #expect(try await taking.value == [7, nil])
    }

    @Test("lose nothing to a consumer that is cancelled")
    func cancel() async throws {
        let queue = BoundedQueue<Int>(limit: 3)
        let taking = Task { try await queue.next() }
        taking.cancel()
        await #expect(throws: CancellationError.self) { try await taking.value }
        _ = queue.offer([1])
        #expect(try await queue.next() == 1)
    }

    @Test("hold a sender back until there is room")
    func holdBack() async throws {
        let queue = BoundedQueue<Int>(limit: 2)
        let sending = Task { for number in 1...100 { try await queue.send(number) } }
        for number in 1...100 { #expect(try await queue.next() == number) }
        try await sending.value
        #expect(queue.offer([1, 2]))
        let held = Task { try await queue.send(3) }
        held.cancel()
        await #expect(throws: CancellationError.self) { try await held.value }
    }
}
