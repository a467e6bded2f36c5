/// The parents of an object: for each property of each parent that refers to it, how often it does.
///
/// Parents are held weakly, and links of parents that are gone count as none. Finding a link takes constant time.
struct ParentLinks {
    private struct Link {
        weak var parent: ModelNode?
        let property: Int
        var count: Int
    }

    private struct Key: Hashable {
        let parent: ObjectIdentifier
        let property: Int
    }

    /// The links but the first: most objects have one.
    private final class Others {
        var links: [Link] = []
        /// The place of each link, once there are so many that looking at each takes long.
        var indexes: [Key: Int]?
        /// The number of links at which those of parents that are gone are removed.
        var limit = 32
    }

    private var first: Link?
    private var others: Others?

    /// The number of times that a parent's property refers to the object.
    func count(of parent: ModelNode, _ property: Int) -> Int {
        if let first, first.parent === parent, first.property == property { return first.count }
        guard let others, let index = find(parent, property, others) else { return 0 }
        return others.links[index].count
    }

    /// Counts one more reference and returns how many there were.
    mutating func add(_ parent: ModelNode, _ property: Int) -> Int {
        if first?.parent == nil {
            // A link that another place has must not get a second one.
            if let others, let index = find(parent, property, others) { return increase(index, others) }
            first = Link(parent: parent, property: property, count: 1)
            return 0
        }
        if let link = first, link.parent === parent, link.property == property {
            first?.count += 1
            return link.count
        }
        let others = others ?? Others()
        self.others = others
        if let index = find(parent, property, others) { return increase(index, others) }
        if others.links.count >= others.limit { Self.prune(others) }
        others.indexes?[Key(parent: ObjectIdentifier(parent), property: property)] = others.links.count
        others.links.append(Link(parent: parent, property: property, count: 1))
        if others.indexes == nil, others.links.count > 16 { Self.index(others) }
        return 0
    }

    /// Counts one reference less and returns how many are left.
    mutating func remove(_ parent: ModelNode, _ property: Int) -> Int {
        if let link = first, link.parent === parent, link.property == property {
            if link.count > 1 {
                first?.count -= 1
                return link.count - 1
            }
            first = nil
            return 0
        }
        guard let others, let index = find(parent, property, others) else { return 0 }
        others.links[index].count -= 1
        let left = others.links[index].count
        if left == 0 { Self.remove(index, parent, property, others) }
        return left
    }

    /// Calls `body` with each parent and its property until that returns `false`.
    func forEach(_ body: (ModelNode, Int) -> Bool) {
        if let first, let parent = first.parent, !body(parent, first.property) { return }
        guard let others else { return }
        for link in others.links {
            if let parent = link.parent, !body(parent, link.property) { return }
        }
    }

    /// Whether there is no parent.
    var isEmpty: Bool {
        var isEmpty = true
        forEach { _, _ in
            isEmpty = false
            return false
        }
        return isEmpty
    }

    private func increase(_ index: Int, _ others: Others) -> Int {
        others.links[index].count += 1
        return others.links[index].count - 1
    }

    private func find(_ parent: ModelNode, _ property: Int, _ others: Others) -> Int? {
        if let indexes = others.indexes {
            // Another parent may have had the same address.
            guard let index = indexes[Key(parent: ObjectIdentifier(parent), property: property)],
                others.links[index].parent === parent
            else { return nil }
            return index
        }
        return others.links.firstIndex { $0.property == property && $0.parent === parent }
    }

    private static func remove(_ index: Int, _ parent: ModelNode, _ property: Int, _ others: Others) {
        others.indexes?[Key(parent: ObjectIdentifier(parent), property: property)] = nil
        let last = others.links.removeLast()
        guard index < others.links.count else { return }
        others.links[index] = last
        if let parent = last.parent {
            others.indexes?[Key(parent: ObjectIdentifier(parent), property: last.property)] = index
        }
    }

    private static func prune(_ others: Others) {
        others.links.removeAll { $0.parent == nil }
        others.limit = max(32, others.links.count * 2)
        if others.indexes != nil { index(others) }
    }

    private static func index(_ others: Others) {
        var indexes: [Key: Int] = [:]
        for (index, link) in others.links.enumerated() {
            if let parent = link.parent {
                indexes[Key(parent: ObjectIdentifier(parent), property: link.property)] = index
            }
        }
        others.indexes = indexes
    }
}
