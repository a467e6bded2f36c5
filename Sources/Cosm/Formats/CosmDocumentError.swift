internal import HeliumJSON

/// Why a document can't be read or written, and where.
///
/// Of the document it quotes no more than the text at fault, up to 40 characters of it, and no key.
public struct CosmDocumentError: Error, Hashable, Sendable {
    /// The format.
    public let format: CosmFormat

    /// What is wrong.
    public let reason: String

    /// The line, from 1; `nil` if nothing was read.
    public let line: Int?

    /// The character in the line, from 1; `nil` if the format's parser doesn't tell.
    public let column: Int?

    /// The way to the value at fault, by members' names or elements: `datastreams[0].at`; empty for the document itself.
    public let path: String

    /// An error.
    public init(format: CosmFormat, reason: String, line: Int? = nil, column: Int? = nil, path: String = "") {
        self.format = format
        self.reason = reason
        self.line = line
        self.column = column
        self.path = path
    }
}

extension CosmDocumentError: CustomStringConvertible {
    /// `line 3, column 14: datastreams[0].at: "soon" is no timestamp`.
    public var description: String {
        let place = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap(\.self)
        let parts = [place.joined(separator: ", "), path, reason]
        return parts.filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

extension CosmDocumentError {
    /// What the JSON decoder said.
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
