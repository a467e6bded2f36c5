/// `Decoder` where a super class's value is missing: null.
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
        if let type = type as? any ExpressibleByNilLiteral.Type, let value = null(type) as? Value { return value }
        throw absent(type)
    }

    private func null<Value: ExpressibleByNilLiteral>(_ type: Value.Type) -> Any { Value(nilLiteral: ()) }

    private func absent(_ type: Any.Type) -> DecodingError {
        .valueNotFound(type, DecodingError.Context(codingPath: codingPath, debugDescription: "there is no value"))
    }
}
