internal import HTTPTypes
internal import HeliumCore

extension HTTPField.Name {
    /// The middleware's credential (section 1.1).
    static let middlewareKey = Self(constant: "key")
    /// The middleware's clock in milliseconds (section 1.5).
    static let middlewareTimestamp = Self(constant: "timestamp")
}

extension ResponseHead {
    /// The server's clock since 1970 as the answer's `timestamp` tells it; `nil` where it is missing or no number.
    var serverTime: Duration? {
        guard let text = self[.middlewareTimestamp], text.utf8.count <= 16, let milliseconds = Int64(text),
            milliseconds >= 0
        else { return nil }
        return .milliseconds(milliseconds)
    }
}

extension ClockCorrectionPolicy {
    /// Whether the answers of `origin` may move the clock.
    func trusts(_ origin: Origin) -> Bool { acceptsInsecureServers || origin.isSecure || origin.isLoopback }

    /// Whether a difference is small enough to be taken over.
    func permits(_ offset: Duration) -> Bool { offset <= maximumOffset && offset >= .zero - maximumOffset }
}
