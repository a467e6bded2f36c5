internal import Foundation
internal import HeliumJSON

/// A tick of an axis of times.
public struct TimeTick: Sendable, Equatable {
    /// The time.
    public let time: SeriesTime

    /// The time on clocks of the chart's zone: `14:30`, `14:30:15`, `25 Nov`, `Nov` or `2026`.
    public let label: String

    /// Whether a larger unit begins: a day among times of a day, a year among months.
    public let isMajor: Bool
}

extension ChartModel {
    /// Ticks at times that clocks of the zone show as round, in order. On a day of 23 or 25 hours they are 3 hours apart by the
    /// clock, not by the time that passes.
    ///
    /// - Parameter maximum: The number of ticks, at most, about; from 2 to 1,000.
    public func timeTicks(maximum: Int) -> [TimeTick] {
        TimeScale(zone: options.zone).ticks(window, maximum: maximum)
    }

    /// The position of a time: 0 at the window's begin, 1 at its end.
    func position(_ time: SeriesTime) -> Double {
        let length = Double(window.upperBound.microseconds - window.lowerBound.microseconds)
        return length > 0 ? Double(time.microseconds - window.lowerBound.microseconds) / length : 0.5
    }
}

/// An axis of times, and how a zone's clocks show them. Seconds since 1970 on such a clock are called local.
struct TimeScale {
    let zone: TimeZone

    /// The distance of ticks.
    enum Interval: Equatable {
        /// Part of a day.
        case seconds(Int64)
        case days(Int64)
        case months(Int)
    }

    private static let day: Int64 = 86_400

    /// The mean length of a month of the Gregorian calendar.
    private static let month = 2_629_746.0

    /// The interval of which at most `maximum` fit.
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

    /// The ticks in order, one for each time.
    ///
    /// Where clocks leave out midnight, the day and one of its hours begin at the same time: the day stays.
    private static func distinct(_ ticks: [TimeTick]) -> [TimeTick] {
        let sorted = ticks.sorted { ($0.time, $0.isMajor ? 0 : 1, $0.label) < ($1.time, $1.isMajor ? 0 : 1, $1.label) }
        var distinct: [TimeTick] = []
        for tick in sorted where distinct.last?.time != tick.time { distinct.append(tick) }
        return distinct
    }

    /// The round local times that may be in a window, each once.
    private func locals(_ interval: Interval, from lower: Int64, to upper: Int64) -> Set<Int64> {
        let (first, last) = (offset(lower), offset(upper))
        let low = lower + min(first, last)
        let high = upper + max(first, last)
        // Of a longer window, a day more on both sides: clocks may be moved in between, by up to a day.
        if upper - lower >= Self.day { return Set(multiples(interval, from: low - Self.day, to: high + Self.day)) }
        // A short one may have few seconds and a clock that is moved by hours: what lies in between is left out, except the
        // begin of a day, which has a tick also when clocks leave it out.
        return Set(multiples(interval, from: lower + first, to: upper + first))
            .union(multiples(interval, from: lower + last, to: upper + last))
            .union(multiples(.days(1), from: low, to: high))
    }

    // MARK: Clocks

    /// The zone's distance from UTC at a time, in seconds.
    func offset(_ seconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    }

    private func seconds(_ time: SeriesTime) -> Int64 {
        // Towards the past, before 1970 too.
        let (quotient, remainder) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The multiples of an interval between two local times.
    private func multiples(_ interval: Interval, from lower: Int64, to upper: Int64) -> [Int64] {
        switch interval {
        case .seconds(let step): return multiples(of: step, from: lower, to: upper)
        case .days(let count):
            // Weeks begin on Mondays: 1970-01-05 was one.
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

    /// When clocks show a local time: never while it is left out, twice when an hour is repeated. Ticks more than an hour apart
    /// come once, and days begin, also when their first minutes are left out.
    private func instants(_ local: Int64, _ interval: Interval) -> [Int64] {
        let (before, after) = (local - offset(local - Self.day), local - offset(local + Self.day))
        let found = Set([before, after]).filter { $0 + offset($0) == local }.sorted()
        if case .seconds(let step) = interval, step % Self.day != 0, local % Self.day != 0 {
            return step > 3600 ? Array(found.prefix(1)) : found
        }
        if let first = found.first { return [first] }
        // The first second of what clocks show instead.
        var (low, high) = (local - offset(local - Self.day) - Self.day, local - offset(local + Self.day) + Self.day)
        while low < high {
            let middle = (low + high) / 2
            if middle + offset(middle) < local { low = middle + 1 } else { high = middle }
        }
        // A whole day may be left out: Samoa had no 2011-12-30.
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

    /// The time as clocks of the zone show it: `2026-11-25 14:30`, with seconds if it has some.
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
