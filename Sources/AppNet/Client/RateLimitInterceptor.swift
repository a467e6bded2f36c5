internal import Foundation
internal import HTTPTypes
internal import HeliumCore

/// Brings the service's rate limits to the retry policy.
///
/// - pnut.io says in the body how long to wait (`meta.retry_in`, §6.1): the policy reads it from the field.
/// - A call that was refused for its rate was not carried out: also one that must not be done twice is sent again,
///   after the pause the service asks for, within the policy's attempts and the call's deadline.
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
            let wait = Self.tellDelay(in: &response)
            guard let wait, !request.method.isRepeatedByPolicy, request.upload?.isReplayable ?? true,
                attempt < policy.maximumAttempts, wait <= policy.maximumServerDelay,
                context.deadline.remaining.map({ wait < $0 }) ?? true
            else { return response }
            if case .stream(let body) = response.body { body.cancel() }
            // A little of our own, so that not everybody comes back at the same moment.
            try await clock.sleep(for: wait + policy.baseDelay * (random.unit() / 4))
            attempt += 1
        }
    }

    /// How long the answer asks to wait, which its fields say afterwards in any case.
    private static func tellDelay(in response: inout TransportResponse) -> Duration? {
        if let text = response.head[.retryAfter] { return RateLimit.seconds(text) }
        guard let body = response.collectedBody, let (wait, head) = delay(in: body, response.head) else { return nil }
        response.head = head
        return wait
    }

    /// How long a body asks to wait, and the head that says so too.
    private static func delay(in body: Data, _ head: ResponseHead) -> (Duration, ResponseHead)? {
        guard let wait = AnswerFault(body).retryIn else { return nil }
        var fields = head.fields
        fields[.retryAfter] = String(wait.components.seconds)
        return (wait, ResponseHead(status: head.status, version: head.version, fields: fields))
    }

    /// The refusal of a stream, whose head says how long to wait if the body does.
    static func tellingDelay(_ error: HeliumError) -> HeliumError {
        guard let head = error.head, head.status == 429, head[.retryAfter] == nil, let body = error.body,
            let (_, telling) = delay(in: body, head)
        else { return error }
        var error = error
        error[fact: \.head] = telling
        return error
    }
}

extension HTTPRequest.Method {
    /// Whether the retry policy sends it again after a refusal (RFC 9110 section 9.2.2).
    fileprivate var isRepeatedByPolicy: Bool {
        switch self {
        case .get, .head, .put, .delete: true
        default: false
        }
    }
}
