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
            return try await transport.execute(sent.request)
        } catch {
            let summary = RequestSummary(method: original.method, url: original.url.redacted)
            throw .transport(HeliumError(error, request: summary))
        }
    }

    /// Makes one attempt through the interceptors of attempts.
    func intercepted(
        _ original: TransportRequest,
        as sent: inout SentRequest,
        call: Call
    ) async throws(AttemptFailure) -> TransportResponse {
        let last = Guarded<Result<SentRequest, HeliumError>?>(nil)
        let context = InterceptionContext(
            template: call.prepared.template,
            attempt: call.attempts.count + 1,
            deadline: call.deadline
        )
        let way = Self.chain(options.attemptInterceptors[...], context) { [self] request in
            do throws(AttemptFailure) {
                var sent = SentRequest(request: request)
                let response = try await send(request, as: &sent, call: call)
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
            let response = try await call.deadline.race { try await way(original) }
            if case .success(let last) = last.withLock({ $0 }) { sent = last }
            return response
        } catch let error as HeliumError {
            // A failure of the transport that came through: repeating it is the policy's decision.
            if case .failure(let failure) = last.withLock({ $0 }), failure.kind == error.kind {
                throw .transport(error)
            }
            throw .final(call.failure(error))
        } catch {
            throw .final(call.failure(whileIntercepting: error))
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
            return try await call.deadline.race { [authorizer] in
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
