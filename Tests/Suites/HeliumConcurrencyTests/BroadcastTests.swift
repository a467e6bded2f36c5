import HeliumConcurrency
import TestSupport
import Testing

@Suite("A broadcast", .timeLimit(.minutes(5)))
struct BroadcastTests {
    private func all<Element>(_ stream: AsyncStream<Element>) async -> [Element] {
        var elements: [Element] = []
        for await element in stream { elements.append(element) }
        return elements
    }

    @Test("a broadcast sends to each listener the elements after its beginning, in one order")
    func listeners() async {
        let broadcast = Broadcast<Int>(limit: 10)
        #expect(broadcast.send(1))
        let first = broadcast.stream()
        broadcast.send(2)
        let second = broadcast.stream(startingWith: 0)
        broadcast.send(3)
        broadcast.finish()
        #expect(!broadcast.send(4))
        #expect(await all(first) == [2, 3])
        #expect(await all(second) == [0, 3])
        #expect(await all(broadcast.stream(startingWith: 5)) == [5])
    }

    @Test("a broadcast drops the oldest element for a slow listener, and marks the next")
    func slow() async {
        struct Item: Sendable {
            var number: Int
            var omitted = 0
        }
        let broadcast = Broadcast<Item>(limit: 4) { item, lost in item.omitted = lost.omitted + 1 }
        let stream = broadcast.stream()
        for number in 1...10 { broadcast.send(Item(number: number)) }
        broadcast.finish()
        let items = await all(stream)
        #expect(items.map(\.number) == [7, 8, 9, 10])
        // Six were dropped. 6, the last of them, told of another one: both are left for the next element to tell.
        #expect(items.map(\.omitted).reduce(0, +) == 4)
    }

    @Test("a broadcast ends with its owner, which no listener keeps alive")
    func ownership() async {
        var broadcast: Broadcast<Int>? = Broadcast(limit: 4)
        weak let reference = broadcast
        let stream = broadcast?.stream()
        broadcast = nil
        #expect(reference == nil)
        if let stream { #expect(await all(stream).isEmpty) }
    }

    @Test("a broadcast of a current value sends every listener the newest value first")
    func currentValue() async {
        let current = CurrentValue(1)
        current.send(2)
        let stream = current.stream
        current.send(3)
        current.finish(4)
        current.send(5)
        #expect(current.value == 4)
        #expect(await all(stream) == [2, 3, 4])
        #expect(await all(current.stream) == [4])
    }
}
