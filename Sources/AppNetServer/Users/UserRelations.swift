internal import GRDB

/// The relations between users: follows, mutes and blocks.
struct UserRelations {
    enum Kind: String, Sendable {
        case follow, mute, block

        /// The columns of the user who follows, mutes or blocks, and of the other user.
        var columns: (subject: String, object: String) {
            switch self {
            case .follow: ("follower", "followed")
            case .mute: ("user", "muted")
            case .block: ("user", "blocked")
            }
        }
    }

    /// One end of a relation: the other user, or the follower. The id is the pagination id.
    struct Link: Decodable, FetchableRecord, Hashable, Sendable {
        let id: Int64
        let user: Int64
    }

    let database: Database

    func exists(_ kind: Kind, _ subject: Int64, _ object: Int64) throws -> Bool {
        try id(kind, subject, object) != nil
    }

    /// Returns the id of the relation's row; `nil` if there is no such relation.
    func id(_ kind: Kind, _ subject: Int64, _ object: Int64) throws -> Int64? {
        let columns = kind.columns
        let statement = try database.cachedStatement(
            sql: "SELECT id FROM appnet_\(kind.rawValue) WHERE \(columns.subject) = ? AND \(columns.object) = ?"
        )
        return try Int64.fetchOne(statement, arguments: [subject, object])
    }

    /// Returns the users that a user follows, or the followers of a user, in a window of ids.
    func follows(of user: Int64, following: Bool, _ window: PageWindow) throws -> [Link] {
        let (column, other) = following ? ("followed", "follower") : ("follower", "followed")
        let sql = "SELECT id, \(column) AS user FROM appnet_follow WHERE \(other) = ?" + window.sql("id")
        return try Link.fetchAll(database, sql: sql, arguments: [user])
    }

    /// Returns the users that `subject` follows, mutes or blocks, newest first.
    func links(_ kind: Kind, of subject: Int64) throws -> [Link] {
        let (column, object) = kind.columns
        let sql = "SELECT id, \(object) AS user FROM appnet_\(kind.rawValue) WHERE \(column) = ? ORDER BY id DESC"
        return try Link.fetchAll(database, sql: sql, arguments: [subject])
    }

    /// Adds a relation. Returns `false` if it already existed.
    @discardableResult
    func add(_ kind: Kind, _ subject: Int64, _ object: Int64, at now: Int64) throws -> Bool {
        let columns = kind.columns
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO appnet_\(kind.rawValue) (\(columns.subject), \(columns.object), created)
                VALUES (?, ?, ?)
                """,
            arguments: [subject, object, now]
        )
        return database.changesCount > 0
    }

    /// Removes a relation. Returns `false` if it did not exist.
    @discardableResult
    func remove(_ kind: Kind, _ subject: Int64, _ object: Int64) throws -> Bool {
        let columns = kind.columns
        try database.execute(
            sql: "DELETE FROM appnet_\(kind.rawValue) WHERE \(columns.subject) = ? AND \(columns.object) = ?",
            arguments: [subject, object]
        )
        return database.changesCount > 0
    }

    /// Returns the users that `subject` follows, mutes or blocks, oldest first.
    func objects(_ kind: Kind, of subject: Int64) throws -> [Int64] {
        try users(kind, kind.columns.object, where: kind.columns.subject, subject)
    }

    /// Returns the users that follow, mute or block `object`, oldest first.
    func subjects(_ kind: Kind, of object: Int64) throws -> [Int64] {
        try users(kind, kind.columns.subject, where: kind.columns.object, object)
    }

    private func users(_ kind: Kind, _ column: String, where other: String, _ user: Int64) throws -> [Int64] {
        let sql = "SELECT \(column) FROM appnet_\(kind.rawValue) WHERE \(other) = ? ORDER BY id"
        return try Int64.fetchAll(try database.cachedStatement(sql: sql), arguments: [user])
    }

    /// Returns the number of users that `subject` follows, mutes or blocks.
    func objectCount(_ kind: Kind, of subject: Int64) throws -> Int { try count(kind, kind.columns.subject, subject) }

    /// Returns the number of users that follow, mute or block `object`.
    func subjectCount(_ kind: Kind, of object: Int64) throws -> Int { try count(kind, kind.columns.object, object) }

    private func count(_ kind: Kind, _ column: String, _ user: Int64) throws -> Int {
        let sql = "SELECT COUNT(*) FROM appnet_\(kind.rawValue) WHERE \(column) = ?"
        return try Int.fetchOne(try database.cachedStatement(sql: sql), arguments: [user]) ?? 0
    }
}
