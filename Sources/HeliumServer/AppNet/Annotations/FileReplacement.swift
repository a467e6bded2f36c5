/// `+net.app.core.file` (§4.2): at the write it is checked and its write token becomes a read token; at every rendering
/// it becomes the file's members, whose URLs are fresh then.
enum FileReplacement {
    /// Checks a replacement value as a client wrote it, and gives what is stored in its place: never a write token.
    ///
    /// - Parameters:
    ///   - value: `{file_id, file_token, format}`
    ///   - type: the annotation's type; `oembed` is only for `net.app.core.oembed`
    /// - Throws: ``AppNetFailure`` with 400.
    static func accepted(_ value: JSONTree, type: String, call: AppNetCall) throws -> JSONTree {
        guard let id = value["file_id"]?.lenientText, value["file_token"]?.stringValue != nil,
            let format = value["format"]?.stringValue, ["url", "metadata", "oembed"].contains(format)
        else { throw AppNetFailure.badRequest("+net.app.core.file needs file_id, file_token and format.") }
        return ["file_id": .string(id), "format": .string(format)]
    }

    /// The members that a stored value becomes.
    ///
    /// - Parameters:
    ///   - stored: what ``accepted(_:type:call:)`` gave
    ///   - isPublic: whether everybody can see the object that has the annotation
    static func expanded(_ stored: JSONTree, isPublic: Bool, renderer: AppNetRenderer) throws -> [JSONMember] {
        [JSONMember("file_id", stored["file_id"] ?? .null)]
    }
}
