internal import Foundation

/// Where the server takes the time of day from: its own `timestamp` headers, the 300-second rule, record dates, stamps
/// and rate-limit windows.
public struct ServerClock: Sendable {
    private let read: @Sendable () -> Int64

    /// A clock that calls `milliseconds` for the milliseconds since 1970.
    public init(milliseconds: @escaping @Sendable () -> Int64) { read = { milliseconds() * 1000 } }

    private init(read: @escaping @Sendable () -> Int64) { self.read = read }

    /// A clock that calls `read` for the microseconds since 1970.
    public static func microseconds(_ read: @escaping @Sendable () -> Int64) -> Self { Self(read: read) }

    /// The milliseconds since 1970, rounded down.
    public func milliseconds() -> Int64 {
        let (milliseconds, rest) = read().quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? milliseconds - 1 : milliseconds
    }

    /// The microseconds since 1970.
    public func microseconds() -> Int64 { read() }

    /// The machine's clock.
    public static let system = Self(read: { Int64((Date().timeIntervalSince1970 * 1_000_000).rounded(.down)) })

    /// A clock that stands still.
    public static func fixed(milliseconds: Int64) -> Self { Self(milliseconds: { milliseconds }) }
}
