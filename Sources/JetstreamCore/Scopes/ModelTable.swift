internal import Foundation

/// Values by object identifier. Keys are hashed as two words, which is faster than hashing the bytes of a `UUID`.
struct ModelTable<Value> {
    private struct Key: Hashable {
        let first: UInt64
        let last: UInt64

        init(_ id: ModelID) { (first, last) = id.words }
    }

    private var storage: [Key: Value] = [:]

    var count: Int { storage.count }

    var isEmpty: Bool { storage.isEmpty }

    var values: some Collection<Value> { storage.values }

    subscript(id: ModelID) -> Value? {
        get { storage.isEmpty ? nil : storage[Key(id)] }
        set { storage[Key(id)] = newValue }
    }

    mutating func reserveCapacity(_ count: Int) { storage.reserveCapacity(count) }

    /// Adds a value unless there is one already.
    ///
    /// - Returns: Whether the value was added.
    mutating func insert(_ value: Value, for id: ModelID) -> Bool {
        guard let earlier = storage.updateValue(value, forKey: Key(id)) else { return true }
        storage[Key(id)] = earlier
        return false
    }
}
