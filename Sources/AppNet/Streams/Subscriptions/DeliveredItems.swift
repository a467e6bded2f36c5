internal import HeliumJSON

/// The items that a subscription has delivered, which decide what is new. It performs no I/O, and its memory is
/// limited.
struct DeliveredItems<Value: StreamValue> {
    typealias ID = AppNetID<Value>

    private enum Fate {
        /// The last state of a value that can change.
        case present(Value)
        /// The number of revisions of a value whose id grows with time.
        case revised(Int)
        case deleted
    }

    private var items: [ID: Fate] = [:]
    /// The ids in the order of their arrival. Those before `head` are forgotten.
    private var order: [ID] = []
    private var head = 0
    /// For values whose ids grow with time, the id up to which everything is known.
    private var floor: ID?
    /// The value, for values without ids.
    private var single: Value?
    private let limit: Int
    private let traits: StreamItemTraits<Value>

    init(limit: Int, traits: StreamItemTraits<Value>) {
        self.limit = max(1, limit)
        self.traits = traits
    }

    /// Records the first page of the list, newest first, which is delivered separately.
    mutating func begin(with page: [Value]) {
        for value in page.reversed() { _ = take(value) }
        if traits.hasGrowingIDs, let oldest = page.compactMap(traits.id).min() { floor = oldest }
    }

    /// Returns the change that a value means; `nil` if it was already delivered.
    ///
    /// - Parameter revision: The number of the revision that an event reports. Default: `nil`.
    mutating func take(_ value: Value, revision: Int? = nil) -> StreamUpdate<Value>.Change? {
        guard let id = traits.id(value) else {
            defer { single = value }
            return single.map { SameValue.areSame(value, $0) } ?? false ? nil : .changed(value)
        }
        if traits.isDeletedForm(value) { return delete(id, value) }
        let revisions = max(traits.revisionCount(value), revision ?? 0)
        switch items[id] {
        case .deleted where traits.hasGrowingIDs: return nil
        case .present(let known):
            guard !SameValue.areSame(known, value), !traits.isOlder(value, known) else { return nil }
            items[id] = .present(value)
            return .changed(value)
        case .revised(let known):
            guard revisions > known else { return nil }
            items[id] = .revised(revisions)
            return .changed(value)
        case nil where isOld(id): return nil
        case nil, .deleted:
            note(id, traits.hasGrowingIDs ? .revised(revisions) : .present(value))
            return .added(value)
        }
    }

    /// Returns the change that a deletion means; `nil` if it was already delivered.
    mutating func delete(_ id: ID, _ value: Value?) -> StreamUpdate<Value>.Change? {
        if case .deleted = items[id] { return nil }
        note(id, .deleted)
        return .deleted(id, value)
    }

    private func isOld(_ id: ID) -> Bool { floor.map { id <= $0 } ?? false }

    private mutating func note(_ id: ID, _ fate: Fate) {
        if items.updateValue(fate, forKey: id) == nil { order.append(id) }
        guard items.count > limit else { return }
        let forgotten = order[head]
        head += 1
        items[forgotten] = nil
        if traits.hasGrowingIDs { floor = floor.map { max($0, forgotten) } ?? forgotten }
        if head > limit {
            order.removeFirst(head)
            head = 0
        }
    }
}
