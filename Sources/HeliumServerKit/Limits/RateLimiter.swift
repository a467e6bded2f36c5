internal import HeliumConcurrency
internal import Synchronization

/// Counts requests per address in aligned windows (Docs/Protocols/Middleware.md §5.6).
package final class RateLimiter: Sendable {
    /// The rate-limit state for one request, as the `X-Rate-Limit-*` headers report it.
    package struct Status: Hashable, Sendable {
        package let limit: Int
        package let remaining: Int
        /// The seconds until the end of the window, at least 1.
        package let reset: Int
        package let isExceeded: Bool
    }

    /// The maximum number of addresses that are counted. When it is reached, expired windows are deleted. If that is
    /// not enough, all windows are deleted.
    package static let maximumEntries = 10_000

    private struct Window {
        let number: Int64
        var count: Int
    }

    private let windows = Guarded<[String: Window]>([:])

    package init() {}

    /// Counts one request of `name` at `now` (milliseconds) against `limit`.
    package func count(_ name: String, limit: ServerRateLimit, now: Int64) -> Status {
        let length = Int64(max(1, limit.minutes)) * 60_000
        let number = now / length
        let used = windows.withLock { windows in
            if windows[name] == nil, windows.count >= Self.maximumEntries {
                windows = windows.filter { $0.value.number == number }
                if windows.count >= Self.maximumEntries { windows = [:] }
            }
            var window = windows[name] ?? Window(number: number, count: 0)
            if window.number != number { window = Window(number: number, count: 0) }
            window.count += 1
            windows[name] = window
            return window.count
        }
        let allowed = max(1, limit.requests)
        return Status(
            limit: allowed,
            remaining: max(0, allowed - used),
            reset: Int((length - now % length + 999) / 1000),
            isExceeded: used > allowed
        )
    }
}

extension RateLimiter.Status {
    /// Creates the state for a limit that is not enforced.
    package init(unused limit: ServerRateLimit) {
        self.init(limit: limit.requests, remaining: limit.requests, reset: limit.minutes * 60, isExceeded: false)
    }
}
