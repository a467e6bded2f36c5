extension AppNetRenderer {
    /// Which token of a file an answer shows.
    enum FileToken: Hashable, Sendable {
        case none, write
        case read(String)
    }

    /// A file (§3.4).
    func file(_ file: FileRecord, token: FileToken) throws -> JSONTree {
        var members = try fileMembers(file)
        switch token {
        case .none: break
        case .write: members.append(JSONMember("file_token", .string(file.writeToken)))
        case .read(let token): members.append(JSONMember("file_token_read", .string(token)))
        }
        if let user = try user(file.owner) { members.append(JSONMember("user", user)) }
        // Its owner alone is told what else there is of the file.
        if options.isPnut, isPersonal, viewer.user == file.owner,
            let attached = try AttachmentTable(database: database).attachments(of: file.id)
        {
            members.append(JSONMember("attached_to", attached))
        }
        members.append(JSONMember("source", try source(file.clientID)))
        members += try annotations(file.annotations, of: .file, isPublic: file.isPublic)
        return .object(members)
    }

    /// What of a file does not depend on who asks: no tokens, user, source and annotations.
    ///
    /// - Parameter grant: the read token of a public object that shows the file, for URLs that do not expire
    func fileMembers(_ file: FileRecord, grant: String? = nil) throws -> [JSONMember] {
        let contents = try FileTable(database: database).contents(of: file.id)
        let own = contents.first { $0.key.isEmpty }
        var members = [
            JSONMember("id", .id(file.id)), JSONMember("type", .string(file.type)),
            JSONMember("kind", .string(file.kind ?? "other")), JSONMember("complete", .bool(file.isComplete)),
            JSONMember("public", .bool(file.isPublic)),
            JSONMember("created_at", .string(AppNetDate.text(file.createdAt))),
        ]
        if let name = file.name { members.append(JSONMember("name", .string(name))) }
        guard file.isComplete, let own else { return members }
        members += contentMembers(own, of: file, grant: grant)
        members.append(JSONMember("total_size", .count(contents.map(\.size).reduce(0, +))))
        if file.isPublic {
            let name = file.name
            members += [
                JSONMember(
                    "url_permanent",
                    .string(root + ContentLink.permanentPath(contentKey: file.contentKey, name: name))
                ),
                JSONMember("url_short", .string(root + ContentLink.shortPath(contentKey: file.contentKey))),
            ]
        }
        let derived = contents.filter { !$0.key.isEmpty }
        if !derived.isEmpty {
            let files = derived.map { content in
                let name =
                    content.name
                    ?? FileRules.name(
                        ofDerived: content.key,
                        root: file.name,
                        mediaType: content.mediaType
                    )
                let named = [JSONMember("name", .string(name))] + contentMembers(content, of: file, grant: grant)
                return JSONMember(content.key, .object(named))
            }
            members.append(JSONMember("derived_files", .object(files)))
        }
        return members
    }

    private func contentMembers(_ content: FileContent, of file: FileRecord, grant: String?) -> [JSONMember] {
        var members = [
            JSONMember("mime_type", .string(content.mediaType)), JSONMember("sha1", .string(content.sha1)),
            JSONMember("size", .count(content.size)),
        ]
        if options.isPnut { members.append(JSONMember("sha256", .string(content.sha256))) }
        if let width = content.width, let height = content.height {
            members.append(JSONMember("image_info", ["width": .count(width), "height": .count(height)]))
        }
        return members + urlMembers(content, of: file, grant: grant)
    }

    /// The URL of a content: a temporary one, or with `grant` a permanent one and the temporary one beside it.
    func urlMembers(_ content: FileContent, of file: FileRecord, grant: String?) -> [JSONMember] {
        let link = ContentLink(file: file.id, key: content.key, name: content.name, now: now)
        let url = JSONTree.string(root + link.path(secret: file.contentKey))
        let expires = JSONTree.string(AppNetDate.text(link.expiresAt))
        guard let grant else { return [JSONMember("url", url), JSONMember("url_expires", expires)] }
        return [
            JSONMember("url", .string(root + ContentLink.attachedPath(grant, content))),
            JSONMember("url_immediate", url), JSONMember("url_immediate_expires", expires),
        ]
    }
}
