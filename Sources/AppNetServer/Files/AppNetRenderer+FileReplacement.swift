internal import HeliumJSON
internal import HeliumServerKit

extension AppNetRenderer {
    /// Returns the members that replace a stored replacement value (Docs/Protocols/AppNet.md §4.2). For a deleted file
    /// they are only the id and the token.
    func fileReplacement(_ reference: JSONValue, isPublic: Bool) throws -> JSONObject {
        guard let id = reference["file_id"]?.stringValue, let token = reference["file_token_read"]?.stringValue else {
            return [:]
        }
        var members: JSONObject = ["file_id": .string(id), "file_token_read": .string(token)]
        guard let file = try Int64(id).flatMap({ try FileTable(database: database).file($0) }) else { return members }
        let grant = isPublic ? token : nil
        switch reference["format"] {
        case "metadata":
            members += try fileMembers(file, grant: grant).filter { $0.name != "id" }
        case "url":
            let contents = try FileTable(database: database).contents(of: file.id)
            if file.isComplete, let own = contents.first(where: { $0.key.isEmpty }) {
                members += urlMembers(own, of: file, grant: grant)
            }
        default: members += try oembedMembers(file, grant: grant)
        }
        return members
    }

    /// Returns the oembed members of a file: those of the file's own annotation, or those of a photo.
    private func oembedMembers(_ file: FileRecord, grant: String?) throws -> JSONObject {
        let contents = try FileTable(database: database).contents(of: file.id)
        guard file.isComplete, let own = contents.first(where: { $0.key.isEmpty }) else { return [:] }
        if let metadata = file.oembedMetadata {
            return suppliedMembers(metadata, of: file, contents: contents, grant: grant)
        }
        guard let width = own.width, let height = own.height else { return [:] }
        var members: JSONObject = [
            "type": "photo", "version": "1.0", "width": .count(width),
            "height": .count(height),
        ]
        members += urlMembers(own, of: file, grant: grant)
        // Without a square thumbnail, the image is its own thumbnail.
        let square = contents.first { $0.key == FileRules.squareKey } ?? own
        members += thumbnailMembers(square, prefix: "thumbnail", of: file, grant: grant)
        if let large = contents.first(where: { $0.key == FileRules.largeKey }) {
            members += thumbnailMembers(large, prefix: "thumbnail_large", of: file, grant: grant)
        }
        return members
    }

    private func thumbnailMembers(
        _ content: FileContent,
        prefix: String,
        of file: FileRecord,
        grant: String?
    ) -> JSONObject {
        guard let width = content.width, let height = content.height,
            let url = urlMembers(content, of: file, grant: grant).first?.value
        else { return [:] }
        return [
            "\(prefix)_url": url, "\(prefix)_width": .count(width),
            "\(prefix)_height": .count(height),
        ]
    }

    /// Returns the members of `net.app.core.oembed.metadata`. Keys of derived files become URLs.
    private func suppliedMembers(
        _ metadata: JSONValue,
        of file: FileRecord,
        contents: [FileContent],
        grant: String?
    ) -> JSONObject {
        func url(_ key: JSONValue) -> JSONValue? {
            guard let content = contents.first(where: { $0.key == key.stringValue }) else { return nil }
            return urlMembers(content, of: file, grant: grant).first?.value
        }
        func member(_ member: JSONObject.Element) -> JSONObject.Element? {
            switch member.name {
            case "url_key": url(member.value).map { ("url", $0) }
            case "poster_key": url(member.value).map { ("poster_url", $0) }
            case "thumbnail_key": url(member.value).map { ("thumbnail_url", $0) }
            case "sources":
                (
                    "sources",
                    .array((member.value.arrayValue ?? []).map { .object(($0.objectValue ?? [:]).compactMap(plain)) })
                )
            default: member
            }
        }
        func plain(_ member: JSONObject.Element) -> JSONObject.Element? {
            member.name == "url_key" ? url(member.value).map { ("url", $0) } : member
        }
        var members = JSONObject((metadata.objectValue ?? [:]).compactMap(member))
        // A photo without a URL is the file itself.
        if metadata["type"] == "photo", !members.contains(where: { $0.name == "url" }),
            let own = contents.first(where: { $0.key.isEmpty })
        {
            members += urlMembers(own, of: file, grant: grant)
        }
        return members
    }
}
