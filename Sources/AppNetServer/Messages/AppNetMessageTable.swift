internal import GRDB
internal import HeliumServerKit

/// The table of messages. Deleted messages are kept, so the latest id equals the number of messages.
struct AppNetMessageTable {
    let database: Database

    private var index: SearchIndex { SearchIndex(.message, database) }

    func message(_ id: Int64) throws -> AppNetMessage? { try AppNetMessage.fetchOne(database, where: "id = ?", [id]) }

    /// Returns the messages of a channel in a window of ids.
    func messages(in channel: Int64, _ window: PageWindow) throws -> [AppNetMessage] {
        try AppNetMessage.fetchAll(database, where: "channel = ?", [channel], window)
    }

    /// Returns the latest message of a channel that is not deleted.
    func latest(in channel: Int64) throws -> AppNetMessage? {
        try AppNetMessage.fetchOne(
            database,
            where: "channel = ? AND NOT is_deleted ORDER BY id DESC LIMIT 1",
            [channel]
        )
    }

    /// Returns the messages of an author in a window of ids.
    func messages(by user: Int64, _ window: PageWindow) throws -> [AppNetMessage] {
        try AppNetMessage.fetchAll(database, where: "user = ?", [user], window)
    }

    /// Returns the messages of channels for a search, in a window of ids.
    ///
    /// - Parameter terms: The expression for the index; `nil` for all messages.
    func messages(
        matching terms: SearchExpression?,
        in channels: some Collection<Int64>,
        _ window: PageWindow
    ) throws -> [AppNetMessage] {
        guard !channels.isEmpty else { return [] }
        // The ids were read from the database, so they are safe in SQL.
        let condition = "channel IN (\(channels.map(String.init).joined(separator: ",")))"
        guard let terms else {
            return try AppNetMessage.fetchAll(
                database,
                where: condition + " AND NOT is_deleted AND NOT machine_only",
                [],
                window
            )
        }
        return try index.objects(matching: terms.in(channels), where: condition, window)
    }

    func count() throws -> Int { Int(try AppNetMessage.lastID(database)) }

    /// Stores a new message with the next id. The id replaces a thread of 0 and `{template}` in links and annotations
    /// before the row is written, so that it is written once.
    func insert(_ message: AppNetMessage, template: String) throws -> AppNetMessage {
        var message = message
        message.id = try AppNetMessage.nextID(database)
        if message.thread == 0 { message.thread = message.id }
        message.replaceTemplates(template, with: message.id)
        try message.insert(database)
        if let text = message.processedText {
            try index.set(SearchTerms(text, channel: message.channel), of: message.id)
        }
        return message
    }

    /// Stores the changes of a message. Its text does not change before it is deleted.
    func update(_ message: AppNetMessage) throws {
        try message.update(database)
        if message.isDeleted { try index.remove(message.id) }
    }
}
