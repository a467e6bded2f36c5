public import HTTPTypes

/// The answer to a request, with its value.
public struct HeliumResponse<Value: Sendable>: Sendable {
    /// What was asked for.
    public let value: Value

    /// Status and fields.
    public let head: ResponseHead

    /// Where the time of the last attempt went.
    public let timings: TransferTimings

    /// All attempts, the successful one last.
    public let attempts: [AttemptRecord]

    /// What was asked in the end: where redirects led.
    public let url: RequestURL

    /// The request that was sent.
    let prepared: PreparedRequest

    /// What tolerant types (``LossyArray``, ``OpenEnum`` and others) left out or did not know in the answer; empty if
    /// there was nothing.
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

    /// The key that the call's attempts carried, if there was one.
    public var idempotencyKey: IdempotencyKey? { prepared.idempotencyKey }

    /// The status code.
    public var status: Int { head.status }

    /// All fields; a single one is cheaper through ``subscript(_:)``.
    public var fields: HTTPFields { head.fields }

    /// The first field of this name.
    public subscript(name: HTTPField.Name) -> String? { head[name] }
}

extension HeliumResponse {
    /// The failure of a call whose answer is there, but is not what the caller can use: its delivery is `answered`.
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

/// The answer to a request whose body is still arriving.
public struct HeliumStream: Sendable {
    /// Status and fields.
    public let head: ResponseHead

    /// The body: chunks as they arrive, at the consumer's pace. Its failures are ``HeliumError``s.
    public let body: BodyStream

    /// Where the time went until the head was there.
    public let timings: TransferTimings

    /// All attempts, the successful one last.
    public let attempts: [AttemptRecord]

    /// What was asked in the end: where redirects led.
    public let url: RequestURL

    /// What was asked first: how failures of the body name it.
    package let request: RequestSummary

    /// The status code.
    public var status: Int { head.status }

    /// The first field of this name.
    public subscript(name: HTTPField.Name) -> String? { head[name] }
}
