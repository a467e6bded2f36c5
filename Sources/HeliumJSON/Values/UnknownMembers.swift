// Support for models that keep unknown members and encode them again.

extension Decoder {
    /// Returns the members of the decoded object that a type does not know, in document order.
    ///
    /// ```swift
    /// struct Device: Codable {
    ///     var id: String
    ///     var unknown: JSONObject
    ///
    ///     enum CodingKeys: String, CodingKey, CaseIterable { case id }
    ///
    ///     init(from decoder: any Decoder) throws {
    ///         id = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .id)
    ///         unknown = try decoder.unknownMembers(besides: CodingKeys.self)
    ///     }
    ///
    ///     func encode(to encoder: any Encoder) throws {
    ///         var container = encoder.container(keyedBy: CodingKeys.self)
    ///         try container.encode(id, forKey: .id)
    ///         try encoder.encode(unknownMembers: unknown)
    ///     }
    /// }
    /// ```
    ///
    /// It works with every decoder. ``HeliumJSONDecoder`` reads each name once, and allocates no memory if there are no
    /// such members. If a key strategy is set, the names are those that it returns.
    ///
    /// - Parameter known: The keys of the members that the type reads itself.
    /// - Throws: `DecodingError` if the value is not an object.
    public func unknownMembers<Known: CodingKey & CaseIterable>(besides known: Known.Type) throws -> JSONObject {
        if let decoder = self as? TapeDecoder {
            return try decoder.document.unknownMembers(of: decoder.index, besides: known)
        }
        let container = try container(keyedBy: PathKey.self)
        let names = Set(known.allCases.map { ByteText($0.stringValue) })
        var unknown = JSONObject()
        for key in container.allKeys.sorted(by: { $0.stringValue.bytesPrecede($1.stringValue) })
        where !names.contains(key.stringValue) {
            unknown[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
        }
        return unknown
    }
}

extension Encoder {
    /// Adds members to the encoded object: the result of ``Swift/Decoder/unknownMembers(besides:)``.
    ///
    /// Encode the type's own members first, into a keyed container of this encoder.
    public func encode(unknownMembers: JSONObject) throws {
        if unknownMembers.isEmpty { return }
        var container = container(keyedBy: PathKey.self)
        for (name, value) in unknownMembers { try container.encode(value, forKey: PathKey.name(name)) }
    }
}

extension JSONObject {
    /// Keeps a member unchanged. Use it in the default branch of ``JSONReader/forEachMember(_:)``.
    ///
    /// ```swift
    /// var unknown = JSONObject()
    /// try json.forEachMember { key, value in
    ///     switch key {
    ///     case "name": name = try value.read()
    ///     default: unknown.keep(key, value)
    ///     }
    /// }
    /// ```
    ///
    /// If there is a member with this name already, nothing changes.
    public mutating func keep(_ name: JSONName, _ value: JSONReader) {
        let name = name.string
        if index(of: name) == nil { append(name, value.document.jsonValue(at: value.index)) }
    }
}
