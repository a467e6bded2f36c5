/// What tolerant types left out or took as unknown while a document was decoded.
///
/// ``LossyArray``, ``LossyDictionary`` and ``OpenEnum`` tell it, whatever the decoder:
///
/// ```swift
/// let (shows, report) = try DecodingReport.collecting { try decoder.decode(LossyArray<Show>.self, from: data) }
/// ```
public struct DecodingReport: Hashable, Sendable {
    /// How many findings are kept; the rest is only counted.
    public static let maximumFindings = 100

    /// The findings in the order of the document, at most ``maximumFindings``.
    public private(set) var findings: [Finding] = []

    /// How many findings there were, kept or not.
    public private(set) var count = 0

    /// Whether nothing was left out and nothing unknown.
    public var isEmpty: Bool { count == 0 }

    /// One place where the document was not what the model says.
    public struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// What became of it.
        public let consequence: Consequence

        /// The path to the value at fault, for example `response.3.created`.
        public let path: String

        /// The type that was wanted.
        public let type: String

        /// What is wrong there. It may quote the document; in the report of a call known secrets are masked.
        public let reason: String

        /// `droppedElement: Show at response.3.created: "soon" is no date by the rules: rfc3339`.
        public var description: String { "\(consequence): \(type) at \(path.isEmpty ? "the top" : path): \(reason)" }
    }

    /// What becomes of a value at fault, as a name from a list that may grow.
    public struct Consequence: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name.
        public let rawValue: String

        /// A consequence by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An element of an array is missing from the result.
        public static let droppedElement = Self(rawValue: "droppedElement")
        /// A member of a dictionary is missing from the result.
        public static let droppedMember = Self(rawValue: "droppedMember")
        /// A case that the model does not know was kept as its raw value.
        public static let unknownCase = Self(rawValue: "unknownCase")

        /// The name.
        public var description: String { rawValue }
    }
}

extension DecodingReport: CustomStringConvertible {
    /// The number, and the first findings: `2 findings: …; …`.
    public var description: String {
        let shown = findings.prefix(5).map(\.description).joined(separator: "; ")
        let rest = count > 5 ? "; …" : ""
        return isEmpty ? "no findings" : "\(count) \(count == 1 ? "finding" : "findings"): \(shown)\(rest)"
    }
}

// MARK: Collecting

extension DecodingReport {
    /// Runs `decode` and gathers what tolerant types find in it. Inside of it the innermost `collecting` gathers.
    public static func collecting<Value>(
        _ decode: () throws -> Value
    ) rethrows -> (value: Value, report: DecodingReport) {
        let collector = DecodingReportCollector()
        let value = try collector.collect(decode)
        return (value, collector.report)
    }

    mutating func note(_ finding: () -> Finding) {
        if count < Self.maximumFindings { findings.append(finding()) }
        count += 1
    }

    /// The same report with secrets masked.
    func redacted(by redactor: Redactor) -> Self {
        var copy = self
        copy.findings = findings.map {
            Finding(
                consequence: $0.consequence,
                path: redactor.redact($0.path),
                type: $0.type,
                reason: redactor.redact($0.reason)
            )
        }
        return copy
    }
}
