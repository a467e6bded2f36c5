internal import HTTPTypes

/// The decision about an attempt that did not succeed. It depends only on values.
enum RetryDecision: Hashable, Sendable {
    /// Another attempt after a delay, for this reason.
    case retry(RetryReason, after: Duration)
    /// No other attempt, for this reason.
    case stop(RetryRefusal)
}

/// The facts about an attempt's outcome that matter for repeating it.
struct RetryableOutcome: Hashable, Sendable {
    enum Result: Hashable, Sendable {
        case answered(status: Int)
        case failed(FailureKind, phase: TransferPhase?)
    }

    var result: Result
    var delivery: DeliveryState
    /// The delay that the server requests.
    var serverDelay: Duration?
    /// The reason for a retry that the response contains in addition to its status.
    var hint: RetryReason?
    /// Whether the attempt used an existing connection.
    var isConnectionReused = false
}

/// The facts about a request, known before its first attempt, that decide whether it may be repeated.
struct RetryTraits: Hashable, Sendable {
    /// Whether it is safe to repeat the request: because of its method, a key, or the caller's setting.
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
    /// Makes the decision. `withdraw` is called last, and only if all other conditions allow another attempt.
    ///
    /// - Parameters:
    ///   - attempts: The number of attempts so far, including this one.
    ///   - hadStaleConnection: Whether an earlier attempt used a connection that was closed.
    ///   - remaining: The remaining time of the call; `nil` for no deadline.
    ///   - random: A random number in 0 ..< 1.
    static func make(
        after outcome: RetryableOutcome,
        policy: RetryPolicy,
        traits: RetryTraits,
        attempts: Int,
        hadStaleConnection: Bool = false,
        remaining: Duration?,
        random: Double,
        withdraw: () -> Bool
    ) -> RetryDecision {
        guard let reason = reason(for: outcome, policy) else { return .stop(.notWorthwhile) }
        guard attempts < policy.maximumAttempts else { return .stop(.attemptsSpent) }
        guard outcome.delivery == .notSent || traits.isSafeToRepeat else { return .stop(.notSafe) }
        guard traits.isReplayable else { return .stop(.bodyNotReplayable) }
        let isStale = reason == .staleConnection && !hadStaleConnection
        let pause = isStale ? .zero : pause(outcome.serverDelay, policy, attempts: attempts, random: random)
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

    /// Returns the delay before the next attempt: the delay that the server requested plus jitter, so that not all
    /// clients return at the same moment, or else a random part of the back-off.
    private static func pause(_ asked: Duration?, _ policy: RetryPolicy, attempts: Int, random: Double) -> Duration {
        let random = min(max(0, random), 1)
        if let asked { return asked + max(policy.baseDelay.withinCentury, .zero) * (random / 4) }
        return Backoff.ceiling(afterFailures: attempts, first: policy.baseDelay, maximum: policy.maximumDelay) * random
    }
}

/// The reason why a failed attempt was not repeated. The list of names may grow.
public struct RetryRefusal: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The refusal's name.
    public let rawValue: String

    /// Creates a refusal from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Another attempt would fail in the same way, because the failure is not temporary.
    public static let notWorthwhile = Self(rawValue: "notWorthwhile")
    /// The maximum number of attempts of the policy was reached.
    public static let attemptsSpent = Self(rawValue: "attemptsSpent")
    /// The request may have been processed, and repeating it is not known to be safe: its method is not idempotent, it
    /// has no ``IdempotencyKey``, and the caller did not allow it.
    public static let notSafe = Self(rawValue: "notSafe")
    /// The body was a stream that can be read only once.
    public static let bodyNotReplayable = Self(rawValue: "bodyNotReplayable")
    /// The delay would not end before the call's deadline, or the server requests more than
    /// ``RetryPolicy/maximumServerDelay``.
    public static let pauseTooLong = Self(rawValue: "pauseTooLong")
    /// The client's ``RetryBudget`` is spent.
    public static let budgetSpent = Self(rawValue: "budgetSpent")

    /// The refusal's name.
    public var description: String { rawValue }
}

extension HTTPRequest.Method {
    /// Whether repeating a request has the same effect as sending it once (RFC 9110 §9.2.2).
    var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete, .options, .trace: true
        default: false
        }
    }
}
