internal import Synchronization

/// Collects the findings of tolerant types while a document is decoded. It is a task-local value, so it works with
/// every decoder.
final class DecodingReportCollector: Sendable {
    @TaskLocal private static var current: DecodingReportCollector?

    private let gathered = Guarded(DecodingReport())

    /// The findings so far.
    var report: DecodingReport { gathered.withLock { $0 } }

    /// Runs `decode` and collects the findings in it.
    func collect<Value>(_ decode: () throws -> Value) rethrows -> Value {
        try Self.$current.withValue(self, operation: decode)
    }

    /// Masks secrets in the findings so far.
    func redact(by redactor: Redactor) { gathered.withLock { $0 = $0.redacted(by: redactor) } }

    /// Adds a finding if a collector is active. The finding is created only if it is kept.
    static func note(_ finding: () -> DecodingReport.Finding) {
        guard let current else { return }
        current.gathered.withLock { $0.note(finding) }
    }

    /// Adds the decoder's error about a value that is left out.
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
    /// The path as text, for example `response.3.created`.
    var dotted: String { map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".") }
}
