internal import GRDB
internal import HeliumServerKit

extension AppNetSchema.Migration {
    /// The tables of posts, stars, reposts and interactions (Docs/Protocols/AppNet.md §2.7, §2.9).
    static let posts = Self(name: "posts") { database in
        try database.create(table: "appnet_post", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.requiredColumns(.integer, "user")
            table.column("client", .text).notNull().indexed()
            table.requiredColumns(.integer, "created")
            table.column("text", .text)
            table.requiredColumns(.text, "entities", "annotations")
            table.requiredColumns(.integer, "thread")
            table.column("reply_to", .integer).indexed()
            table.column("repost_of", .integer).indexed()
            table.requiredColumns(.integer, "machine_only", "is_deleted")
        }
        try database.create(indexOn: "appnet_post", columns: ["user", "id"])
        try database.create(indexOn: "appnet_post", columns: ["thread", "id"])
        try database.create(table: "appnet_post_tag", options: [.strict, .withoutRowID]) { table in
            table.requiredColumns(.text, "tag")
            table.column("post", .integer).notNull().indexed()
            table.primaryKey(["tag", "post"])
        }
        try database.create(table: "appnet_post_mention", options: [.strict, .withoutRowID]) { table in
            table.requiredColumns(.integer, "user")
            table.column("post", .integer).notNull().indexed()
            table.requiredColumns(.integer, "is_leading")
            table.primaryKey(["user", "post"])
        }
        // The id of a star is its pagination id.
        try database.create(table: "appnet_star", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.requiredColumns(.integer, "post")
            table.column("user", .integer).notNull().indexed()
            table.requiredColumns(.integer, "created")
            table.uniqueKey(["post", "user"])
        }
        try database.create(table: "appnet_report", options: .strict) { table in
            table.requiredColumns(.integer, "post", "user", "created")
            table.primaryKey(["post", "user"])
        }
        try interactions(database)
    }

    /// Creates the table of other users' actions on a user (Docs/Protocols/AppNet.md §2.9). Triggers update it after
    /// every write of follows, stars and posts.
    private static func interactions(_ database: Database) throws {
        try database.create(table: "appnet_interaction", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.requiredColumns(.integer, "user")
            table.requiredColumns(.text, "action")
            // The user who was followed, or the post.
            table.requiredColumns(.integer, "object", "actor")
            // The row of the action: a follow, a star, the reply or the repost.
            table.requiredColumns(.integer, "cause", "created")
            table.uniqueKey(["action", "cause"])
        }
        try database.create(indexOn: "appnet_interaction", columns: ["user", "id"])
        let insertion = "INSERT INTO appnet_interaction (user, action, object, actor, cause, created)"
        try database.execute(
            sql: """
                CREATE TRIGGER appnet_follow_interaction AFTER INSERT ON appnet_follow BEGIN
                \(insertion)
                VALUES (new.followed, 'follow', new.followed, new.follower, new.id, new.created);
                END;
                CREATE TRIGGER appnet_unfollow_interaction AFTER DELETE ON appnet_follow BEGIN
                DELETE FROM appnet_interaction WHERE action = 'follow' AND cause = old.id;
                END;
                CREATE TRIGGER appnet_star_interaction AFTER INSERT ON appnet_star BEGIN
                \(insertion)
                SELECT user, 'star', id, new.user, new.id, new.created FROM appnet_post
                WHERE id = new.post AND user != new.user;
                END;
                CREATE TRIGGER appnet_unstar_interaction AFTER DELETE ON appnet_star BEGIN
                DELETE FROM appnet_interaction WHERE action = 'star' AND cause = old.id;
                END;
                CREATE TRIGGER appnet_reply_interaction AFTER INSERT ON appnet_post
                WHEN new.reply_to IS NOT NULL BEGIN
                \(insertion)
                SELECT user, 'reply', id, new.user, new.id, new.created FROM appnet_post
                WHERE id = new.reply_to AND user != new.user;
                END;
                CREATE TRIGGER appnet_repost_interaction AFTER INSERT ON appnet_post
                WHEN new.repost_of IS NOT NULL BEGIN
                \(insertion)
                SELECT user, 'repost', id, new.user, new.id, new.created FROM appnet_post
                WHERE id = new.repost_of AND user != new.user;
                END;
                CREATE TRIGGER appnet_delete_interaction AFTER UPDATE OF is_deleted ON appnet_post
                WHEN new.is_deleted BEGIN
                DELETE FROM appnet_interaction WHERE action IN ('reply', 'repost') AND cause = new.id;
                DELETE FROM appnet_interaction WHERE action IN ('reply', 'repost', 'star') AND object = new.id;
                END;
                """
        )
    }
}
