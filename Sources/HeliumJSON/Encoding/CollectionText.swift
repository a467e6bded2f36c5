/// Arrays, which are written without an `UnkeyedEncodingContainer`.
protocol ArrayText {
    /// Writes the array at a pointer.
    static func write(_ array: UnsafeRawPointer, in node: NodeReference, of session: EncodingSession) throws
}

extension Array: ArrayText where Element: Encodable {
    static func write(_ array: UnsafeRawPointer, in node: NodeReference, of session: EncodingSession) throws {
        try array.assumingMemoryBound(to: Self.self).pointee.withUnsafeBufferPointer { elements in
            let node = session.open(node, as: .array)
            guard let base = elements.baseAddress, elements.count > 0 else { return }
            if case .scalar(let type) = session.trait(of: Element.self),
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
    /// Whether the names are data, which no key strategy converts.
    static var hasStringKeys: Bool { get }

    /// Writes the dictionary at a pointer.
    static func write(_ dictionary: UnsafeRawPointer, in node: NodeReference, of session: EncodingSession) throws
}

extension Dictionary: DictionaryText where Key: CodingKeyRepresentable, Value: Encodable {
    static var hasStringKeys: Bool { Key.self == String.self }

    static func write(_ dictionary: UnsafeRawPointer, in node: NodeReference, of session: EncodingSession) throws {
        let dictionary = dictionary.assumingMemoryBound(to: Self.self).pointee
        let node = session.open(node, as: .object)
        let keys = Array(dictionary.keys)
        let names = hasStringKeys ? unsafeBitCast(keys, to: [String].self) : keys.map(\.codingKey.stringValue)
        // The values are in the order of the keys.
        let values = Array(dictionary.values)
        // A dictionary that is added to other members may contain their names.
        let areUnique = hasStringKeys && session.isEmpty(node)
        // Before the members, because a value may use a container of the same object.
        if areUnique { session.text.pointee.node(node)?.pointee.setOtherNames() }
        // Sorted, because the order of a dictionary differs between processes.
        for name in NameOrder.sorted(names) {
            try session.member(values[name.index], named: names[name.index], isUnique: areUnique, of: node)
        }
    }
}

private struct NameOrder {
    /// The first bytes of the name, which usually decide: the first byte highest, with zeros after a shorter name.
    let prefix: UInt64
    let index: Int

    /// Returns the names in the order of their UTF-8 bytes.
    static func sorted(_ names: [String]) -> [NameOrder] {
        guard names.count > 1 else { return names.indices.map { NameOrder(prefix: 0, index: $0) } }
        return names.indices.map { NameOrder(prefix: prefix(names[$0]), index: $0) }.sorted {
            if $0.prefix != $1.prefix { return $0.prefix < $1.prefix }
            return names[$0.index].utf8.lexicographicallyPrecedes(names[$1.index].utf8)
        }
    }

    private static func prefix(_ name: String) -> UInt64 {
        var (prefix, count) = (0 as UInt64, 0)
        for byte in name.utf8.prefix(8) {
            prefix = prefix << 8 | UInt64(byte)
            count += 8
        }
        return prefix << (64 - count)
    }
}
