internal import GRDB
internal import HeliumServerKit

/// The table of actions of others on users (§2.9). Triggers write it.
struct InteractionTable {
    /// One deed.
    struct Deed: Decodable, Hashable, Sendable, FetchableRecord, TableRecord {
        static let databaseTableName = "appnet_interaction"

        let id: Int64
        let action: String
        let object: Int64
        let actor: Int64
        let created: Int64
    }

    /// The actions that the server keeps.
    static let actions: Set<String> = ["follow", "reply", "repost", "star"]

    /// The number of a user's latest actions that are read.
    static let maximumDeeds = 2_000

    let database: Database

    /// The latest deeds, newest first.
    func deeds(to user: Int64) throws -> [Deed] {
        try Deed.fetchAll(database, where: "user = ? ORDER BY id DESC LIMIT ?", [user, Self.maximumDeeds])
    }

    /// The actions of others on a post, in a window of pagination ids.
    func deeds(on post: Int64, _ window: PageWindow) throws -> [Deed] {
        try Deed.fetchAll(database, where: "object = ? AND action <> 'follow'", [post], window)
    }
}
