internal import Synchronization

/// The request of one attempt.
struct SentRequest: Sendable {
    /// The request; once it is sent, with its credentials.
    var request: TransportRequest
    /// Whether the authorizer was called. It is not called for other origins.
    var isAuthorized = false
}

/// The error of an attempt without a response.
enum AttemptFailure: Error {
    /// A failure of the transport. Another attempt may succeed.
    case transport(HeliumError)
    /// A failure that no other attempt could change.
    case final(HeliumError)
}

// A single attempt.
extension Pipeline {
    /// Authorizes and sends a request. `sent` is a copy of `original` and becomes the request that is sent.
    func send(
        _ original: TransportRequest,
        as sent: inout SentRequest,
        call: Call
    ) async throws(AttemptFailure) -> TransportResponse {
        do throws(HeliumError) {
            let isReady = call.observer == nil ? try becomesReady(&sent, call: call) : false
            if !isReady { try await prepare(&sent, from: original, call: call) }
        } catch {
            throw .final(error)
        }
        do throws(TransportFailure) {
            // The fast path of most calls: the transport needs no wrapper, because nothing else could end the wait
            // before it does.
            if call.tracker == nil, !racesTransfers, sent.request.upload == nil, call.prepared.transport == nil {
                return try await transport.execute(sent.request)
            }
            return try await transfer(sent.request, call: call)
        } catch {
            if let refusal = refusal(in: error, of: original, call: call) { return refusal }
            throw attemptFailure(error, of: original, call: call)
        }
    }

    /// Returns the response of a failed transfer if its head alone decides what happens next: it has a status that is
    /// not acceptable, or is a redirect. `nil` if the call needs the body that could not be read.
    ///
    /// The interceptors, the authorizer and the retry policy then act on it as on every other response. Streams behave
    /// the same, because their responses are returned before their bodies.
    @inline(never)
    private func refusal(
        in failure: TransportFailure,
        of request: TransportRequest,
        call: Call
    ) -> TransportResponse? {
        guard let response = failure.interruptedResponse else { return nil }
        let status = response.head.status
        // After the call's time limit there is no time for the next request.
        if isRedirect(response, of: request, call: call) { return failure.phase == .total ? nil : response }
        return call.prepared.acceptableStatusCodes.contains(status) ? nil : response
    }

    private func isRedirect(_ response: TransportResponse, of request: TransportRequest, call: Call) -> Bool {
        300..<400 ~= response.head.status
            && redirectDecision(for: response.head, to: request, call: call).isRedirect
    }

    /// Makes a request ready to be sent, unless the authorizer has to wait. Returns `false` in that case.
    @inline(never)
    private func becomesReady(_ sent: inout SentRequest, call: Call) throws(HeliumError) -> Bool {
        let isHome = sent.request.url.origin == origin
        sent.isAuthorized = isHome
        let isReady = isHome ? try authorizesImmediately(&sent.request, call: call) : true
        guard isReady else { return false }
        // If nothing was waited for, the full time is left before the first attempt.
        if !isHome || !isUndelayed(call) { try limit(&sent.request, call: call) }
        return true
    }

    /// Makes a request ready to be sent that is traced, or for which the authorizer has to wait.
    @inline(never)
    private func prepare(
        _ sent: inout SentRequest,
        from original: TransportRequest,
        call: Call
    ) async throws(HeliumError) {
        // The request before authorization, if it differs from the original.
        var traced: TransportRequest?
        if let observer = call.observer {
            // Tracing runs before the authorizer, so that the fields it adds are signed as well.
            observer.willStartAttempt(call.attempts.count + 1, request: &sent.request)
            traced = sent.request
            if try becomesReady(&sent, call: call) { return }
        }
        sent.request = try await awaitAuthorization(of: traced ?? original, call: call)
        try limit(&sent.request, call: call)
    }

    @inline(never)
    private func attemptFailure(
        _ failure: TransportFailure,
        of request: TransportRequest,
        call: Call
    ) -> AttemptFailure {
        let summary = RequestSummary(method: request.method, url: request.url.redacted)
        let error = HeliumError(failure, request: summary)
        // A redirect that there is no time to follow is reported like every other refusal: with its head.
        guard let response = failure.interruptedResponse, isRedirect(response, of: request, call: call) else {
            return .transport(error)
        }
        return .transport(describing(response, in: error))
    }

    /// Sends a request with the transport. The call's deadline, the client's closing and the caller's cancellation end
    /// the wait, even if the transport ignores them.
    @inline(never)
    private func transfer(
        _ request: TransportRequest,
        call: Call
    ) async throws(TransportFailure) -> TransportResponse {
        let transport = call.prepared.transport ?? transport
        let racesTransfers = call.prepared.transport.map { !$0.keepsDeadlines } ?? racesTransfers
        // A transport that observes deadlines ends transfers by itself, but the source of a body may take long to open.
        guard racesTransfers || request.upload != nil else {
            guard let tracker = call.tracker else { return try await transport.execute(request) }
            return try await tracker.track { () throws(TransportFailure) in try await transport.execute(request) }
        }
        let deadline = racesTransfers ? call.deadline : Deadline(after: nil, clock: clock)
        return try await transport.execute(request, within: deadline, closing: closing, parent: call.tracker)
    }

