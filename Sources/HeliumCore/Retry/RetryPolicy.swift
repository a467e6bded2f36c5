/// The conditions under which a call is attempted again, the number of attempts, and the delays between them.
///
/// An attempt is repeated only if all of these conditions hold:
/// 1. The failure may be temporary: one of ``statuses``, a connection or name look-up that failed, a connection that
///    was lost, or an expired time limit of a phase other than the total one.
/// 2. There have been fewer than ``maximumAttempts``.
/// 3. Repeating the request is safe: it was never sent (``DeliveryState/notSent``), its method is idempotent (RFC 9110
///    §9.2.2), it carries an ``IdempotencyKey``, or the caller used `.retryable()`.
/// 4. Its body can be sent again: it has none, it is in memory, or it is an ``UploadBody`` that is replayable.
/// 5. The delay ends before the call's deadline. A delay that the server requests is no longer than
///    ``maximumServerDelay``.
/// 6. The client's ``RetryBudget`` is not spent.
///
/// If the server requests a delay, the delay is that plus a random part of a quarter of ``baseDelay``. A server
/// requests it in the field `Retry-After`, or on a 429 without that field in `X-Rate-Limit-Reset` or
/// `X-RateLimit-Reset`. Otherwise the delay is exponential back-off with full jitter: a random part of ``baseDelay``
/// doubled with each attempt, up to ``maximumDelay``. Every attempt is authorized and signed again after its delay. An
/// idle connection that turns out to be closed before any response arrived is not a sign of overload. The first such
/// attempt is repeated without a delay.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of attempts of one call, including the first. Attempts that an authorizer causes (a replaced
    /// credential, a corrected clock) count too. Default: 3.
    public var maximumAttempts = 3

    /// The maximum of the first delay. Default: 200 milliseconds.
    public var baseDelay = Duration.milliseconds(200)

    /// The maximum of every delay that the server did not request. Default: 20 seconds.
    public var maximumDelay = Duration.seconds(20)

    /// The longest delay that a server may request. A longer one makes the call fail at once, as does one beyond the
    /// call's deadline. Default: 5 minutes.
    public var maximumServerDelay = Duration.seconds(300)

    /// The statuses after which a call may be attempted again. Default: 408, 429, 502, 503, 504.
    public var statuses: Set<Int> = [408, 429, 502, 503, 504]

    /// Creates the default policy.
    public init() {}

    /// The default policy.
    public static let standard = Self()

    /// One attempt, apart from those that an authorizer requests.
    public static let never: Self = {
        var policy = Self()
        policy.maximumAttempts = 1
        return policy
    }()

    /// Returns the default policy with another number of attempts, 1 to 100.
    public static func attempts(_ count: Int) -> Self {
        var policy = Self()
        policy.maximumAttempts = min(max(1, count), 100)
        return policy
    }
}

/// The number of retries that a client may make, as a share of its calls. It prevents retries from overloading a slow
/// server.
///
/// Each call adds ``ratio`` to the balance, and each retry takes 1 from it. The balance starts at ``reserve`` and never
/// exceeds it by more than 500 calls add. A client has therefore made at most `ratio × calls + reserve` retries at any
/// time, and idle hours do not accumulate retries. When the budget is spent, calls fail at once with their own failure.
/// All calls of a client, which talks to one destination, share the budget.
public struct RetryBudget: Hashable, Sendable {
    /// The number of retries per call in the long run. Default: 0.2, which is 20 % more load. 0 to 10.
    public var ratio: Double

    /// The number of retries that are possible from the start. Default: 10. 0 to 1,000,000.
    public var reserve: Int

    /// Creates a budget.
    public init(ratio: Double = 0.2, reserve: Int = 10) {
        self.ratio = ratio
        self.reserve = reserve
    }
}
