internal import HeliumServerKit

/// The calls for the contents of files, and the targets of their URLs (Docs/Protocols/AppNet.md §2.4).
struct FileContentHandlers: RequestScoped {
    let context: AppNetContext

    private var finder: FileFinder { FileFinder(context) }

    // MARK: Calls

    /// Handles `GET files/{id}/content[/{key}]`. Redirects to the content.
    func locate() throws -> AppNetResponse {
        let (file, _) = try finder.readable()
        guard file.isComplete else { return .noContent }
        return try location(of: file, key: context.segment("key"))
    }

    /// Handles `PUT files/{id}/content[/{key}]`. The body is raw bytes, or a multipart body with the part `content`.
    func set(_ upload: FileInput.SentContent) throws -> AppNetResponse {
        let file = try finder.growing()
        try set(keyed(upload), of: file)
        return .noContent
    }

    /// Handles `POST files/{id}/{key}`. `content` is not a key. It denotes the file's own content, which is set with PUT.
    func addNamed(_ upload: FileInput.SentContent) throws -> AppNetResponse {
        try require(context.segment("key") != "content", or: .methodNotAllowed(["GET", "PUT"]))
        return try addDerived(upload)
    }

    /// Handles `POST files/{id}/content/{key}`. The body is a multipart body with the part `content`.
    func addDerived(_ upload: FileInput.SentContent) throws -> AppNetResponse {
        let file = try finder.growing()
        guard case .multipart = context.request.body else {
            throw AppNetFailure.badRequest("The body must be multipart/form-data.")
        }
        try set(keyed(upload), of: file)
        let changed = try tables.files.file(file.id) ?? file
        return try .object(context.renderer.file(changed))
    }

    private func set(_ upload: FileInput.Upload, of file: FileRecord) throws {
        let writer = FileWriter(context)
        if upload.key.isEmpty {
            _ = try writer.complete(file, with: upload)
        } else {
            try writer.add(upload, to: file)
        }
        context.effects.append(AppNetEvent(kind: .file, object: file.id, actor: file.owner))
    }

    /// Returns the content in the body, with the key of the path.
    private func keyed(_ sent: FileInput.SentContent) throws(AppNetFailure) -> FileInput.Upload {
        var upload = try sent.get()
        upload.key = context.segment("key")
        return upload
    }

    // MARK: URLs of contents

    /// Returns the bytes of a temporary URL.
    func read() throws -> AppNetResponse {
        let segments = ["file", "key", "expires", "proof", "name"].map(context.segment)
        guard let (link, proof) = ContentLink.parse(segments), let file = try tables.files.file(link.file),
            link.isProved(by: proof, secret: file.contentKey)
        else { throw AppNetFailure.notFound }
        try require(context.now < link.expiresAt, or: .forbidden("The URL has expired."))
        guard let content = try tables.files.contents(of: file.id).first(where: { $0.key == link.key }),
            let bytes = try tables.files.bytes(of: file.id, key: link.key)
        else { throw AppNetFailure.notFound }
        return .reply(ContentReply.reply(content, bytes, fields: context.request.fields))
    }

    /// Redirects the permanent URL of a public file, with or without an extension, to a temporary one.
    func redirectToPublic() throws -> AppNetResponse {
        guard let name = context.segment("name").split(separator: ".", omittingEmptySubsequences: false).first,
            let file = try tables.files.file(publicName: String(name)), file.isPublic
        else { throw AppNetFailure.notFound }
        return try redirect(to: file, key: "")
    }

    /// Redirects the permanent URL of a file in a public object to a temporary one. The URL contains the token of the
    /// object's annotation.
    func redirectToAttached() throws -> AppNetResponse {
        guard let id = try tables.files.file(grantedBy: context.segment("token")),
            let file = try tables.files.file(id)
        else { throw AppNetFailure.notFound }
        return try redirect(to: file, key: context.segment("key") == "-" ? "" : context.segment("key"))
    }

    private func redirect(to file: FileRecord, key: String) throws -> AppNetResponse {
        try require(file.isComplete, or: .notFound)
        return try location(of: file, key: key)
    }

    /// Returns a redirect to a content's temporary URL.
    private func location(of file: FileRecord, key: String) throws -> AppNetResponse {
        let content = try require(tables.files.contents(of: file.id).first(where: { $0.key == key }), or: .notFound)
        let link = ContentLink(file: file.id, key: key, name: content.name, now: context.now)
        return .redirect(context.request.root + link.path(secret: file.contentKey))
    }
}
