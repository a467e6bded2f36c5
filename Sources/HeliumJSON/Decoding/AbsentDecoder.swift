/// A decoder for a missing value of a superclass, which counts as null.
struct AbsentDecoder: Decoder, SingleValueDecodingContainer {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw absent([String: Any].self)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw absent([Any].self) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { true }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Scalar types would request the missing value again. Other types may be able to decode null.
        if type is any KeylessReadable.Type { throw absent(type) }
        return try type.init(from: self)
    }

    private func absent(_ type: Any.Type) -> DecodingError {
        .valueNotFound(type, DecodingError.Context(codingPath: codingPath, debugDescription: "the value is missing"))
    }
}
