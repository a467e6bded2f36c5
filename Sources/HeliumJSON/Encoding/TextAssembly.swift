/// JSON text in the making.
///
/// Values are written where they come out as long as they are nested strictly, which is nearly always: then an open container
/// ends where the text ends, and opening another or going on with one around it only means brackets. The chain of open
/// nodes goes from `tip` up to `floor`.
///
/// Who goes on with a container that was closed meanwhile is let write at the end of the text nevertheless: this segment
/// is put in place when all is done. So nothing is ever moved, and no order of calls costs more than another.
struct TextAssembly {
    var text = TextBuffer(capacity: 1024)
    var nodes = RawStack<EncodingNode>(capacity: 16)
    var names = RawStack<NameEntry>(capacity: 32)
    /// Names in objects of many, by owner and hash.
    var largeObjects: [Int: Int] = [:]
    /// Whether an object has a name twice.
    var hasRepeatedNames = false

    /// Values around the one that is being encoded, not all of them arrays or objects.
    var nesting = 0

    /// The innermost open node; -1: none.
    var tip = -1
    /// The outermost.
    private var floor = 0
    /// Whether its closing bracket stands already.
    private var floorIsClosed = false
    private(set) var segmentStart = 0
    /// Where the segment belongs; -1: it is the first.
    private var segmentPlace = -1
    private(set) var firstSegmentEnd = 0
    var patches: [TextPatch] = []
    /// Whether the text went on past a node that is fresh.
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
    /// A node in the container that is open innermost, or the first of all.
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

    /// A node for a container that was encoded as a whole.
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

    /// The node, unless it is gone.
    @inline(__always)
    func node(_ reference: NodeReference) -> UnsafeMutablePointer<EncodingNode>? {
        let index = Int(reference.index)
        guard index < nodes.count, nodes[index].serial == reference.serial else { return nil }
        return nodes.base + index
    }

    /// How deep an array or object here would be.
    @inline(__always)
    func depth(_ reference: NodeReference) -> Int { node(reference)?.pointee.depth ?? 0 }

    /// Sees to it that what is written next goes to the node's end; `nil` if it is gone.
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
            segmentStart = text.count
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
            if tip != floor { node.pointee.end = text.count }
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
        } else if text.count > segmentStart {
            patches.append(TextPatch(place: segmentPlace, range: segmentStart..<text.count))
        }
    }
}
