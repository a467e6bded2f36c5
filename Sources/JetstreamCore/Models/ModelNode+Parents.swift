/// The parents of an object: the number of references from each property of each parent.
///
/// Parents are held weakly. Links of deallocated parents do not count. Finding a link takes constant time. The fields
/// are stored in the node itself, because a separate struct with weak references would be copied on each access.
extension ModelNode {
    /// Returns whether the first link is from that parent and property.
    private func isFirst(_ parent: ModelNode, _ property: Int) -> Bool {
        firstParentCount > 0 && firstParentProperty == Int32(truncatingIfNeeded: property) && firstParent === parent
    }

    /// Returns the number of references from a parent's property to the object.
    func parentCount(of parent: ModelNode, _ property: Int) -> Int {
        if isFirst(parent, property) { return Int(firstParentCount) }
        return otherParents?.count(of: parent, property) ?? 0
    }

    /// Adds one reference and returns the former number.
    func addParent(_ parent: ModelNode, _ property: Int) -> Int {
        if firstParentCount == 0 || firstParent == nil {
            // A link that is stored elsewhere must not be stored twice.
            if let count = otherParents?.increase(parent, property) { return count }
            firstParent = parent
            firstParentIdentity = ObjectIdentifier(parent)
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

    /// Removes one reference and returns the remaining number.
    func removeParent(_ parent: ModelNode, _ property: Int) -> Int {
        if isFirst(parent, property) {
            firstParentCount -= 1
            if firstParentCount == 0 {
                keepAnchor(parent)
                (firstParent, firstParentIdentity) = (nil, nil)
            }
            return Int(firstParentCount)
        }
        return otherParents?.remove(parent, property) ?? 0
    }

    /// Calls `body` with each parent and its property until it returns `false`.
    func forEachParent(_ body: (ModelNode, Int) -> Bool) {
        if firstParentCount > 0, let firstParent, !body(firstParent, Int(firstParentProperty)) { return }
        otherParents?.forEach(body)
    }
}

/// All links except the first, or all weak ones.
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
    /// The position of each link, once a linear search would be slow.
    private var indexes: [Key: Int]?
    /// The number of links at which links of deallocated parents are removed.
    private var limit = 32

    func count(of parent: ModelNode, _ property: Int) -> Int { find(parent, property).map { links[$0].count } ?? 0 }

    /// Adds one reference and returns the former number; `nil` if the link does not exist.
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
