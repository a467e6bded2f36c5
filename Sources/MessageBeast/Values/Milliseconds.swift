internal import Foundation

/// A point in time as stored in the database: milliseconds since 1970, UTC.
///
/// The value is within some 31,000 years of 1970, so that sums and differences of two values cannot overflow.
struct Milliseconds: Hashable, Sendable {
    let value: Int64

    private static let limit: Int64 = 1_000_000_000_000_000

    init(_ value: Int64) { self.value = min(max(value, -Self.limit), Self.limit) }

    /// Rounds a date to the nearest millisecond. A date that is not a number becomes 1970.
    init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.init(milliseconds.isNaN ? 0 : Int64(min(max(milliseconds, -1e15), 1e15)))
    }

    /// Converts the time of a clock.
    init(wallTime: Duration) {
        let limit = Duration.milliseconds(Self.limit)
        let (seconds, attoseconds) = min(max(wallTime, .zero - limit), limit).components
        self.init(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    var date: Date { Date(timeIntervalSince1970: Double(value) / 1000) }
}

extension Milliseconds: Comparable {
    static func < (left: Self, right: Self) -> Bool { left.value < right.value }

    static func - (time: Self, delay: Duration) -> Self { Self(time.value - Milliseconds(wallTime: delay).value) }

    static func + (time: Self, delay: Duration) -> Self { Self(time.value + Milliseconds(wallTime: delay).value) }

    /// The longest delay of an attempt that is ever stored.
    private static let maximumDelay: Int64 = 3_600_000

    /// Returns the delay until this time; `nil` if it has passed.
    ///
    /// A delay longer than ever stored comes from a clock that was set back, and it is ignored.
    func delay(after now: Self) -> Duration? {
        let delay = value - now.value
        return (1...Self.maximumDelay).contains(delay) ? .milliseconds(delay) : nil
    }
}
