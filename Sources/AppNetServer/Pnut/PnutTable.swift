internal import GRDB
internal import HeliumServerKit

/// The tables for pnut's own calls: sticky messages, deletions and operations.
struct PnutTable {
    /// The maximum number of stored operations. The oldest are deleted first.
    static let maximumOperations = 1000
    /// The maximum number of sticky messages in a channel.
    static let maximumSticky = 10

    private struct Sticky: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_sticky"

        let message: Int64
        let channel: Int64
    }

    /// A record of the deletion of another user's message.
    private struct Deletion: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_deletion"

        let message: Int64
        let user: Int64
    }

    private struct Operation: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_operation"

        @RowID var number: Int64
        let id: String
        let user: Int64
        let total: Int
    }

    let database: Database

    static func createTables(_ database: Database) throws {
        try database.create(table: "appnet_sticky", options: .strict) { table in
            table.primaryKey("message", .integer)
            table.column("channel", .integer).notNull().indexed()
        }
        try database.create(table: "appnet_deletion", options: .strict) { table in
            table.primaryKey("message", .integer)
            table.requiredColumns(.integer, "user")
        }
        try database.create(table: "appnet_presence", options: .strict) { table in
            table.primaryKey("user", .integer)
            table.requiredColumns(.text, "text")
            table.requiredColumns(.integer, "seen")
        }
        try database.create(table: "appnet_operation", options: .strict) { table in
            table.autoIncrementedPrimaryKey("number")
            table.column("id", .text).notNull().unique()
            table.requiredColumns(.integer, "user", "total")
        }
    }

    // MARK: Sticky messages

    func isSticky(_ message: Int64) throws -> Bool { try Sticky.exists(database, where: "message = ?", [message]) }

    func stickyMessages(in channel: Int64, _ window: PageWindow) throws -> [Int64] {
        try Sticky.fetchAll(database, where: "channel = ?", [channel], window, by: "message").map(\.message)
    }

    func stickyCount(in channel: Int64) throws -> Int {
        try Sticky.fetchCount(database, where: "channel = ?", [channel])
    }

    func setSticky(_ isSticky: Bool, _ message: Int64, in channel: Int64) throws {
        try Sticky.deleteOne(database, key: message)
        if isSticky { try Sticky(message: message, channel: channel).insert(database) }
    }

    // MARK: Deletions

    /// Stores the user who deleted another user's message.
    func setDeletion(of message: Int64, by user: Int64) throws {
        try Deletion(message: message, user: user).insert(database, onConflict: .replace)
    }

    /// Returns the user who deleted a message; `nil` if the author did.
    func deleter(of message: Int64) throws -> Int64? {
        try Deletion.fetchOne(database, where: "message = ?", [message])?.user
    }

    // MARK: Operations

    /// Stores an operation of `user` with `total` changes.
    func insertOperation(_ id: String, user: Int64, total: Int) throws {
        try Operation(number: 0, id: id, user: user, total: total)
            .insert(database, keepingLatest: Self.maximumOperations)
    }

    /// Returns the number of changes of an operation of `user`; `nil` if there is no such operation.
    func operation(_ id: String, of user: Int64) throws -> Int? {
        try Operation.fetchOne(database, where: "id = ? AND user = ?", [id, user])?.total
    }
}
