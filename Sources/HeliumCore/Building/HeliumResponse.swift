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

    /// The key that the call's attempts carried, if there was one.
    public let idempotencyKey: IdempotencyKey?

    /// What tolerant types (``LossyArray``, ``OpenEnum`` and others) left out or did not know in the answer; empty if
    /// there was nothing.
    public let decodingReport: DecodingReport

    init(value: Value, exchange: Exchange, report: DecodingReport) {
        self.value = value
        decodingReport = report
        url = exchange.url
        idempotencyKey = exchange.prepared.idempotencyKey
        head = exchange.response.head
        timings = exchange.response.timings
        attempts = exchange.attempts
    }

    /// The status code.
    public var status: Int { head.status }

    /// All fields; a single one is cheaper through ``subscript(_:)``.
    public var fields: HTTPFields { head.fields }

    /// The first field of this name.
    public subscript(name: HTTPField.Name) -> String? { head[name] }
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
