internal import Foundation
internal import GRDB

/// Display dates from one on, and before another.
struct DateWindow: Hashable {
    var since: Int64 = .min
    var before: Int64 = .max

    init(since: Date? = nil, before: Date? = nil) {
        if let since { self.since = Milliseconds(since).value }
        if let before { self.before = Milliseconds(before).value }
    }
}

/// The rows of a table of derived rows that belong to the messages of a channel, newest first. Drafts have none.
///
/// Either the messages are walked in the order of their index, or the derived rows are joined with their messages and
/// sorted. What there is less of leads: a channel may have many messages and few hashtags.
struct InstanceUses {
    let table: String
    /// The index by local id, where the planner would take another one.
    var index = ""
    let columns: String
    let channel: String
    var window = DateWindow()

    /// The ids of messages, each with the columns.
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

    /// Whether the table has fewer rows than the channel has messages. Both are counted up to a limit that grows, so that
    /// the larger one is not counted to its end.
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
