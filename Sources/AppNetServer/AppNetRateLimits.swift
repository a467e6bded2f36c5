public import HeliumServerKit

/// How many requests a caller may make (§1.7). The headers tell the limits in any case; beyond one a request is
/// answered with 429 only where ``isEnforced`` says so.
public struct AppNetRateLimits: Hashable, Sendable {
    /// The requests of one kind of caller in a window of time.
    public typealias Limit = ServerRateLimit

    /// All calls of a token. Default: 5,000 an hour.
    public var calls = Limit(requests: 5000, minutes: 60)
    /// A token's calls that write. Default: 20 a minute.
    public var writes = Limit(requests: 20, minutes: 1)
    /// Calls without a token, by address. Default: 50 a minute.
    public var anonymous = Limit(requests: 50, minutes: 1)
    /// Whether requests are counted and refused. Default: false; then the headers say that nothing was used up.
    public var isEnforced = false

    /// The defaults named at each property.
    public init() {}

    var named: [(String, Limit)] { [("calls", calls), ("writes", writes), ("anonymous", anonymous)] }
}
