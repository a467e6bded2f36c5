internal import GRDB
internal import HeliumServerKit

/// Stars and reports of posts.
extension PostTable {
    /// A star or a repost in a list of users or posts.
    struct Mark: Hashable, Sendable {
        /// The pagination id.
        let id: Int64
        let post: Int64
        let user: Int64
    }

    /// A star. Its id is its pagination id.
    private struct Star: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_star"

        @RowID var id: Int64
        let post: Int64
        let user: Int64
        let created: Int64

        var mark: Mark { Mark(id: id, post: post, user: user) }
    }

    private struct Report: Codable, PersistableRecord {
        static let databaseTableName = "appnet_report"

        let post: Int64
        let user: Int64
        let created: Int64
    }

    func star(_ post: Int64, by user: Int64) throws -> Mark? {
        try Star.fetchOne(database, where: "post = ? AND user = ?", [post, user])?.mark
    }

    func insertStar(_ post: Int64, by user: Int64, at now: Int64) throws {
        try Star(id: 0, post: post, user: user, created: now).insert(database, onConflict: .ignore)
    }

    func deleteStar(_ post: Int64, by user: Int64) throws {
        try Star.delete(database, where: "post = ? AND user = ?", [post, user])
    }

    func deleteStars(of post: Int64) throws { try Star.delete(database, where: "post = ?", [post]) }

    /// Returns the stars of a post in a window.
    func stars(of post: Int64, _ window: PageWindow) throws -> [Mark] {
        try Star.fetchAll(database, where: "post = ?", [post], window).map(\.mark)
    }

    /// Returns the stars of a user in a window.
    func stars(by user: Int64, _ window: PageWindow) throws -> [Mark] {
        try Star.fetchAll(database, where: "user = ?", [user], window).map(\.mark)
    }

    /// Returns the number of stars of a post.
    func starCount(of post: Int64) throws -> Int { try Star.fetchCount(database, where: "post = ?", [post]) }

    /// Returns the number of stars of a user.
    func starCount(by user: Int64) throws -> Int { try Star.fetchCount(database, where: "user = ?", [user]) }

    func insertReport(_ post: Int64, by user: Int64, at now: Int64) throws {
        try Report(post: post, user: user, created: now).insert(database, onConflict: .ignore)
    }
}
