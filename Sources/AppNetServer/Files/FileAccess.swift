internal import HeliumServerKit

/// The rights of a reader for a file (Docs/Protocols/AppNet.md §2.4).
struct FileAccess: Hashable, Sendable {
    /// Whether the file belongs to the reader.
    let isOwner: Bool
    /// Whether the reader owns the file, and has the `files` scope or sent the write token.
    let mayWrite: Bool
    let mayRead: Bool
    /// Whether the reader may add contents. For an incomplete file, the scopes for creating a file suffice
    /// (Docs/Protocols/AppNet.md §1.2).
    let mayAdd: Bool
    /// Whether the response contains the write token. The owner gets it if the request has no other query parameters,
    /// or if the token was sent.
    let showsWriteToken: Bool
    /// The read token that was sent, if it is valid for the file.
    let readToken: String?
}

extension AppNetReader {
    /// Returns the rights by the token's user and scopes, and by the file token of the query.
    func access(to file: FileRecord) throws -> FileAccess {
        if isAppStream { return try appStreamAccess(to: file) }
        let sent = fileToken(for: file.id)
        let isOwner = viewer.user == file.owner
        let hasWriteToken = sent.map { ConstantTime.areEqual($0, file.writeToken) } ?? false
        let mayWrite = isOwner && (hasWriteToken || viewer.scopes.contains(.files))
        // A read token is valid for all callers, a write token only for the owner.
        let readToken = try sent.flatMap { try tables.files.isGranted($0, file: file.id) ? $0 : nil }
        return FileAccess(
            isOwner: isOwner,
            mayWrite: mayWrite,
            mayRead: mayWrite || file.isPublic || readToken != nil,
            mayAdd: mayWrite || (isOwner && mayUpload && !file.isComplete),
            showsWriteToken: mayWrite && (hasWriteToken || query.all.keys.allSatisfy { $0 == "access_token" }),
            readToken: readToken
        )
    }

    private var mayUpload: Bool { !viewer.scopes.isDisjoint(with: AppNetRoutes.uploadScopes) }

    private func appStreamAccess(to file: FileRecord) throws -> FileAccess {
        let mayRead = try file.isPublic || isEntrusted(by: file.owner) { $0.scopes.contains(.files) }
        return FileAccess(
            isOwner: false,
            mayWrite: false,
            mayRead: mayRead,
            mayAdd: false,
            showsWriteToken: false,
            readToken: nil
        )
    }

    /// Returns the file token of the query. In pnut it is `file_token_read`, with the file's id if there are several.
    private func fileToken(for file: Int64) -> String? {
        query["file_token"] ?? query["file_token_read_\(file)"] ?? query["file_token_read"]
    }
}
