/// Arrays, which are written without an `UnkeyedEncodingContainer`.
protocol ArrayText {
    /// Writes the array that a pointer points to.
    static func write(_ array: UnsafeRawPointer, in node: NodeReference, of session: EncodingSession) throws
}

extension Array: ArrayText where Element: Encodable {
    static func write(_ array: UnsafeRawPointer, in node: NodeReference, of session: EncodingSession) throws {
        try array.assumingMemoryBound(to: Self.self).pointee.withUnsafeBufferPointer { elements in
            let node = session.open(node, as: .array)
            guard let base = elements.baseAddress, elements.count > 0 else { return }
            if case .scalar(let type) = session.traits.trait(of: Element.self, keys: session.options.keys),
                let count = try session.beginElements(of: node, elements.count)
            {
                return try type.appendElements(UnsafeRawPointer(base), count: count, of: node, to: session)
            }
            for index in 0..<elements.count { try session.element(base[index], of: node) }
        }
    }
}

/// Dictionaries that encode themselves as objects.
protocol DictionaryText {
    /// Whether names are data, which no strategy converts.
    static var hasStringKeys: Bool { get }

    /// Writes the dictionary that a pointer points to.
    static func write(_ dictionary: UnsafeRawPointer, in node: NodeReference, of session: EncodingSession) throws
}

extension Dictionary: DictionaryText where Key: CodingKeyRepresentable, Value: Encodable {
    static var hasStringKeys: Bool { Key.self == String.self }

    static func write(_ dictionary: UnsafeRawPointer, in node: NodeReference, of session: EncodingSession) throws {
        let dictionary = dictionary.assumingMemoryBound(to: Self.self).pointee
        let node = session.open(node, as: .object)
        let keys = Array(dictionary.keys)
        let names = hasStringKeys ? unsafeBitCast(keys, to: [String].self) : keys.map(\.codingKey.stringValue)
        // In the order of the keys.
        let values = Array(dictionary.values)
        // Their order differs from one process to the next.
        for index in NameOrder.indices(of: names) {
            try session.member(values[index], named: names[index], of: node)
        }
    }
}

private enum NameOrder {
    /// The indices of names in the order of their UTF-8 bytes.
    static func indices(of names: [String]) -> [Int] {
        names.indices.sorted { names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8) }
    }
}
