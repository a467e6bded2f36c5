/// Unread values, in the order of addition.
private struct Unread<Key: Hashable, Value> {
    private var entries: [Key: (order: Int, value: Value)] = [:]
    private var nextOrder = 0

    var isEmpty: Bool { entries.isEmpty }

    mutating func add(_ key: Key, _ value: Value) {
        entries[key] = (nextOrder, value)
        nextOrder += 1
    }

    /// Removes a value and returns whether it existed.
    mutating func remove(_ key: Key) -> Bool { entries.removeValue(forKey: key) != nil }

    /// Returns and clears all values.
    mutating func take() -> [Value] {
        let values = entries.values.sorted { $0.order < $1.order }.map(\.value)
        self = Unread()
        return values
    }
}

/// Unread values that were added. All of them are still present.
final class Arrivals<Key: Hashable, Value, Element>: ModelChangeState<Element> {
    private var unread = Unread<Key, Value>()
    private let element: ([Value]) -> Element

    /// Creates an empty list.
    ///
    /// - Parameter element: Makes an element of one or more values.
    init(_ element: @escaping ([Value]) -> Element) { self.element = element }

    func came(_ key: Key, _ value: Value) {
        unread.add(key, value)
        signal()
    }

    func left(_ key: Key) { _ = unread.remove(key) }

    override func take() -> Element? { unread.isEmpty ? nil : element(unread.take()) }
}

/// Unread values that were removed. All of them were present when the first of them was removed.
final class Departures<Key: Hashable, Value, Element>: ModelChangeState<Element> {
    private var unread = Unread<Key, Value>()
    /// Keys that were added since the first of `unread` was removed, and that are present.
    private var newcomers: Set<Key> = []
    private let element: ([Value]) -> Element

    /// Creates an empty list.
    ///
    /// - Parameter element: Makes an element of one or more values.
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
