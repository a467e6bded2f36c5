package import HeliumEssentials

/// Dates of header fields (RFC 9110 §5.6.7), in the preferred form and the two obsolete ones.
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns the seconds since 1970, or `nil` if the text is not such a date. The name of the day is not checked
    /// against the date.
    ///
    /// - `Sun, 06 Nov 1994 08:49:37 GMT`
    /// - `Sunday, 06-Nov-94 08:49:37 GMT`; two digits mean 1970 to 2069
    /// - `Sun Nov  6 08:49:37 1994`
    package static func parse(_ text: String) -> Int64? {
        guard text.utf8.count <= 40 else { return nil }
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
        switch words.count {
        case 6 where words[5] == "GMT" || words[5] == "UTC":
            return seconds(day: words[1], month: words[2], year: words[3], time: words[4])
        case 5:
            return seconds(day: words[2], month: words[1], year: words[4], time: words[3])
        default:
            return nil
        }
    }

    private static func seconds(day: Substring, month: Substring, year: Substring, time: Substring) -> Int64? {
        guard let month = months.firstIndex(where: { $0.lowercased() == month.lowercased() }).map({ $0 + 1 }),
            let day = number(day, 1...31, digits: 1...2),
            var year = number(year, 0...9999, digits: 2...4)
        else { return nil }
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], 0...23, digits: 2...2),
            let minute = number(clock[1], 0...59, digits: 2...2), let second = number(clock[2], 0...60, digits: 2...2)
        else { return nil }
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        guard year >= 1601, day <= CivilDate.days(inMonth: month, of: year) else { return nil }
        let days = CivilDate.daysSince1970(year: year, month: month, day: day)
        return Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + min(second, 59))
    }

    private static func number(_ text: Substring, _ range: ClosedRange<Int>, digits: ClosedRange<Int>) -> Int? {
        guard digits ~= text.utf8.count, text.utf8.allSatisfy({ 48...57 ~= $0 }), let value = Int(text),
            range ~= value
        else { return nil }
        return value
    }

    /// Returns the preferred form of a date from 1970 to 9999. A date outside of that range is replaced by the nearest
    /// one inside, and one that is not a number by 1970.
    package static func string(from date: Date) -> String {
        let time = date.timeIntervalSince1970
        let seconds = time.isNaN ? 0 : Int(max(0, min(time, 253_402_300_799)).rounded(.down))
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = CivilDate.date(daysSince1970: days)
        let clock = [rest / 3600, rest / 60 % 60, rest % 60].map(padded).joined(separator: ":")
        return "\(Self.days[days % 7]), \(padded(day)) \(months[month - 1]) \(year) \(clock) GMT"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
