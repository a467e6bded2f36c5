/// A first-in, first-out queue with amortized constant-time operations.
struct FIFO<Element: Sendable>: Sendable {
    private var storage: [Element] = []
    private var head = 0

    init(_ elements: [Element] = []) { storage = elements }

    var count: Int { storage.count - head }
    var isEmpty: Bool { storage.count == head }
    var first: Element? { isEmpty ? nil : storage[head] }
    var elements: ArraySlice<Element> { storage[head...] }

    mutating func append(_ element: Element) { storage.append(element) }

    /// Removes and returns the elements at the front that satisfy a condition.
    mutating func removeFirst(while condition: (Element) -> Bool) -> [Element] {
        let removed = Array(elements.prefix(while: condition))
        head += removed.count
        // Moves the remaining elements only after as many were removed.
        if head * 2 > storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return removed
    }

    mutating func removeAll() -> [Element] {
        defer { self = FIFO() }
        return Array(elements)
    }
}
