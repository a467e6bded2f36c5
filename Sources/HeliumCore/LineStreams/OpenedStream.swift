internal import HTTPTypes
internal import HeliumEssentials

/// A response whose body is read in chunks, with the data for its errors.
struct OpenedStream: Sendable {
    let stream: HeliumStream
    let answer: ResponseSummary
}

/// The facts about a response that errors found while reading it contain.
struct ResponseSummary: Sendable {
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

    /// Returns the beginning of a part of the body, for an error.
    func excerpt(of piece: Data) -> String {
        // Masks before cutting, because a secret that is cut in two would not be recognized.
        redactor.redact(String(decoding: piece.prefix(4096), as: UTF8.self)).prefix(scalars: 1024)
    }
}

extension RequestBuilder {
    /// Sends the request and returns its body as a stream.
    func openStream() async throws -> OpenedStream {
        let stream = try await stream()
        return OpenedStream(
            stream: stream,
            answer: ResponseSummary(
                request: stream.request,
                head: stream.head,
                attempts: stream.attempts,
                redactor: Redactor(secrets: pipeline.authorizer.secrets)
            )
        )
    }

    /// Sets a field that the request's own fields replace.
    func fieldByDefault(_ name: HTTPField.Name, _ value: String) -> Self {
        with { $0.fields.insert(.init(name: .name(name), value: value), at: 0) }
    }
}
