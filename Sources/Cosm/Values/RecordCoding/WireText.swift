internal import HeliumJSON

/// A value that documents represent as one text: a string or a number in JSON, an element or an attribute in XML.
///
/// It implements the leniency of Docs/Protocols/Cosm.md §10: numbers are texts, `null` is absent, and an empty text is
/// absent for types other than texts.
///
/// A text with more than 256 combining marks in a row is invalid. Ids, names and values are compared and hashed as
/// strings, which takes time that grows with the square of the length of such a run.
protocol WireText: Codable, Hashable, Sendable {
    /// Creates a value from its text; `nil` if the text is invalid.
    init?(wireText text: String)

    /// Creates a value from a number or a text without escapes in a JSON document; `nil` if it is invalid.
    init?(wireBytes bytes: UnsafeBufferPointer<UInt8>, isNumber: Bool)

    /// Creates a value from `true` or `false`; `nil` if the type does not support it.
    init?(wireBool: Bool)

    /// The text of the value.
    var wireText: String { get }

    /// The name of the type in error messages: `timestamp`.
    static var expectation: String { get }

    /// Whether an empty text is the same as no text. Default: `true`.
    static var isAbsentWhenEmpty: Bool { get }

    /// The value by which an update deletes a member (Docs/Protocols/Cosm.md §3.3). Default: `nil`, the type has no
    /// such value.
    static var cleared: Self? { get }
}

extension WireText {
    init?(wireBytes bytes: UnsafeBufferPointer<UInt8>, isNumber: Bool) {
        self.init(wireText: String(decoding: bytes, as: UTF8.self))
    }

    init?(wireBool: Bool) { return nil }

    static var isAbsentWhenEmpty: Bool { true }

    static var cleared: Self? { nil }

    /// Returns the error message for an invalid text. It quotes at most the first 40 characters.
    static func complaint(about text: String) -> String {
        if text.isSlowToCompare { return "a text has more than 256 combining marks in a row" }
        return "\"\(text.excerpt(40))\" is not \(expectation)"
    }
}

// MARK: JSON

extension WireText {
    /// Reads the value; `nil` if it is absent.
    ///
    /// - Throws: `DecodingError` for an invalid text, and for arrays and objects.
    @inline(__always)
    static func read(_ json: borrowing JSONReader) throws -> Self? {
        let isNumber = json.kind == .number
        if isNumber || json.kind == .string {
            let plain = json.withPlainText { bytes -> Self?? in
                if bytes.isEmpty, isAbsentWhenEmpty { return .some(nil) }
                return Self(wireBytes: bytes, isNumber: isNumber).map { .some($0) } ?? nil
            }
            if case .some(.some(let value)) = plain { return value }
        }
        return try readSlowly(json)
    }

    @inline(never)
    private static func readSlowly(_ json: borrowing JSONReader) throws -> Self? {
        let text: String
        switch json.kind {
        case .null: return nil
        case .bool:
            let flag = try json.read(Bool.self)
            guard let value = Self(wireBool: flag) else { throw json.corrupted(complaint(about: "\(flag)")) }
            return value
        case .number: text = DatapointValue.shortestText(ofNumber: try json.read(JSONNumber.self).description)
        default: text = try json.read(String.self)
        }
        if text.isEmpty, isAbsentWhenEmpty { return nil }
        guard let value = Self(wireText: text) else { throw json.corrupted(complaint(about: text)) }
        return value
    }

    /// Reads a required value.
    init(wireJSON json: borrowing JSONReader) throws {
        guard let value = try Self.read(json) else { throw json.corrupted("expected \(Self.expectation)") }
        self = value
    }
}

// MARK: Any decoder

/// A value that may be absent, read from any decoder by the rules of ``WireText``.
struct WireSlot<Value: WireText>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = nil
            return
        }
        let text: String
        if let string = try? container.decode(String.self) {
            if string.isEmpty, Value.isAbsentWhenEmpty {
                value = nil
                return
            }
            text = string
        } else if let flag = try? container.decode(Bool.self) {
            value = Value(wireBool: flag)
            if value == nil { throw Self.corrupted("\(flag)", container) }
            return
        } else if let number = try? container.decode(JSONNumber.self) {
            text = DatapointValue.shortestText(ofNumber: number.description)
        } else {
            // The decoder's own error describes the value.
            text = try container.decode(String.self)
        }
        value = Value(wireText: text)
        if value == nil { throw Self.corrupted(text, container) }
    }

    private static func corrupted(_ text: String, _ container: any SingleValueDecodingContainer) -> DecodingError {
        DecodingError.dataCorruptedError(in: container, debugDescription: Value.complaint(about: text))
    }
}

extension WireText {
    init(wireFrom decoder: any Decoder) throws {
        guard let value = try WireSlot<Self>(from: decoder).value else {
            let path = decoder.codingPath
            throw DecodingError.valueNotFound(
                Self.self,
                DecodingError.Context(codingPath: path, debugDescription: "expected \(Self.expectation)")
            )
        }
        self = value
    }

    func encode(wireTo encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wireText)
    }
}

// MARK: Values of this module

/// A type of this module that documents represent as one text.
protocol WireValue: WireText, JSONReadable {}

// These members are the same for all values. They are public because they fulfil requirements of public protocols.
extension WireValue {
    /// Decodes a text or a number.
    ///
    /// - Throws: `DecodingError` for an invalid text.
    public init(from decoder: any Decoder) throws { self = try Self(wireFrom: decoder) }

    /// Decodes a text or a number.
    ///
    /// - Throws: `DecodingError` for an invalid text.
    public init(json: borrowing JSONReader) throws { self = try Self(wireJSON: json) }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws { try encode(wireTo: encoder) }
}
