internal import Foundation
internal import HeliumJSON

/// A tick of a time axis.
public struct TimeTick: Sendable, Equatable {
    /// The time.
    public let time: SeriesTime

    /// The local time in the chart's zone: `14:30`, `14:30:15`, `25 Nov`, `Nov` or `2026`.
    public let label: String

    /// Whether a larger unit starts at the tick: a day among times of a day, a year among months.
    public let isMajor: Bool
}

extension ChartModel {
    /// Returns ticks at round local times of the zone, in order.
    ///
    /// On a day of 23 or 25 hours, ticks are, for example, 3 hours apart by the clock rather than by elapsed time.
    ///
    /// - Parameter maximum: The approximate maximum number of ticks, from 2 to 1,000.
    public func timeTicks(maximum: Int) -> [TimeTick] {
        TimeScale(zone: options.zone).ticks(window, maximum: maximum)
    }

    /// Returns the position of a time: 0 at the start of the window, 1 at its end.
    func position(_ time: SeriesTime) -> Double {
        let length = Double(window.upperBound.microseconds - window.lowerBound.microseconds)
        return length > 0 ? Double(time.microseconds - window.lowerBound.microseconds) / length : 0.5
    }
}

/// A time axis with the local times of a zone. "Local" values are the seconds since 1970 on a clock of the zone.
struct TimeScale {
    let zone: TimeZone

    /// The distance between ticks.
    enum Interval: Equatable {
        /// A part of a day, in seconds.
        case seconds(Int64)
        case days(Int64)
        case months(Int)
    }

    private static let day: Int64 = 86_400

    /// The mean length of a month of the Gregorian calendar, in seconds.
    private static let month = 2_629_746.0

    /// Returns the smallest interval of which at most `maximum` fit.
    static func interval(seconds length: Int64, maximum: Int) -> Interval {
        let least = Double(length) / Double(min(max(maximum, 2), 1_000))
        let parts: [Int64] = [
            1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200,
        ]
        if let seconds = parts.first(where: { Double($0) >= least }) { return .seconds(seconds) }
        if let days = [1, 2, 7, 14].first(where: { Double($0 * day) >= least }) { return .days(days) }
        if let months = [1, 2, 3, 6].first(where: { Double($0) * month >= least }) { return .months(months) }
        let years = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
        return .months(12 * (years.first { Double($0 * 12) * month >= least } ?? 10_000))
    }

    func ticks(_ window: Range<SeriesTime>, maximum: Int) -> [TimeTick] {
        let (lower, upper) = (seconds(window.lowerBound), seconds(window.upperBound))
        let interval = Self.interval(seconds: upper - lower, maximum: maximum)
        var ticks: [TimeTick] = []
        for local in locals(interval, from: lower, to: upper) {
            for time in instants(local, interval) {
                let time = SeriesTime(seconds: time)
                guard window.contains(time) else { continue }
                let (label, isMajor) = label(local, interval)
                ticks.append(TimeTick(time: time, label: label, isMajor: isMajor))
            }
        }
        return Self.distinct(ticks)
    }

    /// Returns the ticks in order, with one tick per time.
    ///
    /// Where the clock skips midnight, the day and one of its hours start at the same time. The tick of the day is
    /// kept.
    private static func distinct(_ ticks: [TimeTick]) -> [TimeTick] {
        let sorted = ticks.sorted { ($0.time, $0.isMajor ? 0 : 1, $0.label) < ($1.time, $1.isMajor ? 0 : 1, $1.label) }
        var distinct: [TimeTick] = []
        for tick in sorted where distinct.last?.time != tick.time { distinct.append(tick) }
        return distinct
    }

    /// Returns the round local times that may be in a window, without duplicates.
    private func locals(_ interval: Interval, from lower: Int64, to upper: Int64) -> Set<Int64> {
        let (first, last) = (offset(lower), offset(upper))
        let low = lower + min(first, last)
        let high = upper + max(first, last)
        // A longer window is extended by a day on both sides, because clock changes within it may be up to a day.
        if upper - lower >= Self.day { return Set(multiples(interval, from: low - Self.day, to: high + Self.day)) }
        // A short window may span seconds while the clock changes by hours. The skipped times are left out, except the
        // start of a day, which has a tick even if the clock skips it.
        return Set(multiples(interval, from: lower + first, to: upper + first))
            .union(multiples(interval, from: lower + last, to: upper + last))
            .union(multiples(.days(1), from: low, to: high))
    }

