extension EncodingSession {
    /// The way to a node. Nothing is kept for it while encoding goes well: names are read from the text again.
    func path(to reference: NodeReference) -> [any CodingKey] {
        guard var node = text.pointee.node(reference)?.pointee else { return [] }
        var path: [any CodingKey] = []
        while node.parent >= 0 {
            let parent = text.pointee.nodes[node.parent]
            path.append(parent.kind == .array ? PathKey.index(node.step) : key(at: node.step))
            node = parent
        }
        return path.reversed()
    }

    private func key(at offset: Int) -> any CodingKey {
        originalKeys[offset] ?? PathKey.name(text.pointee.name(at: offset))
    }

    /// The value can't be written.
    func invalid(_ value: Any, at path: [any CodingKey], _ reason: String) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: path, debugDescription: reason))
    }

    func noNumber(_ value: Any, at path: [any CodingKey]) -> EncodingError {
        invalid(value, at: path, "JSON has no number for \(value)")
    }

    /// The encoder or container outlived its value.
    func gone() -> any Error {
        failure ?? invalid(Any?.none as Any, at: [], "the encoder or container was for a value that has ended")
    }

    /// Something was encoded there already.
    func occupied(at path: [any CodingKey]) -> EncodingError {
        invalid(Any?.none as Any, at: path, "a value of another kind was encoded here already")
    }

    func tooDeep(at path: [any CodingKey]) -> EncodingError {
        invalid(Any?.none as Any, at: path, "values are nested too deep")
    }
}
