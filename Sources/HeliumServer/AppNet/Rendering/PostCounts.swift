internal import GRDB

/// How many posts and stars a user has, for the counts of users.
enum PostCounts {
    static func posts(of user: Int64, _ database: Database) throws -> Int { 0 }

    static func stars(of user: Int64, _ database: Database) throws -> Int { 0 }
}
