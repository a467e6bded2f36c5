internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A message as the store keeps it (§3.1).
struct AppNetMessage: AuthoredRecord, Codable, Hashable, Sendable {
    var id: Int64
    var channel: Int64
    var user: Int64
    var client: String
    var created: Int64
    /// Nil for machine only and for deleted ones.
    var text: String?
    @JSONText var entities = AppNetEntities()
    @JSONText var annotations: [JSONValue] = []
    /// The first message of its thread, which may be itself. A new message that starts one has 0.
    var thread: Int64
    var replyTo: Int64?
    var replies = 0
    var isMachineOnly = false
    var isDeleted = false

    enum CodingKeys: String, CodingKey {
        case id, channel, user, client, created, text, entities, annotations, thread, replies
        case replyTo = "reply_to"
        case isMachineOnly = "machine_only"
        case isDeleted = "is_deleted"
    }
}

extension AppNetMessage: FetchableRecord, PersistableRecord {
    static let databaseTableName = "appnet_message"
}
