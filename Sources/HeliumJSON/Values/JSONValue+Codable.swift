extension JSONValue: Codable {
    /// Decodes any value.
    ///
    /// With ``HeliumJSONDecoder``, the value is exactly that of the document. With any other decoder, numbers are as
    /// exact as the decoder allows, and members are sorted by name, because their order is not available.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? TapeDecoder {
            self = decoder.document.jsonValue(at: decoder.index)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = JSONNumber(decoding: container) {
            self = .number(value)
        } else if var elements = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !elements.isAtEnd { values.append(try elements.decode(JSONValue.self)) }
            self = .array(values)
        } else {
            self = .object(try JSONObject(decoding: container))
        }
    }

    /// Encodes the value.
    ///
    /// - Throws: `EncodingError` for a number that the encoder can't represent, such as one beyond a double's range.
    public func encode(to encoder: any Encoder) throws {
        // Numbers and objects need containers of their own.
        if case .number(let number) = self { return try number.encode(to: encoder) }
        if case .object(let object) = self { return try object.encode(to: encoder) }
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let elements): try container.encode(elements)
        case .null, .number, .object: try container.encodeNil()
        }
    }
}

extension JSONObject: Codable {
    /// Decodes an object: see ``JSONValue/init(from:)``.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? TapeDecoder {
            self = try JSONObject(json: JSONReader(document: decoder.document, index: decoder.index))
        } else {
            try self.init(decoding: decoder.singleValueContainer())
        }
    }

    /// Decodes a dictionary, whose names no key strategy changes.
    fileprivate init(decoding container: any SingleValueDecodingContainer) throws {
        let members = try container.decode([String: JSONValue].self).sorted { $0.key.bytesPrecede($1.key) }
        self.init(members.map { ($0.key, $0.value) })
    }

    /// Encodes the object. Encoders other than ``HeliumJSONEncoder`` need not keep the members' order.
    public func encode(to encoder: any Encoder) throws {
        let dictionary = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
        if dictionary.count == members.count {
            // A dictionary, whose names no key strategy changes.
            var container = encoder.singleValueContainer()
            try container.encode(dictionary)
        } else {
            // `String` treats some names as equal whose bytes differ.
            var container = encoder.container(keyedBy: PathKey.self)
            for (name, value) in members { try container.encode(value, forKey: PathKey.name(name)) }
        }
    }
}
