internal import HeliumCore

/// When the server's clock is believed (middleware.md sections 4 and 8).
///
/// Answers are not signed, so whoever can forge one could move this client's clock.
public struct ClockCorrectionPolicy: Hashable, Sendable {
    /// The largest difference between server and client that is taken over; a larger one fails the call with
    /// `clockCorrectionRefused`. Default: 24 hours.
    public var maximumOffset: Duration = .seconds(24 * 60 * 60)

    /// Whether a correction is taken from a server that is reached without TLS and is not on this machine.
    /// Default: no.
    public var acceptsInsecureServers = false

    /// The defaults.
    public init() {}
}

extension ClockCorrectionPolicy {
    /// Whether the answers of `origin` may move the clock.
    func trusts(_ origin: Origin) -> Bool { acceptsInsecureServers || origin.isSecure || origin.isLoopback }

    /// Whether a difference is small enough to be taken over.
    func permits(_ offset: Duration) -> Bool { offset <= maximumOffset && offset >= .zero - maximumOffset }
}
