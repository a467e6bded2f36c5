internal import HeliumEssentials

/// The state of one call: its attempts so far, and the parts of its errors.
struct Call: Sendable {
    let prepared: PreparedRequest
    let deadline: Deadline
    private(set) var attempts: [AttemptRecord] = []
    /// The time at which the current attempt began.
    var began: Duration
    /// Whether the call waited in the queue, so that a part of its time is spent before its first attempt.
    var hasWaited = false
    /// The request of the last attempt, without credentials. Redirects change it.
    var request: TransportRequest
    private(set) var redirectCount = 0
    private(set) var hadStaleConnection = false
    /// Reports the call to logs, metrics and traces; `nil` if observability is off.
    var observer: CallObserver?
    /// The reason why the last attempt was not repeated.
    var refusal: RetryRefusal?
    /// The delivery state of requests that are not in ``attempts`` yet; `nil` if only the transport ends transfers.
    var tracker: DeliveryTracker?

    init(prepared: PreparedRequest, deadline: Deadline, began: Duration) {
        self.prepared = prepared
        self.deadline = deadline
        self.began = began
        request = prepared.request
    }

    /// The furthest delivery state of all requests of this call.
    var furthestDelivery: DeliveryState {
        attempts.reduce(tracker?.furthest ?? .notSent) { max($0, $1.delivery) }
    }

    /// The number of attempts that count against limits. A redirect does not count.
    var countedAttempts: Int { attempts.count - redirectCount }

    func context(attempt: Int) -> AuthorizationContext {
        AuthorizationContext(
            attempt: attempt,
            retryReasons: attempts.compactMap(\.retryReason),
            deadline: deadline
        )
    }

    /// Records the attempt that just ended and reports it to the observer.
    mutating func record(
        _ outcome: AttemptRecord.Outcome,
        _ delivery: DeliveryState,
        now: Duration,
        head: @autoclosure () -> ResponseHead? = nil,
        timings: @autoclosure () -> TransferTimings,
        body: @autoclosure () -> Data? = nil
    ) {
        let attempt = AttemptRecord(
            number: attempts.count + 1,
            outcome: outcome,
            delivery: delivery,
            duration: now - began
        )
        attempts.append(attempt)
        guard let observer else { return }
        observer.didEndAttempt(attempt, head: head(), timings: timings(), body: body())
    }

    /// Records the attempt that `response` just ended and reports it to the observer.
    ///
    /// Not inlined: see ``Pipeline/deliver(_:call:)``.
    @inline(never)
    mutating func record(_ response: TransportResponse, now: Duration) {
        record(
            .answered(status: response.head.status),
            .answered,
            now: now,
            head: response.head,
            timings: response.timings,
            body: response.collectedBody
        )
    }

    mutating func retry(because reason: RetryReason, after pause: Duration = .zero) {
        attempts[attempts.count - 1].retryReason = reason
        attempts[attempts.count - 1].pause = pause
        observer?.willRetry(reason, pause: pause)
        if reason == .redirected { redirectCount += 1 }
        if reason == .staleConnection { hadStaleConnection = true }
    }
}

extension Call {
    /// Returns the error with the call's request and attempts. Its delivery is raised to the furthest one of the call.
    func failure(_ error: HeliumError) -> HeliumError {
        var error = error.raised(to: furthestDelivery)
        error[fact: \.request] = RequestSummary(method: prepared.request.method, url: request.url.redacted)
        error[fact: \.attempts] = attempts
        error[fact: \.idempotencyKey] = prepared.idempotencyKey
        return error
    }

    /// Creates the error of a call whose request was not sent because authorizing failed. If the authorizer's own
    /// request failed, its error is the underlying one.
    func failure(whileAuthorizing error: any Error) -> HeliumError {
        if let cause = error as? HeliumError, cause.kind != .cancelled {
            var failure = make(cause.kind, .notSent, cause.message, underlying: cause)
            failure[fact: \.phase] = cause.phase
            return self.failure(failure)
        }
        return failure(self.error(whileAuthorizing: error, delivery: .notSent))
    }

    /// Converts an error that an authorizer threw, or that ended the wait for it, into a failure of this call.
    func error(whileAuthorizing error: any Error, delivery: DeliveryState) -> HeliumError {
        switch error {
        case let error as HeliumError:
            return error
        case is CancellationError:
            return cancelledError(delivery: delivery)
        case is DeadlineExceeded:
            return timedOutError(delivery, "the call timed out before the request was authorized")
        case is ClientClosed:
            return closedError(delivery: delivery)
        default:
            return make(.authorizationFailed, delivery, "the authorizer failed", underlying: error)
        }
    }

    /// Converts an error that an interceptor threw, or that ended the wait for it, into a failure of this call.
    ///
    /// - Parameter delivery: The furthest delivery state of the requests that the interceptor sent.
    func failure(whileIntercepting error: any Error, delivery: DeliveryState) -> HeliumError {
        switch error {
        case let error as HeliumError:
            return error.raised(to: max(delivery, furthestDelivery))
        case is CancellationError:
            return failure(cancelledError(delivery: delivery))
        case is ClientClosed:
            return failure(closedError(delivery: delivery))
        case is DeadlineExceeded:
            let isWaiting = max(delivery, furthestDelivery) == .notSent
            return failure(timedOutError(delivery, isWaiting ? "the call timed out in an interceptor" : nil))
        default:
            return failure(make(.interceptorFailed, delivery, "an interceptor failed", underlying: error))
        }
    }

    /// Creates the error of a call that the gate did not admit.
    func failure(atGate answer: AdmissionGate.Answer) -> HeliumError {
        switch answer {
        case .full:
            var error = make(.ceilingExceeded, .notSent, "too many requests are waiting")
            error[fact: \.ceiling] = .queuedRequests
            return failure(error)
        case .timedOut:
            var error = make(
                .timedOut,
                .notSent,
                "the request was not sent in time: too many other requests are in progress"
            )
            error[fact: \.phase] = .queue
            return failure(error)
        case .closing:
            return failure(make(.clientClosed, .notSent, "the client is closed"))
        case .cancelled, .inside:
            return failure(cancelledError(delivery: .notSent))
        }
    }

    func cancelledError(delivery: DeliveryState) -> HeliumError { make(.cancelled, delivery, "the call was cancelled") }

    func closedError(delivery: DeliveryState) -> HeliumError { make(.clientClosed, delivery, "the client was closed") }

    func timedOutError(_ delivery: DeliveryState, _ message: String? = nil) -> HeliumError {
        var timeout = make(.timedOut, delivery, message ?? "the call timed out")
        timeout[fact: \.phase] = .total
        return timeout
    }

    /// Converts the error that ended a wait for something other than the server, after a response had arrived.
    func failure(whileWaiting error: any Error) -> HeliumError {
        switch error {
        case is DeadlineExceeded: failure(timedOutError(.notSent))
        case is ClientClosed: failure(closedError(delivery: .notSent))
        default: failure(cancelledError(delivery: .notSent))
        }
    }

    func make(
        _ kind: FailureKind,
        _ delivery: DeliveryState,
        _ message: String,
        underlying: (any Error)? = nil
    ) -> HeliumError {
        HeliumError(kind, request: prepared.summary, delivery: delivery, message: message, underlying: underlying)
    }
}

extension HeliumError {
    /// Returns the error with a delivery state of at least `delivery`.
    func raised(to delivery: DeliveryState) -> HeliumError {
        guard self.delivery < delivery else { return self }
        var error = self
        error[fact: \.delivery] = delivery
        return error
    }
}
