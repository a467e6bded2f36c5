internal import GRDB
internal import HeliumServerKit

/// The table of the actions of other users on a user (Docs/Protocols/AppNet.md §2.9). Triggers write it.
struct InteractionTable {
    /// An action of one user.
    struct Record: Decodable, Hashable, Sendable, FetchableRecord, TableRecord {
        static let databaseTableName = "appnet_interaction"

        let id: Int64
        let action: String
        let object: Int64
        let actor: Int64
        let created: Int64
    }

    /// The actions that the server stores.
    static let actions: Set<String> = ["follow", "reply", "repost", "star"]

    /// The maximum number of a user's latest actions that are read.
    static let maximumRecords = 2_000

    let database: Database

    /// Returns the latest actions, newest first.
    func records(to user: Int64) throws -> [Record] {
        try Record.fetchAll(
            database,
            where: "user = ? AND \(RowRemoval.keepsInteraction) ORDER BY id DESC LIMIT ?",
            [user, Self.maximumRecords]
        )
    }

    /// Returns the actions of other users on a post, in a window of pagination ids. The objects of other actions are
    /// users and polls, which have ids of their own.
    func records(on post: Int64, _ window: PageWindow) throws -> [Record] {
        let condition = "object = ? AND action IN ('reply', 'repost', 'star') AND \(RowRemoval.keepsInteraction)"
        return try Record.fetchAll(database, where: condition, [post], window)
    }
}
