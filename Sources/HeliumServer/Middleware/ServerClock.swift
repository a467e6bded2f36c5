internal import Foundation

/// Where the server takes the time of day from: its own `timestamp` headers, the 300-second rule, record dates and
/// rate-limit windows.
public struct ServerClock: Sendable {
    private let read: @Sendable () -> Int64

    /// A clock that calls `milliseconds` for the milliseconds since 1970.
    public init(milliseconds: @escaping @Sendable () -> Int64) { read = milliseconds }

    /// The milliseconds since 1970.
    public func milliseconds() -> Int64 { read() }

    /// The machine's clock.
    public static let system = Self { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) }

    /// A clock that stands still.
    public static func fixed(milliseconds: Int64) -> Self { Self { milliseconds } }
}
