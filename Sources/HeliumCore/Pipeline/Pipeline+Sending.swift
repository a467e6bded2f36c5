internal import Synchronization

/// What was sent in one attempt, and its answer.
struct SentRequest: Sendable {
    /// The request, credentials included.
    let request: TransportRequest
    let response: TransportResponse
    /// Whether the authorizer was asked: it is not for other origins.
    let isAuthorized: Bool
}

/// What came of one attempt.
enum AttemptResult: Sendable {
    case answered(SentRequest)
    /// The transport's failure. All others are thrown: no attempt could change them.
    case failed(HeliumError)
}

// A single attempt.
extension Pipeline {
    /// Makes one attempt, through the interceptors of attempts.
    func attempt(_ request: TransportRequest, call: Call) async throws(HeliumError) -> AttemptResult {
        guard !options.attemptInterceptors.isEmpty else { return try await send(request, call: call) }
        let last = Guarded<AttemptResult?>(nil)
        let context = InterceptionContext(
            template: call.prepared.template,
            attempt: call.attempts.count + 1,
            deadline: call.deadline
        )
        let way = Self.chain(options.attemptInterceptors[...], context) { [self] request in
            let result = try await send(request, call: call)
            last.withLock { $0 = result }
            switch result {
            case .answered(let sent): return sent.response
            case .failed(let error): throw Self.surfaced(error)
            }
        }
        do {
            let response = try await call.deadline.race { try await way(request) }
            guard case .answered(let sent) = last.withLock({ $0 }) else {
                return .answered(SentRequest(request: request, response: response, isAuthorized: false))
            }
            return .answered(
                SentRequest(request: sent.request, response: response, isAuthorized: sent.isAuthorized)
            )
        } catch let error as HeliumError {
            // A failure of the transport that came through: repeating it is the policy's decision.
            if case .failed(let failure) = last.withLock({ $0 }), failure.kind == error.kind { return .failed(error) }
            throw call.failure(error)
        } catch {
            throw call.failure(whileIntercepting: error)
        }
    }

    /// Authorizes and sends.
    private func send(_ request: TransportRequest, call: Call) async throws(HeliumError) -> AttemptResult {
        var request = request
        // Before the authorizer, so that what tracing adds is signed too.
        call.observer?.willStartAttempt(call.attempts.count + 1, request: &request)
        let isHome = request.url.origin == origin
        let authorized = isHome ? try await authorized(request, call: call) : try timed(request, call: call)
        do throws(TransportFailure) {
            let response = try await transport.execute(authorized)
            return .answered(SentRequest(request: authorized, response: response, isAuthorized: isHome))
        } catch {
            let summary = RequestSummary(method: request.method, url: request.url.redacted)
            return .failed(HeliumError(error, request: summary))
        }
    }

    func authorized(_ request: TransportRequest, call: Call) async throws(HeliumError) -> TransportRequest {
        var authorized = request
        do {
            if try authorizer.authorizeImmediately(&authorized) {
                // Nothing was waited for: before the first attempt all the time is left.
                if call.attempts.isEmpty, options.interceptors.isEmpty, options.attemptInterceptors.isEmpty {
                    return authorized
                }
            } else {
                let context = call.context(attempt: call.attempts.count + 1)
                authorized = try await call.deadline.race { [authorizer, request] in
                    var authorized = request
                    try await authorizer.authorize(&authorized, context: context)
                    return authorized
                }
            }
        } catch {
            throw call.failure(whileAuthorizing: error)
        }
        return try timed(authorized, call: call)
    }

    /// The request with the time that is left.
    private func timed(_ request: TransportRequest, call: Call) throws(HeliumError) -> TransportRequest {
        guard let remaining = call.deadline.remaining else { return request }
        guard remaining > .zero else { throw call.failure(whileAuthorizing: DeadlineExceeded()) }
        var request = request
        request.timeouts.total = remaining
        return request
    }
}

// MARK: Interceptors

extension Pipeline {
    /// Sends the call's request through the interceptors of calls.
    func intercepted(_ call: inout Call) async throws(HeliumError) -> TransportResponse {
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
            let request = call.prepared.request
            result = .success(try await call.deadline.race { try await way(request) })
        } catch {
            result = .failure(error)
        }
        call = log.withLock { $0 }
        do {
            return try await delivered(try result.get(), call: call)
        } catch {
            throw call.failure(whileIntercepting: error)
        }
    }

    /// An interceptor's answer in the form that was asked for.
    private func delivered(_ response: TransportResponse, call: Call) async throws -> TransportResponse {
        guard case .collect(let limit) = call.prepared.request.responseBody,
            case .stream(let stream) = response.body
        else { return response }
        var response = response
        let collecting = stream.convertingFailures { HeliumError($0, request: call.prepared.summary) }
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
