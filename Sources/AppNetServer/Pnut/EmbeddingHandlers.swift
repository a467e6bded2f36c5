internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// pnut's oEmbed call (Docs/Protocols/AppNet.md §6.2). It returns JSON without an envelope, for the pages of posts and
/// files.
struct EmbeddingHandlers: RequestScoped {
    let context: AppNetContext

    /// Handles `GET oembed?url=`.
    func read() throws -> AppNetResponse {
        guard let url = context.parameters["url"] else { throw AppNetFailure.badRequest("You must supply url.") }
        guard context.parameters["format"] ?? "json" == "json" else {
            throw AppNetFailure(.notImplemented, "Not Implemented: The format must be json.")
        }
        let host = WebHost.authority(of: url).lowercased()
        let last = url.split(separator: "/").last.map { $0.prefix { $0.isASCII && $0.isNumber } } ?? ""
        guard let id = Int64(last) else { throw AppNetFailure.notFound }
        switch host {
        case "posts.pnut.io": return .bare(.ok, try embedding(ofPost: id))
        case "photos.pnut.io", "audio.pnut.io":
            return .bare(.ok, try embedding(ofFile: id, isPhoto: host.hasPrefix("photos")))
        default: throw AppNetFailure.notFound
        }
    }

    private static let provider: JSONValue = [
        "version": "1.0", "provider_name": "pnut.io", "provider_url": "https://pnut.io",
    ]

    private func embedding(ofPost id: Int64) throws -> JSONValue {
        guard let post = try tables.posts.post(id), let text = post.processedText, !post.isDeleted else {
            throw AppNetFailure.notFound
        }
        var embedding = Self.provider
        embedding["type"] = "rich"
        embedding["html"] = .string(text.html)
        embedding["width"] = 550
        embedding["height"] = .null
        if let author = try tables.users.user(post.user) {
            embedding["author_name"] = .string("@\(author.username)")
            embedding["author_url"] = .string("https://pnut.io/@\(author.username)")
        }
        return embedding
    }

    /// Returns the embedding of a public file.
    private func embedding(ofFile id: Int64, isPhoto: Bool) throws -> JSONValue {
        guard let file = try tables.files.file(id), file.isPublic, file.isComplete,
            (file.kind == "image") == isPhoto,
            let own = try tables.files.contents(of: id).first(where: \.key.isEmpty)
        else { throw AppNetFailure.notFound }
        let url = context.request.root + ContentLink.permanentPath(contentKey: file.contentKey, name: file.name)
        var embedding = Self.provider
        if isPhoto {
            embedding["type"] = "photo"
            embedding["url"] = .string(url)
            if let width = own.width { embedding["width"] = .count(width) }
            if let height = own.height { embedding["height"] = .count(height) }
        } else {
            embedding["type"] = "rich"
            embedding["html"] = .string(#"<audio controls src="\#(url)"></audio>"#)
        }
        if let name = file.name { embedding["title"] = .string(name) }
        return embedding
    }
}
