/// A decoder for a value on the tape. It consists of two words, so that an existential stores it without a box.
struct TapeDecoder: Decoder {
    let document: JSONDocument
    let index: Int

    var codingPath: [any CodingKey] { document.path(to: index) }
    var userInfo: [CodingUserInfoKey: Any] { document.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try document.container(keyedBy: type, at: index)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try UnkeyedTapeContainer(document: document, array: index)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension TapeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { document.word(index).kind == .null }

    func decode(_ type: Bool.Type) throws -> Bool { try document.bool(at: index) }
    func decode(_ type: String.Type) throws -> String { try document.string(at: index) }
    func decode(_ type: Double.Type) throws -> Double { try document.double(at: index) }
    func decode(_ type: Float.Type) throws -> Float { try document.float(at: index) }
    func decode(_ type: Int.Type) throws -> Int { try document.integer(at: index, as: type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try document.integer(at: index, as: type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try document.integer(at: index, as: type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try document.integer(at: index, as: type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try document.integer(at: index, as: type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try document.integer(at: index, as: type) }
    func decode(_ type: UInt.Type) throws -> UInt { try document.integer(at: index, as: type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try document.integer(at: index, as: type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try document.integer(at: index, as: type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try document.integer(at: index, as: type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try document.integer(at: index, as: type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try document.integer(at: index, as: type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try document.value(at: index, as: type) }
}

extension JSONDocument {
    @inlinable @inline(__always)
    func bool(at index: Int) throws -> Bool {
        switch word(index).kind {
        case .true: return true
        case .false: return false
        default: throw mismatch(Bool.self, at: index)
        }
    }

    @inlinable @inline(__always)
    func string(at index: Int) throws -> String {
        let word = word(index)
        guard word.isString else { throw mismatch(String.self, at: index) }
        return string(word)
    }
}