    // MARK: Clocks

    /// Returns the zone's offset from UTC at a time, in seconds.
    func offset(_ seconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    }

    private func seconds(_ time: SeriesTime) -> Int64 {
        // Rounded down, also before 1970.
        let (quotient, remainder) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// Returns the multiples of an interval between two local times.
    private func multiples(_ interval: Interval, from lower: Int64, to upper: Int64) -> [Int64] {
        switch interval {
        case .seconds(let step): return multiples(of: step, from: lower, to: upper)
        case .days(let count):
            // Weeks start on Mondays, such as 1970-01-05.
            let shift = count % 7 == 0 ? 4 * Self.day : 0
            return multiples(of: count * Self.day, from: lower - shift, to: upper - shift).map { $0 + shift }
        case .months(let count):
            let first = CivilDate.date(daysSince1970: Int(floored(lower, Self.day)))
            let last = CivilDate.date(daysSince1970: Int(floored(upper, Self.day)))
            func number(_ date: (year: Int, month: Int, day: Int)) -> Int64 { Int64(date.year * 12 + date.month - 1) }
            return multiples(of: Int64(count), from: number(first), to: number(last)).map { months in
                let year = floored(months, 12)
                let days = CivilDate.daysSince1970(year: Int(year), month: Int(months - year * 12) + 1, day: 1)
                return Int64(days) * Self.day
            }
        }
    }

    private func multiples(of step: Int64, from lower: Int64, to upper: Int64) -> [Int64] {
        Array(stride(from: floored(lower + step - 1, step) * step, through: upper, by: Int64.Stride(step)))
    }

    private func floored(_ value: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// Returns the instants of a local time: none if the clock skips it, two if the hour is repeated.
    ///
    /// Ticks more than an hour apart occur once. A day has a start even if its first minutes are skipped.
    private func instants(_ local: Int64, _ interval: Interval) -> [Int64] {
        let (before, after) = (local - offset(local - Self.day), local - offset(local + Self.day))
        let found = Set([before, after]).filter { $0 + offset($0) == local }.sorted()
        if case .seconds(let step) = interval, step % Self.day != 0, local % Self.day != 0 {
            return step > 3600 ? Array(found.prefix(1)) : found
        }
        if let first = found.first { return [first] }
        // The first second after the skipped time.
        var (low, high) = (local - offset(local - Self.day) - Self.day, local - offset(local + Self.day) + Self.day)
        while low < high {
            let middle = (low + high) / 2
            if middle + offset(middle) < local { low = middle + 1 } else { high = middle }
        }
        // A whole day may be skipped: Samoa had no 2011-12-30.
        return low + offset(low) < local + Self.day ? [low] : []
    }

    // MARK: Labels

    private func label(_ local: Int64, _ interval: Interval) -> (String, isMajor: Bool) {
        let days = floored(local, Self.day)
        let (year, month, day) = CivilDate.date(daysSince1970: Int(days))
        let name = Self.months[month - 1]
        switch interval {
        case .seconds(let step):
            let second = local - days * Self.day
            if second == 0 { return ("\(day) \(name)", true) }
            return (Self.clock(second, hasSeconds: step % 60 != 0), false)
        case .days: return ("\(day) \(name)", false)
        case .months(let count):
            if count % 12 == 0 { return (String(year), false) }
            return month == 1 ? (String(year), true) : (name, false)
        }
    }

    /// Returns the local time in the zone: `2026-11-25 14:30`, with seconds if they are not zero.
    func text(_ time: SeriesTime) -> String {
        let instant = seconds(time)
        let local = instant + offset(instant)
        let days = floored(local, Self.day)
        let (year, month, day) = CivilDate.date(daysSince1970: Int(days))
        let second = local - days * Self.day
        return "\(year)-\(Self.padded(month))-\(Self.padded(day)) \(Self.clock(second, hasSeconds: second % 60 != 0))"
    }

    private static func clock(_ second: Int64, hasSeconds: Bool) -> String {
        let parts = [second / 3600, second / 60 % 60] + (hasSeconds ? [second % 60] : [])
        return parts.map { padded(Int($0)) }.joined(separator: ":")
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
