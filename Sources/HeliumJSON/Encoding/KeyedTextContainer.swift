/// The members of an object.
struct KeyedTextContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let session: EncodingSession
    let node: NodeReference

    var codingPath: [any CodingKey] { session.path(to: node) }

    @inline(__always)
    private func put(_ key: Key, _ write: (inout TextBuffer) -> Void) throws {
        try session.beginMember(key, of: node)
        write(&session.text.pointee.text)
    }

    @inline(__always)
    private func put(integer value: some FixedWidthInteger, _ key: Key) throws {
        try put(key) { $0.append(integer: value) }
    }

    /// Writes a floating-point value. It may fail, because only finite values are numbers.
    @inline(__always)
    private func put(floating value: some ScalarText & BinaryFloatingPoint, _ key: Key) throws {
        guard value.isFinite || session.writesNonFinite else {
            throw session.noNumber(value, at: codingPath + [key])
        }
        try session.beginMember(key, of: node)
        _ = value.append(to: session)
    }

    func encodeNil(forKey key: Key) throws { try put(key) { $0.append("null") } }
    func encode(_ value: Bool, forKey key: Key) throws { try put(key) { $0.append(bool: value) } }
    func encode(_ value: String, forKey key: Key) throws {
        try put(key) { $0.append(quoting: value, escapingSlashes: session.escapesSlashes) }
    }
    func encode(_ value: Double, forKey key: Key) throws { try put(floating: value, key) }
    func encode(_ value: Float, forKey key: Key) throws { try put(floating: value, key) }
    func encode(_ value: Int, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: Int8, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: Int128, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try put(integer: value, key) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try session.member(value, key, of: node)
    }

    // The default implementations of the standard library would call back through a witness table.
    func encodeIfPresent(_ value: String?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        if let value { try session.member(value, key, of: node) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        let nested = session.nested(key, of: node, as: .object)
        return KeyedEncodingContainer(KeyedTextContainer<Nested>(session: session, node: nested))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        UnkeyedTextContainer(session: session, node: session.nested(key, of: node, as: .array))
    }

    func superEncoder() -> any Encoder {
        TextEncoder(session: session, node: session.nested(PathKey.name("super"), of: node, as: .fresh))
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        TextEncoder(session: session, node: session.nested(key, of: node, as: .fresh))
    }
}
