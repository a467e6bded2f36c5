public import HTTPTypes

/// The response to a request, with its decoded value.
public struct HeliumResponse<Value: Sendable>: Sendable {
    /// The decoded value.
    public let value: Value

    /// The status and the header fields.
    public let head: ResponseHead

    /// The timings of the last attempt.
    public let timings: TransferTimings

    /// All attempts, the successful one last.
    public let attempts: [AttemptRecord]

    /// The final URL, after all redirects.
    public let url: RequestURL

    /// The request that was sent.
    let prepared: PreparedRequest

    /// The elements and values that tolerant types (``LossyArray``, ``OpenEnum`` and others) left out or did not
    /// recognize in the response; empty if there were none.
    public let decodingReport: DecodingReport

    init(value: Value, exchange: Exchange, report: DecodingReport) {
        self.value = value
        decodingReport = report
        url = exchange.url
        prepared = exchange.prepared
        head = exchange.response.head
        timings = exchange.response.timings
        attempts = exchange.attempts
    }

    /// The idempotency key that all attempts of the call carried; `nil` if there was none.
    public var idempotencyKey: IdempotencyKey? { prepared.idempotencyKey }

    /// The status code.
    public var status: Int { head.status }

    /// All fields. To read a single field, ``subscript(_:)`` is cheaper.
    public var fields: HTTPFields { head.fields }

    /// The value of the first field with this name; `nil` if there is none.
    public subscript(name: HTTPField.Name) -> String? { head[name] }
}

extension HeliumResponse {
    /// Creates the error of a call whose response arrived but cannot be used by the caller. Its delivery is `answered`.
    package func failure(_ kind: FailureKind, _ message: String) -> HeliumError {
        let summary = RequestSummary(method: prepared.request.method, url: url.redacted)
        var error = HeliumError(kind, request: summary, delivery: .answered, message: message)
        error[fact: \.head] = head
        error[fact: \.attempts] = attempts
        error[fact: \.timings] = timings
        error[fact: \.idempotencyKey] = idempotencyKey
        return error
    }
}

/// The response to a request whose body is still arriving.
public struct HeliumStream: Sendable {
    /// The status and the header fields.
    public let head: ResponseHead

    /// The body: chunks as they arrive, read at the consumer's pace. Its failures are ``HeliumError``s.
    public let body: BodyStream

    /// The timings up to the arrival of the head.
    public let timings: TransferTimings

    /// All attempts, the successful one last.
    public let attempts: [AttemptRecord]

    /// The final URL, after all redirects.
    public let url: RequestURL

    /// The original request, which failures of the body name.
    package let request: RequestSummary

    /// The status code.
    public var status: Int { head.status }

    /// The value of the first field with this name; `nil` if there is none.
    public subscript(name: HTTPField.Name) -> String? { head[name] }
}
