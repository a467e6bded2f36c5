import HeliumConcurrency
import Testing

@Suite("A bounded queue", .timeLimit(.minutes(5)))
struct BoundedQueueTests {
    private struct Broken: Error {}

    @Test("a bounded queue keeps its order, and refuses elements beyond its limit")
    func order() async throws {
        let queue = BoundedQueue<Int>(limit: 3)
        #expect(queue.offer([1, 2]))
        #expect(!queue.offer([3, 4]))
        #expect(queue.offer([3]))
        #expect(queue.offer([4, 5], isForced: true))
        for number in 1...5 { #expect(try await queue.next() == number) }
    }

    @Test("a bounded queue delivers its elements before its end")
    func end() async throws {
        let queue = BoundedQueue<Int>(limit: 3)
        _ = queue.offer([1])
        queue.finish(throwing: Broken())
        #expect(queue.offer([2]))
        #expect(try await queue.next() == 1)
        await #expect(throws: Broken.self) { try await queue.next() }
        await #expect(throws: Broken.self) { try await queue.next() }
    }

    @Test("a bounded queue wakes a waiting consumer with an element or the end")
    func wake() async throws {
        let queue = BoundedQueue<Int>(limit: 3)
        let taking = Task { [try await queue.next(), try await queue.next()] }
        await Task.yield()
        _ = queue.offer([7])
        queue.finish()
        #expect(try await taking.value == [7, nil])
    }

    @Test("a bounded queue loses no element to a cancelled consumer")
    func cancel() async throws {
        let queue = BoundedQueue<Int>(limit: 3)
        let taking = Task { try await queue.next() }
        taking.cancel()
        await #expect(throws: CancellationError.self) { try await taking.value }
        _ = queue.offer([1])
        #expect(try await queue.next() == 1)
    }

    @Test("a bounded queue holds a sender back until there is room")
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

    /// A number, and whether some are missing before it.
    private struct Numbered: Equatable {
        var number: Int
        var followsGap = false
    }

    @Test("a bounded queue drops the oldest element on request, and marks the next", arguments: 1...5)
    func overflow(limit: Int) async throws {
        let queue = BoundedQueue<Numbered>(limit: limit)
        for number in 1...20 { queue.push(Numbered(number: number)) { $0.followsGap = true } }
        queue.finish()
        var found: [Numbered] = []
        while let next = try await queue.next() { found.append(next) }
        #expect(found.map(\.number) == Array(21 - limit...20))
        #expect(found.map(\.followsGap) == [true] + [Bool](repeating: false, count: limit - 1))
    }

    @Test("a bounded queue keeps its order in any sequence of operations")
    func interleaved() async throws {
        let queue = BoundedQueue<Int>(limit: 100)
        var taken: [Int?] = []
        for number in 1...50 {
            queue.push(number) { _ in Issue.record("dropped") }
            if number % 3 == 0 { taken.append(try await queue.next()) }
        }
        queue.finish()
        while let number = try await queue.next() { taken.append(number) }
        #expect(taken == Array(1...50))
    }

    @Test("the end of a bounded queue resumes senders that wait for room")
    func roomAtTheEnd() async throws {
        let queue = BoundedQueue<Int>(limit: 1)
        #expect(queue.offer([1]))
        let waiting = (0..<3).map { _ in Task { try await queue.waitForRoom(1) } }
        await Task.yield()
        queue.finish()
        for task in waiting { try await task.value }
    }

    @Test("an element that is placed belongs to its consumer, which is resumed later")
    func place() async throws {
        let queue = BoundedQueue<Int>(limit: 1)
        let consumer = Task { try await queue.next() }
        await Task.yield()
        let first = try #require(queue.place([1]))
        first.resume()
        #expect(try await consumer.value == 1)
        let second = try #require(queue.place([2]))
        #expect(queue.place([3]) == nil)
        second.resume()
        queue.place(4) { $0 = 5 }.resume()
        #expect(try await queue.next() == 5)
    }
}
