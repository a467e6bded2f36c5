// Values, and the functions that end or undo them.
extension TextAssembly {
    /// Makes a fresh node, which must be ready, a container.
    @inline(__always)
    mutating func open(_ node: UnsafeMutablePointer<EncodingNode>, as kind: EncodingNode.Kind) {
        node.pointee.kind = kind
        text.append(kind == .array ? 0x5B : 0x7B)
    }

    /// Ends a fresh node whose value was written at once.
    @inline(__always)
    mutating func endScalar() {
        nodes.base[tip].kind = .scalar
        leaveTip()
    }

    @inline(__always)
    mutating func beginElement(of node: UnsafeMutablePointer<EncodingNode>) {
        if node.pointee.count > 0 { text.append(0x2C) }
        node.pointee.count &+= 1
    }

    /// Ends a value and all nodes inside it.
    ///
    /// - Parameters:
    ///   - count: The number of names when its node was created.
    ///   - segment: The ``segmentStart`` when its node was created.
    @inline(__always)
    mutating func end(_ reference: NodeReference, names count: Int, segment: Int) {
        let index = Int(reference.index)
        while tip > index { closeTip() }
        if tip == index {
            if nodes[index].kind == .fresh {
                text.append("{}")
                endScalar()
            } else {
                closeTip()
            }
        }
        if passedFresh { fillFresh(from: index) }
        let parent = nodes[index].parent
        nodes.count = index
        // The value may have used a container around it, whose names since then are still needed. In that case either the
        // parent has a new name, or it was closed.
        if tip == parent, segmentStart == segment, parent < 0 || nodes[parent].lastName < count { names.count = count }
    }

    /// Writes an empty object for each encoder that encoded nothing.
    @inline(never)
    private mutating func fillFresh(from first: Int) {
        for index in first..<nodes.count where nodes[index].kind == .fresh && !nodes[index].isOpen {
            patches.append(TextPatch(place: nodes[index].place, range: nil))
        }
    }
}

// MARK: Undoing

extension TextAssembly {
    /// The state before a member or element.
    struct Mark {
        fileprivate let text: Int
        fileprivate let nodes: Int
        fileprivate let patches: Int
        fileprivate let segment: Int
        let names: Int
        fileprivate let lastName: Int
        fileprivate let count: Int
    }

    /// Returns the state before a value is added to a container, which must be ready.
    @inline(__always)
    func mark(_ container: UnsafeMutablePointer<EncodingNode>) -> Mark {
        Mark(
            text: text.count,
            nodes: nodes.count,
            patches: patches.count,
            segment: segmentStart,
            names: names.count,
            lastName: container.pointee.lastName,
            count: container.pointee.count
        )
    }

    /// Undoes everything since the mark, which must be one member or element of `container`. Returns `false` if text
    /// was also written elsewhere.
    mutating func goBack(to mark: Mark, in container: NodeReference) -> Bool {
        guard patches.count == mark.patches, segmentStart == mark.segment, let node = node(container) else {
            return false
        }
        guard node.pointee.isOpen, node.pointee.count == mark.count &+ 1 else { return false }
        text.count = mark.text
        nodes.count = mark.nodes
        names.count = mark.names
        node.pointee.count &-= 1
        node.pointee.lastName = mark.lastName
        tip = Int(container.index)
        return true
    }

    /// The state before a value is written into its own node.
    struct ValueMark {
        fileprivate let mark: Mark
        fileprivate let node: EncodingNode
        /// The number of elements or members around the value, including it.
        fileprivate let parentCount: Int
    }

    /// Returns the state before a value is written into a node, which must be ready.
    func markValue(_ node: UnsafeMutablePointer<EncodingNode>) -> ValueMark {
        ValueMark(mark: mark(node), node: node.pointee, parentCount: count(ofParent: node))
    }

    /// Undoes everything since the mark, which must be the value of `reference`. Returns `false` if text was also written
    /// elsewhere.
    mutating func goBack(to mark: ValueMark, in reference: NodeReference) -> Bool {
        guard patches.count == mark.mark.patches, segmentStart == mark.mark.segment, let node = node(reference) else {
            return false
        }
        // One token has ended the node.
        let isEnded = node.pointee.kind == .scalar && tip == node.pointee.parent
        guard node.pointee.isOpen || isEnded, count(ofParent: node) == mark.parentCount else { return false }
        node.pointee = mark.node
        text.count = mark.mark.text
        nodes.count = mark.mark.nodes
        names.count = mark.mark.names
        tip = Int(reference.index)
        return true
    }

    private func count(ofParent node: UnsafeMutablePointer<EncodingNode>) -> Int {
        node.pointee.parent < 0 ? 0 : nodes[node.pointee.parent].count
    }
}
