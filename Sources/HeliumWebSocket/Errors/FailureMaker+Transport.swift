internal import HeliumCore

extension FailureMaker {
    /// Creates the error of a connection that could not be made. Nothing of the request was sent.
    func failure(connecting failure: TransportFailure) -> HeliumError {
        var failure = failure
        if let head = failure.response?.head { failure.response?.head = masking(head) }
        // libcurl's code for trusted authorities that can't be read (CURLE_SSL_CACERT_BADFILE).
        let isUnreadable = failure.code == 77
        var error = error(
            isUnreadable ? .invalidConfiguration : failure.kind,
            .notSent,
            isUnreadable ? "the certificate authorities can't be read" : failure.message,
            underlying: failure
        )
        error[fact: \.head] = failure.response?.head
        error[fact: \.ceiling] = failure.ceiling
        error[fact: \.phase] = failure.phase
        return error
    }

    /// Creates the error of a connection that was lost.
    func lost(_ failure: TransportFailure) -> HeliumError {
        error(failure.kind, .answered, failure.message, underlying: failure)
    }
}
