internal import HeliumServerKit

/// The rights of a caller for a file (Docs/Protocols/AppNet.md §2.4).
struct FileAccess: Hashable, Sendable {
    /// Whether the file belongs to the caller.
    let isOwner: Bool
    /// Whether the caller owns the file, and has the `files` scope or sent the write token.
    let mayWrite: Bool
    let mayRead: Bool
    /// Whether the response contains the write token. The owner gets it if the request has no other query parameters,
    /// or if the token was sent.
    let showsWriteToken: Bool
    /// The read token that was sent, if it is valid for the file.
    let readToken: String?
}

extension FileAccess {
    /// Determines the rights from the caller's token and `file_token`.
    init(to file: FileRecord, of context: AppNetContext) throws {
        let token = context.caller.token
        let sent = Self.token(for: file.id, in: context.parameters)
        isOwner = token?.user == file.owner
        let hasWriteToken = sent.map { ConstantTime.areEqual($0, file.writeToken) } ?? false
        mayWrite = isOwner && (hasWriteToken || token?.scopes.contains(.files) ?? false)
        // A read token is valid for all callers, a write token only for the owner.
        readToken = try sent.flatMap { try context.tables.files.isGranted($0, file: file.id) ? $0 : nil }
        showsWriteToken = mayWrite && (hasWriteToken || context.parameters.all.keys.allSatisfy { $0 == "access_token" })
        mayRead = mayWrite || file.isPublic || readToken != nil
    }

    /// Returns the file token of the query. In pnut it is `file_token_read`, with the file's id if there are several.
    private static func token(for file: Int64, in parameters: FormFields) -> String? {
        parameters["file_token"] ?? parameters["file_token_read_\(file)"] ?? parameters["file_token_read"]
    }

    /// The token in the response: the read token if it was sent, or the write token (Docs/Protocols/AppNet.md §2.4).
    var shownToken: AppNetRenderer.FileToken {
        if let readToken { return .read(readToken) }
        return showsWriteToken ? .write : .none
    }
}
