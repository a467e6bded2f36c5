/// A format of documents (§2.2).
public enum CosmFormat: String, CaseIterable, Hashable, Sendable {
    /// JSON: every document, without loss (§10).
    case json
    /// CSV: values and their stamps only (§12).
    case csv
    /// XML: EEML for feeds, datastreams and points, an own form for triggers, keys and users (§13).
    case xml
}

extension CosmFormat {
    /// The media type, for `Accept` and `Content-Type`.
    public var mediaType: String {
        switch self {
        case .json: "application/json"
        case .csv: "text/csv"
        case .xml: "application/xml"
        }
    }

    /// How a URL of a document in this format ends.
    public var suffix: String { ".\(rawValue)" }

    /// The format of a file by its name's extension, in whatever case; `nil` if it is none of these.
    public init?(fileExtension: String) { self.init(rawValue: fileExtension.lowercased()) }
}

/// Which version of the formats a document is read by.
public enum CosmDialect: Hashable, Sendable {
    /// The one that the document states: version 2 unless it says `0.6-alpha` (JSON) or EEML 005 (XML). CSV states none and is
    /// version 2.
    case stated
    /// Version 1.
    case version1
    /// As ``stated``, but CSV is told by its looks: several rows are version 2, one row of any number of cells but two is
    /// version 1, and a row of two can't be told (§12).
    case guessed
}
