import HeliumConcurrency
import Synchronization
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

    @Test("a broadcast that cannot deliver keeps the newest elements, which count the dropped ones")
    func delayed() async {
        struct Item: Sendable {
            var number: Int
            var omitted = 0
        }
        let broadcast = Broadcast<Item>(limit: 4) { item, lost in item.omitted += lost.omitted + 1 }
        let stream = broadcast.stream()
        for number in 1...10 { broadcast.enqueue(Item(number: number)) }
        broadcast.finish()
        let items = await all(stream)
        #expect(items.map(\.number) == [7, 8, 9, 10])
        #expect(items.map(\.omitted) == [6, 0, 0, 0])
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

    @Test("sending does not wait for the cancellation of a listener, which waits for the broadcast")
    func cancelledListener() async {
        for _ in 0..<1000 {
            let broadcast = Broadcast<Int>(limit: 4)
            let stream = broadcast.stream()
            let listener = Task { for await _ in stream {} }
            let sender = Task.detached { for number in 0..<200 { broadcast.send(number) } }
            await Task.yield()
            listener.cancel()
            await listener.value
            await sender.value
        }
    }

    @Test("an element is for the listeners at the time at which it was enqueued, and is sent later")
    func enqueueing() async {
        let broadcast = Broadcast<Int>(limit: 10)
        let first = broadcast.stream()
        #expect(broadcast.enqueue(1))
        let second = broadcast.stream()
        #expect(broadcast.enqueue(2))
        broadcast.deliver()
        broadcast.deliver()
        broadcast.enqueue(3)
        broadcast.finish()
        #expect(!broadcast.enqueue(4))
        #expect(await all(first) == [1, 2, 3])
        #expect(await all(second) == [2, 3])
    }

    @Test("listeners that come while several tasks set a value miss none and see the same order")
    func concurrentSenders() async {
        let (senders, count) = (4, 500)
        let current = CurrentValue(0, limit: senders * count + 1)
        final class Counter: Sendable { let last = Guarded(0) }
        let counter = Counter()
        let listeners = await withTaskGroup(of: [AsyncStream<Int>].self) { group in
            for _ in 0..<senders {
                group.addTask {
                    var streams: [AsyncStream<Int>] = []
                    for number in 0..<count {
                        counter.last.withLock { last in
                            last += 1
                            current.set(last)
                        }
                        current.deliver()
                        if number.isMultiple(of: 50) { streams.append(current.stream) }
                    }
                    return streams
                }
            }
            var listeners: [AsyncStream<Int>] = []
            for await streams in group { listeners += streams }
            return listeners
        }
        current.finish(senders * count + 1)
        for listener in listeners {
            let values = await all(listener)
            #expect(values == Array((values.first ?? 0)...(senders * count + 1)))
        }
    }

    @Test(
        "a broadcast keeps no elements for a listener that has gone, also if it went before they were sent",
        arguments: [false, true]
    )
    func goneListener(isEnqueued: Bool) {
        final class Load: Sendable {}
        let broadcast = Broadcast<Load>(limit: 4)
        var load: Load? = Load()
        weak let reference = load
        var stream: AsyncStream<Load>? = broadcast.stream()
        if let load { _ = isEnqueued ? broadcast.enqueue(load) : broadcast.send(load) }
        load = nil
        let wasKept = stream != nil && reference != nil
        #expect(wasKept)
        stream = nil
        broadcast.deliver()
        #expect(reference == nil)
    }
}
