public import HeliumEssentials

/// Encodes `Encodable` types as JSON: fast, and the same every time.
///
/// It is used as Foundation's `JSONEncoder`, and writes the same values as the same text; what differs:
///
/// - Dates are RFC 3339 unless another strategy is chosen, the mirror of ``HeliumJSONDecoder``.
/// - Members come out in the order in which they were encoded, those of dictionaries sorted by the UTF-8 bytes of their names.
///   Where one name is encoded twice, the last value stands in the first one's place.
/// - What is no use of an encoder, as a value encoded on top of another, is an error, not a trap.
///
/// ```swift
/// let data = try HeliumJSONEncoder().encode(page)
/// ```
///
/// An encoder is a value: a copy's settings are its own, and any number of tasks may encode with one.
public struct HeliumJSONEncoder: Sendable {
    var options = EncodingOptions()

    /// An encoder with the default strategies.
    public init() {}

    /// How the text is laid out. Default: on one line, in the order of encoding, slashes escaped.
    public var outputFormatting: OutputFormatting {
        get { options.formatting }
        set { options.formatting = newValue }
    }

    /// How coding keys become members' names. Default: as they are. Keys of `[String: Value]` are data and stay as they are.
    public var keyEncodingStrategy: KeyEncodingStrategy {
        get { options.keys }
        set { options.keys = newValue }
    }

    /// How dates are written. Default: ``DateEncodingStrategy/rfc3339``.
    public var dateEncodingStrategy: DateEncodingStrategy {
        get { options.dates }
        set { options.dates = newValue }
    }

    /// How data is written. Default: ``DataEncodingStrategy/base64``.
    public var dataEncodingStrategy: DataEncodingStrategy {
        get { options.data }
        set { options.data = newValue }
    }

    /// How infinities and NaN are written, which JSON's numbers don't have. Default: not at all.
    public var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy {
        get { options.floats }
        set { options.floats = newValue }
    }

    /// What types find in `Encoder.userInfo`. Default: nothing.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { options.userInfo }
        set { options.userInfo = newValue }
    }
}

// MARK: Encoding

extension HeliumJSONEncoder {
    /// The text of a value, as UTF-8.
    ///
    /// - Throws: `EncodingError.invalidValue` with the coding path for what JSON can't hold: an infinity, a NaN, a date that is no
    ///   point in time, more than 512 levels of arrays and objects, a value that encodes nothing; what the type itself throws.
    public func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try text(of: value) { try $0.write(value, in: $1) }.takeData()
    }

    /// The text of a value that needs a configuration to be encoded.
    public func encode<Value: EncodableWithConfiguration>(
        _ value: Value,
        configuration: Value.EncodingConfiguration
    ) throws -> Data {
        let text = try text(of: value) {
            try value.encode(to: TextEncoder(session: $0, node: $1), configuration: configuration)
        }
        return text.takeData()
    }

    /// The text of a value, as a string.
    ///
    /// - Throws: As ``encode(_:)``.
    public func encodeToString<Value: Encodable>(_ value: Value) throws -> String {
        try text(of: value) { try $0.write(value, in: $1) }.takeString()
    }

    /// The text of a value, as an array of UTF-8 bytes.
    ///
    /// - Throws: As ``encode(_:)``.
    public func encodeToBytes<Value: Encodable>(_ value: Value) throws -> [UInt8] {
        let text = try text(of: value) { try $0.write(value, in: $1) }
        defer { text.deallocate() }
        return Array(UnsafeBufferPointer(start: text.base, count: text.count))
    }

    private func text<Value>(
        of value: Value,
        _ body: (EncodingSession, NodeReference) throws -> Void
    ) throws -> TextBuffer {
        let session = EncodingSession(options: options)
        let root = session.text.pointee.push(step: 0)
        try body(session, root)
        return try session.finish(root, value: value)
    }
}
