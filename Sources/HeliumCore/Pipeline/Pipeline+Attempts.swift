internal import HTTPTypes
internal import HeliumEssentials

// Redirects and retries around single attempts.
extension Pipeline {
    /// Sends `first`, follows redirects and retries, and returns the final response.
    ///
    /// The frame of an async function lasts as long as the call and has room for the values of every branch. Rare
    /// steps are therefore functions of their own that must not be inlined, here and in ``send(_:as:call:)``.
    func deliver(_ first: TransportRequest, call: inout Call) async throws(HeliumError) -> TransportResponse {
        var request = first
        while true {
            var sent = SentRequest(request: request)
            let response: TransportResponse
            do throws(AttemptFailure) {
                response =
                    options.attemptInterceptors.isEmpty
                    ? try await send(request, as: &sent, call: call)
                    : try await intercepted(request, as: &sent, call: call)
            } catch {
                try await overcome(error, of: request, call: &call)
                continue
            }
            call.request = request
            call.record(response, now: clock.uptime)
            let status = response.head.status
            if 300..<400 ~= status, try await redirects(response, &request, call: &call) { continue }
            let isAcceptable = call.prepared.acceptableStatusCodes.contains(status)
            if sent.isAuthorized { authorizer.didReceive(response.head, for: sent.request) }
            let needsReview = sent.isAuthorized && authorizer.needsReview(of: response.head, to: sent.request)
            if isAcceptable, !needsReview { return response }
            let last = try await reconsidered(response, of: sent.request, needsReview: needsReview, call: &call)
            if let last { return last }
        }
    }

    /// Handles a response that the authorizer reviews or whose status is not acceptable. Returns the response of the
    /// call, or `nil` if there is another attempt.
    @inline(never)
    private func reconsidered(
        _ response: TransportResponse,
        of request: TransportRequest,
        needsReview: Bool,
        call: inout Call
    ) async throws(HeliumError) -> TransportResponse? {
        let isAcceptable = call.prepared.acceptableStatusCodes.contains(response.head.status)
        let refused = try await isAcceptable ? response : settled(response, call: call)
        if needsReview, try await reviewed(refused, of: request, call: &call) { return nil }
        if isAcceptable { return refused }
        var outcome = RetryableOutcome(refused.head, now: clock.wallTime)
        outcome.hint = options.retryHint?(refused.head, refused.collectedBody ?? Data())
        if try await waitForRetry(after: outcome, call: &call) { return nil }
        return refused
    }

    /// Returns after the delay if there is another attempt. Otherwise throws the error that the call fails with.
    @inline(never)
    private func overcome(
        _ failure: AttemptFailure,
        of request: TransportRequest,
        call: inout Call
    ) async throws(HeliumError) {
        switch failure {
        case .final(let error):
            throw error
        case .transport(var error):
            let now = clock.uptime
            call.request = request
            call.record(.failed(error.kind), error.delivery, now: now, timings: error[fact: \.timings])
            if try await waitForRetry(after: RetryableOutcome(error), call: &call) { return }
            error[fact: \.retryRefusal] = call.refusal
            throw call.failure(error)
        }
    }

    /// Passes a response to the authorizer. Returns whether there is another attempt.
    ///
    /// The authorizer also reviews the response of a request that cannot be sent again. It would otherwise keep a
    /// rejected credential, and each such call would fail.
    private func reviewed(
        _ response: TransportResponse,
        of request: TransportRequest,
        call: inout Call
    ) async throws(HeliumError) -> Bool {
        let limit = max(Self.authorizationAttempts, call.prepared.retry.maximumAttempts)
        guard let reason = try await review(response, of: request, call: call),
            call.countedAttempts < limit, call.prepared.retryTraits.isReplayable
        else { return false }
        call.retry(because: reason)
        call.began = clock.uptime
        return true
    }

    /// Follows a redirect: replaces `request` by the next one. Returns `false` if the response is the call's.
    @inline(never)
    private func redirects(
        _ response: TransportResponse,
        _ request: inout TransportRequest,
        call: inout Call
    ) async throws(HeliumError) -> Bool {
        let error: HeliumError
        switch redirectDecision(for: response.head, to: request, call: call) {
        case .none:
            return false
        case .follow(let next):
            try await skipBody(of: response, call: call)
            call.retry(because: .redirected)
            call.began = clock.uptime
            request = next
            return true
        case .refuse(let why):
            error = call.make(.redirectRefused, .answered, why)
        case .tooMany(let limit):
            var tooMany = call.make(.ceilingExceeded, .answered, "more than \(limit) redirects")
            tooMany[fact: \.ceiling] = .redirects
            error = tooMany
        }
        throw call.failure(describing(try await settled(response, call: call), in: error))
    }

    /// Decides whether a response is a redirect, and whether it is followed.
    func redirectDecision(for head: ResponseHead, to request: TransportRequest, call: Call) -> RedirectDecision {
        RedirectDecision.make(
            for: head,
            to: request,
            home: origin,
            policy: call.prepared.redirects,
            followed: call.redirectCount
        )
    }

    /// Decides whether there is another attempt. If so, returns `true` after its delay.
    private func waitForRetry(after outcome: RetryableOutcome, call: inout Call) async throws(HeliumError) -> Bool {
        let decision = RetryDecision.make(
            after: outcome,
            policy: call.prepared.retry,
            traits: call.prepared.retryTraits,
            attempts: call.countedAttempts,
            hadStaleConnection: call.hadStaleConnection,
            remaining: call.deadline.remaining,
            random: random.unit(),
            withdraw: { retries.withdraw() }
        )
        switch decision {
        case .stop(let refusal):
            call.refusal = refusal
            return false
        case .retry(let reason, let pause):
            call.retry(because: reason, after: pause)
            if pause > .zero {
                do {
                    try await self.pause(for: pause)
                } catch {
                    throw call.failure(whileWaiting: error)
                }
            }
            call.began = clock.uptime
            return true
        }
    }

    private func review(
        _ response: TransportResponse,
        of request: TransportRequest,
        call: Call
    ) async throws(HeliumError) -> RetryReason? {
        let answer = AuthorizedResponse(request: request, head: response.head, body: response.collectedBody ?? Data())
        let context = call.context(attempt: call.attempts.count)
        do {
            let verdict = try await race(call.deadline) { [authorizer] in
                try await authorizer.review(answer, context: context)
            }
            guard case .retry(let reason) = verdict else { return nil }
            return reason
        } catch is DeadlineExceeded {
            return nil  // The answer is there: it stands.
        } catch let error as HeliumError {
            throw call.failure(describing(response, in: error))
        } catch {
            throw call.failure(describing(response, in: call.error(whileAuthorizing: error, delivery: .answered)))
        }
    }
}

extension RetryableOutcome {
    fileprivate init(_ error: HeliumError) {
        result = .failed(error.kind, phase: error.phase)
        delivery = error.delivery
        isConnectionReused = error[fact: \.timings].isConnectionReused
    }

    fileprivate init(_ head: ResponseHead, now: Duration) {
        result = .answered(status: head.status)
        delivery = .answered
        serverDelay = ServerDelay.read(from: head, now: now)
    }
}
