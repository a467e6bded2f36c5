internal import Foundation
internal import HeliumServerKit

/// Formats and parses dates as App.net does: UTC with whole seconds (Docs/Protocols/AppNet.md §1.4).
enum AppNetDate {
    /// Returns a text such as `2012-12-31T13:22:55Z`. Years outside of 1 to 9999 become the nearest valid year.
    static func text(_ seconds: Int64) -> String {
        // Removes the six digits of fraction.
        let text = ServerInstant(microseconds: 0).adding(seconds: seconds).text()
        return text.prefix(19) + "Z"
    }

    /// Returns the seconds since 1970, rounded down; `nil` for a date outside of the years 1 to 9999.
    static func seconds(_ date: Date) -> Int64? {
        let range = [ServerInstant.earliest, .latest].map { Double($0.microseconds / ServerInstant.perSecond) }
        let seconds = date.timeIntervalSince1970.rounded(.down)
        return seconds >= range[0] && seconds <= range[1] ? Int64(seconds) : nil
    }

    /// Returns the seconds since 1970; `nil` if the text is not a date. Time zones and fractions are accepted, because
    /// clients send them.
    static func seconds(_ text: String) -> Int64? {
        ServerInstant(text).map { $0.microseconds / ServerInstant.perSecond }
    }
}
