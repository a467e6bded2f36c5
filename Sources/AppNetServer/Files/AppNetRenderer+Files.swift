internal import HeliumJSON
internal import HeliumServerKit

extension AppNetRenderer {
    /// The token in the object of a file.
    enum FileToken: Hashable, Sendable {
        case none
        /// The token that the request asks for: the read token that it contains, or the write token for the owner
        /// (Docs/Protocols/AppNet.md §2.4).
        case requested
        /// The write token of a file that the reader has just created.
        case new
    }

    /// Returns the JSON object of a file (Docs/Protocols/AppNet.md §3.4).
    func file(_ file: FileRecord, token: FileToken = .requested) throws -> JSONValue? {
        let access = try reader.access(to: file)
        guard access.mayRead || access.mayAdd || (token == .new && access.isOwner) else { return nil }
        var members = try fileMembers(file)
        if token == .requested, let token = access.readToken {
            members["file_token_read"] = .string(token)
        } else if token == .new || (token == .requested && access.showsWriteToken) {
            members["file_token"] = .string(file.writeToken)
        }
        if let user = try user(file.owner) { members["user"] = user }
        // Only the owner gets the objects to which the file is attached.
        if options.dialect.extendsObjects, isPersonal, viewer.user == file.owner,
            let attached = try AttachmentTable(database: database).attachments(of: file.id)
        {
            members["attached_to"] = attached
        }
        members["source"] = try source(file.clientID)
        members += try annotations(file.annotations, of: .file, isPublic: file.isPublic)
        return .object(members)
    }

    /// Returns the members of a file that do not depend on the caller. Tokens, user, source and annotations are not
    /// included.
    ///
    /// - Parameter grant: The read token of a public object that contains the file, for URLs that do not expire.
    func fileMembers(_ file: FileRecord, grant: String? = nil) throws -> JSONObject {
        let contents = try FileTable(database: database).contents(of: file.id)
        let own = contents.first { $0.key.isEmpty }
        var members: JSONObject = [
            "id": .id(file.id), "type": .string(file.type),
            "kind": .string(file.kind ?? "other"), "complete": .bool(file.isComplete),
            "public": .bool(file.isPublic),
            "created_at": .string(AppNetDate.text(file.createdAt)),
        ]
        if let name = file.name { members["name"] = .string(name) }
        guard file.isComplete, let own else { return members }
        members += contentMembers(own, of: file, grant: grant)
        members["total_size"] = .count(contents.map(\.size).reduce(0, +))
        if file.isPublic {
            let name = file.name
            members += [
                "url_permanent": .string(root + ContentLink.permanentPath(contentKey: file.contentKey, name: name)),
                "url_short": .string(root + ContentLink.shortPath(contentKey: file.contentKey)),
            ]
        }
        let derived = contents.filter { !$0.key.isEmpty }
        if !derived.isEmpty {
            let files = derived.map { content -> JSONObject.Element in
                let name =
                    content.name
                    ?? FileRules.name(ofDerived: content.key, root: file.name, mediaType: content.mediaType)
                let named: JSONObject = ["name": .string(name)] + contentMembers(content, of: file, grant: grant)
                return (content.key, .object(named))
            }
            members["derived_files"] = .object(files)
        }
        return members
    }

    private func contentMembers(_ content: FileContent, of file: FileRecord, grant: String?) -> JSONObject {
        var members: JSONObject = [
            "mime_type": .string(content.mediaType), "sha1": .string(content.sha1),
            "size": .count(content.size),
        ]
        if options.dialect.extendsObjects { members["sha256"] = .string(content.sha256) }
        if let width = content.width, let height = content.height {
            members["image_info"] = ["width": .count(width), "height": .count(height)]
        }
        return members + urlMembers(content, of: file, grant: grant)
    }

    /// Returns the temporary URL of a content. With `grant`, returns a permanent URL and the temporary one.
    func urlMembers(_ content: FileContent, of file: FileRecord, grant: String?) -> JSONObject {
        let link = ContentLink(file: file.id, key: content.key, name: content.name, now: now)
        let url = JSONValue.string(root + link.path(secret: file.contentKey))
        let expires = JSONValue.string(AppNetDate.text(link.expiresAt))
        guard let grant else { return ["url": url, "url_expires": expires] }
        return [
            "url": .string(root + ContentLink.attachedPath(grant, content)),
            "url_immediate": url, "url_immediate_expires": expires,
        ]
    }
}
