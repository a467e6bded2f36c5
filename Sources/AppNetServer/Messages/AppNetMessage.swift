internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A message in its stored form (Docs/Protocols/AppNet.md §3.1).
struct AppNetMessage: AuthoredRecord, Codable, Hashable, Sendable {
    var id: Int64
    var channel: Int64
    var user: Int64
    var client: String
    var created: Int64
    /// The text; `nil` for machine-only and deleted messages.
    var text: String?
    @JSONText var entities = AppNetEntities()
    @JSONText var annotations: [JSONValue] = []
    /// The id of the first message of its thread, which may be the message itself. It is 0 in a new message that starts
    /// a thread.
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
