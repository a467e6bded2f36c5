import Foundation
import HTTPTypes
import HeliumTesting
import Testing

@testable import HeliumCore

/// A call as the pipeline reports it, step by step.
struct ObservedCall {
    let clock: TestClock
    let observer: CallObserver
    let method: HTTPRequest.Method
    let url: RequestURL

    /// - Parameter configure: Switches on what the test looks at.
    init(
        _ method: HTTPRequest.Method = .get,
        _ url: String = "https://api.example.com/shows/42?token=q-secret&page=2",
        template: String? = "/shows/:id",
        secrets: [String] = [],
        clock: TestClock = TestClock(),
        _ configure: (inout Observability) -> Void
    ) throws {
        var observability = Observability.none
        configure(&observability)
        self.clock = clock
        self.method = method
        self.url = try RequestURL(url)
        let client = ClientObserver(observability, origin: self.url.origin, clock: clock, secrets: { secrets })
        observer = try #require(client).begin(method, template: template, url: self.url)
    }

    /// Begins an attempt; returns the request as it would go to the authorizer.
    @discardableResult
    func start(_ number: Int = 1, _ change: (inout TransportRequest) -> Void = { _ in }) -> TransportRequest {
        var request = TransportRequest(method: method, url: url)
        change(&request)
        observer.willStartAttempt(number, request: &request)
        return request
    }

    /// Ends an attempt with an answer.
    func answer(
        _ status: Int = 200,
        number: Int = 1,
        fields: HTTPFields = [:],
        timings: TransferTimings = TransferTimings(),
        body: Data? = nil
    ) {
        let record = AttemptRecord(
            number: number,
            outcome: .answered(status: status),
            delivery: .answered,
            duration: .milliseconds(12)
        )
        let head = ResponseHead(status: status, version: .http2, fields: fields)
        observer.didEndAttempt(record, head: head, timings: timings, body: body)
    }

    /// Ends an attempt without an answer.
    func fail(_ kind: FailureKind, _ delivery: DeliveryState = .notSent, number: Int = 1) {
        let record = AttemptRecord(
            number: number,
            outcome: .failed(kind),
            delivery: delivery,
            duration: .milliseconds(3)
        )
        observer.didEndAttempt(record, head: nil, timings: TransferTimings())
    }

    func error(_ kind: FailureKind, _ delivery: DeliveryState = .notSent, message: String = "it broke") -> HeliumError {
        HeliumError(
            kind,
            request: RequestSummary(method: method, url: url.redacted),
            delivery: delivery,
            message: message
        )
    }
}
