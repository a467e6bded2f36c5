/// The values that tolerant types left out or did not recognize while a document was decoded.
///
/// ``LossyArray``, ``LossyDictionary`` and ``OpenEnum`` report to it with every decoder:
///
/// ```swift
/// let (shows, report) = try DecodingReport.collecting { try decoder.decode(LossyArray<Show>.self, from: data) }
/// ```
public struct DecodingReport: Hashable, Sendable {
    /// The maximum number of findings that are kept. Further ones are only counted.
    package static let maximumFindings = 100

    /// The findings in document order, at most 100.
    public private(set) var findings: [Finding] = []

    /// The number of findings, including those that were not kept.
    public private(set) var count = 0

    /// Whether there are no findings.
    public var isEmpty: Bool { count == 0 }

    /// One value of the document that did not match the model.
    public struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// The consequence.
        public let consequence: Consequence

        /// The path to the invalid value, for example `response.3.created`.
        public let path: String

        /// The expected type.
        public let type: String

        /// The reason. It may quote the document; in the report of a call, known secrets are masked.
        public let reason: String

        /// A description such as `droppedElement: Show at response.3.created: "soon" is not a date in the formats: rfc3339`.
        public var description: String { "\(consequence): \(type) at \(path.isEmpty ? "the top" : path): \(reason)" }
    }

    /// The consequence of an invalid value, as a name from a list that may grow.
    public struct Consequence: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name.
        public let rawValue: String

        /// Creates a consequence from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An element of an array is missing from the result.
        public static let droppedElement = Self(rawValue: "droppedElement")
        /// A member of a dictionary is missing from the result.
        public static let droppedMember = Self(rawValue: "droppedMember")
        /// A case that the model does not define was kept as its raw value.
        public static let unknownCase = Self(rawValue: "unknownCase")

        /// The name.
        public var description: String { rawValue }
    }
}

extension DecodingReport: CustomStringConvertible {
    /// The number of findings and the first ones: `2 findings: …; …`.
    public var description: String {
        let shown = findings.prefix(5).map(\.description).joined(separator: "; ")
        let rest = count > 5 ? "; …" : ""
        return isEmpty ? "no findings" : "\(count) \(count == 1 ? "finding" : "findings"): \(shown)\(rest)"
    }
}

// MARK: Collecting

extension DecodingReport {
    /// Runs `decode` and collects the findings of tolerant types. When calls are nested, the innermost one collects
    /// them.
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

    /// Returns the report with secrets masked.
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
