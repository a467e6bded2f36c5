internal import HeliumJSON

/// Why a document of App.net's can't be read, and where.
///
/// Of the document it quotes no more than the value at fault, up to 40 characters of it.
public struct AppNetDocumentError: Error, Hashable, Sendable {
    /// What is wrong.
    public let reason: String

    /// The line, from 1; `nil` if nothing was read.
    public let line: Int?

    /// The character in the line, from 1.
    public let column: Int?

    /// The way to the value at fault, by members' names: `data[0].user.id`; empty for the document itself.
    public let path: String

    /// An error.
    public init(reason: String, line: Int? = nil, column: Int? = nil, path: String = "") {
        self.reason = reason
        self.line = line
        self.column = column
        self.path = path
    }

    /// What the decoder said.
    init(_ error: DecodingError) {
        self.init(
            reason: error.plainReason,
            line: error.jsonLocation?.line,
            column: error.jsonLocation?.column,
            path: error.plainPath
        )
    }
}

extension AppNetDocumentError: CustomStringConvertible {
    /// `line 3, column 14: data[0].created_at: "soon" is no date`.
    public var description: String {
        let place = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap(\.self)
        let parts = [place.joined(separator: ", "), path, reason]
        return parts.filter { !$0.isEmpty }.joined(separator: ": ")
    }
}
