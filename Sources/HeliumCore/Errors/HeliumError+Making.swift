internal import HTTPTypes

extension HeliumError {
    /// The configuration can't be used.
    package init(configuration message: String) {
        self.init(
            .invalidConfiguration,
            request: RequestSummary(method: .get, url: "(no request)"),
            delivery: .notSent,
            message: message
        )
    }

    /// A transport's failure, told with its request.
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
