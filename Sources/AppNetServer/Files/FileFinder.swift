/// Finds the file in a request's path, for callers who may use it.
struct FileFinder: RequestScoped {
    let context: AppNetContext

    /// Returns the file in the path and the caller's rights.
    ///
    /// - Throws: ``AppNetFailure`` with 404 if the file does not exist or the caller may not read it.
    func readable() throws -> (file: FileRecord, access: FileAccess) {
        guard let file = try tables.files.file(try context.id("id")) else { throw AppNetFailure.notFound }
        let access = try reader.access(to: file)
        guard access.mayRead else {
            throw access.isOwner ? AppNetFailure.missingFilesScope : AppNetFailure.notFound
        }
        return (file, access)
    }

    /// Returns the caller's own file in the path.
    ///
    /// - Throws: ``AppNetFailure`` with 404 if the caller may not read the file, and 403 if it belongs to another user.
    func own() throws -> FileRecord {
        let (file, access) = try readable()
        guard access.mayWrite else {
            throw access.isOwner ? AppNetFailure.missingFilesScope : .forbidden("Only the owner may change a file.")
        }
        return file
    }

    /// Returns the caller's own file in the path, to add contents.
    ///
    /// - Throws: The error of ``own()``.
    func growing() throws -> FileRecord {
        if let file = try tables.files.file(try context.id("id")), try reader.access(to: file).mayAdd { return file }
        return try own()
    }
}

extension AppNetFailure {
    /// 403 for an owner without the scope and without a file token.
    static let missingFilesScope = forbidden("This call requires the scope files or a file token.")
}
