internal import HeliumCore

/// The conditions under which the server's clock is accepted (Docs/Protocols/Middleware.md §4 and §8).
///
/// Responses are not signed, so a forged response could change this client's clock.
public struct ClockCorrectionPolicy: Hashable, Sendable {
    /// The largest difference between server and client that is accepted. A larger one makes the call fail with
    /// `clockCorrectionRefused`. Default: 24 hours.
    public var maximumOffset: Duration = .seconds(24 * 60 * 60)

    /// Whether corrections are accepted from a server that is reached without TLS and is not on this machine. Default:
    /// `false`.
    public var acceptsInsecureServers = false

    /// Creates the default policy.
    public init() {}
}

extension ClockCorrectionPolicy {
    /// Returns whether the responses of `origin` may correct the clock.
    func trusts(_ origin: Origin) -> Bool { acceptsInsecureServers || origin.isSecure || origin.isLoopback }

    /// Returns whether a difference is small enough to be accepted.
    func permits(_ offset: Duration) -> Bool {
        // A larger offset could not be added to a time.
        let limit = maximumOffset.withinCentury
        return offset <= limit && offset >= .zero - limit
    }
}
