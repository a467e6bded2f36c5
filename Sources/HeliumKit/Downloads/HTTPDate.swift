/// Dates in fields (RFC 9110 section 5.6.7): the one form that servers write.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970 of an IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT`; `nil` for anything else.
    static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[0].utf8.count == 4, words[0].hasSuffix(","), words[5] == "GMT",
            let day = number(words[1], 2), let month = months.firstIndex(of: String(words[2])),
            let year = number(words[3], 4), 1...31 ~= day
        else { return nil }
        let time = words[4].split(separator: ":", omittingEmptySubsequences: false)
        guard time.count == 3, let hour = number(time[0], 2), let minute = number(time[1], 2),
            let second = number(time[2], 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return (daysSince1970(year: year, month: Int64(month) + 1, day: day) * 24 + hour) * 3600 + minute * 60 + second
    }

    /// By the rule of the Gregorian calendar, years beginning in March so that the leap day comes last.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * monthFromMarch + 2) / 5 + day - 1
        return days - 719_468
    }

    private static func number(_ text: Substring, _ digits: Int) -> Int64? {
        text.utf8.count == digits && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int64(text) : nil
    }
}
