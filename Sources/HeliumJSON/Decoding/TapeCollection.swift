/// Collections that are read at once, without a container and a decoder for each element.
protocol TapeCollection {
    static func read(_ document: JSONDocument, at index: Int) throws -> Self
}

extension Array: TapeCollection where Element: Decodable {
    static func read(_ document: JSONDocument, at index: Int) throws -> Self {
        guard document.word(index).kind == .array else { throw document.mismatch(Self.self, at: index) }
        return try Self(unsafeUninitializedCapacity: document.elementCount(of: index)) { memory, count in
            guard var slot = memory.baseAddress else { return }
            let end = document.next(index)
            var element = index &+ 1
            while element < end {
                slot.initialize(to: try document.value(at: element, as: Element.self))
                count &+= 1
                slot += 1
                element = document.next(element)
            }
        }
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
