package import Foundation
package import HeliumJSON

extension String: WireScalar {
    package init(native: String) { self = native }
    package init(substitute: WireSubstitute) { self = substitute.text }
    package var native: String { self }
    package static var expectation: String { "a string" }
}

extension Bool: WireScalar {
    package init(native: Bool) { self = native }

    package init?(substitute: WireSubstitute) {
        guard substitute.text.isASCII else { return nil }
        switch substitute.text.lowercased() {
        case "true", "1": self = true
        case "false", "0", "": self = false
        default: return nil
        }
    }

    package var native: Bool { self }
    package static var expectation: String { "true or false" }
}

extension Int: WireScalar {
    package init(native: Int) { self = native }

    package init?(substitute: WireSubstitute) {
        guard case .text(let text) = substitute else { return nil }
        self.init(text)
    }

    package var native: Int { self }
    package static var expectation: String { "a whole number" }
}

extension Double: WireScalar {
    package init(native: Double) { self = native }

    package init?(substitute: WireSubstitute) {
        guard case .text(let text) = substitute, let number = JSONNumber(text)?.doubleValue else { return nil }
        self = number
    }

    package var native: Double { self }
    package static var expectation: String { "a number" }
}

/// Dates in the format of the service, `2012-12-31T13:22:55Z` (Docs/Protocols/AppNet.md §1.4). A fraction is decoded,
/// and encoded if it is not zero.
extension Date: WireScalar {
    @inline(__always)
    package init?(plainText: UnsafeBufferPointer<UInt8>) {
        guard let instant = RFC3339.instant(in: plainText, assumingUTC: true) else { return nil }
        self = instant.date
    }

    package init?(native: String) {
        var text = native
        guard let date = text.withUTF8({ RFC3339.instant(in: $0, assumingUTC: true)?.date }) else { return nil }
        self = date
    }

    package init?(substitute: WireSubstitute) { return nil }

    package var native: String {
        let text = RFC3339.string(from: Date(timeIntervalSinceReferenceDate: wholeSecond))
        // The text without milliseconds, because the service never writes a fraction for a whole second.
        let whole = text.dropLast(5)
        let microseconds = ((timeIntervalSinceReferenceDate - wholeSecond) * 1e6).rounded()
        guard microseconds >= 1, microseconds < 1e6 else { return "\(whole)Z" }
        var digits = String(Int(microseconds))
        digits = String(repeating: "0", count: 6 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits)Z"
    }

    private var wholeSecond: TimeInterval {
        let second = timeIntervalSinceReferenceDate.rounded(.down)
        // Within half a microsecond of the next second, the date is rounded up to it.
        return timeIntervalSinceReferenceDate - second > 1 - 5e-7 ? second + 1 : second
    }

    package static var expectation: String { "a date" }
}

/// A name from a list that the service may extend. Unknown names are kept unchanged.
package protocol OpenName: WireScalar, RawRepresentable, CustomStringConvertible, ExpressibleByStringLiteral,
    JSONReadable
where RawValue == String, StringLiteralType == String {
    init(rawValue: String)
}

extension OpenName {
    /// Creates a name. Returns `nil` if the text has more than 256 combining marks in a row, because names are compared
    /// and hashed as strings.
    package init?(native: String) {
        guard !native.isSlowToCompare else { return nil }
        self.init(rawValue: native)
    }

    package init?(substitute: WireSubstitute) { self.init(native: substitute.text) }
    package var native: String { rawValue }
    package static var expectation: String { "a name" }
}

// These members are the same for all names. They are public because they fulfil requirements of public protocols.
extension OpenName {
    /// Creates a value from its name in the API.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The name.
    public var description: String { rawValue }

    /// Decodes a string.
    public init(from decoder: any Decoder) throws { self = try Self(wireFrom: decoder) }

    /// Decodes a string.
    public init(json: borrowing JSONReader) throws { self = try Self(wireJSON: json) }

    /// Encodes the string.
    public func encode(to encoder: any Encoder) throws { try encode(wireTo: encoder) }
}
