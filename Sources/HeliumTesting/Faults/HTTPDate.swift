import Foundation

/// Dates as fields have them: IMF-fixdate (RFC 9110 section 5.6.7), `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static func string(from date: Date) -> String {
        let seconds = Int(max(0, min(date.timeIntervalSince1970, 253_402_300_799)).rounded(.down))
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = civil(days)
        let clock = [rest / 3600, rest / 60 % 60, rest % 60].map(padded).joined(separator: ":")
        return "\(Self.days[days % 7]), \(padded(day)) \(months[month - 1]) \(year) \(clock) GMT"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// The Gregorian date, counting years from March so that the leap day comes last.
    private static func civil(_ daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
        let days = daysSince1970 + 719_468
        let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}
