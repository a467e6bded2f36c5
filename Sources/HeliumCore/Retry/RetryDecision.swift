internal import HTTPTypes

/// What becomes of an attempt that did not succeed: decided from values alone.
enum RetryDecision: Hashable, Sendable {
    /// Another attempt after a pause, for this reason.
    case retry(RetryReason, after: Duration)
    /// The outcome stands.
    case stop(RetryRefusal)
}

/// What came of an attempt, as far as repeating it is concerned.
struct RetryableOutcome: Hashable, Sendable {
    enum Result: Hashable, Sendable {
        case answered(status: Int)
        case failed(FailureKind, phase: TransferPhase?)
    }

    var result: Result
    var delivery: DeliveryState
    /// How long the server asks to wait.
    var serverDelay: Duration?
    /// The reason to try again that the answer gives beyond its status.
    var hint: RetryReason?
    /// Whether the attempt used a connection that was there already.
    var isConnectionReused = false
}

/// What is known of a request before its first attempt that decides whether it may be repeated.
struct RetryTraits: Hashable, Sendable {
    /// Whether doing it twice is as good as once: by its method, by a key, or by the caller's word.
    var isSafeToRepeat: Bool
    /// Whether its body can be sent again.
    var isReplayable: Bool

    init(isSafeToRepeat: Bool, isReplayable: Bool) {
        self.isSafeToRepeat = isSafeToRepeat
        self.isReplayable = isReplayable
    }

    init(_ request: borrowing TransportRequest, hasKey: Bool, isRetryable: Bool?) {
        isSafeToRepeat = isRetryable ?? (hasKey || request.method.isIdempotent)
        isReplayable = request.upload?.isReplayable ?? true
    }
}

extension RetryDecision {
    /// Decides. `withdraw` is asked last, and only if all else speaks for another attempt.
    ///
    /// - Parameters:
    ///   - attempts: How many attempts there were, this one included.
    ///   - hadStaleConnection: Whether an earlier attempt met a connection that was closed.
    ///   - remaining: The time left of the call; `nil` for no deadline.
    ///   - chance: A number in 0 ..< 1.
    static func make(
        after outcome: RetryableOutcome,
        policy: RetryPolicy,
        traits: RetryTraits,
        attempts: Int,
        hadStaleConnection: Bool = false,
        remaining: Duration?,
        chance: Double,
        withdraw: () -> Bool
    ) -> RetryDecision {
        guard let reason = reason(for: outcome, policy) else { return .stop(.notWorthwhile) }
        guard attempts < policy.maximumAttempts else { return .stop(.attemptsSpent) }
        guard outcome.delivery == .notSent || traits.isSafeToRepeat else { return .stop(.notSafe) }
        guard traits.isReplayable else { return .stop(.bodyNotReplayable) }
        let isStale = reason == .staleConnection && !hadStaleConnection
        let pause = isStale ? .zero : pause(outcome.serverDelay, policy, attempts: attempts, chance: chance)
        if let asked = outcome.serverDelay, asked > policy.maximumServerDelay { return .stop(.pauseTooLong) }
        if let remaining, pause >= remaining { return .stop(.pauseTooLong) }
        guard withdraw() else { return .stop(.budgetSpent) }
        return .retry(reason, after: pause)
    }

    private static func reason(for outcome: RetryableOutcome, _ policy: RetryPolicy) -> RetryReason? {
        switch outcome.result {
        case .answered(let status):
            if let hint = outcome.hint { return hint }
            guard policy.statuses.contains(status) else { return nil }
            return status == 429 ? .rateLimited : .serverUnavailable
        case .failed(.connectionLost, _):
            let isStale = outcome.isConnectionReused && outcome.delivery != .answered
            return isStale ? .staleConnection : .connectionFailed
        case .failed(.connectionFailed, _), .failed(.hostNotFound, _):
            return .connectionFailed
        case .failed(.timedOut, let phase):
            return phase == .total || phase == nil ? nil : .timedOut
        case .failed:
            return nil
        }
    }

    /// What the server asks for and a little of our own, so that not everybody comes back at the same moment; or a part
    /// of the back-off.
    private static func pause(_ asked: Duration?, _ policy: RetryPolicy, attempts: Int, chance: Double) -> Duration {
        let chance = min(max(0, chance), 1)
        if let asked { return asked + policy.baseDelay * (chance / 4) }
        return Backoff.ceiling(afterFailures: attempts, first: policy.baseDelay, maximum: policy.maximumDelay) * chance
    }
}

/// Why a failed attempt was not repeated, as a name from a list that may grow.
public struct RetryRefusal: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The refusal's name.
    public let rawValue: String

    /// A refusal by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Another attempt would come out the same: the outcome is none that passes with time.
    public static let notWorthwhile = Self(rawValue: "notWorthwhile")
    /// There were as many attempts as the policy allows.
    public static let attemptsSpent = Self(rawValue: "attemptsSpent")
    /// The request may have been carried out, and nothing says that doing it twice does no harm: neither its method,
    /// nor an ``IdempotencyKey``, nor the caller.
    public static let notSafe = Self(rawValue: "notSafe")
    /// The body was a stream that can be read only once.
    public static let bodyNotReplayable = Self(rawValue: "bodyNotReplayable")
    /// The pause would not end before the call's deadline, or the server asks for more than
    /// ``RetryPolicy/maximumServerDelay``.
    public static let pauseTooLong = Self(rawValue: "pauseTooLong")
    /// The client's ``RetryBudget`` is spent.
    public static let budgetSpent = Self(rawValue: "budgetSpent")

    /// The refusal's name.
    public var description: String { rawValue }
}

extension HTTPRequest.Method {
    /// Whether doing it twice is as good as once (RFC 9110 section 9.2.2).
    var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete, .options, .trace: true
        default: false
        }
    }
}
