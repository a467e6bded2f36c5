/// Values that were not read yet, in the order in which they were added.
private struct Unread<Key: Hashable, Value> {
    private var entries: [Key: (order: Int, value: Value)] = [:]
    private var nextOrder = 0

    var isEmpty: Bool { entries.isEmpty }

    mutating func add(_ key: Key, _ value: Value) {
        entries[key] = (nextOrder, value)
        nextOrder += 1
    }

    /// Removes a value, and returns whether there was one.
    mutating func remove(_ key: Key) -> Bool { entries.removeValue(forKey: key) != nil }

    /// Takes all values.
    mutating func take() -> [Value] {
        let values = entries.values.sorted { $0.order < $1.order }.map(\.value)
        self = Unread()
        return values
    }
}

/// Values that have come and were not read yet: all of them are still there.
final class Arrivals<Key: Hashable, Value, Element>: ModelChangeState<Element> {
    private var unread = Unread<Key, Value>()
    private let element: ([Value]) -> Element

    /// - Parameter element: Makes an element of some values, of one at least.
    init(_ element: @escaping ([Value]) -> Element) { self.element = element }

    func came(_ key: Key, _ value: Value) {
        unread.add(key, value)
        signal()
    }

    func left(_ key: Key) { _ = unread.remove(key) }

    override func take() -> Element? { unread.isEmpty ? nil : element(unread.take()) }
}

/// Values that have left and were not read yet: all of them were there when the first of them left.
final class Departures<Key: Hashable, Value, Element>: ModelChangeState<Element> {
    private var unread = Unread<Key, Value>()
    /// Keys that have come since the first of `unread` left, and are there.
    private var newcomers: Set<Key> = []
    private let element: ([Value]) -> Element

    /// - Parameter element: Makes an element of some values, of one at least.
    init(_ element: @escaping ([Value]) -> Element) { self.element = element }

    func came(_ key: Key) {
        if !unread.remove(key), !unread.isEmpty { newcomers.insert(key) }
        if unread.isEmpty { newcomers = [] }
    }

    func left(_ key: Key, _ value: Value) {
        if newcomers.remove(key) != nil { return }
        unread.add(key, value)
        signal()
    }

    override func take() -> Element? {
        newcomers = []
        return unread.isEmpty ? nil : element(unread.take())
    }
}
