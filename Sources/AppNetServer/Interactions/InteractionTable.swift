internal import GRDB

/// What others did to users (§2.9).
struct InteractionTable {
    /// One deed.
    struct Deed: Hashable, Sendable {
        let id: Int64
        let action: String
        let object: Int64
        let actor: Int64
        let created: Int64
    }

    /// The actions that the server keeps.
    static let actions: Set<String> = ["follow", "reply", "repost", "star"]

    /// How many of a user's latest deeds are looked at.
    static let maximumDeeds = 2_000

    let database: Database

    /// The latest deeds, newest first.
    func deeds(to user: Int64) throws -> [Deed] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM appnet_interaction WHERE user = ? ORDER BY id DESC LIMIT ?",
            arguments: [user, Self.maximumDeeds]
        ).map { row in
            Deed(
                id: row["id"],
                action: row["action"],
                object: row["object"],
                actor: row["actor"],
                created: row["created"]
            )
        }
    }
}
