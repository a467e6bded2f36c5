import HTTPTypes
import Testing

@testable import HeliumCore

@Suite("Decisions about retries")
struct RetryDecisionTests {
    private static let safe = traits(.get)
    private static let unsafe = traits(.post)

    private static func traits(
        _ method: HTTPRequest.Method,
        hasKey: Bool = false,
        isRetryable: Bool? = nil,
        isReplayable: Bool = true
    ) -> RetryTraits {
        RetryTraits(isSafeToRepeat: isRetryable ?? (hasKey || method.isIdempotent), isReplayable: isReplayable)
    }

    private func decide(
        _ result: RetryableOutcome.Result,
        _ delivery: DeliveryState = .answered,
        delay: Duration? = nil,
        reused: Bool = false,
        policy: RetryPolicy = .standard,
        traits: RetryTraits = safe,
        attempts: Int = 1,
        hadStale: Bool = false,
        remaining: Duration? = .seconds(60),
        random: Double = 0.5,
        budget: Bool = true
    ) -> RetryDecision {
        RetryDecision.make(
            after: RetryableOutcome(
                result: result,
                delivery: delivery,
                serverDelay: delay,
                isConnectionReused: reused
            ),
            policy: policy,
            traits: traits,
            attempts: attempts,
            hadStaleConnection: hadStale,
            remaining: remaining,
            random: random,
            withdraw: { budget }
        )
    }

    @Test(
        "transient statuses are retried, and others not",
        arguments: [
            (408, RetryReason.serverUnavailable), (429, .rateLimited), (502, .serverUnavailable),
            (503, .serverUnavailable), (504, .serverUnavailable), (400, nil), (401, nil), (404, nil), (409, nil),
            (500, nil), (501, nil),
        ] as [(Int, RetryReason?)]
    )
    func statuses(status: Int, reason: RetryReason?) {
        let expected = reason.map { RetryDecision.retry($0, after: .milliseconds(100)) } ?? .stop(.notWorthwhile)
        #expect(decide(.answered(status: status)) == expected)
    }

    @Test(
        "transient failures are retried, and others not",
        arguments: [
            (FailureKind.connectionFailed, nil, RetryReason.connectionFailed), (.hostNotFound, nil, .connectionFailed),
            (.connectionLost, nil, .connectionFailed), (.timedOut, .connect, .timedOut),
            (.timedOut, .firstByte, .timedOut), (.timedOut, .idle, .timedOut), (.timedOut, .queue, .timedOut),
            (.timedOut, .total, nil), (.tlsFailed, nil, nil), (.malformedResponse, nil, nil),
            (.ceilingExceeded, nil, nil), (.cancelled, nil, nil), (.clientClosed, nil, nil),
            (.requestBodyFailed, nil, nil), (.transportFailed, nil, nil),
        ] as [(FailureKind, TransferPhase?, RetryReason?)]
    )
    func failures(kind: FailureKind, phase: TransferPhase?, reason: RetryReason?) {
        let expected = reason.map { RetryDecision.retry($0, after: .milliseconds(100)) } ?? .stop(.notWorthwhile)
        #expect(decide(.failed(kind, phase: phase), .maybeSent) == expected)
    }

    @Test(
        "a request that may have been processed is retried only if it is idempotent",
        arguments: [
            (HTTPRequest.Method.get, false, nil, true), (.head, false, nil, true), (.put, false, nil, true),
            (.delete, false, nil, true), (.options, false, nil, true), (.post, false, nil, false),
            (.patch, false, nil, false), (.post, true, nil, true), (.patch, true, nil, true),
            (.post, false, true, true), (.get, false, false, false), (.post, true, false, false),
        ] as [(HTTPRequest.Method, Bool, Bool?, Bool)]
    )
    func safety(method: HTTPRequest.Method, hasKey: Bool, isRetryable: Bool?, isRepeated: Bool) {
        let traits = Self.traits(method, hasKey: hasKey, isRetryable: isRetryable)
        for delivery in [DeliveryState.maybeSent, .answered] {
            let decision = decide(.failed(.connectionLost, phase: nil), delivery, traits: traits)
            #expect((decision == .stop(.notSafe)) == !isRepeated)
        }
        // What never left can always be sent.
        let unsent = decide(.failed(.connectionFailed, phase: nil), .notSent, traits: traits)
        #expect(unsent == .retry(.connectionFailed, after: .milliseconds(100)))
    }

