internal import HTTPTypes

/// How long an answer asks its client to wait.
package enum ServerDelay {
    /// Longer delays than this are all the same to us: a day.
    private static let longest = Duration.seconds(86_400)

    /// The pause that `head` asks for: `Retry-After` (RFC 9110 section 10.2.3) as seconds or as a date, a past one being
    /// no pause; else, on a 429, `X-Rate-Limit-Reset` in seconds, also spelled
    /// `X-RateLimit-Reset`. `nil` where there is neither, or none that can be read.
    ///
    /// - Parameter now: The client's wall-clock time. A `Date` field of the answer is preferred: the server's date is
    ///   meant by the server's clock.
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

    /// Whole seconds; a fraction, which some servers send, is rounded up.
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

extension HTTPField.Name {
    fileprivate static let rateLimitReset = Self(constant: "X-Rate-Limit-Reset")
    fileprivate static let rateLimitResetPlain = Self(constant: "X-RateLimit-Reset")
}
