/// Collections that are read at once, without a container and a decoder for each element.
protocol TapeCollection {
    static func read(_ document: JSONDocument, at index: Int) throws -> Self
}

extension Array: TapeCollection where Element: Decodable {
    static func read(_ document: JSONDocument, at index: Int) throws -> Self {
        guard document.word(index).kind == .array else { throw document.mismatch(Self.self, at: index) }
        let count = document.elementCount(of: index)
        let end = document.next(index)
        let trait = document.trait(of: Element.self)
        guard count > shortCount else { return try readShort(document, trait, at: index, count: count) }
        return try Self(unsafeUninitializedCapacity: count) { memory, count in
            guard var slot = memory.baseAddress else { return }
            var element = index &+ 1
            while element < end {
                try document.decode(trait, at: element, into: slot)
                count &+= 1
                slot += 1
                element = document.next(element)
            }
        }
    }

    /// The number of elements up to which appending costs less than `init(unsafeUninitializedCapacity:)`, for which the
    /// runtime looks up the type of another array.
    private static var shortCount: Int { 6 }

    private static func readShort(
        _ document: JSONDocument,
        _ trait: TypeTrait,
        at index: Int,
        count: Int
    ) throws -> Self {
        var elements = Self()
        guard count > 0 else { return elements }
        elements.reserveCapacity(count)
        let end = document.next(index)
        var element = index &+ 1
        while element < end {
            elements.append(try document.value(at: element, as: Element.self, trait))
            element = document.next(element)
        }
        return elements
    }
}

/// The names are the keys of the dictionary, so the key strategy does not apply to them.
extension Dictionary: TapeCollection where Key == String, Value: Decodable {
    static func read(_ document: JSONDocument, at index: Int) throws -> Self {
        guard document.word(index).kind == .object else { throw document.mismatch(Self.self, at: index) }
        if !document.usesNames { document.dictionaries.insert(index) }
        var result = Self(minimumCapacity: document.elementCount(of: index))
        try document.forEachMember(of: index) { name, value in
            let name = document.string(name)
            if result[name] == nil { result[name] = try document.value(at: value, as: Value.self) }
        }
        return result
    }
}
