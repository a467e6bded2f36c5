internal import Foundation
internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumCore

/// An interceptor that applies the service's rate limits to the retry policy.
///
/// - pnut.io sends the delay in the body (`meta.retry_in`, Docs/Protocols/AppNet.md §6.1). The interceptor copies it to
///   the `Retry-After` field, from which the policy reads it.
/// - A call that was refused by a rate limit was not carried out, so calls that must not be repeated are sent again
///   too. They wait for the delay that the service requests, within the policy's attempts and the call's deadline.
struct RateLimitInterceptor: Interceptor {
    let policy: RetryPolicy
    let clock: any HeliumClock
    let random: RandomSource

    func intercept(
        _ request: TransportRequest,
        context: InterceptionContext,
        next: @escaping Next
    ) async throws -> TransportResponse {
        var attempt = 1
        while true {
            var response = try await next(request)
            guard response.head.status == 429 else { return response }
            let wait = Self.requestedDelay(in: &response)
            guard let wait, !request.method.isRepeatedByPolicy, request.upload?.isReplayable ?? true,
                attempt < policy.maximumAttempts, wait <= policy.maximumServerDelay,
                context.deadline.remaining.map({ wait < $0 }) ?? true
            else { return response }
            if case .stream(let body) = response.body { body.cancel() }
            // Jitter spreads the retries of several clients. It never shortens the delay.
            let jitter = max(policy.baseDelay.withinCentury, .zero) * (random.unit() / 4)
            try await clock.sleep(for: wait + jitter)
            attempt += 1
        }
    }

    /// Returns the delay that the response requests, and makes sure that the `Retry-After` field contains it.
    private static func requestedDelay(in response: inout TransportResponse) -> Duration? {
        if let text = response.head[.retryAfter] { return RateLimit.seconds(text) }
        guard let body = response.collectedBody, let (wait, head) = delay(in: body, response.head) else { return nil }
        response.head = head
        return wait
    }

    /// Returns the delay that a body requests, and a head with that delay in its `Retry-After` field.
    private static func delay(in body: Data, _ head: ResponseHead) -> (Duration, ResponseHead)? {
        guard let wait = ResponseErrorDetails(body).retryIn else { return nil }
        var fields = head.fields
        fields[.retryAfter] = String(wait.components.seconds)
        return (wait, ResponseHead(status: head.status, version: head.version, fields: fields))
    }

    /// Returns the error of a refused stream, with the delay of its body copied to the `Retry-After` field.
    static func addingRetryAfter(to error: HeliumError) -> HeliumError {
        guard let head = error.head, head.status == 429, head[.retryAfter] == nil, let body = error.body,
            let (_, delayed) = delay(in: body, head)
        else { return error }
        var error = error
        error[fact: \.head] = delayed
        return error
    }
}

extension HTTPRequest.Method {
    /// Whether the retry policy repeats the method after a refusal (RFC 9110 §9.2.2).
    fileprivate var isRepeatedByPolicy: Bool {
        switch self {
        case .get, .head, .put, .delete: true
        default: false
        }
    }
}
