public import HeliumEssentials

/// A rule for the format of a date. Several rules can be combined in order.
///
/// ```swift
/// var decoder = HeliumJSONDecoder()
/// decoder.dateDecodingStrategy = .rules([.rfc3339, .epochMilliseconds])
/// ```
///
/// The first rule that applies is used. Rules do not depend on a format or decoder, and have the same result on every
/// platform.
public struct DateRule: Sendable, CustomStringConvertible {
    /// A value in a document that a rule can convert to a date.
    public enum Source: Hashable, Sendable {
        /// A string.
        case text(String)
        /// A whole number.
        case integer(Int64)
        /// Any other number.
        case number(Double)
    }

    /// The name of the rule, for errors.
    public let description: String

    /// Whether the rule mostly applies to text, which affects only the order of attempts.
    package let prefersText: Bool

    /// Whether this is ``rfc3339``, for which the decoder has its own implementation.
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

    /// Creates a rule for text only, which it reads as UTF-8.
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

    /// Returns the date, or `nil` if the rule does not apply.
    public func date(from source: Source) -> Date? { read(source) }

    /// Returns the date without creating a string. Returns `nil` if the rule does not apply or needs a string.
    func date(fromUTF8 text: UnsafeBufferPointer<UInt8>) -> Date? { readUTF8?(text) }
}

extension DateRule.Source {
    /// The beginning of the value as in the document.
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
    /// RFC 3339 with common deviations: with or without a fraction of any length, any offset (`Z`, `+02:00`, `+0200`,
    /// `+02`), lower-case `t` and `z`, and a space in place of `T`. A date alone means midnight in UTC, and the leap
    /// second the first instant of the next day. Years are 0001 to 9999. A day, hour or offset that does not exist is
    /// rejected, and so is a time without an offset.
    public static let rfc3339 = DateRule("rfc3339", isRFC3339: true) { RFC3339.instant(in: $0)?.date }

    /// The same as ``rfc3339``, except that a time without an offset is in UTC.
    public static let rfc3339AssumingUTC = DateRule("rfc3339AssumingUTC") {
        RFC3339.instant(in: $0, assumingUTC: true)?.date
    }

    /// Seconds since 1970-01-01T00:00:00Z, with or without a fraction, as a number or as text, in the years 0001 to
    /// 9999.
    ///
    /// That range excludes milliseconds of 1978 and later, so `[.epochSeconds, .epochMilliseconds]` distinguishes them.
    public static let epochSeconds = epoch("epochSeconds", unitsPerSecond: 1)

    /// Milliseconds since 1970-01-01T00:00:00Z, otherwise like ``epochSeconds``.
    public static let epochMilliseconds = epoch("epochMilliseconds", unitsPerSecond: 1000)

    /// Creates a custom rule.
    ///
    /// - Parameters:
    ///   - name: The name of the rule, for errors.
    ///   - read: Returns the date of a value, or `nil` if the rule does not apply.
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
                // Excludes hexadecimal numbers, infinity and exponents, which `Double` accepts.
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
