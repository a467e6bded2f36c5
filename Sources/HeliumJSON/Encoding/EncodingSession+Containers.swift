// Arrays and objects that encoders and containers request.
extension EncodingSession {
    /// Makes a node an array or object, unless it is one already.
    @inline(__always)
    func open(_ reference: NodeReference, as kind: EncodingNode.Kind) -> NodeReference {
        guard let node = text.pointee.node(reference) else { return refuse(gone()) }
        if node.pointee.kind == kind { return reference }
        return openFresh(reference, as: kind)
    }

    private func openFresh(_ reference: NodeReference, as kind: EncodingNode.Kind) -> NodeReference {
        guard let node = text.pointee.ready(reference) else { return refuse(gone()) }
        guard node.pointee.kind == .fresh else { return refuse(occupied(at: path(to: reference))) }
        guard node.pointee.depth <= Self.maximumDepth else { return refuse(tooDeep(at: path(to: reference))) }
        text.pointee.open(node, as: kind)
        return reference
    }

    /// Returns the node of a member for an encoder or container. Returns an existing one if it has the same kind.
    func nested(_ key: some CodingKey, of reference: NodeReference, as kind: EncodingNode.Kind) -> NodeReference {
        let name = name(of: key, in: reference)
        guard let node = text.pointee.ready(reference), node.pointee.kind == .object else { return refuse(gone()) }
        let mark = text.pointee.mark(node)
        var repeated: Int?
        let offset = text.pointee.beginMember(name, of: node, escapingSlashes: escapesSlashes, repeated: &repeated)
        if let repeated {
            if kind == .fresh {
                text.pointee.hasRepeatedNames = true
            } else {
                _ = text.pointee.goBack(to: mark, in: reference)
                return text.pointee.container(at: repeated, of: reference, as: kind)
                    ?? refuse(occupied(at: path(to: reference) + [key]))
            }
        }
        if convertsKeys { originalKeys[offset] = key }
        return nested(step: offset, as: kind)
    }

    /// Returns the node of an element for an encoder or container.
    func nested(of reference: NodeReference, as kind: EncodingNode.Kind) -> NodeReference {
        guard let node = text.pointee.ready(reference), node.pointee.kind == .array else { return refuse(gone()) }
        text.pointee.beginElement(of: node)
        return nested(step: node.pointee.count - 1, as: kind)
    }

    private func nested(step: Int, as kind: EncodingNode.Kind) -> NodeReference {
        let child = text.pointee.push(step: step)
        return kind == .fresh ? child : openFresh(child, as: kind)
    }

    private func refuse(_ error: any Error) -> NodeReference {
        fail(error)
        return .none
    }
}
