/// The elements of an array. It consists of two words, so that an existential stores it without a box.
struct UnkeyedTextContainer: UnkeyedEncodingContainer {
    let session: EncodingSession
    let node: NodeReference

    var codingPath: [any CodingKey] { session.path(to: node) }
    var count: Int { session.text.pointee.node(node)?.pointee.count ?? 0 }

    @inline(__always)
    private func put(_ write: (inout TextBuffer) -> Void) throws {
        try session.beginElement(of: node)
        write(&session.text.pointee.text)
    }

    @inline(__always)
    private func put(integer value: some FixedWidthInteger) throws { try put { $0.append(integer: value) } }

    @inline(__always)
    private func put(floating value: some ScalarText & BinaryFloatingPoint) throws {
        guard value.isFinite || session.writesNonFinite else {
            throw session.noNumber(value, at: codingPath + [PathKey.index(count)])
        }
        try session.beginElement(of: node)
        _ = value.append(to: session)
    }

    func encodeNil() throws { try put { $0.append("null") } }
    func encode(_ value: Bool) throws { try put { $0.append(bool: value) } }
    func encode(_ value: String) throws {
        try put { $0.append(quoting: value, escapingSlashes: session.escapesSlashes) }
    }
    func encode(_ value: Double) throws { try put(floating: value) }
    func encode(_ value: Float) throws { try put(floating: value) }
    func encode(_ value: Int) throws { try put(integer: value) }
    func encode(_ value: Int8) throws { try put(integer: value) }
    func encode(_ value: Int16) throws { try put(integer: value) }
    func encode(_ value: Int32) throws { try put(integer: value) }
    func encode(_ value: Int64) throws { try put(integer: value) }
    func encode(_ value: Int128) throws { try put(integer: value) }
    func encode(_ value: UInt) throws { try put(integer: value) }
    func encode(_ value: UInt8) throws { try put(integer: value) }
    func encode(_ value: UInt16) throws { try put(integer: value) }
    func encode(_ value: UInt32) throws { try put(integer: value) }
    func encode(_ value: UInt64) throws { try put(integer: value) }
    func encode(_ value: UInt128) throws { try put(integer: value) }
    func encode<Value: Encodable>(_ value: Value) throws { try session.element(value, of: node) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(
            KeyedTextContainer<Nested>(session: session, node: session.nested(of: node, as: .object))
        )
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        Self(session: session, node: session.nested(of: node, as: .array))
    }

    func superEncoder() -> any Encoder { TextEncoder(session: session, node: session.nested(of: node, as: .fresh)) }
}
