/// A limit for the number of requests of one caller in a window of time.
public struct ServerRateLimit: Hashable, Sendable {
    /// The number of requests allowed in one window; at least 1.
    public var requests: Int
    /// The length of a window in minutes, 1 to 1,440. Windows start at multiples of this length since 1970.
    public var minutes: Int

    /// Creates a limit of at most `requests` in every window of `minutes`.
    public init(requests: Int, minutes: Int) {
        self.requests = requests
        self.minutes = minutes
    }

    /// Checks the limit.
    ///
    /// - Parameter name: The name of the limit in the error message.
    /// - Throws: ``EmbeddedServerError`` for invalid values.
    package func validate(as name: String = "a rate limit") throws(EmbeddedServerError) {
        try ConfigurationCheck.require(
            requests > 0 && (1...1440).contains(minutes),
            "\(name) must allow at least one request in 1 to 1440 minutes"
        )
    }
}
