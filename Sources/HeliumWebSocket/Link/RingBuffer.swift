/// A first-in, first-out queue in a ring. Elements are released when they are taken.
struct RingBuffer<Element: Sendable>: Sendable {
    private var slots: [Element?] = []
    private var first = 0
    private(set) var count = 0

    mutating func append(_ element: consuming Element) {
        if count == slots.count { grow() }
        slots[(first + count) & (slots.count - 1)] = consume element
        count += 1
    }

    /// Removes and returns the first element; `nil` if there is none.
    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = slots[first].take()
        first = (first + 1) & (slots.count - 1)
        count -= 1
        return element
    }

    /// Doubles the ring. Its size is a power of two.
    private mutating func grow() {
        var larger: [Element?] = []
        larger.reserveCapacity(max(16, 2 * count))
        while let element = popFirst() { larger.append(element) }
        let used = larger.count
        while larger.count < max(16, 2 * used) { larger.append(nil) }
        (slots, first, count) = (larger, 0, used)
    }
}