    /// Makes one attempt through the interceptors of attempts.
    @inline(never)
    func intercepted(
        _ original: TransportRequest,
        as sent: inout SentRequest,
        call: Call
    ) async throws(AttemptFailure) -> TransportResponse {
        let last = Guarded<Result<SentRequest, HeliumError>?>(nil)
        let tracker = DeliveryTracker(parent: call.tracker, reportLimit: reportLimit)
        let context = InterceptionContext(
            template: call.prepared.template,
            attempt: call.attempts.count + 1,
            deadline: call.deadline
        )
        var tracked = call
        tracked.tracker = tracker
        let way = Self.chain(options.attemptInterceptors[...], context) { [self, tracked] request in
            do throws(AttemptFailure) {
                var sent = SentRequest(request: request)
                let response = try await send(request, as: &sent, call: tracked)
                last.withLock { [sent] in $0 = .success(sent) }
                return response
            } catch {
                switch error {
                case .transport(let failure):
                    last.withLock { $0 = .failure(failure) }
                    throw Self.surfaced(failure)
                case .final(let failure):
                    throw failure
                }
            }
        }
        do {
            let response = try await race(call.deadline) { try await way(original) }
            if case .success(let last) = last.withLock({ $0 }) { sent = last }
            return response
        } catch {
            // An interceptor may have sent several requests, or may have failed after the response.
            let delivery = await tracker.close()
            guard let error = error as? HeliumError else {
                throw .final(call.failure(whileIntercepting: error, delivery: delivery))
            }
            // A transport failure that the interceptor passed on. The retry policy decides whether it is repeated.
            if case .failure(let failure) = last.withLock({ $0 }), failure.kind == error.kind {
                throw .transport(error.raised(to: delivery))
            }
            throw .final(call.failure(error.raised(to: delivery)))
        }
    }
}

// MARK: Authorization

extension Pipeline {
    /// Returns the authorized request. Does not wait if the authorizer does not need to.
    func authorized(_ request: TransportRequest, call: Call) async throws(HeliumError) -> TransportRequest {
        var authorized = request
        if try authorizesImmediately(&authorized, call: call) { return authorized }
        return try await awaitAuthorization(of: request, call: call)
    }

    /// Authorizes the request if that needs no waiting. Returns `false` otherwise.
    private func authorizesImmediately(_ request: inout TransportRequest, call: Call) throws(HeliumError) -> Bool {
        do {
            return try authorizer.authorizeImmediately(&request)
        } catch {
            throw call.failure(whileAuthorizing: error)
        }
    }

    /// Returns the authorized request, waiting at most until the call's deadline.
    private func awaitAuthorization(
        of request: TransportRequest,
        call: Call
    ) async throws(HeliumError) -> TransportRequest {
        let context = call.context(attempt: call.attempts.count + 1)
        do {
            return try await race(call.deadline) { [authorizer] in
                var authorized = request
                try await authorizer.authorize(&authorized, context: context)
                return authorized
            }
        } catch {
            throw call.failure(whileAuthorizing: error)
        }
    }

    /// Returns whether no time of the call was spent outside of the pipeline itself.
    private func isUndelayed(_ call: Call) -> Bool {
        call.attempts.isEmpty && !call.hasWaited && options.interceptors.isEmpty
            && options.attemptInterceptors.isEmpty
    }

    /// Sets the request's time limit to the call's remaining time.
    private func limit(_ request: inout TransportRequest, call: Call) throws(HeliumError) {
        guard let remaining = call.deadline.remaining else { return }
        guard remaining > .zero else { throw call.failure(whileAuthorizing: DeadlineExceeded()) }
        request.timeouts.total = remaining
    }
}

// MARK: Interceptors

extension Pipeline {
    /// Sends the call's request through the interceptors of calls.
    @inline(never)
    func intercepted(_ call: inout Call) async throws(HeliumError) -> TransportResponse {
        let tracker = DeliveryTracker(reportLimit: reportLimit)
        call.tracker = tracker
        let log = Guarded(call)
        let context = InterceptionContext(template: call.prepared.template, deadline: call.deadline)
        let way = Self.chain(options.interceptors[...], context) { [self] request in
            var call = log.withLock { $0 }
            defer { log.withLock { [call] in $0 = call } }
            do throws(HeliumError) {
                return try await deliver(request, call: &call)
            } catch {
                throw Self.surfaced(error)
            }
        }
        let result: Result<TransportResponse, any Error>
        do {
            let prepared = call.prepared
            result = .success(
                try await race(call.deadline) {
                    try await Self.delivered(try await way(prepared.request), for: prepared)
                }
            )
        } catch {
            result = .failure(error)
        }
        switch result {
        case .success(let response):
            call = log.withLock { $0 }
            return response
        case .failure(let error):
            let delivery = await tracker.close()
            call = log.withLock { $0 }
            throw call.failure(whileIntercepting: error, delivery: delivery)
        }
    }

    /// Converts an interceptor's response to the form that was requested: a stream is collected if the request expects
    /// data.
    private static func delivered(
        _ response: TransportResponse,
        for prepared: PreparedRequest
    ) async throws -> TransportResponse {
        // The status of a failed response must not be lost if its body can't be read. The call reads the beginning.
        guard prepared.acceptableStatusCodes.contains(response.head.status),
            case .collect(let limit) = prepared.request.responseBody, case .stream(let stream) = response.body
        else { return response }
        var response = response
        let collecting = stream.convertingFailures { HeliumError($0, request: prepared.summary) }
        response.body = .collected(try await collecting.collect(upTo: limit))
        return response
    }

    private static func chain(
        _ interceptors: ArraySlice<any Interceptor>,
        _ context: InterceptionContext,
        last: @escaping Interceptor.Next
    ) -> Interceptor.Next {
        guard let first = interceptors.first else { return last }
        let rest = chain(interceptors.dropFirst(), context, last: last)
        return { request in try await first.intercept(request, context: context, next: rest) }
    }

    /// Returns `CancellationError` for a cancelled task, and otherwise the error itself.
    package static func surfaced(_ error: HeliumError) -> any Error {
        error.kind == .cancelled && Task.isCancelled ? CancellationError() : error
    }
}
