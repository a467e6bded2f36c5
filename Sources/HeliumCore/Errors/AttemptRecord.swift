/// One attempt of a call: what came of it, and how long it took.
public struct AttemptRecord: Hashable, Sendable {
    /// What came of an attempt.
    public enum Outcome: Hashable, Sendable {
        /// An answer with this status.
        case answered(status: Int)
        /// No answer, for this reason.
        case failed(FailureKind)
    }

    /// The attempt's number, from 1.
    public let number: Int

    /// What came of it.
    public let outcome: Outcome

    /// How far the request got.
    public let delivery: DeliveryState

    /// How long it took, its authorization included.
    public let duration: Duration

    /// Why another attempt followed; `nil` for the last.
    public package(set) var retryReason: RetryReason?

    /// How long the call waited after this attempt; `nil` for the last.
    public package(set) var pause: Duration?

    package init(number: Int, outcome: Outcome, delivery: DeliveryState, duration: Duration) {
        self.number = number
        self.outcome = outcome
        self.delivery = delivery
        self.duration = duration
    }
}

extension AttemptRecord: CustomStringConvertible {
    /// For example `#1 503 after 0.012 s (retried after a pause of 0.200 s: serverUnavailable)`.
    public var description: String {
        let result =
            switch outcome {
            case .answered(let status): "\(status)"
            case .failed(let kind): "\(kind), \(delivery.rawValue)"
            }
        return "#\(number) \(result) after \(duration.formattedSeconds)\(nextText)"
    }

    /// Why there was another attempt. In parentheses, so that the reason does not read as the next attempt's outcome.
    private var nextText: String {
        guard let retryReason else { return "" }
        if retryReason == .redirected { return " (redirected)" }
        guard let pause, pause > .zero else { return " (retried at once: \(retryReason))" }
        return " (retried after a pause of \(pause.formattedSeconds): \(retryReason))"
    }
}

extension Duration {
    /// Seconds with three decimals: `0.012 s`.
    var formattedSeconds: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: max(0, 3 - fraction.count)))\(fraction) s"
    }
}
