package import HeliumJSON

/// A value that a document holds as one string, number or Boolean value.
///
/// Decoding is lenient, as Docs/Protocols/AppNet.md §1.4 and §3 require: ids may be numbers, numbers and Booleans may
/// be strings, and Booleans may be numbers.
package protocol WireScalar: Codable, Hashable, Sendable {
    /// The JSON type that the value is encoded as.
    associatedtype Native: NativeScalar

    /// Creates a value from its JSON type; `nil` if it is invalid.
    init?(native: Native)

    /// The encoded value.
    var native: Native { get }

    /// Creates a value from another JSON type; `nil` if it is invalid.
    init?(substitute: WireSubstitute)

    /// The name of the expected kind of value in error messages, such as `date`.
    static var expectation: String { get }

    /// Creates a value from a string without escapes; `nil` to use ``init(native:)`` instead.
    init?(plainText: UnsafeBufferPointer<UInt8>)
}

/// A JSON value of another type than the expected one.
package enum WireSubstitute: Sendable {
    case text(String)
    case number(JSONNumber)
    case flag(Bool)

    /// The value as text. Error messages quote at most its beginning.
    var text: String {
        switch self {
        case .text(let text): text
        case .number(let number): number.description
        case .flag(let flag): flag ? "true" : "false"
        }
    }
}

/// A scalar type of JSON.
package protocol NativeScalar: Codable, JSONReadable {
    static var jsonKind: JSONReader.Kind { get }
}

extension String: NativeScalar { package static var jsonKind: JSONReader.Kind { .string } }
extension Bool: NativeScalar { package static var jsonKind: JSONReader.Kind { .bool } }
extension Int: NativeScalar { package static var jsonKind: JSONReader.Kind { .number } }
extension Double: NativeScalar { package static var jsonKind: JSONReader.Kind { .number } }

extension WireScalar {
    @inline(__always)
    package init?(plainText: UnsafeBufferPointer<UInt8>) { return nil }

    /// Returns the error message for an invalid text. It quotes at most the beginning of the text.
    static func complaint(about text: String) -> String {
        "\"\(text.excerpt(40))\" is not \(expectation)"
    }
}

// MARK: JSON

extension WireScalar {
    /// Returns the decoded value; `nil` for `null`.
    ///
    /// - Throws: `DecodingError` if the value is invalid, an array or an object.
    @inline(__always)
    static func read(_ json: borrowing JSONReader) throws -> Self? {
        let kind = json.kind
        guard kind == Native.jsonKind else { return kind == .null ? nil : try readSubstitute(json) }
        if kind == .string, let value = json.withPlainText({ Self(plainText: $0) }) ?? nil { return value }
        guard let value = Self(native: try json.read(Native.self)) else { throw try refusal(of: json) }
        return value
    }

    @inline(never)
    private static func refusal(of json: borrowing JSONReader) throws -> DecodingError {
        let value = try json.read(JSONValue.self)
        return json.corrupted(complaint(about: value.stringValue ?? value.description))
    }

    @inline(never)
    private static func readSubstitute(_ json: borrowing JSONReader) throws -> Self {
        let substitute: WireSubstitute
        switch json.kind {
        case .string: substitute = .text(try json.read())
        case .bool: substitute = .flag(try json.read())
        case .number: substitute = .number(try json.read(JSONNumber.self))
        // Throws the reader's own error, which describes the actual value.
        default:
            _ = try json.read(Native.self)
            throw json.corrupted("expected \(expectation)")
        }
        guard let value = Self(substitute: substitute) else { throw json.corrupted(complaint(about: substitute.text)) }
        return value
    }
}

// MARK: Any decoder

/// A value that may be absent, read from any decoder by the rules of ``WireScalar``.
struct WireSlot<Value: WireScalar>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = nil
            return
        }
        if let native = try? container.decode(Value.Native.self) {
            guard let read = Value(native: native) else { throw Self.corrupted("\(native)", container) }
            value = read
            return
        }
        let substitute: WireSubstitute
        if let text = try? container.decode(String.self) {
            substitute = .text(text)
        } else if let flag = try? container.decode(Bool.self) {
            substitute = .flag(flag)
        } else if let number = try? container.decode(JSONNumber.self) {
            substitute = .number(number)
        } else {
            // Throws the decoder's own error, which describes the actual value.
            _ = try container.decode(Value.Native.self)
            throw Self.corrupted("", container)
        }
        value = Value(substitute: substitute)
        if value == nil { throw Self.corrupted(substitute.text, container) }
    }

    private static func corrupted(_ text: String, _ container: any SingleValueDecodingContainer) -> DecodingError {
        DecodingError.dataCorruptedError(in: container, debugDescription: Value.complaint(about: text))
    }
}

extension WireScalar {
    /// Decodes a value that must not be `null`.
    init(wireJSON json: borrowing JSONReader) throws {
        guard let value = try Self.read(json) else { throw json.corrupted("expected \(Self.expectation)") }
        self = value
    }

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
        try container.encode(native)
    }
}
