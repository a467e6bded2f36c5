public import HeliumEssentials

/// A strict and fast decoder of JSON into `Decodable` types. Its errors contain the position in the document.
///
/// It has the interface of Foundation's `JSONDecoder` and decodes the same values from the same documents. The article
/// <doc:Decoding> lists the differences, above all for dates, which are RFC 3339 unless another strategy is set.
///
/// ```swift
/// let page = try HeliumJSONDecoder().decode(Page.self, from: data)
/// ```
///
/// A type that also conforms to ``JSONReadable`` is read without `Decodable`'s containers, which is several times
/// faster.
///
/// A decoder is a value: each copy has its own settings, and any number of tasks may use one at the same time.
public struct HeliumJSONDecoder: Sendable {
    var options = DecodingOptions()

    /// Creates a decoder with the default strategies.
    public init() {}

    /// The limits on documents, and the handling of repeated member names. Default: see ``JSONLimits``.
    public var limits: JSONLimits {
        get { options.limits }
        set { options.limits = newValue }
    }

    /// The strategy that converts member names to coding keys. Default: names are used unchanged.
    public var keyDecodingStrategy: KeyDecodingStrategy {
        get { options.keys }
        set { options.keys = newValue }
    }

    /// The format of dates. Default: ``DateDecodingStrategy/rfc3339``.
    public var dateDecodingStrategy: DateDecodingStrategy {
        get { options.dates }
        set { options.dates = newValue }
    }

    /// The format of data. Default: ``DataDecodingStrategy/base64``.
    public var dataDecodingStrategy: DataDecodingStrategy {
        get { options.data }
        set { options.data = newValue }
    }

    /// The format of infinities and NaN, which JSON numbers can't represent. Default: they are not decoded.
    public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
        get { options.floats }
        set { options.floats = newValue }
    }

    /// The contents of `Decoder.userInfo`. Default: empty.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { options.userInfo }
        set { options.userInfo = newValue }
    }
}

// MARK: Decoding

extension HeliumJSONDecoder {
    /// Decodes a document.
    ///
    /// - Throws: `DecodingError` with the coding path and, as underlying error, a ``JSONError`` with line, column and
    ///   byte offset; the error of the type itself.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try data.withUnsafeBytes { try decode(type, from: $0) }
    }

    /// Decodes a document in memory. The memory is not used after the call.
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

    /// Decodes the value at a path in a document.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: The document, in UTF-8.
    ///   - path: The member names that lead to the value; empty for the document itself.
    /// - Returns: The value; `nil` if there is no such member, or if a member on the path is `null`.
    /// - Throws: The errors of decoding a whole document; `typeMismatch` or `valueNotFound` if a value on the path is
    ///   not an object.
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
    /// Returns the index of the value at a path.
    func index(at path: [String]) throws -> Int? {
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
