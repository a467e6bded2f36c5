/// An encoder for the node of a value. It consists of two words, so that an existential stores it without a box.
struct TextEncoder: Encoder {
    let session: EncodingSession
    let node: NodeReference

    var codingPath: [any CodingKey] { session.path(to: node) }
    var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedTextContainer<Key>(session: session, node: session.open(node, as: .object)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedTextContainer(session: session, node: session.open(node, as: .array))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension TextEncoder: SingleValueEncodingContainer {
    @inline(__always)
    private func put(_ write: (inout TextBuffer) -> Void) throws {
        try session.beginScalar(node)
        write(&session.text.pointee.text)
        session.text.pointee.endScalar()
    }

    func encodeNil() throws { try put { $0.append("null") } }
    func encode(_ value: Bool) throws { try put { $0.append(bool: value) } }
    func encode(_ value: String) throws {
        try put { $0.append(quoting: value, escapingSlashes: session.escapesSlashes) }
    }
    func encode(_ value: Double) throws { try session.write(scalar: value, in: node) }
    func encode(_ value: Float) throws { try session.write(scalar: value, in: node) }
    func encode(_ value: Int) throws { try put { $0.append(integer: value) } }
    func encode(_ value: Int8) throws { try put { $0.append(integer: value) } }
    func encode(_ value: Int16) throws { try put { $0.append(integer: value) } }
    func encode(_ value: Int32) throws { try put { $0.append(integer: value) } }
    func encode(_ value: Int64) throws { try put { $0.append(integer: value) } }
    func encode(_ value: Int128) throws { try put { $0.append(integer: value) } }
    func encode(_ value: UInt) throws { try put { $0.append(integer: value) } }
    func encode(_ value: UInt8) throws { try put { $0.append(integer: value) } }
    func encode(_ value: UInt16) throws { try put { $0.append(integer: value) } }
    func encode(_ value: UInt32) throws { try put { $0.append(integer: value) } }
    func encode(_ value: UInt64) throws { try put { $0.append(integer: value) } }
    func encode(_ value: UInt128) throws { try put { $0.append(integer: value) } }
    func encode<Value: Encodable>(_ value: Value) throws {
        try session.single(value, in: node)
    }
}
