public import Foundation
public import HeliumJSON

/// A value as Cosm keeps it: a text, which mostly is a number (§5).
///
/// `"0000017"`, `"herz"` and `"20.50"` are kept as they stand; two values are equal if their texts are. A number of a JSON
/// document becomes its shortest text: `42` is `"42"`, `20.50` is `"20.5"`, `20.00` is `"20.0"` (decoders that hand over
/// values in place of texts, as Foundation's, make `"20"` of the last).
///
/// ```swift
/// let value: DatapointValue = 20.5
/// print(value.text)  // 20.5
/// print(value.double ?? .nan)  // 20.5
/// ```
public struct DatapointValue: Hashable, Sendable {
    /// The text.
    public let text: String

    /// The value with that text.
    public init(_ text: String) { self.text = text }

    /// A whole number.
    public init(_ number: some BinaryInteger) { text = number.description }

    /// A number with the fewest digits that are read as it again.
    public init(_ number: Double) { text = number.description }

    /// A number with all its digits.
    public init(_ number: Decimal) { text = number.description }
}

extension DatapointValue {
    /// The number nearest to the text; `nil` if it is none, or beyond a double's range.
    public var double: Double? {
        guard isNumeric else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The number that the text is, of up to 38 digits; `nil` if it is none.
    public var decimal: Decimal? { isNumeric ? Decimal(string: text, locale: Self.plainLocale) : nil }

    private static let plainLocale = Locale(identifier: "en_US_POSIX")

    /// Digits with at most a sign, a point and an exponent: what `Double` reads besides (`nan`, `0x1p3`) is a text to Cosm.
    private var isNumeric: Bool {
        var bytes = text.utf8[...]
        func digits() -> Int {
            let count = bytes.prefix { $0 &- 0x30 < 10 }.count
            bytes = bytes.dropFirst(count)
            return count
        }
        if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { bytes.removeFirst() }
        var count = digits()
        if bytes.first == UInt8(ascii: ".") {
            bytes.removeFirst()
            count += digits()
        }
        guard count > 0 else { return false }
        if let exponent = bytes.first, exponent | 0x20 == UInt8(ascii: "e") {
            bytes.removeFirst()
            if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { bytes.removeFirst() }
            guard digits() > 0 else { return false }
        }
        return bytes.isEmpty
    }
}

extension DatapointValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// The value with that text.
    public init(stringLiteral value: String) { self.init(value) }

    /// A whole number.
    public init(integerLiteral value: Int) { self.init(value) }

    /// A number.
    public init(floatLiteral value: Double) { self.init(value) }
}

extension DatapointValue: LosslessStringConvertible {
    /// The text.
    public var description: String { text }
}

extension DatapointValue: Codable, JSONReadable, WireText {
    static var expectation: String { "value" }
    static var isAbsentWhenEmpty: Bool { false }

    init?(wireText text: String) {
        guard !text.isSlowToCompare else { return nil }
        self.init(text)
    }

    init?(wireBytes bytes: UnsafeBufferPointer<UInt8>, isNumber: Bool) {
        let text = String(decoding: bytes, as: UTF8.self)
        self.init(wireText: isNumber ? Self.shortestText(ofNumber: text) : text)
    }

    var wireText: String { text }

    /// The shortest text of a JSON number that loses none of its digits: no zeros at the fraction's end but a first one.
    static func shortestText(ofNumber text: String) -> String {
        if text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            // As `Double` writes it, unless that had fewer digits.
            guard let number = Double(text), number.isFinite, text.utf8.count <= 16 else { return text }
            return number.description
        }
        guard text.utf8.last == UInt8(ascii: "0"), text.utf8.contains(UInt8(ascii: ".")) else { return text }
        var text = text
        while text.hasSuffix("00") || (text.hasSuffix("0") && !text.hasSuffix(".0")) { text.removeLast() }
        return text
    }

    /// Reads a text or a number.
    public init(from decoder: any Decoder) throws { self = try Self(wireFrom: decoder) }

    /// Reads a text or a number.
    public init(json: borrowing JSONReader) throws { self = try Self(wireJSON: json) }

    /// Writes the text, a number's too (§10).
    public func encode(to encoder: any Encoder) throws { try encode(wireTo: encoder) }
}
