internal import HeliumJSON

/// A duration in the units of Cosm (Docs/Protocols/Cosm.md §4): `30minutes`, `1day`.
///
/// ```swift
/// let week: CosmDuration = .days(7)
/// let hour = CosmDuration("1hour")
/// ```
///
/// Months and years are calendar months and years in UTC.
public struct CosmDuration: Hashable, Sendable {
    /// The number of units.
    public let count: Int

    /// The unit.
    public let unit: Unit

    /// Creates a duration.
    ///
    /// - Parameters:
    ///   - count: The number of units.
    ///   - unit: The unit.
    public init(_ count: Int, _ unit: Unit) {
        self.count = count
        self.unit = unit
    }

    /// A unit of durations.
    public enum Unit: String, CaseIterable, Hashable, Sendable {
        /// Seconds.
        case second
        /// Minutes.
        case minute
        /// Hours.
        case hour
        /// Days of 24 hours.
        case day
        /// Weeks of 7 days.
        case week
        /// Calendar months.
        case month
        /// Calendar years.
        case year
    }
}

extension CosmDuration {
    /// Returns a duration in seconds.
    public static func seconds(_ count: Int) -> Self { Self(count, .second) }
    /// Returns a duration in minutes.
    public static func minutes(_ count: Int) -> Self { Self(count, .minute) }
    /// Returns a duration in hours.
    public static func hours(_ count: Int) -> Self { Self(count, .hour) }
    /// Returns a duration in days.
    public static func days(_ count: Int) -> Self { Self(count, .day) }
    /// Returns a duration in weeks.
    public static func weeks(_ count: Int) -> Self { Self(count, .week) }
    /// Returns a duration in calendar months.
    public static func months(_ count: Int) -> Self { Self(count, .month) }
    /// Returns a duration in calendar years.
    public static func years(_ count: Int) -> Self { Self(count, .year) }
}

extension CosmDuration: LosslessStringConvertible {
    /// Creates a duration from a text: a whole number and a unit in singular or plural. A number alone is seconds.
    /// `nil` for any other text.
    public init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits) else { return nil }
        var name = text.dropFirst(digits.count).lowercased()
        if name.isEmpty {
            self.init(count, .second)
            return
        }
        if name.hasSuffix("s") { name.removeLast() }
        guard let unit = Unit(rawValue: name) else { return nil }
        self.init(count, unit)
    }

    /// The text that is sent: `30minutes`, `1day`.
    public var description: String { "\(count)\(unit.rawValue)\(count == 1 ? "" : "s")" }
}

extension Timestamp {
    /// Returns the instant that is later by a duration, or earlier for a negative count. Months and years are those of
    /// the calendar in UTC. A day that the resulting month does not have becomes its last day.
    public func adding(_ duration: CosmDuration) -> Timestamp {
        let seconds: Int
        switch duration.unit {
        case .second: seconds = 1
        case .minute: seconds = 60
        case .hour: seconds = 3600
        case .day: seconds = 86_400
        case .week: seconds = 604_800
        case .month: return advanced(byMonths: duration.count)
        case .year:
            let (months, overflow) = duration.count.multipliedReportingOverflow(by: 12)
            return advanced(byMonths: overflow ? (duration.count > 0 ? .max : .min) : months)
        }
        let (total, overflow) = duration.count.multipliedReportingOverflow(by: seconds)
        // An overflow leads beyond the range of timestamps in either direction.
        return advanced(by: Duration.seconds(overflow ? (duration.count > 0 ? Int.max : Int.min) : total))
    }

    private func advanced(byMonths months: Int) -> Timestamp {
        let day: Int64 = 86_400_000_000
        var (days, time) = microseconds.quotientAndRemainder(dividingBy: day)
        if time < 0 {
            time += day
            days -= 1
        }
        let date = CivilDate.date(daysSince1970: Int(days))
        // The limit exceeds the range of timestamps and is far from an integer overflow.
        let total = date.year * 12 + date.month - 1 + min(max(months, -200_000), 200_000)
        let year = total >= 0 ? total / 12 : -((11 - total) / 12)
        let month = total - year * 12 + 1
        guard 1...9999 ~= year else { return Timestamp(microseconds: months > 0 ? .max : .min) }
        let last = CivilDate.days(inMonth: month, of: year)
        let moved = CivilDate.daysSince1970(year: year, month: month, day: min(date.day, last))
        return Timestamp(microseconds: Int64(moved) * day + time)
    }
}
