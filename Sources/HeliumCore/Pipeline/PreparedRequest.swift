/// A validated call, complete except for the credentials.
package final class PreparedRequest: Sendable {
    package let request: TransportRequest
    /// The path as it was written, without its query.
    let template: String
    let acceptableStatusCodes: Range<Int>
    let retry: RetryPolicy
    let retryTraits: RetryTraits
    let redirects: RedirectPolicy
    let idempotencyKey: IdempotencyKey?
    /// The transport of this call; `nil` for the client's.
    let transport: (any HTTPTransport)?

    init(
        request: TransportRequest,
        template: String,
        acceptableStatusCodes: Range<Int>,
        retry: RetryPolicy,
        retryTraits: RetryTraits,
        redirects: RedirectPolicy,
        idempotencyKey: IdempotencyKey?,
        transport: (any HTTPTransport)? = nil
    ) {
        self.request = request
        self.template = template
        self.acceptableStatusCodes = acceptableStatusCodes
        self.retry = retry
        self.retryTraits = retryTraits
        self.redirects = redirects
        self.idempotencyKey = idempotencyKey
        self.transport = transport
    }

    package var summary: RequestSummary { RequestSummary(method: request.method, url: request.url.redacted) }
}
