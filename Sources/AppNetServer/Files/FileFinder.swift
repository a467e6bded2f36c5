/// Finds the file that a path names, for callers who may use it.
struct FileFinder: RequestScoped {
    let context: AppNetContext

    /// The file that the path names, with what the caller may do.
    ///
    /// - Throws: ``AppNetFailure`` with 404 if there is none that the caller may read.
    func readable() throws -> (file: FileRecord, access: FileAccess) {
        guard let file = try tables.files.file(try context.id("id")) else { throw AppNetFailure.notFound }
        let access = try FileAccess(to: file, of: context)
        guard access.mayRead else {
            throw access.isOwner ? AppNetFailure.missingFilesScope : AppNetFailure.notFound
        }
        return (file, access)
    }

    /// The caller's own file that the path names.
    ///
    /// - Throws: ``AppNetFailure`` with 404 if there is none that the caller may read, and 403 if it is another user's.
    func own() throws -> FileRecord {
        let (file, access) = try readable()
        guard access.mayWrite else {
            throw access.isOwner ? AppNetFailure.missingFilesScope : .forbidden("Only the owner may change a file.")
        }
        return file
    }

    /// The caller's own file that the path names, to add contents. As long as it is incomplete, the scopes for creating
    /// a file suffice (§1.2).
    ///
    /// - Throws: the error of ``own()``.
    func growing() throws -> FileRecord {
        if let file = try tables.files.file(try context.id("id")), !file.isComplete, let token = context.caller.token,
            token.user == file.owner, !token.scopes.isDisjoint(with: AppNetRoutes.uploadScopes)
        {
            return file
        }
        return try own()
    }
}

extension AppNetFailure {
    /// 403 for an owner without the scope and without a file token.
    static let missingFilesScope = forbidden("This call requires the scope files or a file token.")
}
