/// JSON text under construction.
///
/// As long as values are strictly nested, which is nearly always the case, they are written at their final position. An
/// open container then ends at the end of the text, and opening another one or continuing an outer one only writes
/// brackets. The chain of open nodes leads from `tip` up to `floor`.
///
/// A container that was closed in the meantime can be continued nevertheless. Its text is written at the end as a
/// separate segment, which is inserted at its position when the encoding is complete. Text is therefore never moved,
/// and no order of calls is more expensive than another.
struct TextAssembly {
    var text = TextBuffer(capacity: 1024)
    var nodes = RawStack<EncodingNode>(capacity: 16)
    var names = RawStack<NameEntry>(capacity: 32)
    /// The names of objects with many members, by owner and hash.
    var largeObjects: [Int: Int] = [:]
    /// Whether an object contains a name twice.
    var hasRepeatedNames = false

    /// The number of values around the current one, which include values other than arrays and objects.
    var nesting = 0

    /// The index of the innermost open node; -1 for none.
    var tip = -1
    /// The index of the outermost open node.
    private var floor = 0
    /// Whether the closing bracket of the outermost open node has been written.
    private var floorIsClosed = false
    private(set) var segmentStart = 0
    /// Whether the segment has a node that is still fresh, whose text is inserted later.
    private var segmentHasFresh = false
    /// The position of the segment; -1 for the first one.
    private var segmentPlace = -1
    private(set) var firstSegmentEnd = 0
    var patches: [TextPatch] = []
    /// Whether text was written after a node that is still fresh.
    private(set) var passedFresh = false
    private var nextSerial: UInt32 = 1

    func deallocate() {
        text.deallocate()
        nodes.deallocate()
        names.deallocate()
    }
}

// MARK: Nodes

extension TextAssembly {
    /// Creates a node in the innermost open container, or the first node.
    @inline(__always)
    mutating func push(step: Int) -> NodeReference {
        let reference = NodeReference(index: UInt32(truncatingIfNeeded: nodes.count), serial: nextSerial)
        let depth = tip < 0 ? 1 : nodes[tip].depth &+ 1
        let node = EncodingNode(serial: nextSerial, parent: tip, depth: depth, step: step)
        tip = nodes.count
        nodes.append(node)
        nextSerial &+= 1
        return reference
    }

    /// Creates a node for a container that was encoded as a whole.
    mutating func pushClosed(
        as kind: EncodingNode.Kind,
        step: Int,
        parent: Int,
        end: Int,
        count: Int
    ) -> NodeReference {
        let reference = NodeReference(index: UInt32(truncatingIfNeeded: nodes.count), serial: nextSerial)
        var node = EncodingNode(serial: nextSerial, parent: parent, depth: nodes[parent].depth + 1, step: step)
        (node.kind, node.isOpen, node.end, node.count) = (kind, false, end, count)
        node.setOtherNames()
        nodes.append(node)
        nextSerial &+= 1
        return reference
    }

    /// Returns the node, or `nil` if it no longer exists.
    @inline(__always)
    func node(_ reference: NodeReference) -> UnsafeMutablePointer<EncodingNode>? {
        let index = Int(reference.index)
        guard index < nodes.count, nodes[index].serial == reference.serial else { return nil }
        return nodes.base + index
    }

    /// Returns the depth of an array or object at this node.
    @inline(__always)
    func depth(_ reference: NodeReference) -> Int { node(reference)?.pointee.depth ?? 0 }

    /// Ensures that the next text is written at the end of the node. Returns `nil` if the node no longer exists.
    @inline(__always)
    mutating func ready(_ reference: NodeReference) -> UnsafeMutablePointer<EncodingNode>? {
        let index = Int(reference.index)
        if index == tip, nodes[index].serial == reference.serial { return nodes.base + index }
        return goTo(reference)
    }

    @inline(never)
    private mutating func goTo(_ reference: NodeReference) -> UnsafeMutablePointer<EncodingNode>? {
        guard let node = node(reference) else { return nil }
        let index = Int(reference.index)
        if node.pointee.isOpen {
            while tip != index { closeTip() }
        } else {
            closeAll()
            floor = index
            floorIsClosed = node.pointee.kind != .fresh
            // A byte between two segments, so that no offset belongs to both.
            text.append(0x20)
            segmentStart = text.count
            segmentHasFresh = false
            segmentPlace = node.pointee.place
            node.pointee.isOpen = true
            tip = index
        }
        return node
    }

    mutating func closeAll() { while tip >= 0 { closeTip() } }

    mutating func closeTip() {
        let node = nodes.base + tip
        switch node.pointee.kind {
        case .array, .object:
            if tip != floor || !floorIsClosed {
                node.pointee.end = text.count
                text.append(node.pointee.kind == .array ? 0x5D : 0x7D)
            }
        case .fresh:
            if tip != floor {
                node.pointee.end = text.count
                segmentHasFresh = true
            }
            passedFresh = true
        case .scalar: break
        }
        leaveTip()
    }

    @inline(__always)
    mutating func leaveTip() {
        nodes.base[tip].isOpen = false
        if tip == floor { endSegment() } else { tip = nodes.base[tip].parent }
    }

    @inline(never)
    private mutating func endSegment() {
        tip = -1
        if segmentPlace < 0 {
            firstSegmentEnd = text.count
        } else if text.count > segmentStart || segmentHasFresh {
            patches.append(TextPatch(place: segmentPlace, range: segmentStart..<text.count))
        }
    }
}
