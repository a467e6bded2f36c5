internal import HeliumJSON
internal import HeliumServerKit

/// The replacement value `+net.app.core.file` (Docs/Protocols/AppNet.md §4.2). It is checked when it is written. In
/// each response it is replaced by the members of the file, with new URLs.
///
/// The stored form is `{file_id, file_token_read, format, type}`. A write token, which gives only the owner access to
/// the file, is exchanged for a read token and never stored. The type is used for searches. It is the type of the file,
/// which never changes, or the type of the oembed.
enum FileReplacement {
    private static let key = "+net.app.core.file"

    /// Checks a replacement value of a client and returns its stored form, which never contains a write token.
    ///
    /// - Parameters:
    ///   - value: The value: `{file_id, file_token, format}`.
    ///   - type: The type of the annotation. The format `oembed` is only allowed for `net.app.core.oembed`.
    /// - Throws: ``AppNetFailure`` with 400 for an invalid value.
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
        // Each object gets its own token. Users who can read the object can read the file as long as the object
        // contains it.
        let grant = context.state.store.newSecret()
        try context.tables.files.grant(grant, file: id)
        return ["file_id": .id(id), "file_token_read": .string(grant), "format": .string(format), "type": type]
    }

    /// Returns whether a token gives the caller access to a file: a write token for the owner, or a read token.
    private static func isOpened(_ file: FileRecord, by token: String, context: AppNetContext) throws -> Bool {
        if context.caller.user == file.owner, ConstantTime.areEqual(token, file.writeToken) { return true }
        return try context.tables.files.isGranted(token, file: file.id)
    }

    /// Returns the type of the oembed of a file.
    private static func embedding(of file: FileRecord, context: AppNetContext) throws -> JSONValue {
        if let metadata = file.oembedMetadata { return metadata["type"] ?? .null }
        let content = try context.tables.files.contents(of: file.id).first { $0.key.isEmpty }
        guard file.isComplete, content?.width != nil else {
            throw AppNetFailure.badRequest(
                "Only a complete image, or a file with an oembed annotation, can be embedded."
            )
        }
        return "photo"
    }
}

extension FileRecord {
    /// The file's own description of its embedding; `nil` if there is none.
    var oembedMetadata: JSONValue? {
        annotations.first { $0["type"] == "net.app.core.oembed.metadata" }?["value"]
    }
}
