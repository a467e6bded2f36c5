/// A binary heap of elements with keys, the lowest first. Elements are small indices; each is in the heap at most once.
struct PoolHeap: Sendable {
    private struct Node {
        var key: UInt64
        var element: Int32
    }

    private var nodes: ContiguousArray<Node> = []
    /// The position of each element; -1 if it is not in the heap.
    private var positions: ContiguousArray<Int32> = []

    var isEmpty: Bool { nodes.isEmpty }
    /// The element with the lowest key. The heap must not be empty.
    var firstElement: Int32 { nodes[0].element }
    /// The lowest key; the highest number if the heap is empty.
    var lowestKey: UInt64 { nodes.isEmpty ? .max : nodes[0].key }

    func key(of element: Int32) -> UInt64? {
        guard Int(element) < positions.count, positions[Int(element)] >= 0 else { return nil }
        return nodes[Int(positions[Int(element)])].key
    }

    /// Inserts the element, or changes its key.
    mutating func set(_ element: Int32, _ key: UInt64) {
        while positions.count <= Int(element) { positions.append(-1) }
        let position = Int(positions[Int(element)])
        let node = Node(key: key, element: element)
        if position < 0 {
            nodes.append(node)
            rise(node, from: nodes.count - 1)
        } else if key < nodes[position].key {
            rise(node, from: position)
        } else if key > nodes[position].key {
            sink(node, from: position)
        }
    }

    /// Removes the element if it is in the heap.
    mutating func remove(_ element: Int32) {
        guard Int(element) < positions.count, positions[Int(element)] >= 0 else { return }
        let position = Int(positions[Int(element)])
        positions[Int(element)] = -1
        let removed = nodes[position]
        let last = nodes.removeLast()
        guard position < nodes.count else { return }
        if last.key < removed.key { rise(last, from: position) } else { sink(last, from: position) }
    }

    private mutating func rise(_ node: Node, from start: Int) {
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard node.key < nodes[parent].key else { break }
            place(nodes[parent], at: position)
            position = parent
        }
        place(node, at: position)
    }

    private mutating func sink(_ node: Node, from start: Int) {
        var position = start
        while true {
            var child = 2 * position + 1
            guard child < nodes.count else { break }
            if child + 1 < nodes.count, nodes[child + 1].key < nodes[child].key { child += 1 }
            guard nodes[child].key < node.key else { break }
            place(nodes[child], at: position)
            position = child
        }
        place(node, at: position)
    }

    private mutating func place(_ node: Node, at position: Int) {
        nodes[position] = node
        positions[Int(node.element)] = Int32(position)
    }
}
