public import Foundation

/// An instant in whole microseconds (Docs/Protocols/Cosm.md §2.6).
///
/// Two datapoints of a datastream are the same if their instants are equal, in whatever form their timestamps were
/// written. `Date` has a resolution of only a quarter of a microsecond, and Foundation's formatters of a millisecond.
/// This type does not round.
///
/// Instants lie in the years 1 to 9999, the range of the timestamp format. Values outside of it become the nearest
/// valid instant.
public struct Timestamp: Hashable, Sendable {
    /// The number of microseconds since 1970-01-01T00:00:00Z.
    public let microseconds: Int64

    /// Creates an instant from the number of microseconds since 1970-01-01T00:00:00Z.
    public init(microseconds: Int64) {
        self.microseconds = min(max(microseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// The valid range, from 0001-01-01T00:00:00.000000Z to 9999-12-31T23:59:59.999999Z.
    static let range: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999
}

extension Timestamp {
    /// Creates the instant nearest to a date.
    public init(_ date: Date) {
        // It uses `Date`'s own reference date, so that the value is not rounded twice.
        let microseconds = (date.timeIntervalSinceReferenceDate * 1e6).rounded()
        let reference: Int64 = 978_307_200_000_000
        guard abs(microseconds) < 4e17 else {
            self.init(microseconds: microseconds > 0 ? Self.range.upperBound : Self.range.lowerBound)
            return
        }
        self.init(microseconds: Int64(microseconds) + reference)
    }

    /// The nearest `Date`.
    public var date: Date {
        let sinceReference = microseconds - 978_307_200_000_000
        return Date(timeIntervalSinceReferenceDate: Double(sinceReference) / 1e6)
    }

    /// The current instant of the system clock.
    public static var now: Timestamp { Timestamp(Date()) }
}

extension Timestamp: Comparable {
    /// Returns whether the left instant is earlier.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }
}

extension Timestamp {
    /// Returns the instant that is later by a duration, or earlier for a negative one. Fractions of a microsecond are
    /// dropped.
    public func advanced(by duration: Duration) -> Timestamp {
        // Longer than the range of timestamps, and far from an overflow of the integers.
        let limit = Duration.seconds(20_000 * 366 * 86_400)
        let (seconds, attoseconds) = min(max(duration, .zero - limit), limit).components
        return Timestamp(microseconds: microseconds + seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    /// Returns the duration from this instant to another one.
    public func duration(to other: Timestamp) -> Duration { .microseconds(other.microseconds - microseconds) }
}
