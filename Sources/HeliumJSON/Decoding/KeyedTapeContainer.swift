/// The members of an object. It consists of two words, one of them reference counted, because the standard library's
/// box copies its container on each call.
struct KeyedTapeContainer<Key: CodingKey>: TapeContainer {
    private let document: JSONDocument
    private let object: Int

    init(document: JSONDocument, object: Int) {
        self.document = document
        self.object = object
    }

    var codingPath: [any CodingKey] { document.path(to: object) }

    var allKeys: [Key] { document.names(of: object).compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }

    /// Returns the index of a member's value, or `nil` if there is none.
    @inline(__always)
    private func find(_ name: String) -> Int? {
        guard document.usesNames else { return document.convertedMembers(of: object).indexes[name] }
        var name = name
        return name.withUTF8 { document.member($0, of: object) }
    }

    /// Returns the index of a member's value, or throws if there is none.
    @inline(__always)
    private func value(_ key: Key) throws -> Int {
        guard let index = find(key.stringValue) else { throw document.missing(key, in: object) }
        return index
    }

    /// Returns the index of a member's value, or `nil` if it is missing or null.
    @inline(__always)
    private func present(_ key: Key) -> Int? {
        guard let index = find(key.stringValue), document.word(index).kind != .null else { return nil }
        return index
    }

    func decodeNil(forKey key: Key) throws -> Bool { document.word(try value(key)).kind == .null }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try document.bool(at: value(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try document.string(at: value(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try document.double(at: value(key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try document.float(at: value(key)) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try document.integer(at: value(key), as: type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try document.integer(at: value(key), as: type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try document.integer(at: value(key), as: type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try document.integer(at: value(key), as: type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try document.integer(at: value(key), as: type) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try document.integer(at: value(key), as: type)
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try document.integer(at: value(key), as: type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try document.integer(at: value(key), as: type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try document.integer(at: value(key), as: type)
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try document.integer(at: value(key), as: type)
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try document.integer(at: value(key), as: type)
    }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try document.integer(at: value(key), as: type)
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try document.value(at: value(key), as: type)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key).map(document.bool(at:))
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key).map(document.string(at:))
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try present(key).map(document.double(at:))
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try present(key).map(document.float(at:))
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try present(key).map { try document.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try present(key).map { try document.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try present(key).map { try document.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try present(key).map { try document.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try present(key).map { try document.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        try present(key).map { try document.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try present(key).map { try document.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try present(key).map { try document.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try present(key).map { try document.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try present(key).map { try document.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try present(key).map { try document.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try present(key).map { try document.integer(at: $0, as: type) }
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let index = present(key) else { return nil }
        return try document.value(at: index, as: type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try document.container(keyedBy: type, at: value(key))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try UnkeyedTapeContainer(document: document, array: value(key))
    }

    func superDecoder() throws -> any Decoder {
        superDecoder(for: find("super"), at: PathKey.name("super"))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(for: find(key.stringValue), at: key) }

    /// Returns a decoder for a superclass. As in Foundation's decoder, a missing value counts as null.
    private func superDecoder(for index: Int?, at key: any CodingKey) -> any Decoder {
        if let index { return TapeDecoder(document: document, index: index) }
        return AbsentDecoder(codingPath: codingPath + [key], userInfo: document.options.userInfo)
    }
}
