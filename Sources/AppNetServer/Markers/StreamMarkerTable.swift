internal import GRDB

/// The stored stream markers.
struct StreamMarkerTable {
    let database: Database

    func marker(_ name: String, of user: Int64) throws -> StreamMarker? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM appnet_marker WHERE user = ? AND name = ?")
        return try Row.fetchOne(statement, arguments: [user, name]).map { row in
            StreamMarker(
                user: user,
                name: name,
                item: row["item"],
                lastRead: row["last_read"],
                percentage: row["percentage"],
                updated: row["updated"],
                version: row["version"]
            )
        }
    }

    func count(of user: Int64) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM appnet_marker WHERE user = ?", arguments: [user]) ?? 0
    }

    func save(_ marker: StreamMarker) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO appnet_marker (user, name, item, last_read, percentage, updated, version)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                marker.user, marker.name, marker.item, marker.lastRead, marker.percentage, marker.updated,
                marker.version,
            ]
        )
    }
}

extension AppNetCall {
    var markers: StreamMarkerTable { StreamMarkerTable(database: database) }
}
