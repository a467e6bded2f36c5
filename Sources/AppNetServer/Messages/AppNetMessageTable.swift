internal import GRDB
internal import HeliumServerKit

/// The stored messages. Deleted ones stay, so the latest id is also their number.
struct AppNetMessageTable {
    let database: Database

    private var index: SearchIndex { SearchIndex(.message, database) }

    func message(_ id: Int64) throws -> AppNetMessage? { try AppNetMessage.fetchOne(database, where: "id = ?", [id]) }

    /// The messages of a channel in a window of ids.
    func messages(in channel: Int64, _ window: PageWindow) throws -> [AppNetMessage] {
        try AppNetMessage.fetchAll(database, where: "channel = ?", [channel], window)
    }

    /// The latest message of a channel that is not deleted.
    func latest(in channel: Int64) throws -> AppNetMessage? {
        try AppNetMessage.fetchOne(
            database,
            where: "channel = ? AND NOT is_deleted ORDER BY id DESC LIMIT 1",
            [channel]
        )
    }

    /// The messages of an author in a window of ids.
    func messages(by user: Int64, _ window: PageWindow) throws -> [AppNetMessage] {
        try AppNetMessage.fetchAll(database, where: "user = ?", [user], window)
    }

    /// The messages of channels that a search looks at, in a window of ids.
    ///
    /// - Parameter terms: What the index is asked for; `nil` looks at all of them.
    func messages(
        matching terms: SearchExpression?,
        in channels: some Collection<Int64>,
        _ window: PageWindow
    ) throws -> [AppNetMessage] {
        guard !channels.isEmpty else { return [] }
        // Ids that were read from the database.
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

    /// Stores a new message under the next id. The id also takes the place of a thread of 0, and of `{template}` in links
    /// and annotations, so that the row is written once.
    func insert(_ message: AppNetMessage, template: String) throws -> AppNetMessage {
        var message = message
        message.id = try AppNetMessage.lastID(database) + 1
        if message.thread == 0 { message.thread = message.id }
        message.replaceTemplates(template, with: message.id)
        try message.insert(database)
        if let text = message.processedText {
            try index.set(SearchTerms(text, channel: message.channel), of: message.id)
        }
        return message
    }

    /// Stores what changed of a message. A text never does, until it is deleted.
    func update(_ message: AppNetMessage) throws {
        try message.update(database)
        if message.isDeleted { try index.remove(message.id) }
    }
}
