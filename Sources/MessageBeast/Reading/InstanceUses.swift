internal import Foundation
internal import GRDB

/// A range of display dates: from one date, inclusive, to another, exclusive.
struct DateWindow: Hashable {
    var since: Int64 = .min
    var before: Int64 = .max

    init(since: Date? = nil, before: Date? = nil) {
        if let since { self.since = Milliseconds(since).value }
        if let before { self.before = Milliseconds(before).value }
    }
}

/// The rows of a derived table that belong to the messages of a channel, newest first. Drafts have none.
///
/// The query either walks the messages in the order of their index, or joins the derived rows with their messages and
/// sorts them. The smaller side leads, because a channel may have many messages and few hashtags.
struct InstanceUses {
    let table: String
    /// The index by local id to use, if the planner would choose another one.
    var index = ""
    let columns: String
    let channel: String
    var window = DateWindow()

    /// Returns the ids of messages, each with the columns.
    func rows(in database: Database) throws -> RowCursor {
        let from =
            try isTableSmaller(in: database)
            ? "\(table) AS use CROSS JOIN message AS m ON m.local_id = use.local_id"
            : "message AS m INDEXED BY message_list CROSS JOIN \(table) AS use \(index) ON use.local_id = m.local_id"
        let statement = try database.cachedStatement(
            sql: """
                SELECT m.id, \(columns) FROM \(from) WHERE \(Self.condition)
                ORDER BY m.display_date_ms DESC, m.sort_key DESC
                """
        )
        return try Row.fetchCursor(statement, arguments: arguments)
    }

    private static let condition =
        "m.channel_id = ? AND m.hidden = 0 AND m.display_date_ms >= ? AND m.display_date_ms < ?"

    private var arguments: StatementArguments { [channel, window.since, window.before] }

    /// Returns whether the table has fewer rows than the channel has messages.
    ///
    /// Both are counted up to a growing limit, so that the larger one is not counted completely.
    private func isTableSmaller(in database: Database) throws -> Bool {
        var limit = 64
        while true {
            let uses = try Int.fetchOne(
                database.cachedStatement(sql: "SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT ?)"),
                arguments: [limit]
            )
            if uses ?? 0 < limit { return true }
            let messages = try Int.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT count(*) FROM (
                            SELECT 1 FROM message AS m INDEXED BY message_list WHERE \(Self.condition) LIMIT ?
                        )
                        """
                ),
                arguments: arguments + [limit]
            )
            if messages ?? 0 < limit { return false }
            limit *= 8
        }
    }
}
