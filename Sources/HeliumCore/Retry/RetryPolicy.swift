/// When a call is attempted again, how often, and after which pauses: one value for all of these decisions.
///
/// An attempt is repeated only if all of this holds:
/// 1. its outcome may be another next time: one of ``statuses``, or a connection or name look-up that failed, a
///    connection that was lost, a phase's time limit other than the total one;
/// 2. there have been fewer than ``maximumAttempts``;
/// 3. repeating does no harm: the request never left (``DeliveryState/notSent``), its method is idempotent (RFC 9110
///    section 9.2.2), it carries an ``IdempotencyKey``, or the caller said `.retryable()`;
/// 4. its body can be sent again: none, bytes in memory, or an ``UploadBody`` that is replayable;
/// 5. the pause ends before the call's deadline, and is no longer than ``maximumServerDelay`` where the server asks for
///    it;
/// 6. the client's ``RetryBudget`` has something left.
///
/// The pause is what the server asks for (`Retry-After`, or `X-Rate-Limit-Reset` on a 429) and a
/// random part of a quarter of ``baseDelay``, else exponential back-off with full jitter: a random part of
/// ``baseDelay`` doubled with each attempt, up to ``maximumDelay``. Every attempt is authorized and signed anew after
/// its pause. A kept connection that turns out to be closed before any answer came is no sign of overload: the first
/// such attempt is repeated without a pause.
public struct RetryPolicy: Hashable, Sendable {
    /// The most attempts of one call, the first included; an authorizer's own (a replaced credential, a corrected
    /// clock) count too. Default: 3.
    public var maximumAttempts = 3

    /// The bound of the first pause. Default: 200 milliseconds.
    public var baseDelay = Duration.milliseconds(200)

    /// The bound of every pause that the server did not ask for. Default: 20 seconds.
    public var maximumDelay = Duration.seconds(20)

    /// The longest pause a server may ask for; a longer one fails the call at once, as does one beyond the call's
    /// deadline. Default: 5 minutes.
    public var maximumServerDelay = Duration.seconds(300)

    /// The statuses that are worth another attempt. Default: 408, 429, 502, 503, 504.
    public var statuses: Set<Int> = [408, 429, 502, 503, 504]

    /// The default policy.
    public init() {}

    /// The default policy.
    public static let standard = Self()

    /// One attempt, but for those that an authorizer asks for.
    public static let never: Self = {
        var policy = Self()
        policy.maximumAttempts = 1
        return policy
    }()

    /// The default policy with another number of attempts, 1 to 100.
    public static func attempts(_ count: Int) -> Self {
        var policy = Self()
        policy.maximumAttempts = min(max(1, count), 100)
        return policy
    }
}

/// How many retries a client may make, as a share of its calls: so that retries can't turn a slow server into a dead
/// one.
///
/// Each call adds ``ratio`` to the balance, each retry takes 1 from it; the balance starts at ``reserve`` and never
/// exceeds it by more than what 500 calls add. So a client has made at most `ratio × calls + reserve` retries at any
/// time, and quiet hours save up no storm. When it is spent, calls fail with their own failure at once. Shared by all
/// calls of a client, which talks to one destination.
public struct RetryBudget: Hashable, Sendable {
    /// Retries per call in the long run. Default: 0.2, that is 20 % more load. 0 to 10.
    public var ratio = 0.2

    /// Retries that are possible from the start. Default: 10. 0 to 1,000,000.
    public var reserve = 10

    /// The default budget.
    public init() {}

    /// A budget.
    public init(ratio: Double, reserve: Int) {
        self.ratio = ratio
        self.reserve = reserve
    }
}
