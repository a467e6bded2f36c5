internal import GRDB
internal import HeliumServerKit

/// The tables of Cosm. Each change is a migration of its own, and a registered migration never changes.
enum CosmSchema {
    static func migrate(_ database: any DatabaseWriter) throws { try migrator.migrate(database) }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("cosm-1") { database in
            try accounts(database)
            try feeds(database)
            try triggers(database)
        }
        migrator.registerMigration("cosm-2") { database in
            // The key that wrote a trigger, and where it was used. Triggers of earlier versions have none.
            try database.alter(table: "cosm_trigger") { table in
                for name in ["key", "address", "referer"] { table.add(column: name, .text) }
            }
        }
        migrator.registerMigration("cosm-removal") { try PointRemoval.createTable($0) }
        migrator.registerMigration("cosm-feed-removal") { try PointRemoval.createFeedTable($0) }
        return migrator
    }

    private static func accounts(_ database: Database) throws {
        try database.create(table: "cosm_setting", options: .strict) { table in
            table.primaryKey("name", .text)
            table.requiredColumns(.text, "value")
        }
        try database.create(table: "cosm_user", options: .strict) { table in
            table.primaryKey("login", .text)
            table.requiredColumns(.text, "profile")
        }
        try database.create(table: "cosm_key", options: .strict) { table in
            table.primaryKey("secret", .text)
            table.column("position", .integer).notNull().unique()
            table.column("owner", .text).notNull().indexed()
            table.requiredColumns(.text, "document")
        }
    }

    private static func feeds(_ database: Database) throws {
        try database.create(table: "cosm_feed", options: .strict) { table in
            table.primaryKey("id", .integer)
            table.column("owner", .text).notNull().indexed()
            table.requiredColumns(.text, "title")
            table.columns(.text, "description", "website", "email", "icon")
            table.requiredColumns(.text, "tags")
            table.requiredColumns(.integer, "private")
            for name in ["name", "domain", "exposure", "disposition"] { table.column("location_\(name)", .text) }
            table.columns(.real, "latitude", "longitude")
            table.column("elevation", .text)
            table.column("created", .integer).notNull().indexed()
            table.column("updated", .integer).notNull().indexed()
        }
        try database.create(table: "cosm_datastream", options: .strict) { table in
            // Numbers are not reused, so that a new datastream cannot have the points of a deleted one.
            table.autoIncrementedPrimaryKey("number")
            table.requiredColumns(.integer, "feed")
            table.requiredColumns(.text, "id")
            for name in ["label", "symbol", "type"] { table.column("unit_\(name)", .text) }
            table.requiredColumns(.text, "tags")
            table.column("current_value", .text)
            table.column("at", .integer)
            table.columns(.real, "minimum", "maximum")
            table.column("updated", .integer)
            table.requiredColumns(.integer, "points")
            table.uniqueKey(["feed", "id"])
        }
        // Without a rowid, rows are stored in the order of the key. Reading the newest point before an instant, or a
        // range, takes one descent of one tree.
        try database.create(table: "cosm_datapoint", options: [.strict, .withoutRowID]) { table in
            table.requiredColumns(.integer, "stream", "at")
            table.requiredColumns(.text, "value")
            table.primaryKey(["stream", "at"])
        }
        try database.create(table: "cosm_waypoint", options: [.strict, .withoutRowID]) { table in
            table.requiredColumns(.integer, "feed", "at")
            table.requiredColumns(.real, "latitude", "longitude")
            table.column("elevation", .text)
            table.primaryKey(["feed", "at"])
        }
    }

    private static func triggers(_ database: Database) throws {
        try database.create(table: "cosm_trigger", options: .strict) { table in
            table.primaryKey("id", .integer)
            table.column("owner", .text).notNull().indexed()
            table.requiredColumns(.integer, "feed")
            table.requiredColumns(.text, "datastream", "url", "type")
            table.column("threshold", .text)
            table.column("notified", .integer)
            // For triggers on frozen: whether the current silence was already reported.
            table.requiredColumns(.integer, "is_spent")
        }
        try database.create(indexOn: "cosm_trigger", columns: ["feed", "datastream"])
    }
}
