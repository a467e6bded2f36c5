/// One attempt of a call: its outcome and its duration.
public struct AttemptRecord: Hashable, Sendable {
    /// The outcome of an attempt.
    public enum Outcome: Hashable, Sendable {
        /// A response with this status.
        case answered(status: Int)
        /// No response, because of this failure.
        case failed(FailureKind)
    }

    /// The attempt's number, from 1.
    public let number: Int

    /// The outcome.
    public let outcome: Outcome

    /// The delivery state of the request.
    public let delivery: DeliveryState

    /// The duration of the attempt, including its authorization.
    public let duration: Duration

    /// The reason for the next attempt; `nil` for the last.
    public package(set) var retryReason: RetryReason?

    /// The delay after this attempt; `nil` for the last.
    public package(set) var pause: Duration?

    package init(number: Int, outcome: Outcome, delivery: DeliveryState, duration: Duration) {
        self.number = number
        self.outcome = outcome
        self.delivery = delivery
        self.duration = duration
    }
}

extension AttemptRecord: CustomStringConvertible {
    /// A description such as `#1 503 after 0.012 s (retried after 0.200 s: serverUnavailable)`.
    public var description: String {
        let result =
            switch outcome {
            case .answered(let status): "\(status)"
            case .failed(let kind): "\(kind), \(delivery.rawValue)"
            }
        return "#\(number) \(result) after \(duration.formattedSeconds)\(nextText)"
    }

    /// The reason for the next attempt. In parentheses, so that it does not read as the next attempt's outcome.
    private var nextText: String {
        guard let retryReason else { return "" }
        if retryReason == .redirected { return " (redirected)" }
        guard let pause, pause > .zero else { return " (retried immediately: \(retryReason))" }
        return " (retried after \(pause.formattedSeconds): \(retryReason))"
    }
}

extension Duration {
    /// The duration in seconds with three decimals: `0.012 s`.
    var formattedSeconds: String {
        let (seconds, attoseconds) = withinCentury.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: max(0, 3 - fraction.count)))\(fraction) s"
    }
}
