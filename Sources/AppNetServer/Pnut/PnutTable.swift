internal import GRDB

/// The tables of pnut's own calls: sticky messages, deletions, operations.
struct PnutTable {
    /// The most operations that are kept; the oldest go first.
    static let maximumOperations = 1000
    /// The most sticky messages of a channel.
    static let maximumSticky = 10

    let database: Database

    static func createTables(_ database: Database) throws {
        try database.create(table: "appnet_sticky", options: .strict) { table in
            table.primaryKey("message", .integer)
            table.column("channel", .integer).notNull().indexed()
        }
        try database.create(table: "appnet_deletion", options: .strict) { table in
            table.primaryKey("message", .integer)
            table.column("user", .integer).notNull()
        }
        try database.create(table: "appnet_presence", options: .strict) { table in
            table.primaryKey("user", .integer)
            table.column("text", .text).notNull()
            table.column("seen", .integer).notNull()
        }
        try database.create(table: "appnet_operation", options: .strict) { table in
            table.autoIncrementedPrimaryKey("number")
            table.column("id", .text).notNull().unique()
            table.column("user", .integer).notNull()
            table.column("total", .integer).notNull()
        }
    }

    // MARK: Sticky messages

    func isSticky(_ message: Int64) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT 1 FROM appnet_sticky WHERE message = ?)",
            arguments: [message]
        ) ?? false
    }

    func stickyMessages(in channel: Int64, _ window: PageWindow) throws -> [Int64] {
        try Int64.fetchAll(
            database,
            sql: "SELECT message FROM appnet_sticky WHERE channel = ?" + window.sql("message"),
            arguments: [channel]
        )
    }

    func stickyCount(in channel: Int64) throws -> Int {
        try Int.fetchOne(
            database,
            sql: "SELECT COUNT(*) FROM appnet_sticky WHERE channel = ?",
            arguments: [channel]
        ) ?? 0
    }

    func setSticky(_ isSticky: Bool, _ message: Int64, in channel: Int64) throws {
        try database.execute(sql: "DELETE FROM appnet_sticky WHERE message = ?", arguments: [message])
        guard isSticky else { return }
        try database.execute(
            sql: "INSERT INTO appnet_sticky (message, channel) VALUES (?, ?)",
            arguments: [message, channel]
        )
    }

    // MARK: Deletions and deeds

    /// Keeps who deleted somebody else's message.
    func setDeletion(of message: Int64, by user: Int64) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO appnet_deletion (message, user) VALUES (?, ?)",
            arguments: [message, user]
        )
    }

    /// Who deleted a message; nil for its author.
    func deleter(of message: Int64) throws -> Int64? {
        try Int64.fetchOne(
            database,
            sql: "SELECT user FROM appnet_deletion WHERE message = ?",
            arguments: [message]
        )
    }

    /// What others did with a post, in a window of pagination ids.
    func deeds(on post: Int64, _ window: PageWindow) throws -> [InteractionTable.Deed] {
        let sql = "SELECT * FROM appnet_interaction WHERE object = ? AND action <> 'follow'" + window.sql("id")
        return try Row.fetchAll(database, sql: sql, arguments: [post]).map { row in
            InteractionTable.Deed(
                id: row["id"],
                action: row["action"],
                object: row["object"],
                actor: row["actor"],
                created: row["created"]
            )
        }
    }

    // MARK: Operations

    /// Keeps that `user` had `total` things done.
    func insertOperation(_ id: String, user: Int64, total: Int) throws {
        try database.execute(
            sql: "INSERT INTO appnet_operation (id, user, total) VALUES (?, ?, ?)",
            arguments: [id, user, total]
        )
        try database.execute(
            sql: "DELETE FROM appnet_operation WHERE number <= ?",
            arguments: [database.lastInsertedRowID - Int64(Self.maximumOperations)]
        )
    }

    /// How many things an operation of `user` did; nil where there is none.
    func operation(_ id: String, of user: Int64) throws -> Int? {
        try Int.fetchOne(
            database,
            sql: "SELECT total FROM appnet_operation WHERE id = ? AND user = ?",
            arguments: [id, user]
        )
    }
}
