internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A stored post (§3.5).
struct PostRecord: Hashable, Sendable {
    var id: Int64
    var user: Int64
    var client: String
    var created: Int64
    /// Nil for machine only and for deleted ones.
    var text: String?
    var entities = AppNetEntities()
    var annotations: [JSONValue] = []
    /// The first post of its thread, which may be itself. A new post that starts one has 0.
    var thread: Int64
    var replyTo: Int64?
    var repostOf: Int64?
    var isMachineOnly = false
    var isDeleted = false
    /// Which earlier version it is; `nil` for the one that is shown (AppNet.md §6.3).
    var revision: Int?
}

extension PostRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "appnet_post"

    enum Columns: String, ColumnExpression {
        case id, user, client, created, text, entities, annotations, thread
        case replyTo = "reply_to"
        case repostOf = "repost_of"
        case isMachineOnly = "machine_only"
        case isDeleted = "is_deleted"
    }

    init(row: Row) throws {
        self.init(
            id: row[Columns.id],
            user: row[Columns.user],
            client: row[Columns.client],
            created: row[Columns.created],
            text: row[Columns.text],
            entities: try row.json(Columns.entities),
            annotations: try row.json(Columns.annotations),
            thread: row[Columns.thread],
            replyTo: row[Columns.replyTo],
            repostOf: row[Columns.repostOf],
            isMachineOnly: row[Columns.isMachineOnly],
            isDeleted: row[Columns.isDeleted]
        )
    }

    func encode(to container: inout PersistenceContainer) {
        container[Columns.id] = id
        container[Columns.user] = user
        container[Columns.client] = client
        container[Columns.created] = created
        container[Columns.text] = text
        container[Columns.entities] = JSONText(wrappedValue: entities)
        container[Columns.annotations] = JSONText(wrappedValue: annotations)
        container[Columns.thread] = thread
        container[Columns.replyTo] = replyTo
        container[Columns.repostOf] = repostOf
        container[Columns.isMachineOnly] = isMachineOnly
        container[Columns.isDeleted] = isDeleted
    }
}

extension PostRecord {
    var hashtags: Set<String> { Set(entities.hashtags.map(\.name)) }

    /// The users mentioned, and whether only mentions stand before them.
    var mentions: [Int64: Bool] {
        Dictionary(entities.mentions.map { ($0.id, $0.isLeading) }) { $0 || $1 }
    }

    func hasAnnotation(_ type: String) -> Bool { annotations.contains { $0["type"]?.stringValue == type } }

    /// Whether an oembed annotation is of a kind: `photo`, `video`, `html5video`, `rich`.
    func hasEmbed(_ kind: String) -> Bool { annotations.hasEmbed(kind) }
}

extension [JSONValue] {
    /// Whether one of these annotations is an oembed of a kind.
    func hasEmbed(_ kind: String) -> Bool {
        contains { annotation in
            guard annotation["type"]?.stringValue == "net.app.core.oembed" else { return false }
            let value = annotation["value"]
            return [value?["type"], value?["+net.app.core.file"]?["type"]].contains { $0?.stringValue == kind }
        }
    }
}
