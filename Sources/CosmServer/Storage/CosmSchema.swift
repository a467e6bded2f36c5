internal import GRDB

/// The tables of Cosm. Each change of them is a migration of its own; a registered one never changes.
enum CosmSchema {
    static func migrate(_ database: any DatabaseWriter) throws { try migrator.migrate(database) }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("cosm-1") { database in
            try accounts(database)
            try feeds(database)
            try triggers(database)
        }
        return migrator
    }

    private static func accounts(_ database: Database) throws {
        try database.create(table: "cosm_setting", options: .strict) { table in
            table.primaryKey("name", .text)
            table.column("value", .text).notNull()
        }
        try database.create(table: "cosm_user", options: .strict) { table in
            table.primaryKey("login", .text)
            table.column("profile", .text).notNull()
        }
        try database.create(table: "cosm_key", options: .strict) { table in
            table.primaryKey("secret", .text)
            table.column("position", .integer).notNull().unique()
            table.column("owner", .text).notNull().indexed()
            table.column("document", .text).notNull()
        }
    }

    private static func feeds(_ database: Database) throws {
        try database.create(table: "cosm_feed", options: .strict) { table in
            table.primaryKey("id", .integer)
            table.column("owner", .text).notNull().indexed()
            table.column("title", .text).notNull()
            for name in ["description", "website", "email", "icon"] { table.column(name, .text) }
            table.column("tags", .text).notNull()
            table.column("private", .integer).notNull()
            for name in ["name", "domain", "exposure", "disposition"] { table.column("location_\(name)", .text) }
            table.column("latitude", .real)
            table.column("longitude", .real)
            table.column("elevation", .text)
            table.column("created", .integer).notNull().indexed()
            table.column("updated", .integer).notNull().indexed()
        }
        try database.create(table: "cosm_datastream", options: .strict) { table in
            // Never given twice, so that a new stream cannot find a deleted one's points.
            table.autoIncrementedPrimaryKey("number")
            table.column("feed", .integer).notNull()
            table.column("id", .text).notNull()
            for name in ["label", "symbol", "type"] { table.column("unit_\(name)", .text) }
            table.column("tags", .text).notNull()
            table.column("current_value", .text)
            table.column("at", .integer)
            table.column("minimum", .real)
            table.column("maximum", .real)
            table.column("updated", .integer)
            table.column("points", .integer).notNull()
            table.uniqueKey(["feed", "id"])
        }
        // Without a rowid the rows themselves lie in the order of the key: the newest point at an instant, and every
        // range, is one descent of one tree.
        try database.create(table: "cosm_datapoint", options: [.strict, .withoutRowID]) { table in
            table.column("stream", .integer).notNull()
            table.column("at", .integer).notNull()
            table.column("value", .text).notNull()
            table.primaryKey(["stream", "at"])
        }
        try database.create(table: "cosm_waypoint", options: [.strict, .withoutRowID]) { table in
            table.column("feed", .integer).notNull()
            table.column("at", .integer).notNull()
            table.column("latitude", .real).notNull()
            table.column("longitude", .real).notNull()
            table.column("elevation", .text)
            table.primaryKey(["feed", "at"])
        }
    }

    private static func triggers(_ database: Database) throws {
        try database.create(table: "cosm_trigger", options: .strict) { table in
            table.primaryKey("id", .integer)
            table.column("owner", .text).notNull().indexed()
            table.column("feed", .integer).notNull()
            table.column("datastream", .text).notNull()
            table.column("url", .text).notNull()
            table.column("type", .text).notNull()
            table.column("threshold", .text)
            table.column("notified", .integer)
            // For triggers on frozen: whether the present silence was told already.
            table.column("is_spent", .integer).notNull()
        }
        try database.create(indexOn: "cosm_trigger", columns: ["feed", "datastream"])
    }
}
