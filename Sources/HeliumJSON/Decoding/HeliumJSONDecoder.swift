public import HeliumEssentials

/// Decodes JSON into `Decodable` types: strict, fast, and with errors that say where.
///
/// It is used as Foundation's `JSONDecoder`, and reads the same values from the same documents; what differs is in the
/// article <doc:Decoding>: above all dates, which are RFC 3339 unless another strategy is chosen.
///
/// ```swift
/// let page = try HeliumJSONDecoder().decode(Page.self, from: data)
/// ```
///
/// A type that conforms to ``JSONReadable`` too is read without `Decodable`'s containers, several times faster.
///
/// A decoder is a value: a copy's settings are its own, and any number of tasks may decode with one.
public struct HeliumJSONDecoder: Sendable {
    var options = DecodingOptions()

    /// A decoder with the default strategies.
    public init() {}

    /// Ceilings, and whether two members may have one name. Default: see ``JSONLimits``.
    public var limits: JSONLimits {
        get { options.limits }
        set { options.limits = newValue }
    }

    /// How members' names become coding keys. Default: as they are.
    public var keyDecodingStrategy: KeyDecodingStrategy {
        get { options.keys }
        set { options.keys = newValue }
    }

    /// How dates are written. Default: ``DateDecodingStrategy/rfc3339``.
    public var dateDecodingStrategy: DateDecodingStrategy {
        get { options.dates }
        set { options.dates = newValue }
    }

    /// How data is written. Default: ``DataDecodingStrategy/base64``.
    public var dataDecodingStrategy: DataDecodingStrategy {
        get { options.data }
        set { options.data = newValue }
    }

    /// How infinities and NaN are written, which JSON's numbers don't have. Default: not at all.
    public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
        get { options.floats }
        set { options.floats = newValue }
    }

    /// What types find in `Decoder.userInfo`. Default: nothing.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { options.userInfo }
        set { options.userInfo = newValue }
    }
}

// MARK: Decoding

extension HeliumJSONDecoder {
    /// Decodes a document.
    ///
    /// - Throws: `DecodingError` with the coding path and, as underlying error, a ``JSONError`` with line, column and byte;
    ///   what the type itself throws.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try data.withUnsafeBytes { try decode(type, from: $0) }
    }

    /// Decodes a document in memory that is anybody's; it is not used after the call.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: UnsafeRawBufferPointer) throws -> Value {
        try bytes.withMemoryRebound(to: UInt8.self) { bytes in
            try JSONDocument.decode(bytes, options: options) { try $0.value(at: 0, as: type) }
        }
    }

    /// Decodes a document in an array.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try bytes.withUnsafeBytes { try decode(type, from: $0) }
    }

    /// Decodes a document in a string.
    public func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        var text = text
        return try text.withUTF8 { try decode(type, from: UnsafeRawBufferPointer($0)) }
    }

    /// Decodes the value some members down in a document.
    ///
    /// - Parameters:
    ///   - type: What the value is to be.
    ///   - data: The document, in UTF-8.
    ///   - path: The members' names from the top; none: the document itself.
    /// - Returns: `nil` if there is no such member, or one on the way to it is `null`.
    /// - Throws: As for the whole document; `typeMismatch` or `valueNotFound` where an object is wanted.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data, at path: [String]) throws -> Value? {
        try data.withUnsafeBytes { bytes in
            try bytes.withMemoryRebound(to: UInt8.self) { bytes in
                try JSONDocument.decode(bytes, options: options) { document in
                    try document.index(at: path).map { try document.value(at: $0, as: type) }
                }
            }
        }
    }

    /// Decodes a document into a type that needs a configuration to be decoded.
    public func decode<Value: DecodableWithConfiguration>(
        _ type: Value.Type,
        from data: Data,
        configuration: Value.DecodingConfiguration
    ) throws -> Value {
        try data.withUnsafeBytes { bytes in
            try bytes.withMemoryRebound(to: UInt8.self) { bytes in
                try JSONDocument.decode(bytes, options: options) { document in
                    try type.init(from: TapeDecoder(document: document, index: 0), configuration: configuration)
                }
            }
        }
    }
}

extension JSONDocument {
    /// The index of the value some members down.
    fileprivate func index(at path: [String]) throws -> Int? {
        var index = 0
        for (depth, name) in path.enumerated() {
            if depth > 0, word(index).kind == .null { return nil }
            guard word(index).kind == .object else { throw mismatch([String: Any].self, at: index) }
            var name = name
            guard let value = name.withUTF8({ member($0, of: index) }) else { return nil }
            index = value
        }
        return index
    }
}
