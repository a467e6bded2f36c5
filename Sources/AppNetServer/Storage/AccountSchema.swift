internal import GRDB

extension AppNetSchema.Migration {
    /// Users, apps, tokens, relations between users, pictures, and single values.
    static let accounts = Self(name: "accounts") { database in
        try database.create(table: "appnet_setting", options: .strict) { table in
            table.primaryKey("name", .text)
            table.column("value", .text).notNull()
        }
        try database.create(table: "appnet_user", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("username", .text).notNull().unique()
            table.column("password", .text)
            table.column("name", .text).notNull()
            table.column("type", .text).notNull()
            table.column("created", .integer).notNull()
            table.column("timezone", .text).notNull()
            table.column("locale", .text).notNull()
            // Text and entities as JSON; null for an empty profile.
            table.column("description", .text)
            table.column("annotations", .text).notNull()
            table.column("avatar", .integer)
            table.column("cover", .integer)
        }
        try database.create(table: "appnet_app", options: .strict) { table in
            table.primaryKey("client", .text)
            table.column("secret", .text).notNull()
            table.column("password_grant", .text)
            table.column("name", .text).notNull()
            table.column("link", .text).notNull()
            table.column("redirects", .text).notNull()
        }
        try database.create(table: "appnet_token", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("secret", .text).notNull().unique()
            table.column("user", .integer).indexed()
            table.column("client", .text).notNull().indexed()
            table.column("scopes", .text).notNull()
            table.column("created", .integer).notNull()
            table.column("state", .text).notNull()
            table.column("is_initial", .integer).notNull()
        }
        // The number of a row is its pagination id.
        for (name, first, second) in [
            ("follow", "follower", "followed"), ("mute", "user", "muted"), ("block", "user", "blocked"),
        ] {
            try database.create(table: "appnet_\(name)", options: .strict) { table in
                table.autoIncrementedPrimaryKey("id")
                table.column(first, .integer).notNull()
                table.column(second, .integer).notNull().indexed()
                table.column("created", .integer).notNull()
                table.uniqueKey([first, second])
            }
        }
        try database.create(table: "appnet_image", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("mime_type", .text).notNull()
            table.column("width", .integer).notNull()
            table.column("height", .integer).notNull()
            table.column("bytes", .blob).notNull()
        }
    }
}
