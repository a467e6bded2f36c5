public import Foundation
public import HeliumJSON

/// A value of a datapoint. It is a text that normally represents a number (Docs/Protocols/Cosm.md §5).
///
/// Texts such as `"0000017"`, `"herz"` and `"20.50"` are kept unchanged. Two values are equal if their texts are equal.
/// A number in a JSON document becomes its shortest text: `42` is `"42"`, `20.50` is `"20.5"`, `20.00` is `"20.0"`.
/// Decoders that provide values instead of texts, such as Foundation's, result in `"20"` for the last one.
///
/// ```swift
/// let value: DatapointValue = 20.5
/// print(value.text)  // 20.5
/// print(value.double ?? .nan)  // 20.5
/// ```
public struct DatapointValue: Hashable, Sendable {
    /// The text.
    public let text: String

    /// Creates a value from a text.
    public init(_ text: String) { self.text = text }

    /// Creates a value from an integer.
    public init(_ number: some BinaryInteger) { text = number.description }

    /// Creates a value from a number, with the fewest digits that result in the same number.
    public init(_ number: Double) { text = number.description }

    /// Creates a value from a number with all its digits.
    public init(_ number: Decimal) { text = number.description }
}

extension DatapointValue {
    /// The nearest double; `nil` if the text is not a number or exceeds the range of a double.
    public var double: Double? {
        guard isNumeric else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The number with up to 38 digits; `nil` if the text is not a number.
    public var decimal: Decimal? { isNumeric ? Decimal(string: text, locale: Self.plainLocale) : nil }

    private static let plainLocale = Locale(identifier: "en_US_POSIX")

    /// Whether the text consists of digits with at most a sign, a point and an exponent. Other texts that `Double` can
    /// read (`nan`, `0x1p3`) are not numbers in Cosm.
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
    /// Creates a value from a text.
    public init(stringLiteral value: String) { self.init(value) }

    /// Creates a value from an integer.
    public init(integerLiteral value: Int) { self.init(value) }

    /// Creates a value from a number.
    public init(floatLiteral value: Double) { self.init(value) }
}

extension DatapointValue: LosslessStringConvertible {
    /// The text.
    public var description: String { text }
}

extension DatapointValue: Codable, JSONReadable, WireValue {
    static var expectation: String { "a value" }
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

    /// Returns the shortest text of a JSON number that keeps its digits. Zeros at the end of the fraction are removed,
    /// except its first digit.
    static func shortestText(ofNumber text: String) -> String {
        if text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            // The form is that of `Double`, unless it would have fewer digits.
            guard let number = Double(text), number.isFinite, text.utf8.count <= 16 else { return text }
            return number.description
        }
        guard text.utf8.last == UInt8(ascii: "0"), text.utf8.contains(UInt8(ascii: ".")) else { return text }
        var text = text
        while text.hasSuffix("00") || (text.hasSuffix("0") && !text.hasSuffix(".0")) { text.removeLast() }
        return text
    }
}
