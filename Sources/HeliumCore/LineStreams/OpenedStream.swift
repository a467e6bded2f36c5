internal import HTTPTypes
internal import HeliumEssentials

/// An answer whose body is read piece by piece, with what its failures tell.
struct OpenedStream: Sendable {
    let stream: HeliumStream
    let answer: AnswerSummary
}

/// What failures found while reading an answer tell of it.
struct AnswerSummary: Sendable {
    let request: RequestSummary
    let head: ResponseHead
    let attempts: [AttemptRecord]
    let redactor: Redactor

    func error(_ kind: FailureKind, _ message: String) -> HeliumError {
        var error = HeliumError(kind, request: request, delivery: .answered, message: message)
        error[fact: \.head] = head
        error[fact: \.attempts] = attempts
        return error
    }

    func ceilingExceeded(_ message: String, _ ceiling: Ceiling = .lineBytes) -> HeliumError {
        var error = error(.ceilingExceeded, message)
        error[fact: \.ceiling] = ceiling
        return error
    }

    /// The beginning of a piece of the body, for an error.
    func excerpt(of piece: Data) -> String {
        // Cut after masking: a secret that the cut goes through would not be recognised.
        redactor.redact(String(decoding: piece.prefix(4096), as: UTF8.self)).prefix(scalars: 1024)
    }
}

extension RequestBuilder {
    /// Sends the request for its body as a stream.
    func openStream() async throws -> OpenedStream {
        let stream = try await stream()
        return OpenedStream(
            stream: stream,
            answer: AnswerSummary(
                request: stream.request,
                head: stream.head,
                attempts: stream.attempts,
                redactor: Redactor(secrets: pipeline.authorizer.secrets)
            )
        )
    }

    /// Sets a field that the request's own fields replace.
    func fieldByDefault(_ name: HTTPField.Name, _ value: String) -> Self {
        with { $0.fields.insert((.name(name), value), at: 0) }
    }
}
