internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A message as the store keeps it (§3.1).
struct AppNetMessage: Hashable, Sendable {
    var id: Int64
    var channel: Int64
    var user: Int64
    var client: String
    var created: Int64
    /// Nil where it is machine only.
    var text: ProcessedText?
    /// Mentions of a machine only message, which have no place in a text.
    var entities = AppNetEntities()
    var annotations: [JSONValue] = []
    /// The first message of its thread, which may be itself. A new message that starts one has 0.
    var thread: Int64
    var replyTo: Int64?
    var replies = 0
    var isMachineOnly = false
    var isDeleted = false
}

extension AppNetMessage: FetchableRecord, PersistableRecord {
    static let databaseTableName = "appnet_message"

    enum Columns: String, ColumnExpression {
        case id, channel, user, client, created, text, entities, annotations, thread, replies
        case replyTo = "reply_to"
        case isMachineOnly = "machine_only"
        case isDeleted = "is_deleted"
    }

    init(row: Row) throws {
        let entities: AppNetEntities = try row.json(Columns.entities)
        self.init(
            id: row[Columns.id],
            channel: row[Columns.channel],
            user: row[Columns.user],
            client: row[Columns.client],
            created: row[Columns.created],
            text: (row[Columns.text] as String?).map { ProcessedText(text: $0, entities: entities) },
            entities: entities,
            annotations: try row.json(Columns.annotations),
            thread: row[Columns.thread],
            replyTo: row[Columns.replyTo],
            replies: row[Columns.replies],
            isMachineOnly: row[Columns.isMachineOnly],
            isDeleted: row[Columns.isDeleted]
        )
    }

    func encode(to container: inout PersistenceContainer) {
        container[Columns.id] = id
        container[Columns.channel] = channel
        container[Columns.user] = user
        container[Columns.client] = client
        container[Columns.created] = created
        container[Columns.text] = text?.text
        container[Columns.entities] = JSONText(wrappedValue: text?.entities ?? entities)
        container[Columns.annotations] = JSONText(wrappedValue: annotations)
        container[Columns.thread] = thread
        container[Columns.replyTo] = replyTo
        container[Columns.replies] = replies
        container[Columns.isMachineOnly] = isMachineOnly
        container[Columns.isDeleted] = isDeleted
    }
}
