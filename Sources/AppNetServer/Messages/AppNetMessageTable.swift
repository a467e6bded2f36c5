internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// The stored messages.
struct AppNetMessageTable {
    let database: Database

    func message(_ id: Int64) throws -> AppNetMessage? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM appnet_message WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id]).map(Self.message(row:))
    }

    /// The messages of a channel in a window of ids.
    func messages(in channel: Int64, _ window: PageWindow) throws -> [AppNetMessage] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM appnet_message WHERE channel = ?\(window.sql("id"))",
            arguments: [channel]
        ).map(Self.message(row:))
    }

    /// The latest message of a channel that is not deleted.
    func latest(in channel: Int64) throws -> AppNetMessage? {
        let sql = "SELECT * FROM appnet_message WHERE channel = ? AND NOT is_deleted ORDER BY id DESC LIMIT 1"
        return try Row.fetchOne(database, sql: sql, arguments: [channel]).map(Self.message(row:))
    }

    /// The messages of an author in a window of ids.
    func messages(by user: Int64, _ window: PageWindow) throws -> [AppNetMessage] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM appnet_message WHERE user = ?\(window.sql("id"))",
            arguments: [user]
        ).map(Self.message(row:))
    }

    func count() throws -> Int { try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM appnet_message") ?? 0 }

    /// Stores a new message, whatever its id says, and gives it its id, and its thread where that is 0.
    func insert(_ message: AppNetMessage) throws -> AppNetMessage {
        try database.execute(
            sql: """
                INSERT INTO appnet_message (channel, user, client, created, text, entities, annotations, thread,
                    reply_to, replies, machine_only, is_deleted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: Self.arguments(message)
        )
        var message = message
        message.id = database.lastInsertedRowID
        if message.thread == 0 {
            message.thread = message.id
            try update(message)
        }
        return message
    }

    func update(_ message: AppNetMessage) throws {
        try database.execute(
            sql: """
                UPDATE appnet_message SET channel = ?, user = ?, client = ?, created = ?, text = ?, entities = ?,
                    annotations = ?, thread = ?, reply_to = ?, replies = ?, machine_only = ?, is_deleted = ?
                WHERE id = ?
                """,
            arguments: Self.arguments(message) + [message.id]
        )
    }

    private static func arguments(_ message: AppNetMessage) -> StatementArguments {
        let entities = message.text?.entities ?? message.entities
        return [
            message.channel, message.user, message.client, message.created, message.text?.text, entities.json.text(),
            JSONValue.array(message.annotations).text(), message.thread, message.replyTo, message.replies,
            message.isMachineOnly, message.isDeleted,
        ]
    }

    static func message(row: Row) -> AppNetMessage {
        let entities = AppNetEntities(stored: JSONValue.parse(row["entities"]) ?? .null)
        return AppNetMessage(
            id: row["id"],
            channel: row["channel"],
            user: row["user"],
            client: row["client"],
            created: row["created"],
            text: (row["text"] as String?).map { ProcessedText(text: $0, entities: entities) },
            entities: entities,
            annotations: JSONValue.parse(row["annotations"])?.arrayValue ?? [],
            thread: row["thread"],
            replyTo: row["reply_to"],
            replies: row["replies"],
            isMachineOnly: row["machine_only"],
            isDeleted: row["is_deleted"]
        )
    }
}
