public import HeliumEssentials

/// A fast encoder of `Encodable` types as JSON, whose output is reproducible.
///
/// It has the interface of Foundation's `JSONEncoder` and writes the same values as the same text, with these
/// differences:
///
/// - Dates are RFC 3339 unless another strategy is set, as in ``HeliumJSONDecoder``.
/// - Members are written in the order in which they were encoded, those of dictionaries sorted by the UTF-8 bytes of
///   their names. If a name is encoded twice, the last value is written at the position of the first.
/// - Invalid uses of an encoder, such as encoding a second value at the same position, are errors and not traps.
/// - A value whose encoding fails leaves nothing in the text, so code that catches the error can encode another value in
///   its place. If the value has also written into a container outside of itself, the whole encoding fails.
///
/// ```swift
/// let data = try HeliumJSONEncoder().encode(page)
/// ```
///
/// An encoder is a value: each copy has its own settings, and any number of tasks may use one at the same time.
public struct HeliumJSONEncoder: Sendable {
    var options = EncodingOptions()

    /// Creates an encoder with the default strategies.
    public init() {}

    /// The layout of the text. Default: on one line, in the order of encoding, with escaped slashes.
    public var outputFormatting: OutputFormatting {
        get { options.formatting }
        set { options.formatting = newValue }
    }

    /// The strategy that converts coding keys to member names. Default: keys are used unchanged. The keys of a
    /// `[String: Value]` are data and never converted.
    public var keyEncodingStrategy: KeyEncodingStrategy {
        get { options.keys }
        set { options.keys = newValue }
    }

    /// The format of dates. Default: ``DateEncodingStrategy/rfc3339``.
    public var dateEncodingStrategy: DateEncodingStrategy {
        get { options.dates }
        set { options.dates = newValue }
    }

    /// The format of data. Default: ``DataEncodingStrategy/base64``.
    public var dataEncodingStrategy: DataEncodingStrategy {
        get { options.data }
        set { options.data = newValue }
    }

    /// The format of infinities and NaN, which JSON numbers can't represent. Default: they are errors.
    public var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy {
        get { options.floats }
        set { options.floats = newValue }
    }

    /// The contents of `Encoder.userInfo`. Default: empty.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { options.userInfo }
        set { options.userInfo = newValue }
    }
}

// MARK: Encoding

extension HeliumJSONEncoder {
    /// Encodes a value as UTF-8 text.
    ///
    /// - Throws: `EncodingError.invalidValue` with the coding path for values that JSON can't represent: an infinity, a
    ///   NaN, a date that is not finite, more than 512 levels of arrays and objects, a value that encodes nothing; the
    ///   error of the type itself.
    public func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try text(of: value) { try $0.write(value, in: $1) }.takeData()
    }

    /// Encodes a value that needs a configuration to be encoded.
    public func encode<Value: EncodableWithConfiguration>(
        _ value: Value,
        configuration: Value.EncodingConfiguration
    ) throws -> Data {
        let text = try text(of: value) {
            try value.encode(to: TextEncoder(session: $0, node: $1), configuration: configuration)
        }
        return text.takeData()
    }

    /// Encodes a value as a string.
    ///
    /// - Throws: The errors of ``encode(_:)``.
    public func encodeToString<Value: Encodable>(_ value: Value) throws -> String {
        try text(of: value) { try $0.write(value, in: $1) }.takeString()
    }

    /// Encodes a value as an array of UTF-8 bytes.
    ///
    /// - Throws: The errors of ``encode(_:)``.
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
