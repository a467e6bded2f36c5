package import Foundation

/// Dates as the middleware and most JSON APIs write them (RFC 3339).
package enum RFC3339 {
    private static let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private static let wholeSeconds = Date.ISO8601FormatStyle()

    /// UTC with milliseconds: `2016-02-12T08:00:07.000Z`.
    package static func string(from date: Date) -> String { withFraction.format(date) }

    /// A date with or without a fraction, in any offset; `nil` if `text` is none.
    package static func date(from text: String) -> Date? {
        (try? withFraction.parse(text)) ?? (try? wholeSeconds.parse(text))
    }
}
