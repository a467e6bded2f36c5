internal import HeliumJSON

/// A value that a document holds as one text, be it a string or a number in JSON, an element or attribute in XML.
///
/// The leniency of §10 has its home here: numbers are texts, `null` is absent, and so is an empty text for whatever is more
/// than text.
///
/// A text with more than 256 combining marks in a row is refused: ids, names and values are compared and hashed as strings,
/// in time that grows with the square of such a run.
protocol WireText: Codable, Hashable, Sendable {
    /// The value; `nil` if the text is none.
    init?(wireText text: String)

    /// The value of a text without escapes, or of a number, of a JSON document; `nil` if it is none.
    init?(wireBytes bytes: UnsafeBufferPointer<UInt8>, isNumber: Bool)

    /// The value of `true` or `false`; `nil` if it can't be that.
    init?(wireBool: Bool)

    /// The text.
    var wireText: String { get }

    /// What a text that is none is none of: `timestamp`.
    static var expectation: String { get }

    /// Whether an empty text is the same as no text. Default: yes.
    static var isAbsentWhenEmpty: Bool { get }

    /// The value by which an update clears a member (§3.3). Default: `nil`, the type has none.
    static var cleared: Self? { get }
}

extension WireText {
    init?(wireBytes bytes: UnsafeBufferPointer<UInt8>, isNumber: Bool) {
        self.init(wireText: String(decoding: bytes, as: UTF8.self))
    }

    init?(wireBool: Bool) { return nil }

    static var isAbsentWhenEmpty: Bool { true }

    static var cleared: Self? { nil }

    /// What to say of a text that is none. At most its beginning is quoted.
    static func complaint(about text: String) -> String {
        if text.isSlowToCompare { return "a text has more than 256 combining marks in a row" }
        return "\"\(text.excerpt(40))\" is no \(expectation)"
    }
}

// MARK: JSON

extension WireText {
    /// The value here; `nil` if it is absent.
    ///
    /// - Throws: `DecodingError` for a text that is none, and for arrays and objects.
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

    /// The value here, which has to be there.
    init(wireJSON json: borrowing JSONReader) throws {
        guard let value = try Self.read(json) else { throw json.corrupted("no \(Self.expectation) is there") }
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
            // The decoder's own error, which says what is there.
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
                DecodingError.Context(codingPath: path, debugDescription: "no \(Self.expectation) is there")
            )
        }
        self = value
    }

    func encode(wireTo encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wireText)
    }
}
