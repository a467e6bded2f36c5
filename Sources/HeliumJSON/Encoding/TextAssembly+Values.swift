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

    /// Ends a value and all nodes inside it. `count` is the number of names at the time its node was created.
    @inline(__always)
    mutating func end(_ reference: NodeReference, names count: Int) {
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
        nodes.count = index
        names.count = count
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
            lastName: container.pointee.lastName
        )
    }

    /// Undoes everything since the mark, which must be one member or element of `container`. Returns `false` if text
    /// was also written elsewhere.
    mutating func goBack(to mark: Mark, in container: NodeReference) -> Bool {
        guard patches.count == mark.patches, segmentStart == mark.segment, let node = node(container) else {
            return false
        }
        guard node.pointee.isOpen else { return false }
        text.count = mark.text
        nodes.count = mark.nodes
        names.count = mark.names
        node.pointee.count &-= 1
        node.pointee.lastName = mark.lastName
        tip = Int(container.index)
        return true
    }
}
