package import Foundation
internal import HTTPTypes

/// The way of every call: authorize, send, review, judge; again where a fresh authorization may help.
///
/// All waiting is bounded by the call's deadline. The pipeline keeps no state between calls.
package final class Pipeline: Sendable {
    /// The most attempts of one call that an authorizer can bring about (middleware.md section 4).
    static let maximumAttempts = 3
    /// How much of a failure's body is kept when the answer was asked for as a stream.
    static let failureBodyBytes = 64 << 10

    package let options: ClientOptions
    package let origin: Origin
    package let transport: any HTTPTransport
    package let authorizer: any Authorizer
    package let clock: any HeliumClock
    let targets: TargetBuilder
    let baseFields: HTTPFields

    /// - Throws: ``FailureKind/invalidConfiguration`` for a base URL or options that can't be used.
    package init(
        baseURL: URL,
        options: ClientOptions,
        transport: any HTTPTransport,
        authorizer: any Authorizer,
        clock: any HeliumClock
    ) throws(HeliumError) {
        do throws(InvalidURL) {
            origin = try Origin(baseURL)
        } catch {
            throw HeliumError(configuration: "base URL: \(error.description)")
        }
        let parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
        guard parts?.percentEncodedQuery == nil, parts?.percentEncodedFragment == nil else {
            throw HeliumError(configuration: "base URL: it must not have a query or fragment")
        }
        guard options.userAgent.utf8.count >= 5, options.userAgent.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw HeliumError(configuration: "the user agent must be 5 or more printable ASCII characters")
        }
        guard options.limits.bodyBytes >= 0, options.limits.headerBytes > 0, options.limits.headerCount > 0 else {
            throw HeliumError(configuration: "a ceiling is not positive")
        }
        targets = TargetBuilder(basePath: parts?.percentEncodedPath ?? "")
        baseFields = Self.baseFields(options)
        self.options = options
        self.transport = transport
        self.authorizer = authorizer
        self.clock = clock
    }

    private static func baseFields(_ options: ClientOptions) -> HTTPFields {
        var fields = options.fields
        if !fields.contains(.userAgent) { fields[.userAgent] = options.userAgent }
        return fields
    }
}

// MARK: A call

extension Pipeline {
    /// Sends a request until there is an answer that stands.
    ///
    /// - Throws: ``HeliumError`` for everything, cancellation included.
    package func exchange(_ prepared: PreparedRequest) async throws(HeliumError) -> Exchange {
        var started = clock.uptime
        let deadline = Deadline(after: prepared.request.timeouts.total, from: started, clock: clock)
        var call = Call(prepared: prepared, deadline: deadline)
        while true {
            let request = try await authorized(call)
            let response: TransportResponse
            do throws(TransportFailure) {
                response = try await transport.execute(request)
            } catch {
                call.record(.failed(error.kind), error.delivery, duration: clock.uptime - started)
                throw call.failure(HeliumError(error, request: prepared.summary))
            }
            call.record(.answered(status: response.head.status), .answered, duration: clock.uptime - started)

            let isAcceptable = prepared.acceptableStatusCodes.contains(response.head.status)
            let wantsReview =
                authorizer.wantsReview(of: response.head, to: request) && call.attempts.count < Self.maximumAttempts
            if isAcceptable, !wantsReview {
                return Exchange(prepared: prepared, response: response, attempts: call.attempts)
            }
            // Of the attempt that was just made.
            let context = call.context(attempt: call.attempts.count)
            let settled = try await settle(response, isAcceptable: isAcceptable, call: call)
            if wantsReview, let reason = try await review(settled, of: request, call: call, context: context) {
                call.retry(because: reason)
                started = clock.uptime
                continue
            }
            guard isAcceptable else { throw unacceptable(settled, call: call) }
            return Exchange(prepared: prepared, response: settled, attempts: call.attempts)
        }
    }

    private func authorized(_ call: Call) async throws(HeliumError) -> TransportRequest {
        var request = call.prepared.request
        do {
            if try authorizer.authorizeImmediately(&request) {
                // Nothing was waited for: before the first attempt all the time is left.
                if call.attempts.isEmpty { return request }
            } else {
                let context = call.context(attempt: call.attempts.count + 1)
                request = try await call.deadline.race { [authorizer, request] in
                    var request = request
                    try await authorizer.authorize(&request, context: context)
                    return request
                }
            }
        } catch {
            throw call.failure(whileAuthorizing: error)
        }
        if let remaining = call.deadline.remaining {
            guard remaining > .zero else { throw call.failure(whileAuthorizing: DeadlineExceeded()) }
            request.timeouts.total = remaining
        }
        return request
    }

    /// Replaces the stream of an answer that will not be handed out by the beginning of its body.
    private func settle(
        _ response: TransportResponse,
        isAcceptable: Bool,
        call: Call
    ) async throws(HeliumError) -> TransportResponse {
        guard !isAcceptable, case .stream(let stream) = response.body else { return response }
        var body = Data()
        do {
            for try await chunk in stream {
                body.append(chunk.prefix(Self.failureBodyBytes - body.count))
                if body.count >= Self.failureBodyBytes { break }
            }
        } catch is CancellationError {
            throw call.failure(call.cancelled(delivery: .answered))
        } catch {
            // A failure's body that breaks off is still the failure that the status tells.
        }
        stream.cancel()
        var settled = response
        settled.body = .collected(body)
        return settled
    }

    private func review(
        _ response: TransportResponse,
        of request: TransportRequest,
        call: Call,
        context: AuthorizationContext
    ) async throws(HeliumError) -> RetryReason? {
        var body = Data()
        if case .collected(let data) = response.body { body = data }
        let answer = AuthorizedAnswer(request: request, head: response.head, body: body)
        do {
            let verdict = try await call.deadline.race { [authorizer] in
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

// MARK: Failures

extension Pipeline {
    private func unacceptable(_ response: TransportResponse, call: Call) -> HeliumError {
        let error = HeliumError(
            .unacceptableStatus,
            request: call.prepared.summary,
            delivery: .answered,
            message: "status \(response.head.status) is not acceptable"
        )
        return call.failure(describing(response, in: error))
    }

    /// Adds what the answer tells to an error.
    package func describing(_ response: TransportResponse, in error: HeliumError) -> HeliumError {
        var error = error
        error[fact: \.head] = response.head
        if case .collected(let body) = response.body {
            error[fact: \.body] = body
            let redactor = Redactor(secrets: authorizer.secrets)
            error[fact: \.bodyExcerpt] = Self.excerpt(of: body, redactor)
            error[fact: \.serverErrors] = options.envelope.serverErrors(in: body, using: options.decoder)
                .map { $0.redacted(by: redactor) }
        }
        return error
    }

    private static func excerpt(of body: Data, _ redactor: Redactor) -> String {
        // Cut after masking: a secret that the cut goes through would not be recognised.
        String(redactor.redact(String(decoding: body.prefix(4096), as: UTF8.self)).prefix(1024))
    }
}
