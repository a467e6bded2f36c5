internal import Foundation

/// The source of the server's wall time, for its `timestamp` headers, the 300-second rule, the dates of records,
/// timestamps and rate-limit windows.
public struct ServerClock: Sendable {
    private let read: @Sendable () -> Int64

    /// The microseconds since 1970 of the years 1 to 9999, in which all dates of the protocols are.
    private static let range: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999

    /// Creates a clock from a closure that returns the milliseconds since 1970. A time before the year 1 or after the
    /// year 9999 counts as the first or the last moment of these years.
    public init(milliseconds: @escaping @Sendable () -> Int64) {
        self.init(read: {
            let milliseconds = milliseconds()
            let (microseconds, isOver) = milliseconds.multipliedReportingOverflow(by: 1000)
            return isOver ? (milliseconds < 0 ? .min : .max) : microseconds
        })
    }

    private init(read: @escaping @Sendable () -> Int64) {
        self.read = { min(max(read(), Self.range.lowerBound), Self.range.upperBound) }
    }

    /// Creates a clock from a closure that returns the microseconds since 1970. A time before the year 1 or after the
    /// year 9999 counts as the first or the last moment of these years.
    public static func microseconds(_ read: @escaping @Sendable () -> Int64) -> Self { Self(read: read) }

    /// Returns the milliseconds since 1970, rounded down.
    public func milliseconds() -> Int64 {
        let (milliseconds, rest) = read().quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? milliseconds - 1 : milliseconds
    }

    /// Returns the microseconds since 1970.
    public func microseconds() -> Int64 { read() }

    /// The machine's clock.
    public static let system = Self(read: { Int64((Date().timeIntervalSince1970 * 1_000_000).rounded(.down)) })

    /// Creates a clock that always returns the same time.
    public static func fixed(milliseconds: Int64) -> Self { Self(milliseconds: { milliseconds }) }
}
