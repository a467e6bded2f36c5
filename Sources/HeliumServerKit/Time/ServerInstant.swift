internal import HeliumJSON

/// A point in time in whole microseconds. Two datapoints with the same instant are the same datapoint
/// (Docs/Protocols/Cosm.md §2.6).
package struct ServerInstant: Codable, Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    package var microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    /// Returns the instant `seconds` later, limited to the years 1 to 9999.
    package func adding(seconds: Int64) -> Self {
        let (delta, overflow) = seconds.multipliedReportingOverflow(by: Self.perSecond)
        if overflow { return seconds < 0 ? .earliest : .latest }
        let (sum, isOver) = microseconds.addingReportingOverflow(delta)
        if isOver { return delta < 0 ? .earliest : .latest }
        return min(max(Self(microseconds: sum), .earliest), .latest)
    }

    package static let perSecond: Int64 = 1_000_000
    /// 0001-01-01T00:00:00Z.
    package static let earliest = Self(microseconds: -62_135_596_800 * perSecond)
    /// The last microsecond of year 9999.
    package static let latest = Self(microseconds: 253_402_300_800 * perSecond - 1)
}

extension ServerInstant {
    /// The number of days since 1970, rounded down, and the microsecond of that day.
    package var dayAndRest: (day: Int, rest: Int64) {
        let length = 86_400 * Self.perSecond
        let (day, rest) = microseconds.quotientAndRemainder(dividingBy: length)
        return rest < 0 ? (Int(day) - 1, rest + length) : (Int(day), rest)
    }

    /// Returns the same time of day, `months` calendar months later in UTC. A day that the month does not have becomes
    /// its last day.
    package func adding(months: Int) -> Self {
        // A month has at least 28 days. Beyond this number of months every instant is out of range.
        let months = min(max(months, -130_000), 130_000)
        let (day, rest) = dayAndRest
        let date = CivilDate.date(daysSince1970: day)
        let count = date.year * 12 + date.month - 1 + months
        let (year, month) = (count / 12, count % 12 + 1)
        guard 1...9999 ~= year else { return months < 0 ? .earliest : .latest }
        let last = CivilDate.days(inMonth: month, of: year)
        let days = CivilDate.daysSince1970(year: year, month: month, day: min(date.day, last))
        return Self(microseconds: Int64(days) * 86_400 * Self.perSecond + rest)
    }
}
