/// Dates of header fields (RFC 9110 section 5.6.7): the preferred form and the two obsolete ones.
package enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Seconds since 1970, or `nil` if the text is no such date. The day's name is not compared with the date.
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
        guard let month = months.firstIndex(of: month.lowercased()).map({ $0 + 1 }),
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
}

/// Arithmetic of the proleptic Gregorian calendar.
package enum CivilDate {
    /// The number of days from 1970-01-01 to a date.
    package static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        // Years that begin in March have their leap day last.
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// 28 to 31.
    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
