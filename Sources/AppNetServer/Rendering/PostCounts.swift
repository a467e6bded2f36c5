internal import GRDB

/// How many posts and stars a user has, for the counts of users.
enum PostCounts {
    static func posts(of user: Int64, _ database: Database) throws -> Int {
        let sql = "SELECT COUNT(*) FROM appnet_post WHERE user = ? AND NOT is_deleted"
        return try Int.fetchOne(try database.cachedStatement(sql: sql), arguments: [user]) ?? 0
    }

    static func stars(of user: Int64, _ database: Database) throws -> Int {
        let sql = "SELECT COUNT(*) FROM appnet_star WHERE user = ?"
        return try Int.fetchOne(try database.cachedStatement(sql: sql), arguments: [user]) ?? 0
    }
}
