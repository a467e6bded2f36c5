internal import HeliumServerKit

/// What a caller may do with a file (§2.4).
struct FileAccess: Hashable, Sendable {
    /// Whether the file belongs to the caller.
    let isOwner: Bool
    /// Whether the caller owns the file and has the `files` scope or sent the write token.
    let mayWrite: Bool
    let mayRead: Bool
    /// Whether the response contains the write token: for the owner, without query parameters or if it was sent.
    let showsWriteToken: Bool
    /// The read token that was sent, if it is one of the file's.
    let readToken: String?
}

extension FileAccess {
    /// Decides from the caller's token and `file_token`.
    init(to file: FileRecord, of context: AppNetContext) throws {
        let token = context.caller.token
        let sent = Self.token(for: file.id, in: context.parameters)
        isOwner = token?.user == file.owner
        let hasWriteToken = sent.map { ConstantTime.areEqual($0, file.writeToken) } ?? false
        mayWrite = isOwner && (hasWriteToken || token?.scopes.contains(.files) ?? false)
        // A read token works for everyone; a write token only for the owner.
        readToken = try sent.flatMap { try context.tables.files.isGranted($0, file: file.id) ? $0 : nil }
        showsWriteToken = mayWrite && (hasWriteToken || context.parameters.all.keys.allSatisfy { $0 == "access_token" })
        mayRead = mayWrite || file.isPublic || readToken != nil
    }

    /// The file token of the query. pnut's name is `file_token_read`, with the file's id if there are several.
    private static func token(for file: Int64, in parameters: FormFields) -> String? {
        parameters["file_token"] ?? parameters["file_token_read_\(file)"] ?? parameters["file_token_read"]
    }

    /// The token in the response: the read token if it was sent, or the write token (§2.4).
    var shownToken: AppNetRenderer.FileToken {
        if let readToken { return .read(readToken) }
        return showsWriteToken ? .write : .none
    }
}
