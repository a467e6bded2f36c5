public import Foundation

/// The time of a point: whole microseconds since 1970.
///
/// Two points of a series are the same point if their times are equal. Times are therefore integers: `Date` rounds and
/// may turn one time into two. Times are in the years 1 to 9999. A time outside this range becomes the nearest time
/// within it.
///
/// ```swift
/// let noon = SeriesTime("2012-12-11T12:00:00Z")
/// let hourAgo = SeriesTime(Date()).advanced(by: .seconds(-3600))
/// ```
public struct SeriesTime: Hashable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    public let microseconds: Int64

    /// Creates a time from microseconds since 1970-01-01T00:00:00Z.
    public init(microseconds: Int64) {
        self.microseconds = min(max(microseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// The valid times, from 0001-01-01T00:00:00.000000Z to 9999-12-31T23:59:59.999999Z.
    private static let range: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999
}

extension SeriesTime {
    /// Creates a time from seconds since 1970-01-01T00:00:00Z.
    public init(seconds: Int64) {
        let (microseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        self.init(microseconds: overflow ? (seconds > 0 ? .max : .min) : microseconds)
    }

    /// Rounds a date to the nearest microsecond. A date that is not a number becomes the latest time.
    public init(_ date: Date) {
        // Based on the reference date of `Date`, so that nothing is rounded twice.
        let microseconds = (date.timeIntervalSinceReferenceDate * 1e6).rounded()
        guard abs(microseconds) < 4e17 else {
            self.init(microseconds: microseconds < 0 ? .min : .max)
            return
        }
        self.init(microseconds: Int64(microseconds) + Self.reference)
    }

    /// The nearest date.
    public var date: Date { Date(timeIntervalSinceReferenceDate: Double(microseconds - Self.reference) / 1e6) }

    private static let reference: Int64 = 978_307_200_000_000

    /// Creates a time from a wall clock: see `HeliumClock.wallTime`.
    package init(wallTime: Duration) { self.init(microseconds: wallTime.wholeMicroseconds) }
}

extension SeriesTime: Comparable {
    /// Returns whether the left time is earlier.
    public static func < (left: SeriesTime, right: SeriesTime) -> Bool { left.microseconds < right.microseconds }
}

extension SeriesTime {
    /// Returns a time that is later by a duration, or earlier if it is negative. Fractions of a microsecond are
    /// truncated.
    public func advanced(by duration: Duration) -> SeriesTime {
        let (sum, overflow) = microseconds.addingReportingOverflow(duration.wholeMicroseconds)
        return SeriesTime(microseconds: overflow ? (duration > .zero ? .max : .min) : sum)
    }

    /// Returns the duration from this time to another, negative if the other is earlier.
    public func duration(to other: SeriesTime) -> Duration { .microseconds(other.microseconds - microseconds) }
}

extension Duration {
    /// The duration in whole microseconds, truncated. Durations out of range become the nearest value.
    var wholeMicroseconds: Int64 {
        // The components of a longer duration may have too many seconds for an integer.
        if self >= .microseconds(Int64.max) { return .max }
        if self <= .microseconds(Int64.min) { return .min }
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
