public import HeliumEssentials

/// How a date is written in a document: a value, to be combined in order.
///
/// ```swift
/// var decoder = HeliumJSONDecoder()
/// decoder.dateDecodingStrategy = .rules([.rfc3339, .epochMilliseconds])
/// ```
///
/// The first rule that makes a date of what stands there wins. Rules know nothing of a format or decoder, and give the
/// same on every platform.
public struct DateRule: Sendable, CustomStringConvertible {
    /// What stands in a document where a date is wanted.
    public enum Source: Hashable, Sendable {
        /// A string.
        case text(String)
        /// A whole number.
        case integer(Int64)
        /// Any other number.
        case number(Double)
    }

    /// The rule's name, for errors.
    public let description: String

    /// Whether it is text that the rule has mostly to do with: only the order of looking depends on it.
    package let prefersText: Bool

    /// Whether this is ``rfc3339``, which the decoder tries by itself.
    let isRFC3339: Bool

    private let read: @Sendable (Source) -> Date?
    private let readUTF8: (@Sendable (UnsafeBufferPointer<UInt8>) -> Date?)?

    private init(_ name: String, prefersText: Bool, _ read: @escaping @Sendable (Source) -> Date?) {
        description = name
        self.prefersText = prefersText
        isRFC3339 = false
        self.read = read
        readUTF8 = nil
    }

    /// A rule about text alone, which it reads as UTF-8.
    private init(
        _ name: String,
        isRFC3339: Bool = false,
        _ read: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Date?
    ) {
        description = name
        prefersText = true
        self.isRFC3339 = isRFC3339
        self.read = { source in
            guard case .text(var text) = source else { return nil }
            return text.withUTF8(read)
        }
        readUTF8 = read
    }

    /// The date, or `nil` if the rule does not apply.
    public func date(from source: Source) -> Date? { read(source) }

    /// The date, without making a string for a rule that needs none; `nil` too if it needs one.
    func date(fromUTF8 text: UnsafeBufferPointer<UInt8>) -> Date? { readUTF8?(text) }
}

extension DateRule.Source {
    /// As it stands in the document, its beginning only.
    package var excerpt: String {
        switch self {
        case .text(let text): "\"\(text.excerpt(64))\""
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        }
    }
}

// MARK: The rules

extension DateRule {
    /// RFC 3339, tolerantly: with or without a fraction of any length, any offset (`Z`, `+02:00`, `+0200`, `+02`), lower-case
    /// `t` and `z`, a space in place of `T`; a date alone is its midnight in UTC, the leap second the next day's first
    /// instant. Years 0001 to 9999; a day, hour or offset that does not exist is no date, and so is a time without offset.
    public static let rfc3339 = DateRule("rfc3339", isRFC3339: true) { RFC3339.instant(in: $0)?.date }

    /// As ``rfc3339``, and a time without an offset counts as UTC.
    public static let rfc3339AssumingUTC = DateRule("rfc3339AssumingUTC") {
        RFC3339.instant(in: $0, assumingUTC: true)?.date
    }

    /// Seconds since 1970-01-01T00:00:00Z, whole or not, as a number or as its text, in the years 0001 to 9999.
    ///
    /// That range leaves out milliseconds of 1978 and later, so `[.epochSeconds, .epochMilliseconds]` tells them apart.
    public static let epochSeconds = epoch("epochSeconds", unitsPerSecond: 1)

    /// Milliseconds since 1970-01-01T00:00:00Z, otherwise as ``epochSeconds``.
    public static let epochMilliseconds = epoch("epochMilliseconds", unitsPerSecond: 1000)

    /// A rule of yours.
    ///
    /// - Parameters:
    ///   - name: Its name, for errors.
    ///   - read: Makes a date of what stands there, or returns `nil`.
    public static func custom(_ name: String, _ read: @escaping @Sendable (Source) -> Date?) -> DateRule {
        DateRule(name, prefersText: true, read)
    }

    private static func epoch(_ name: String, unitsPerSecond: Double) -> DateRule {
        DateRule(name, prefersText: false) { source in
            let units: Double
            switch source {
            case .integer(let value): units = Double(value)
            case .number(let value): units = value
            case .text(let text):
                // No hexadecimal, infinity or exponent, which `Double` reads too.
                guard text.utf8.allSatisfy({ 48...57 ~= $0 || $0 == 45 || $0 == 46 }), let value = Double(text) else {
                    return nil
                }
                units = value
            }
            let seconds = units / unitsPerSecond
            let range = Double(RFC3339.seconds.lowerBound)..<Double(RFC3339.seconds.upperBound + 1)
            return range.contains(seconds) ? Date(timeIntervalSince1970: seconds) : nil
        }
    }
}
