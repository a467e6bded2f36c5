extension EncodingSession {
    /// Returns the path to a node. The names are read from the text again, so that successful encoding stores nothing
    /// for it.
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

    /// Creates the error of a value that can't be represented.
    func invalid(_ value: Any, at path: [any CodingKey], _ reason: String) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: path, debugDescription: reason))
    }

    func noNumber(_ value: Any, at path: [any CodingKey]) -> EncodingError {
        invalid(value, at: path, "JSON can't represent the number \(value)")
    }

    /// Creates the error of an encoder or container that is used after its value has ended.
    func gone() -> any Error {
        failure ?? invalid(Any?.none as Any, at: [], "the encoder or container was used after its value ended")
    }

    /// Creates the error of encoding a second value at the same position.
    func occupied(at path: [any CodingKey]) -> EncodingError {
        invalid(Any?.none as Any, at: path, "a value of another kind was already encoded here")
    }

    func tooDeep(at path: [any CodingKey]) -> EncodingError {
        invalid(Any?.none as Any, at: path, "values are nested too deeply")
    }
}
