public import HeliumServerKit

/// The rate limits of callers (Docs/Protocols/AppNet.md §1.7). Response headers always contain the limits. The response
/// to a request beyond a limit is 429 only if ``isEnforced`` is `true`.
public struct AppNetRateLimits: Hashable, Sendable {
    /// A number of requests of one kind of caller in a window of time.
    public typealias Limit = ServerRateLimit

    /// The limit for all calls of a token. Default: 5,000 per hour.
    public var calls = Limit(requests: 5000, minutes: 60)
    /// The limit for a token's calls that write. Default: 20 per minute.
    public var writes = Limit(requests: 20, minutes: 1)
    /// The limit for calls without a token, by address. Default: 50 per minute.
    public var anonymous = Limit(requests: 50, minutes: 1)
    /// Whether requests are counted and rejected. Default: `false`. Response headers then report unused limits.
    public var isEnforced = false

    /// Creates the limits with the defaults named at each property.
    public init() {}

    var named: [(String, Limit)] { [("calls", calls), ("writes", writes), ("anonymous", anonymous)] }
}
