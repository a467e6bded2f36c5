/// Timers in order of time: a binary heap.
struct TimerQueue<Item: Sendable>: Sendable {
    private struct Entry: Sendable {
        let time: Duration
        /// The order of insertion, which breaks ties between equal times.
        let number: Int
        let item: Item

        static func < (left: Entry, right: Entry) -> Bool { (left.time, left.number) < (right.time, right.number) }
    }

    private var heap: [Entry] = []
    private var lastNumber = 0

    /// The earliest time; `nil` if the queue is empty.
    var next: Duration? { heap.first?.time }

    mutating func insert(_ item: Item, at time: Duration) {
        lastNumber += 1
        heap.append(Entry(time: time, number: lastNumber, item: item))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the earliest item that is due; `nil` if none is due.
    mutating func popDue(at now: Duration) -> Item? {
        guard let first = heap.first, first.time <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            guard least != parent else { return first.item }
            heap.swapAt(least, parent)
            parent = least
        }
    }
}
