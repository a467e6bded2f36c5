internal import HeliumJSON

/// The error for a document that cannot be read or written.
///
/// It quotes at most 40 characters of the document and never a key.
public struct CosmDocumentError: Error, Hashable, Sendable {
    /// The format of the document.
    public let format: CosmFormat

    /// The reason.
    public let reason: String

    /// The line, counted from 1; `nil` if no document was read.
    public let line: Int?

    /// The column in the line, counted from 1; `nil` if the format's parser does not report it.
    public let column: Int?

    /// The path to the invalid value, with names of members or elements: `datastreams[0].at`. Empty for the document
    /// itself.
    public let path: String

    /// Creates an error.
    package init(format: CosmFormat, reason: String, line: Int? = nil, column: Int? = nil, path: String = "") {
        self.format = format
        self.reason = reason
        self.line = line
        self.column = column
        self.path = path
    }
}

extension CosmDocumentError: CustomStringConvertible {
    /// The position, the path and the reason: `line 3, column 14: datastreams[0].at: "soon" is not a timestamp`.
    public var description: String {
        let place = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap(\.self)
        let parts = [place.joined(separator: ", "), path, reason]
        return parts.filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

extension CosmDocumentError {
    /// Creates an error from that of the JSON decoder.
    init(_ error: DecodingError) {
        self.init(
            format: .json,
            reason: error.plainReason,
            line: error.jsonLocation?.line,
            column: error.jsonLocation?.column,
            path: error.plainPath
        )
    }
}
