internal import Foundation

/// The nodes of a scope, found by identifier.
///
/// Nodes are in the order of insertion until one is removed, so that iterating accesses memory sequentially. The index
/// of identifiers is built at the first look-up: without look-ups, nodes need no identifier.
struct NodeTable {
    /// All nodes.
    private(set) var nodes: [ModelNode] = []

    private var index = NodeIndex()

    /// The number of leading nodes that are in the index.
    private var indexedCount = 0

    /// Whether there are no nodes.
    var isEmpty: Bool { nodes.isEmpty }

    /// Reserves capacity for a number of nodes.
    mutating func reserveCapacity(_ count: Int) {
        // Array would reserve exactly this capacity, and many small additions would then copy the elements each time.
        if count > nodes.capacity { nodes.reserveCapacity(max(count, nodes.capacity * 2)) }
    }

    /// Adds a node that is in no table. If two nodes have the same identifier, the last one is found.
    mutating func append(_ node: ModelNode) {
        node.tableIndex = UInt32(nodes.count)
        nodes.append(node)
    }

    /// Returns the node with an identifier.
    ///
    /// - Parameter identify: Generates the identifier of a node that has none.
    mutating func node(_ id: ModelID, identify: (ModelNode) -> Void) -> ModelNode? {
        if nodes.isEmpty { return nil }
        if indexedCount < nodes.count {
            index.reserveCapacity(nodes.count, nodes)
            for position in indexedCount..<nodes.count {
                identify(nodes[position])
                index.insert(position, nodes, replaces: true)
            }
            indexedCount = nodes.count
        }
        return index.position(of: id, nodes).map { nodes[$0] }
    }

    /// Removes a node if it is in the table.
    ///
    /// - Returns: The removed node, so that it is not freed while the table changes.
    @discardableResult
    mutating func remove(_ node: ModelNode) -> ModelNode? {
        let position = Int(node.tableIndex)
        guard position < nodes.count, nodes[position] === node else { return nil }
        node.tableIndex = .max
        if position < indexedCount {
            index.remove(position, nodes)
            indexedCount -= 1
            move(indexedCount, to: position, isIndexed: true)
            move(nodes.count - 1, to: indexedCount, isIndexed: false)
        } else {
            move(nodes.count - 1, to: position, isIndexed: false)
        }
        nodes.removeLast()
        return node
    }

    private mutating func move(_ position: Int, to free: Int, isIndexed: Bool) {
        guard position != free else { return }
        if isIndexed { index.move(position, to: free, nodes) }
        let node = nodes[position]
        nodes[free] = node
        node.tableIndex = UInt32(free)
    }
}

/// The positions of nodes in an array by identifier: open addressing, with at least a quarter of the slots empty.
struct NodeIndex {
    /// A used slot holds the position plus one in its lower half and a part of the identifier's hash in its upper half.
    /// An empty slot is 0.
    private var slots: [UInt64] = []
    private var count = 0

    /// Reserves capacity for a total number of nodes.
    mutating func reserveCapacity(_ capacity: Int, _ nodes: [ModelNode]) {
        guard capacity * 4 > slots.count * 3 else { return }
        let old = slots
        var size = 16
        while capacity * 4 > size * 3 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        for entry in old where entry != 0 { slots[freeSlot(for: entry >> 32)] = entry }
    }