    @Test("a body that can be read only once is not sent again")
    func replay() {
        let once = Self.traits(.put, isReplayable: false)
        #expect(decide(.failed(.connectionFailed, phase: nil), .notSent, traits: once) == .stop(.bodyNotReplayable))
    }

    @Test(
        "the delay before a retry doubles up to its maximum, with jitter",
        arguments: [
            (1, 1.0, 200), (2, 1.0, 400), (3, 1.0, 800), (8, 1.0, 20_000), (60, 1.0, 20_000), (3, 0.5, 400), (3, 0, 0),
        ] as [(Int, Double, Int)]
    )
    func backOff(attempts: Int, random: Double, milliseconds: Int) {
        let decision = decide(
            .answered(status: 503),
            policy: .attempts(100),
            attempts: attempts,
            random: random
        )
        #expect(decision == .retry(.serverUnavailable, after: .milliseconds(milliseconds)))
    }

    @Test("a retry waits at least as long as the server asks")
    func serverDelay() {
        let policy = RetryPolicy.standard
        for random in [0, 0.3, 0.999] {
            guard case .retry(_, let pause) = decide(.answered(status: 503), delay: .seconds(7), random: random) else {
                Issue.record("not repeated")
                continue
            }
            #expect(pause >= .seconds(7) && pause <= .seconds(7) + policy.baseDelay)
        }
        #expect(decide(.answered(status: 503), delay: .zero, random: 0) == .retry(.serverUnavailable, after: .zero))
    }

    @Test("a delay beyond the deadline or the policy's maximum fails at once")
    func deadlines() {
        let busy = RetryableOutcome.Result.answered(status: 503)
        #expect(decide(busy, delay: .seconds(60), remaining: .seconds(60)) == .stop(.pauseTooLong))
        #expect(decide(busy, delay: .seconds(301), remaining: nil) == .stop(.pauseTooLong))
        #expect(decide(busy, remaining: .milliseconds(100)) == .stop(.pauseTooLong))
        #expect(decide(busy, remaining: .zero, random: 0) == .stop(.pauseTooLong))
        #expect(decide(busy, remaining: .milliseconds(101)) == .retry(.serverUnavailable, after: .milliseconds(100)))
    }

    @Test("attempts are limited, and the budget is checked last")
    func limits() {
        let busy = RetryableOutcome.Result.answered(status: 503)
        #expect(decide(busy, attempts: 3) == .stop(.attemptsSpent))
        #expect(decide(busy, policy: .never) == .stop(.attemptsSpent))
        #expect(decide(busy, attempts: 2, budget: false) == .stop(.budgetSpent))
        #expect(decide(busy, traits: Self.unsafe, budget: false) == .stop(.notSafe))
    }

    @Test("a stale connection is replaced without a delay, once")
    func staleConnection() {
        let lost = RetryableOutcome.Result.failed(.connectionLost, phase: nil)
        #expect(decide(lost, .maybeSent, reused: true) == .retry(.staleConnection, after: .zero))
        #expect(
            decide(lost, .maybeSent, reused: true, attempts: 2, hadStale: true)
                == .retry(.staleConnection, after: .milliseconds(200))
        )
        #expect(decide(lost, .maybeSent, reused: true, traits: Self.unsafe) == .stop(.notSafe))
        // Cut in the middle of an answer it was alive.
        #expect(decide(lost, .answered, reused: true) == .retry(.connectionFailed, after: .milliseconds(100)))
    }
}
