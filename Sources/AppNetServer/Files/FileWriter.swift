internal import HeliumJSON
internal import HeliumServerKit

/// Creates, changes and deletes files and stores their contents, within quotas (Docs/Protocols/AppNet.md §2.4).
struct FileWriter: RequestScoped {
    let context: AppNetContext

    /// Creates a file from `input`. The file is complete if `input` has content.
    ///
    /// - Throws: ``AppNetFailure`` with 400 if a rule is violated, and 507 if a quota is exceeded.
    func create(_ input: FileInput) throws -> FileRecord {
        guard let type = input.type else { throw AppNetFailure.badRequest("You must supply a type.") }
        try require(tables.files.count() < context.maxima.files, or: .quota("No more files can be stored."))
        guard let token = context.caller.token, let owner = token.user else { throw AppNetFailure.noToken }
        let root = input.uploads.first { $0.key.isEmpty }
        let contentKey = context.state.store.newSecret()
        var file = try tables.files.insert(
            FileRecord(
                id: 0,
                owner: owner,
                clientID: token.client,
                kind: input.kind,
                type: type,
                name: input.name ?? root?.name,
                isComplete: false,
                isPublic: input.isPublic ?? false,
                createdAt: context.now,
                writeToken: context.state.store.newSecret(),
                contentKey: contentKey,
                publicName: ContentLink.publicName(contentKey),
                annotations: try input.annotations.map { try annotations($0, of: []) } ?? []
            )
        )
        // Derived files are stored first. The file's own content completes the file, and a complete file does not
        // accept derived files.
        for upload in input.uploads where !upload.key.isEmpty { try add(upload, to: file) }
        if let root { file = try complete(file, with: root) }
        context.effects.append(AppNetEvent(kind: .file, object: file.id, actor: owner))
        return file
    }

    /// Updates the members of a file that can change.
    func update(_ file: FileRecord, _ input: FileInput) throws -> FileRecord {
        var file = file
        if let name = input.name { file.name = name }
        if let isPublic = input.isPublic { file.isPublic = isPublic }
        if let annotations = input.annotations {
            file.annotations = try self.annotations(annotations, of: file.annotations)
        }
        try tables.files.update(file)
        context.effects.append(AppNetEvent(kind: .file, object: file.id, actor: file.owner))
        return file
    }

    /// Deletes a file and records the event.
    func delete(_ file: FileRecord) throws {
        try tables.files.revoke(grantsOf: file.annotations)
        try tables.files.delete(file.id, &context.effects.removableRows)
        context.effects.append(AppNetEvent(kind: .file, object: file.id, actor: file.owner, isDeleted: true))
    }

    /// Stores the own content of an incomplete file, which completes the file.
    func complete(_ file: FileRecord, with upload: FileInput.Upload) throws -> FileRecord {
        try require(!file.isComplete, "The file is already complete.")
        var file = file
        try store(upload, name: file.name ?? upload.name, of: file)
        file.name = file.name ?? upload.name
        file.kind = file.kind ?? FileRules.kind(ofMediaType: upload.mediaType, among: context.request.dialect.fileKinds)
        file.isComplete = true
        try tables.files.update(file)
        return file
    }

    /// Adds a derived file to an incomplete file.
    func add(_ upload: FileInput.Upload, to file: FileRecord) throws {
        try require(!file.isComplete, "A complete file cannot get more derived files.")
        let contents = try tables.files.contents(of: file.id)
        guard !contents.contains(where: { $0.key == upload.key }) else {
            throw AppNetFailure.badRequest("The derived file \(upload.key.prefix(64)) already exists.")
        }
        guard contents.filter({ !$0.key.isEmpty }).count < FileRules.maximumDerivedFiles else {
            throw AppNetFailure.badRequest("A file has at most \(FileRules.maximumDerivedFiles) derived files.")
        }
        try store(upload, name: upload.name, of: file)
    }

    private func store(_ upload: FileInput.Upload, name: String?, of file: FileRecord) throws {
        let content = FileContent(key: upload.key, name: name, mediaType: upload.mediaType, facts: upload.facts)
        if !upload.key.isEmpty, let refusal = FileRules.refusal(of: content) {
            throw AppNetFailure.badRequest(refusal)
        }
        guard name?.unicodeScalars.count ?? 0 <= FileRecord.maximumNameLength else {
            throw AppNetFailure.badRequest("A name has at most \(FileRecord.maximumNameLength) characters.")
        }
        try require(upload.bytes.count <= context.maxima.uploadBytes, or: .fileTooLong(context.maxima.uploadBytes))
        let (total, overflow) = try tables.files.usedBytes(of: file.owner).addingReportingOverflow(upload.bytes.count)
        guard !overflow, total <= context.maxima.storageBytes else {
            throw AppNetFailure.quota("Your files have at most \(context.maxima.storageBytes) bytes together.")
        }
        try tables.files.insert(content, bytes: upload.bytes, of: file.id)
    }

    private func annotations(_ sent: JSONValue, of stored: [JSONValue]) throws -> [JSONValue] {
        try AnnotationRules(context: context, place: .file).merged(sent, into: stored)
    }
}
