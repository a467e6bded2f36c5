internal import Foundation

/// The source of the server's wall time, for its `timestamp` headers, the 300-second rule, the dates of records,
/// timestamps and rate-limit windows.
public struct ServerClock: Sendable {
    private let read: @Sendable () -> Int64

    /// Creates a clock from a closure that returns the milliseconds since 1970.
    public init(milliseconds: @escaping @Sendable () -> Int64) { read = { milliseconds() * 1000 } }

    private init(read: @escaping @Sendable () -> Int64) { self.read = read }

    /// Creates a clock from a closure that returns the microseconds since 1970.
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
