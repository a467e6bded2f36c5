internal import HTTPTypes

/// Reads the delay that a response requests.
package enum ServerDelay {
    /// The maximum delay that is returned: a day.
    private static let longest = Duration.seconds(86_400)

    /// Returns the delay that `head` requests: `Retry-After` (RFC 9110 §10.2.3) in seconds or as a date, where a past
    /// date means no delay. On a 429 without it, `X-Rate-Limit-Reset` in seconds, also spelled `X-RateLimit-Reset`.
    /// Returns `nil` if there is neither, or if the value is invalid.
    ///
    /// - Parameter now: The client's wall-clock time. The `Date` field of the response is preferred if there is one,
    ///   because the server's date refers to the server's clock.
    package static func read(from head: ResponseHead, now: Duration) -> Duration? {
        if let text = head[.retryAfter] {
            if let seconds = seconds(text) { return seconds }
            if let date = HTTPDate.parse(text) {
                let reference = head[.date].flatMap(HTTPDate.parse).map { Duration.seconds($0) } ?? now
                return min(max(.seconds(date) - reference, .zero), longest)
            }
        }
        guard head.status == 429 else { return nil }
        return (head[.rateLimitReset] ?? head[.rateLimitResetPlain]).flatMap(seconds)
    }

    /// Parses whole seconds. A fraction, which some servers send, is rounded up.
    private static func seconds(_ text: String) -> Duration? {
        guard text.utf8.count <= 32 else { return nil }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty,
            parts.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } })
        else { return nil }
        let value = Int64(whole) ?? .max
        let hasFraction = parts.count == 2 && parts[1].contains { $0 != "0" }
        return value >= 86_400 ? longest : .seconds(value + (hasFraction ? 1 : 0))
    }
}

extension HeliumError {
    /// Returns the delay that the response of this error, or of the error that caused it, requests. At most an hour.
    ///
    /// - Parameter now: The client's wall-clock time.
    package func requestedDelay(now: Duration) -> Duration? {
        let delay = head.flatMap { ServerDelay.read(from: $0, now: now) }
        return delay.map { min($0, ServerSentEventParser.longestRetry) }
            ?? (underlying as? HeliumError)?.requestedDelay(now: now)
    }
}

extension HTTPField.Name {
    fileprivate static let rateLimitReset = Self(constant: "X-Rate-Limit-Reset")
    fileprivate static let rateLimitResetPlain = Self(constant: "X-RateLimit-Reset")
}
