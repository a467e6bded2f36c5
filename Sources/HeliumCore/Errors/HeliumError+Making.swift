internal import HTTPTypes

extension HeliumError {
    /// Creates the error of an invalid configuration.
    package init(configuration message: String) {
        self.init(
            .invalidConfiguration,
            request: RequestSummary(method: .get, url: "(no request)"),
            delivery: .notSent,
            message: message
        )
    }

    /// Creates an error from a transport's failure and its request.
    package init(_ failure: TransportFailure, request: RequestSummary) {
        self.init(
            failure.kind,
            request: request,
            delivery: failure.delivery,
            message: failure.message,
            underlying: failure.underlying
        )
        self[fact: \.phase] = failure.phase
        self[fact: \.ceiling] = failure.ceiling
        self[fact: \.code] = failure.code
        self[fact: \.timings] = failure.timings
    }
}
