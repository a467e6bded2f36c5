internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A post in its stored form (Docs/Protocols/AppNet.md §3.5).
struct PostRecord: AuthoredRecord, Codable, Hashable, Sendable {
    var id: Int64
    var user: Int64
    var client: String
    var created: Int64
    /// The text; `nil` for machine-only and deleted posts.
    var text: String?
    @JSONText var entities = AppNetEntities()
    @JSONText var annotations: [JSONValue] = []
    /// The id of the first post of its thread, which may be the post itself. It is 0 in a new post that starts a
    /// thread.
    var thread: Int64
    var replyTo: Int64?
    var repostOf: Int64?
    var isMachineOnly = false
    var isDeleted = false
    /// The number of an earlier version; `nil` for the current one (Docs/Protocols/AppNet.md §6.3).
    var revision: Int?

    enum CodingKeys: String, CodingKey {
        case id, user, client, created, text, entities, annotations, thread
        case replyTo = "reply_to"
        case repostOf = "repost_of"
        case isMachineOnly = "machine_only"
        case isDeleted = "is_deleted"
    }
}

extension PostRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "appnet_post"
}

extension PostRecord {
    var hashtags: Set<String> { Set(entities.hashtags.map(\.name)) }

    /// The mentioned users, and whether only mentions precede each mention.
    var mentions: [Int64: Bool] {
        Dictionary(entities.mentions.map { ($0.id, $0.isLeading) }) { $0 || $1 }
    }

    func hasAnnotation(_ type: String) -> Bool { annotations.contains { $0["type"]?.stringValue == type } }

    /// Returns whether an oembed annotation is of a kind: `photo`, `video`, `html5video` or `rich`.
    func hasEmbed(_ kind: String) -> Bool { annotations.hasEmbed(kind) }
}

extension [JSONValue] {
    /// Returns whether one of these annotations is an oembed of a kind.
    func hasEmbed(_ kind: String) -> Bool {
        contains { annotation in
            guard annotation["type"]?.stringValue == "net.app.core.oembed" else { return false }
            let value = annotation["value"]
            return [value?["type"], value?["+net.app.core.file"]?["type"]].contains { $0?.stringValue == kind }
        }
    }
}
