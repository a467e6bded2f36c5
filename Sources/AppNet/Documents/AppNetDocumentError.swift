internal import HeliumJSON

/// The error of an App.net document that cannot be decoded.
///
/// It quotes only the invalid value, up to 40 characters of it.
package struct AppNetDocumentError: Error, Hashable, Sendable {
    /// The reason.
    package let reason: String

    /// The line, counted from 1; `nil` if nothing was parsed.
    package let line: Int?

    /// The column in the line, counted from 1.
    package let column: Int?

    /// The path of the invalid value, such as `data[0].user.id`. Empty for the document itself.
    package let path: String

    /// Creates an error.
    package init(reason: String, line: Int? = nil, column: Int? = nil, path: String = "") {
        self.reason = reason
        self.line = line
        self.column = column
        self.path = path
    }

    /// Creates an error from the decoder's error.
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
    /// A description such as `line 3, column 14: data[0].created_at: "soon" is not a date`.
    package var description: String {
        let place = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap(\.self)
        let parts = [place.joined(separator: ", "), path, reason]
        return parts.filter { !$0.isEmpty }.joined(separator: ": ")
    }
}
