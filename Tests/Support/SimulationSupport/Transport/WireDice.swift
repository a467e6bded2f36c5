import TestSupport

/// The random numbers of one run of the transport's simulation.
final class WireDice {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    func below(_ bound: Int) -> Int { random.below(bound) }
    func oneIn(_ count: Int) -> Bool { random.oneIn(count) }
    func pick<Element>(_ elements: [Element]) -> Element { random.pick(elements) }
    func percent(_ share: Int) -> Bool { random.below(100) < share }

    /// A delay in nanoseconds: mostly some milliseconds, at times seconds.
    func delay() -> UInt64 {
        switch below(20) {
        case 0: WireTime.milliseconds(100 + below(4_000))
        case 1..<6: 0
        default: WireTime.milliseconds(1) * UInt64(1 + below(30))
        }
    }

    /// The time that bytes need on their way.
    func latency() -> UInt64 { oneIn(3) ? 0 : UInt64(below(3_000_000)) }

    /// The size of a body: mostly small, and at times more than a channel moves in a turn.
    ///
    /// - Parameter isLarge: Whether it is at times more than the transport holds for a consumer.
    func bodySize(isLarge: Bool = false) -> Int {
        if isLarge, oneIn(8) { return 1_100_000 + below(400_000) }
        return switch below(60) {
        case 0: 300_000 + below(1_500_000)
        case 1..<5: 1 + below(70_000)
        case 5..<10: 0
        default: 8 + below(2_000)
        }
    }

    /// The number of bytes of `count` that arrive next: all, or cut anywhere.
    func piece(of count: Int) -> Int {
        switch below(8) {
        case 0..<4: count
        case 4: min(count, 1 + below(12))
        default: 1 + below(count)
        }
    }
}

/// Durations of the simulation, in nanoseconds.
enum WireTime {
    static let second: UInt64 = 1_000_000_000

    static func milliseconds(_ count: Int) -> UInt64 { UInt64(count) * 1_000_000 }
    static func seconds(_ count: Int) -> UInt64 { UInt64(count) * second }
}

/// The actions of the future, in the order of their times.
struct WireAgenda {
    private struct Entry {
        let time: UInt64
        let order: Int
        let action: () -> Void

        func isBefore(_ other: Entry) -> Bool { time != other.time ? time < other.time : order < other.order }
    }

    private var heap: [Entry] = []
    private var added = 0

    var nextTime: UInt64? { heap.first?.time }

    mutating func add(at time: UInt64, _ action: @escaping () -> Void) {
        heap.append(Entry(time: time, order: added, action: action))
        added += 1
        var index = heap.count - 1
        while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Removes the first action, which there must be.
    mutating func take() -> () -> Void {
        heap.swapAt(0, heap.count - 1)
        let entry = heap.removeLast()
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
            guard heap[child].isBefore(heap[index]) else { break }
            heap.swapAt(index, child)
            index = child
        }
        return entry.action
    }

    mutating func removeAll() { heap = [] }
}
