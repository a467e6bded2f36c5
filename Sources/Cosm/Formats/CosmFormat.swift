/// A format of documents (Docs/Protocols/Cosm.md §2.2).
public enum CosmFormat: String, CaseIterable, Hashable, Sendable {
    /// JSON. It holds every document without loss (Docs/Protocols/Cosm.md §10).
    case json
    /// CSV. It holds values and their timestamps only (Docs/Protocols/Cosm.md §12).
    case csv
    /// XML. Feeds, datastreams and datapoints are EEML. Triggers, keys and users have a form of their own
    /// (Docs/Protocols/Cosm.md §13).
    case xml
}

extension CosmFormat {
    /// The media type, for `Accept` and `Content-Type`.
    package var mediaType: String {
        switch self {
        case .json: "application/json"
        case .csv: "text/csv"
        case .xml: "application/xml"
        }
    }

    /// The suffix of URLs of documents in this format.
    package var suffix: String { ".\(rawValue)" }

    /// Creates the format of a file from the extension of its name in any case; `nil` for other extensions.
    package init?(fileExtension: String) { self.init(rawValue: fileExtension.lowercased()) }
}

/// The version of the formats that a document is read as.
public enum CosmDialect: Hashable, Sendable {
    /// The version that the document states.
    ///
    /// It is version 2, unless the document states `0.6-alpha` (JSON) or EEML 005 (XML). CSV does not state a version
    /// and is read as version 2.
    case stated
    /// Version 1.
    case version1
    /// The stated version, or for CSV the version that the rows look like.
    ///
    /// Several rows are version 2. One row with any number of cells other than two is version 1. One row of two cells
    /// is ambiguous, and reading it throws an error (Docs/Protocols/Cosm.md §12).
    case guessed
}
