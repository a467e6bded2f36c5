public import Foundation

/// An instant as Cosm has it: whole microseconds (§2.6).
///
/// Two datapoints of one stream are the same if their instants are, however their stamps were written. `Date` holds them no
/// finer than a quarter of a microsecond and Foundation's formatters milliseconds: this type rounds nothing.
///
/// Instants are of the years 1 to 9999, which is what a stamp can say; what lies outside becomes the nearest inside.
public struct Timestamp: Hashable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    public let microseconds: Int64

    /// The instant that many microseconds after 1970-01-01T00:00:00Z.
    public init(microseconds: Int64) {
        self.microseconds = min(max(microseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// From 0001-01-01T00:00:00.000000Z to 9999-12-31T23:59:59.999999Z.
    static let range: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999
}

extension Timestamp {
    /// The microsecond nearest to a date.
    public init(_ date: Date) {
        // From `Date`'s own reference, so that nothing is rounded twice.
        let microseconds = (date.timeIntervalSinceReferenceDate * 1e6).rounded()
        let reference: Int64 = 978_307_200_000_000
        guard abs(microseconds) < 4e17 else {
            self.init(microseconds: microseconds > 0 ? Self.range.upperBound : Self.range.lowerBound)
            return
        }
        self.init(microseconds: Int64(microseconds) + reference)
    }

    /// The nearest date.
    public var date: Date {
        let sinceReference = microseconds - 978_307_200_000_000
        return Date(timeIntervalSinceReferenceDate: Double(sinceReference) / 1e6)
    }

    /// The system clock's present instant.
    public static var now: Timestamp { Timestamp(Date()) }
}

extension Timestamp: Comparable {
    /// Whether the left instant is the earlier.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }
}

extension Timestamp {
    /// The instant so much later; earlier with a negative duration. Less than a microsecond is cut off.
    public func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflowed) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        if overflow || overflowed { return Timestamp(microseconds: seconds > 0 ? .max : .min) }
        let (moved, beyond) = microseconds.addingReportingOverflow(sum)
        return Timestamp(microseconds: beyond ? (sum > 0 ? .max : .min) : moved)
    }

    /// How long it is from this instant to another.
    public func duration(to other: Timestamp) -> Duration { .microseconds(other.microseconds - microseconds) }
}
