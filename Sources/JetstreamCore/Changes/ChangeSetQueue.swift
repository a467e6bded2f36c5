internal import HeliumJSON

/// The pending change sets of a scope, in order, and for each changed property the sets that changed it
/// (Docs/Protocols/Jetstream.md §4.3).
public final class ChangeSetQueue {
    private struct Key: Hashable {
        let object: ObjectIdentifier
        let property: Int
    }

    // The sets are keyed by an increasing number, so that removing one takes constant time.
    private var sets: [Int: ChangeSet] = [:]
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var next = 0
    private var oldest = 0

    /// The numbers of the sets that changed a property, in order.
    private var chains: [Key: [Int]] = [:]

    /// The numbers of the sets that add an object, in order.
    private var adding: [ObjectIdentifier: [Int]] = [:]

    /// The number of references from original values to each object; `nil` until first needed.
    private var references: ModelTable<Int>?

    /// The number of counted references, for tests. It must not grow with the number of sets for each query.
    private(set) var countedReferences = 0

    init() {}

    /// The number of pending sets.
    public var count: Int { sets.count }

    /// Whether nothing is pending.
    public var isEmpty: Bool { sets.isEmpty }

    /// The pending sets, oldest first.
    public var all: [ChangeSet] { (oldest..<next).compactMap { sets[$0] } }

    func first(where condition: (ChangeSet) -> Bool) -> ChangeSet? {
        for number in oldest..<next {
            if let set = sets[number], condition(set) { return set }
        }
        return nil
    }

    func filter(_ condition: (ChangeSet) -> Bool) -> [ChangeSet] { all.filter(condition) }

    func reversed() -> [ChangeSet] { all.reversed() }

    func add(_ set: ChangeSet) {
        guard numbers[ObjectIdentifier(set)] == nil else { return }
        if sets.isEmpty { oldest = next }
        let number = next
        next += 1
        sets[number] = set
        numbers[ObjectIdentifier(set)] = number
        countReferences(of: set, 1)
        for change in set.changes {
            if change.fragment.kind == .add {
                adding[ObjectIdentifier(change.object.modelNode), default: []].append(number)
            }
            for (property, _) in change.originals {
                chains[key(change.object.modelNode, property), default: []].append(number)
            }
        }
    }

    /// Removes a set without restoring its values.
    func withdraw(_ set: ChangeSet) {
        guard let number = numbers.removeValue(forKey: ObjectIdentifier(set)) else { return }
        sets[number] = nil
        countReferences(of: set, -1)
        if sets.isEmpty { references = nil }
        while oldest < next, sets[oldest] == nil { oldest += 1 }
        for change in set.changes {
            if change.fragment.kind == .add {
                let node = ObjectIdentifier(change.object.modelNode)
                if var numbers = adding.removeValue(forKey: node), let index = position(of: number, in: numbers) {
                    numbers.remove(at: index)
                    if !numbers.isEmpty { adding[node] = numbers }
                }
            }
            for (property, _) in change.originals {
                let key = key(change.object.modelNode, property)
                guard var chain = chains.removeValue(forKey: key), let index = position(of: number, in: chain) else {
                    continue
                }
                chain.remove(at: index)
                if !chain.isEmpty { chains[key] = chain }
            }
        }
    }

    /// Returns whether a pending set adds an object.
    func isAdding(_ node: ModelNode) -> Bool { !adding.isEmpty && adding[ObjectIdentifier(node)] != nil }

    /// Returns the newest set that adds an object.
    func last(adding node: ModelNode) -> ChangeSet? {
        if adding.isEmpty { return nil }
        return adding[ObjectIdentifier(node)]?.last.flatMap { sets[$0] }
    }

    /// Returns the oldest set that changed a property.
    func first(touching node: ModelNode, _ property: ModelProperty) -> ChangeSet? {
        if chains.isEmpty { return nil }
        return chains[key(node, property)]?.first.flatMap { sets[$0] }
    }

    /// Returns the newest set that changed a property.
    func last(touching node: ModelNode, _ property: ModelProperty) -> ChangeSet? {
        if chains.isEmpty { return nil }
        return chains[key(node, property)]?.last.flatMap { sets[$0] }
    }

    /// Returns the next set after another that changed a property.
    func successor(of set: ChangeSet, _ node: ModelNode, _ property: ModelProperty) -> ChangeSet? {
        guard let number = numbers[ObjectIdentifier(set)], let chain = chains[key(node, property)],
            let index = position(of: number, in: chain), index + 1 < chain.count
        else { return nil }
        return sets[chain[index + 1]]
    }

    // MARK: References

    /// Returns whether an original value of a pending set refers to an object.
    func refers(to id: ModelID) -> Bool {
        if references == nil {
            references = ModelTable()
            for set in sets.values { countReferences(of: set, 1) }
        }
        return references?[id] != nil
    }

    /// Records that an original value of a set was replaced.
    func replaceReferences(_ old: JSONValue, by new: JSONValue, in set: ChangeSet) {
        guard references != nil, numbers[ObjectIdentifier(set)] != nil else { return }
        count(old, -1)
        count(new, 1)
    }

    private func countReferences(of set: ChangeSet, _ step: Int) {
        if references == nil { return }
        for change in set.changes {
            for (property, value) in change.originals where property.isLink { count(value, step) }
        }
    }

    private func count(_ value: JSONValue, _ step: Int) {
        value.forEachText { text in
            guard let id = ModelID(wireText: text) else { return }
            countedReferences += 1
            let count = (references?[id] ?? 0) + step
            references?[id] = count == 0 ? nil : count
        }
    }

    private func key(_ node: ModelNode, _ property: ModelProperty) -> Key {
        Key(object: ObjectIdentifier(node), property: property.index)
    }

    private func position(of number: Int, in chain: [Int]) -> Int? {
        var (low, high) = (0, chain.count)
        while low < high {
            let middle = (low + high) / 2
            if chain[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < chain.count && chain[low] == number ? low : nil
    }
}
