internal import HeliumJSON
internal import HeliumServerKit

/// `+net.app.core.file` (§4.2): at the write it is checked and its write token becomes a read token; at every rendering
/// it becomes the file's members, whose URLs are fresh then.
///
/// What is stored is `{file_id, file_token_read, format, type}`: a write token, which opens the file to its owner alone,
/// is never kept. The type is for searches: the file's own, which never changes, or how it is embedded.
enum FileReplacement {
    private static let key = "+net.app.core.file"

    /// Checks a replacement value as a client wrote it, and gives what is stored in its place: never a write token.
    ///
    /// - Parameters:
    ///   - value: `{file_id, file_token, format}`
    ///   - type: the annotation's type; `oembed` is only for `net.app.core.oembed`
    /// - Throws: ``AppNetFailure`` with 400.
    static func accepted(_ value: JSONValue, type: String, context: AppNetContext) throws -> JSONValue {
        guard let id = value["file_id"]?.lenientText.flatMap({ Int64($0) }),
            let token = value["file_token"]?.stringValue ?? value["file_token_read"]?.stringValue,
            let format = value["format"]?.stringValue, ["url", "metadata", "oembed"].contains(format)
        else { throw AppNetFailure.badRequest("\(key) needs file_id, file_token and format.") }
        guard format != "oembed" || type == "net.app.core.oembed" else {
            throw AppNetFailure.badRequest("The format oembed belongs to net.app.core.oembed.")
        }
        guard type != "net.app.core.attachments" || format == "metadata" else {
            throw AppNetFailure.badRequest("The format of attachments must be metadata.")
        }
        guard let file = try context.tables.files.file(id), try isOpened(file, by: token, context: context) else {
            throw AppNetFailure.badRequest("The file does not exist, or the file token is wrong.")
        }
        let type = format == "oembed" ? try embedding(of: file, context: context) : .string(file.type)
        // One for each object: whoever reads this one can read the file as long as it has it.
        let grant = context.state.store.newSecret()
        try context.tables.files.grant(grant, file: id)
        return ["file_id": .id(id), "file_token_read": .string(grant), "format": .string(format), "type": type]
    }

    /// A write token opens a file to its owner, a read token to everybody.
    private static func isOpened(_ file: FileRecord, by token: String, context: AppNetContext) throws -> Bool {
        if context.caller.user == file.owner, ConstantTime.areEqual(token, file.writeToken) { return true }
        return try context.tables.files.isGranted(token, file: file.id)
    }

    /// The type of the oembed that a file becomes.
    private static func embedding(of file: FileRecord, context: AppNetContext) throws -> JSONValue {
        if let metadata = file.oembedMetadata { return metadata["type"] ?? .null }
        let content = try context.tables.files.contents(of: file.id).first { $0.key.isEmpty }
        guard file.isComplete, content?.width != nil else {
            throw AppNetFailure.badRequest("Only a complete image, or a file that says how, can be embedded.")
        }
        return "photo"
    }
}

extension FileRecord {
    /// What the file says about embedding itself; nil where it says nothing.
    var oembedMetadata: JSONValue? {
        annotations.first { $0["type"] == "net.app.core.oembed.metadata" }?["value"]
    }
}
