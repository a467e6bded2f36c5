/// The story of one call: its attempts so far, and how its failures are told.
struct Call: Sendable {
    let prepared: PreparedRequest
    let deadline: Deadline
    private(set) var attempts: [AttemptRecord] = []

    init(prepared: PreparedRequest, deadline: Deadline) {
        self.prepared = prepared
        self.deadline = deadline
    }

    func context(attempt: Int) -> AuthorizationContext {
        AuthorizationContext(
            attempt: attempt,
            retryReasons: attempts.compactMap(\.retryReason),
            deadline: deadline
        )
    }

    mutating func record(_ outcome: AttemptRecord.Outcome, _ delivery: DeliveryState, duration: Duration) {
        attempts.append(
            AttemptRecord(number: attempts.count + 1, outcome: outcome, delivery: delivery, duration: duration)
        )
    }

    mutating func retry(because reason: RetryReason) { attempts[attempts.count - 1].retryReason = reason }
}

extension Call {
    /// The error with the call's request and attempts.
    func failure(_ error: HeliumError) -> HeliumError {
        var error = error
        error[fact: \.request] = prepared.summary
        error[fact: \.attempts] = attempts
        return error
    }

    /// The request did not leave. What an authorizer sent on its own account, and what became of that, is the cause.
    func failure(whileAuthorizing error: any Error) -> HeliumError {
        if let cause = error as? HeliumError, cause.kind != .cancelled {
            var failure = make(cause.kind, .notSent, cause.message, underlying: cause)
            failure[fact: \.phase] = cause.phase
            return self.failure(failure)
        }
        return failure(self.error(whileAuthorizing: error, delivery: .notSent))
    }

    /// What an authorizer threw, or what ended the wait for it, as a failure of this call.
    func error(whileAuthorizing error: any Error, delivery: DeliveryState) -> HeliumError {
        switch error {
        case let error as HeliumError:
            return error
        case is CancellationError:
            return cancelled(delivery: delivery)
        case is DeadlineExceeded:
            var timeout = make(.timedOut, delivery, "the call's time ran out before the request could be authorized")
            timeout[fact: \.phase] = .total
            return timeout
        default:
            return make(.authorizationFailed, delivery, "the authorizer failed", underlying: error)
        }
    }

    func cancelled(delivery: DeliveryState) -> HeliumError { make(.cancelled, delivery, "the call was cancelled") }

    private func make(
        _ kind: FailureKind,
        _ delivery: DeliveryState,
        _ message: String,
        underlying: (any Error)? = nil
    ) -> HeliumError {
        HeliumError(kind, request: prepared.summary, delivery: delivery, message: message, underlying: underlying)
    }
}