    /// Returns the position of the node with an identifier.
    func position(of id: ModelID, _ nodes: [ModelNode]) -> Int? {
        if slots.isEmpty { return nil }
        let words = id.words
        let hash = Self.hash(words)
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] != 0 {
            if slots[slot] >> 32 == hash {
                let position = Int(slots[slot] & 0xFFFF_FFFF) - 1
                if nodes[position].identifierWords == words { return position }
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds the node at a position.
    ///
    /// - Parameter replaces: Whether it replaces a node with the same identifier.
    /// - Returns: Whether there was no such node.
    @discardableResult
    mutating func insert(_ position: Int, _ nodes: [ModelNode], replaces: Bool) -> Bool {
        reserveCapacity(count + 1, nodes)
        let words = nodes[position].identifierWords
        let hash = Self.hash(words)
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let earlier = Int(slots[slot] & 0xFFFF_FFFF) - 1
            if slots[slot] >> 32 == hash, nodes[earlier].identifierWords == words {
                if replaces { slots[slot] = hash << 32 | UInt64(position + 1) }
                return false
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = hash << 32 | UInt64(position + 1)
        count += 1
        return true
    }

    /// Removes the node at a position, unless another node with its identifier has replaced it.
    mutating func remove(_ position: Int, _ nodes: [ModelNode]) {
        guard var free = slot(of: position, nodes) else { return }
        // Later entries that were displaced by a collision move up.
        let mask = slots.count - 1
        var next = (free + 1) & mask
        while slots[next] != 0 {
            let first = Int(slots[next] >> 32) & mask
            if (next - first) & mask >= (next - free) & mask {
                slots[free] = slots[next]
                free = next
            }
            next = (next + 1) & mask
        }
        slots[free] = 0
        count -= 1
    }

    /// Records that the node at a position moves to another.
    mutating func move(_ position: Int, to other: Int, _ nodes: [ModelNode]) {
        guard let slot = slot(of: position, nodes) else { return }
        slots[slot] = slots[slot] & ~0xFFFF_FFFF | UInt64(other + 1)
    }

    private func slot(of position: Int, _ nodes: [ModelNode]) -> Int? {
        if slots.isEmpty { return nil }
        let entry = Self.hash(nodes[position].identifierWords) << 32 | UInt64(position + 1)
        var slot = Int(entry >> 32) & (slots.count - 1)
        while slots[slot] != 0 {
            if slots[slot] == entry { return slot }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private func freeSlot(for hash: UInt64) -> Int {
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    /// Returns 32 bits of an identifier's hash. Peers choose identifiers but do not know the seeds, so they cannot
    /// force collisions.
    private static func hash(_ words: (UInt64, UInt64)) -> UInt64 {
        let product = (words.0 ^ seeds.0).multipliedFullWidth(by: words.1 ^ seeds.1)
        return (product.high ^ product.low) >> 32
    }

    private static let seeds = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))
}

/// The objects that fragments created or restored, by identifier.
struct MadeObjects {
    /// The objects, in the order of addition.
    private(set) var objects: [any ModelObject] = []

    /// The nodes of ``objects``.
    private(set) var nodes: [ModelNode] = []

    private var index = NodeIndex()

    /// Reserves capacity for a number of objects.
    mutating func reserveCapacity(_ count: Int) {
        nodes.reserveCapacity(count)
        objects.reserveCapacity(count)
        index.reserveCapacity(count, nodes)
    }

    /// Adds an object that has an identifier, unless there is one with the same identifier.
    ///
    /// - Returns: The index in ``objects``; `nil` if it was not added.
    mutating func insert(_ object: any ModelObject) -> Int? {
        nodes.append(object.modelNode)
        guard index.insert(nodes.count - 1, nodes, replaces: false) else {
            nodes.removeLast()
            return nil
        }
        objects.append(object)
        return objects.count - 1
    }

    /// Returns the object with an identifier.
    subscript(id: ModelID) -> (any ModelObject)? { index.position(of: id, nodes).map { objects[$0] } }

    /// Returns the object with an identifier.
    ///
    /// - Parameter expected: The position of the object that is compared before the index is searched. If the object is
    ///   found, it becomes the next position.
    func object(_ id: ModelID, expectedAt expected: inout Int) -> (any ModelObject)? {
        if expected >= nodes.count || nodes[expected].identifierWords != id.words {
            guard let position = index.position(of: id, nodes) else { return nil }
            expected = position
        }
        expected += 1
        return objects[expected - 1]
    }

    /// Removes all objects and returns those whose nodes satisfy a condition.
    mutating func takeObjects(where condition: (ModelNode) -> Bool) -> [any ModelObject] {
        let taken = nodes.indices.filter { condition(nodes[$0]) }.map { objects[$0] }
        self = MadeObjects()
        return taken
    }
}

extension UUID {
    /// The bytes as two words, which are faster to compare and to hash.
    var words: (UInt64, UInt64) { unsafeBitCast(uuid, to: (UInt64, UInt64).self) }
}
