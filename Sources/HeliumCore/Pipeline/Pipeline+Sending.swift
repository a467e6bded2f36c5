internal import Synchronization

/// What is sent in one attempt.
struct SentRequest: Sendable {
    /// The request, in the end with its credentials.
    var request: TransportRequest
    /// Whether the authorizer was asked: it is not for other origins.
    var isAuthorized = false
}

/// Why an attempt brought no answer.
enum AttemptFailure: Error {
    /// The transport's failure, which another attempt may not meet.
    case transport(HeliumError)
    /// What no attempt could change.
    case final(HeliumError)
}

// A single attempt.
extension Pipeline {
    /// Authorizes and sends: `sent`, a copy of `original`, becomes what goes out. Made in place, as requests are large.
    func send(
        _ original: TransportRequest,
        as sent: inout SentRequest,
        call: Call
    ) async throws(AttemptFailure) -> TransportResponse {
        // What was not authorized yet, where it is not the original: a copy that few calls need.
        var traced: TransportRequest?
        // Before the authorizer, so that what tracing adds is signed too.
        if let observer = call.observer {
            observer.willStartAttempt(call.attempts.count + 1, request: &sent.request)
            traced = sent.request
        }
        let isHome = sent.request.url.origin == origin
        sent.isAuthorized = isHome
        do throws(HeliumError) {
            let isReady = isHome ? try authorizesImmediately(&sent.request, call: call) : true
            if !isReady { sent.request = try await awaitAuthorization(of: traced ?? original, call: call) }
            // Where nothing was waited for, all the time is left before the first attempt.
            if !isReady || !isHome || !isUndelayed(call) { try limit(&sent.request, call: call) }
        } catch {
            throw .final(error)
        }
        do throws(TransportFailure) {
            // The short way of most calls: nothing stands around the transport that could end before it does.
            if call.tracker == nil, !racesTransfers, sent.request.upload == nil {
                return try await transport.execute(sent.request)
            }
            return try await transfer(sent.request, call: call)
        } catch {
            let summary = RequestSummary(method: original.method, url: original.url.redacted)
            throw .transport(HeliumError(error, request: summary))
        }
    }

    /// Sends by the transport, so that the call's deadline, the client's closing and the caller's cancellation end the
    /// wait whatever the transport does.
    private func transfer(
        _ request: TransportRequest,
        call: Call
    ) async throws(TransportFailure) -> TransportResponse {
        // A transport that keeps deadlines ends transfers by itself; but a body's source may take its time to open.
        guard racesTransfers || request.upload != nil else {
            guard let tracker = call.tracker else { return try await transport.execute(request) }
            return try await tracker.track { () throws(TransportFailure) in try await transport.execute(request) }
        }
        let deadline = racesTransfers ? call.deadline : Deadline(after: nil, clock: clock)
        return try await transport.execute(request, within: deadline, closing: closing, parent: call.tracker)
    }

    /// Makes one attempt through the interceptors of attempts.
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
            // An interceptor may have sent several requests, or have failed after the answer.
            let delivery = await tracker.close()
            guard let error = error as? HeliumError else {
                throw .final(call.failure(whileIntercepting: error, delivery: delivery))
            }
            // A failure of the transport that came through: repeating it is the policy's decision.
            if case .failure(let failure) = last.withLock({ $0 }), failure.kind == error.kind {
                throw .transport(error.raised(to: delivery))
            }
            throw .final(call.failure(error.raised(to: delivery)))
        }
    }
}

// MARK: Authorization

extension Pipeline {
    /// The request, authorized: at once where that needs no waiting.
    func authorized(_ request: TransportRequest, call: Call) async throws(HeliumError) -> TransportRequest {
        var authorized = request
        if try authorizesImmediately(&authorized, call: call) { return authorized }
        return try await awaitAuthorization(of: request, call: call)
    }

    /// Authorizes where that needs no waiting; `false` if it does.
    private func authorizesImmediately(_ request: inout TransportRequest, call: Call) throws(HeliumError) -> Bool {
        do {
            return try authorizer.authorizeImmediately(&request)
        } catch {
            throw call.failure(whileAuthorizing: error)
        }
    }

    /// The request, authorized within the call's time.
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

    /// Whether nothing but us has taken of the call's time.
    private func isUndelayed(_ call: Call) -> Bool {
        call.attempts.isEmpty && options.interceptors.isEmpty && options.attemptInterceptors.isEmpty
    }

    /// Gives the request the time that is left.
    private func limit(_ request: inout TransportRequest, call: Call) throws(HeliumError) {
        guard let remaining = call.deadline.remaining else { return }
        guard remaining > .zero else { throw call.failure(whileAuthorizing: DeadlineExceeded()) }
        request.timeouts.total = remaining
    }
}

// MARK: Interceptors

extension Pipeline {
    /// Sends the call's request through the interceptors of calls.
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

    /// An interceptor's answer in the form that was asked for.
    private static func delivered(
        _ response: TransportResponse,
        for prepared: PreparedRequest
    ) async throws -> TransportResponse {
        guard case .collect(let limit) = prepared.request.responseBody, case .stream(let stream) = response.body
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

    /// What the language has a name for keeps it.
    static func surfaced(_ error: HeliumError) -> any Error {
        error.kind == .cancelled && Task.isCancelled ? CancellationError() : error
    }
}
