internal import HeliumServerKit

/// What a caller may do with a file (§2.4).
struct FileAccess: Hashable, Sendable {
    /// The file belongs to the caller.
    let isOwner: Bool
    /// The caller owns it and showed the `files` scope or the write token.
    let mayWrite: Bool
    let mayRead: Bool
    /// Whether an answer shows the owner the write token: without query parameters, or where it was sent.
    let showsWriteToken: Bool
    /// The read token that was sent, where it is one of the file's.
    let readToken: String?
}

extension FileAccess {
    /// Decides from the caller's token and `file_token`.
    init(to file: FileRecord, of call: AppNetCall) throws {
        let token = call.caller.token
        let sent = call.fileToken(for: file.id)
        isOwner = token?.user == file.owner
        let hasWriteToken = sent.map { ConstantTime.areEqual($0, file.writeToken) } ?? false
        mayWrite = isOwner && (hasWriteToken || token?.scopes.contains(.files) ?? false)
        // A read token opens the file to whoever has it; a write token does not leave its user.
        readToken = try sent.flatMap { try call.files.isGranted($0, file: file.id) ? $0 : nil }
        showsWriteToken = mayWrite && (hasWriteToken || call.parameters.all.keys.allSatisfy { $0 == "access_token" })
        mayRead = mayWrite || file.isPublic || readToken != nil
    }
}

extension AppNetCall {
    var files: FileTable { FileTable(database: database) }

    /// The file token of the query; pnut calls it `file_token_read`, with the file's id where there are several.
    func fileToken(for file: Int64) -> String? {
        parameters["file_token"] ?? parameters["file_token_read_\(file)"] ?? parameters["file_token_read"]
    }

    /// The file that the path names, with what the caller may do.
    ///
    /// - Throws: ``AppNetFailure`` with 404 where there is none that the caller may read.
    func readableFile() throws -> (file: FileRecord, access: FileAccess) {
        guard let file = try files.file(try id("id")) else { throw AppNetFailure.notFound }
        let access = try FileAccess(to: file, of: self)
        guard access.mayRead else {
            throw access.isOwner ? AppNetFailure.missingFilesScope : AppNetFailure.notFound
        }
        return (file, access)
    }

    /// The caller's own file that the path names.
    ///
    /// - Throws: ``AppNetFailure`` with 404 where there is none that the caller may read, and 403 where it is another's.
    func ownFile() throws -> FileRecord {
        let (file, access) = try readableFile()
        guard access.mayWrite else {
            throw access.isOwner ? AppNetFailure.missingFilesScope : .forbidden("Only the owner may change a file.")
        }
        return file
    }

    /// The caller's own file that the path names, to give it contents: while it is incomplete that takes no more than
    /// creating it took (§1.2).
    ///
    /// - Throws: what ``ownFile()`` throws.
    func growingFile() throws -> FileRecord {
        if let file = try files.file(try id("id")), !file.isComplete, let token = caller.token,
            token.user == file.owner, !token.scopes.isDisjoint(with: AppNetRoutes.uploading)
        {
            return file
        }
        return try ownFile()
    }
}

extension AppNetFailure {
    /// 403 for the owner whose token lacks the scope and who sent no file token.
    static let missingFilesScope = forbidden("This call requires the scope files or a file token.")
}
