internal import GRDB
internal import HeliumServerKit

extension AppNetSchema.Migration {
    /// The tables of users, apps, tokens, relations between users, pictures, and single values.
    static let accounts = Self(name: "accounts") { database in
        try database.create(table: "appnet_setting", options: .strict) { table in
            table.primaryKey("name", .text)
            table.requiredColumns(.text, "value")
        }
        try database.create(table: "appnet_user", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("username", .text).notNull().unique()
            table.column("password", .text)
            table.requiredColumns(.text, "name", "type")
            table.requiredColumns(.integer, "created")
            table.requiredColumns(.text, "timezone", "locale")
            // Text and entities as JSON; null for an empty profile.
            table.column("description", .text)
            table.requiredColumns(.text, "annotations")
            table.columns(.integer, "avatar", "cover")
        }
        try database.create(table: "appnet_app", options: .strict) { table in
            table.primaryKey("client", .text)
            table.requiredColumns(.text, "secret")
            table.column("password_grant", .text)
            table.requiredColumns(.text, "name", "link", "redirects")
        }
        try database.create(table: "appnet_token", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("secret", .text).notNull().unique()
            table.column("user", .integer).indexed()
            table.column("client", .text).notNull().indexed()
            table.requiredColumns(.text, "scopes")
            table.requiredColumns(.integer, "created")
            table.requiredColumns(.text, "state")
            table.requiredColumns(.integer, "is_initial")
        }
        // The id of a row is its pagination id.
        for (name, first, second) in [
            ("follow", "follower", "followed"), ("mute", "user", "muted"), ("block", "user", "blocked"),
        ] {
            try database.create(table: "appnet_\(name)", options: .strict) { table in
                table.autoIncrementedPrimaryKey("id")
                table.column(first, .integer).notNull()
                table.column(second, .integer).notNull().indexed()
                table.requiredColumns(.integer, "created")
                table.uniqueKey([first, second])
            }
        }
        try database.create(table: "appnet_image", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.requiredColumns(.text, "mime_type")
            table.requiredColumns(.integer, "width", "height")
            table.requiredColumns(.blob, "bytes")
        }
    }
}
