/// How many requests a caller may make (§1.7). The headers tell the limits in any case; beyond one a request is
/// answered with 429 only where ``isEnforced`` says so.
public struct AppNetRateLimits: Hashable, Sendable {
    /// Requests of one kind of caller in a window of time.
    public struct Limit: Hashable, Sendable {
        /// The requests allowed in one window; at least 1.
        public var requests: Int
        /// The window's length in minutes; 1 to 1,440. Windows start at multiples of it since 1970.
        public var minutes: Int

        /// At most `requests` in every window of `minutes`.
        public init(requests: Int, minutes: Int) {
            self.requests = requests
            self.minutes = minutes
        }
    }

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
