/// The parents of an object: for each property of each parent that refers to it, how often it does.
///
/// Parents are held weakly, and links of parents that are gone count as none. Finding a link takes constant time. The fields are
/// the node's own: as a part with weak references they would be copied to be looked at.
extension ModelNode {
    /// Whether the first link is of that parent and property.
    private func isFirst(_ parent: ModelNode, _ property: Int) -> Bool {
        firstParentCount > 0 && firstParentProperty == Int32(truncatingIfNeeded: property) && firstParent === parent
    }

    /// The number of times that a parent's property refers to the object.
    func parentCount(of parent: ModelNode, _ property: Int) -> Int {
        if isFirst(parent, property) { return Int(firstParentCount) }
        return otherParents?.count(of: parent, property) ?? 0
    }

    /// Counts one more reference and returns how many there were.
    func addParent(_ parent: ModelNode, _ property: Int) -> Int {
        if firstParentCount == 0 || firstParent == nil {
            // A link that another place has must not get a second one.
            if let count = otherParents?.increase(parent, property) { return count }
            firstParent = parent
            firstParentProperty = Int32(truncatingIfNeeded: property)
            firstParentCount = 1
            return 0
        }
        if isFirst(parent, property) {
            firstParentCount += 1
            return Int(firstParentCount) - 1
        }
        let others = otherParents ?? OtherParents()
        otherParents = others
        return others.add(parent, property)
    }

    /// Counts one reference less and returns how many are left.
    func removeParent(_ parent: ModelNode, _ property: Int) -> Int {
        if isFirst(parent, property) {
            firstParentCount -= 1
            if firstParentCount == 0 { firstParent = nil }
            return Int(firstParentCount)
        }
        return otherParents?.remove(parent, property) ?? 0
    }

    /// Calls `body` with each parent and its property until that returns `false`.
    func forEachParent(_ body: (ModelNode, Int) -> Bool) {
        if firstParentCount > 0, let firstParent, !body(firstParent, Int(firstParentProperty)) { return }
        otherParents?.forEach(body)
    }
}

/// The links but the first.
final class OtherParents {
    private struct Link {
        weak var parent: ModelNode?
        let property: Int
        var count: Int
    }

    private struct Key: Hashable {
        let parent: ObjectIdentifier
        let property: Int
    }

    private var links: [Link] = []
    /// The place of each link, once there are so many that looking at each takes long.
    private var indexes: [Key: Int]?
    /// The number of links at which those of parents that are gone are removed.
    private var limit = 32

    func count(of parent: ModelNode, _ property: Int) -> Int { find(parent, property).map { links[$0].count } ?? 0 }

    /// Counts one more reference and returns how many there were; `nil` if there is no such link.
    func increase(_ parent: ModelNode, _ property: Int) -> Int? {
        guard let index = find(parent, property) else { return nil }
        links[index].count += 1
        return links[index].count - 1
    }

    func add(_ parent: ModelNode, _ property: Int) -> Int {
        if let count = increase(parent, property) { return count }
        if links.count >= limit { prune() }
        indexes?[Key(parent: ObjectIdentifier(parent), property: property)] = links.count
        links.append(Link(parent: parent, property: property, count: 1))
        if indexes == nil, links.count > 16 { index() }
        return 0
    }

    func remove(_ parent: ModelNode, _ property: Int) -> Int {
        guard let index = find(parent, property) else { return 0 }
        links[index].count -= 1
        let left = links[index].count
        if left == 0 { remove(at: index, parent, property) }
        return left
    }

    func forEach(_ body: (ModelNode, Int) -> Bool) {
        for link in links {
            if let parent = link.parent, !body(parent, link.property) { return }
        }
    }

    private func find(_ parent: ModelNode, _ property: Int) -> Int? {
        if let indexes {
            // Another parent may have had the same address.
            guard let index = indexes[Key(parent: ObjectIdentifier(parent), property: property)],
                links[index].parent === parent
            else { return nil }
            return index
        }
        return links.firstIndex { $0.property == property && $0.parent === parent }
    }

    private func remove(at index: Int, _ parent: ModelNode, _ property: Int) {
        indexes?[Key(parent: ObjectIdentifier(parent), property: property)] = nil
        let last = links.removeLast()
        guard index < links.count else { return }
        links[index] = last
        if let parent = last.parent {
            indexes?[Key(parent: ObjectIdentifier(parent), property: last.property)] = index
        }
    }

    private func prune() {
        links.removeAll { $0.parent == nil }
        limit = max(32, links.count * 2)
        if indexes != nil { index() }
    }

    private func index() {
        var indexes: [Key: Int] = [:]
        for (index, link) in links.enumerated() {
            if let parent = link.parent {
                indexes[Key(parent: ObjectIdentifier(parent), property: link.property)] = index
            }
        }
        self.indexes = indexes
    }
}
