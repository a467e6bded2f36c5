import ArgumentParser
import Foundation
import HeliumKit

/// Reports the failure of a command on standard error.
struct FailureReport {
    var format = OutputFormat.text
    /// Whether the timings are printed.
    var isTimed = false
    /// Whether the head and body of the response are printed.
    var isVerbose = false
    /// Masks credentials in the response.
    var scrubber = SecretScrubber()

    /// Reports the failure.
    ///
    /// - Returns: The exit code of the command: 64 for a usage error, otherwise 1.
    func show(_ error: any Error) -> ExitCode {
        let failure = error as? HeliumError
        let breakdown = isTimed ? Self.breakdown(of: error) : nil
        switch format {
        case .text:
            if isVerbose, let head = failure?.head {
                Console.current.report(HeadText.of(head, scrubber))
                if let body = failure?.body, !body.isEmpty {
                    Console.current.report(OutputText(lines: String(decoding: body, as: UTF8.self)))
                }
            }
            if let breakdown { Console.current.report(breakdown.table) }
            Console.current.note("helium: \(Self.text(of: error))")
        case .json:
            Console.current.note((try? json(of: error, breakdown)) ?? "{}")
        }
        let usage: [FailureKind] = [.invalidRequest, .invalidConfiguration, .encodingFailed]
        return failure.map { usage.contains($0.kind) } == true ? .validationFailure : ExitCode(ExitStatus.failure)
    }

    private static func text(of error: any Error) -> OutputText {
        error is CancellationError ? "interrupted" : "\(error)"
    }

    /// Returns the timings; `nil` if there was no attempt.
    private static func breakdown(of error: any Error) -> TimeBreakdown? {
        guard let error = error as? HeliumError, !error.attempts.isEmpty else { return nil }
        return TimeBreakdown(error[fact: \.timings], error.attempts)
    }

    private func json(of error: any Error, _ breakdown: TimeBreakdown?) throws -> OutputText {
        guard let error = error as? HeliumError else {
            // Escaped once, as JSON.
            let message = error is CancellationError ? "interrupted" : String(describing: error)
            let kind = error is TimeLimitExceeded ? FailureKind.timedOut.rawValue : "failure"
            return try Document.line(FailureDocument(kind: kind, message: message))
        }
        let (body, bodyBase64) = error.body.map(BodyText.members) ?? (nil, nil)
        return try Document.line(
            FailureDocument(
                kind: error.kind.rawValue,
                message: error.message,
                delivery: error.delivery.rawValue,
                request: error.request.description,
                status: error.status,
                fields: error.head.map { FieldDocument.list($0, scrubber) },
                body: body,
                bodyBase64: bodyBase64,
                attempts: error.attempts.count,
                timings: breakdown,
                errors: error.serverErrors
            )
        )
    }
}

/// A failure in the JSON output.
private struct FailureDocument: Encodable {
    var kind: String
    var message: String
    var delivery: String?
    var request: String?
    var status: Int?
    var fields: [FieldDocument]?
    var body: String?
    var bodyBase64: String?
    var attempts: Int?
    var timings: TimeBreakdown?
    var errors: [ServerError]?
}

/// A header field in the JSON output.
struct FieldDocument: Encodable {
    let name: String
    let value: String

    static func list(_ head: ResponseHead, _ scrubber: SecretScrubber) -> [Self] {
        head.fields.map { FieldDocument(name: $0.name.canonicalName, value: HeadText.value(of: $0, scrubber)) }
    }
}

/// A body in the JSON output.
enum BodyText {
    /// Returns the member `body` for text, and `bodyBase64` for other bytes: replacement characters would change them.
    static func members(_ body: Data) -> (text: String?, base64: String?) {
        if let text = String(validating: body, as: UTF8.self) { return (text, nil) }
        return (nil, body.base64EncodedString())
    }
}

/// The head of a response as text, with credentials masked.
enum HeadText {
    static func of(_ head: ResponseHead, _ scrubber: SecretScrubber) -> OutputText {
        let fields: [OutputText] = head.fields.map { "\($0.name.rawName): \(value(of: $0, scrubber))" }
        return (["\(head.version) \(head.status)"] + fields).joinedLines()
    }

    static func value(of field: HTTPField, _ scrubber: SecretScrubber) -> String {
        String(decoding: scrubber.value(of: field), as: UTF8.self)
    }
}
