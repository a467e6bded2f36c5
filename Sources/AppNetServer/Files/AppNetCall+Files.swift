internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// The calls on files (§2.4).
extension AppNetCall {
    /// `POST files`, in any of its four forms.
    func createFile() throws -> AppNetAnswer {
        let isPnut = request.isPnut
        let input = try FileInput(creating: request.body) { isPnut ? PnutInput.file.translated($0, user: nil) : $0 }
        let file = try FileWriter(call: self).create(input)
        return .data(try renderer.file(file, token: .write))
    }

    /// `GET files?ids=`: those of them that the caller may read, in the order of the query.
    func filesByID() throws -> AppNetAnswer {
        let ids = try parameters.ids()
        guard !ids.isEmpty else { throw AppNetFailure.badRequest("You must supply ids.") }
        let found = try ids.compactMap { id -> JSONValue? in
            guard let file = try files.file(id) else { return nil }
            let access = try FileAccess(to: file, of: self)
            guard access.mayRead else { return nil }
            return try renderer.file(file, token: access.shownToken)
        }
        return .data(.array(found))
    }

    /// `GET users/me/files`.
    func myFiles() throws -> AppNetAnswer {
        let owner = try me()
        return try page(
            fetch: { try files.files(of: owner, $0) },
            id: \.id,
            includes: { file in
                (options.fileTypes?.contains(file.type) ?? true)
                    && (options.includesIncomplete || file.isComplete) && (options.includesPrivate || file.isPublic)
            },
            render: shown
        )
    }

    /// `GET files/{id}`.
    func fileByID() throws -> AppNetAnswer {
        let (file, access) = try readableFile()
        return .data(try renderer.file(file, token: access.shownToken))
    }

    /// `PUT files/{id}`.
    func updateFile() throws -> AppNetAnswer {
        let file = try ownFile()
        let changed = try FileWriter(call: self).update(file, try FileInput(try body()))
        return .data(try shown(changed))
    }

    /// A file as its owner is answered it.
    private func shown(_ file: FileRecord) throws -> JSONValue {
        try renderer.file(file, token: FileAccess(to: file, of: self).shownToken)
    }

    /// `DELETE files/{id}`: answers the file as it was.
    func deleteFile() throws -> AppNetAnswer {
        let file = try ownFile()
        let json = try renderer.file(file, token: .none)
        try delete(file)
        return .data(json)
    }

    /// Deletes a file, and tells so.
    func delete(_ file: FileRecord) throws {
        try files.revoke(grantsOf: file.annotations)
        try files.delete(file.id)
        effects.append(AppNetEvent(kind: .file, object: file.id, actor: file.owner, isDeleted: true))
    }

    /// `GET files/{id}/content[/{key}]`: where the content is.
    func contentLocation(key: String) throws -> AppNetAnswer {
        let (file, _) = try readableFile()
        guard file.isComplete else { return .noContent }
        guard let content = try files.contents(of: file.id).first(where: { $0.key == key }) else {
            throw AppNetFailure.notFound
        }
        return .redirect(request.root + temporaryPath(file, content))
    }

    /// `PUT files/{id}/content[/{key}]`: raw bytes, or a multipart body's part `content`.
    func setContent(key: String) throws -> AppNetAnswer {
        let file = try growingFile()
        try set(try upload(key: key), of: file)
        return .noContent
    }

    /// `POST files/{id}/content/{key}`: the part `content` of a multipart body.
    func addDerivedFile() throws -> AppNetAnswer {
        let file = try growingFile()
        guard case .multipart = request.body else {
            throw AppNetFailure.badRequest("The body must be multipart/form-data.")
        }
        try set(try upload(key: segment("key")), of: file)
        return .data(try shown(try files.file(file.id) ?? file))
    }

    private func set(_ upload: FileInput.Upload, of file: FileRecord) throws {
        let writer = FileWriter(call: self)
        if upload.key.isEmpty {
            _ = try writer.complete(file, with: upload)
        } else {
            try writer.add(upload, to: file)
        }
        effects.append(AppNetEvent(kind: .file, object: file.id, actor: file.owner))
    }

    private func upload(key: String) throws(AppNetFailure) -> FileInput.Upload {
        if case .multipart(let form) = request.body { return try FileInput.content(of: form, key: key) }
        let type = request.fields[.contentType].flatMap { FileRules.isMediaType($0) ? $0 : nil }
        return FileInput.Upload(
            key: key,
            name: request.fields[.appNetFileName],
            mediaType: type ?? "application/octet-stream",
            bytes: request.bytes
        )
    }
}

extension FileAccess {
    /// The token that an answer shows: the write token to the owner who sent it or no query parameters, the read token
    /// to whoever sent it (§2.4).
    var shownToken: AppNetRenderer.FileToken {
        if let readToken { return .read(readToken) }
        return showsWriteToken ? .write : .none
    }
}

extension HTTPField.Name {
    static let appNetFileName = Self.known("X-ADN-Filename")
}
