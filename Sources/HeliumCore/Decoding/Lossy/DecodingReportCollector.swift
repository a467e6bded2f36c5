internal import Synchronization

/// Where tolerant types put their findings while a document is decoded: a task-local value, so that it works with every
/// decoder and needs no place in any of them.
final class DecodingReportCollector: Sendable {
    @TaskLocal private static var current: DecodingReportCollector?

    private let gathered = Guarded(DecodingReport())

    /// What was found so far.
    var report: DecodingReport { gathered.withLock { $0 } }

    /// Runs `decode`; the findings in it come here.
    func collect<Value>(_ decode: () throws -> Value) rethrows -> Value {
        try Self.$current.withValue(self, operation: decode)
    }

    /// Masks what was found so far.
    func redact(by redactor: Redactor) { gathered.withLock { $0 = $0.redacted(by: redactor) } }

    /// Adds a finding, if anybody gathers. It is not made where it would not be kept.
    static func note(_ finding: () -> DecodingReport.Finding) {
        guard let current else { return }
        current.gathered.withLock { $0.note(finding) }
    }

    /// Adds what a decoder said of a value that is left out.
    static func note(
        _ consequence: DecodingReport.Consequence,
        _ type: Any.Type,
        at path: @autoclosure () -> [any CodingKey],
        _ error: any Error
    ) {
        note {
            let failure = DecodingFailure(type: type, error: error, redactor: Redactor(secrets: []))
            return DecodingReport.Finding(
                consequence: consequence,
                path: failure.codingPath.isEmpty ? path().dotted : failure.codingPath,
                type: failure.type,
                reason: failure.reason
            )
        }
    }
}

extension [any CodingKey] {
    /// `response.3.created`.
    var dotted: String { map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".") }
}
