internal import GRDB

/// Who follows, mutes and blocks whom.
struct UserRelations {
    enum Kind: String, Sendable {
        case follow, mute, block

        /// The column of whoever does it, and of whom it is done to.
        var columns: (subject: String, object: String) {
            switch self {
            case .follow: ("follower", "followed")
            case .mute: ("user", "muted")
            case .block: ("user", "blocked")
            }
        }
    }

    let database: Database

    func exists(_ kind: Kind, _ subject: Int64, _ object: Int64) throws -> Bool {
        let columns = kind.columns
        let statement = try database.cachedStatement(
            sql: "SELECT 1 FROM appnet_\(kind.rawValue) WHERE \(columns.subject) = ? AND \(columns.object) = ?"
        )
        return try Int.fetchOne(statement, arguments: [subject, object]) != nil
    }

    /// Whether it was not so before.
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

    /// Whether it was so before.
    @discardableResult
    func remove(_ kind: Kind, _ subject: Int64, _ object: Int64) throws -> Bool {
        let columns = kind.columns
        try database.execute(
            sql: "DELETE FROM appnet_\(kind.rawValue) WHERE \(columns.subject) = ? AND \(columns.object) = ?",
            arguments: [subject, object]
        )
        return database.changesCount > 0
    }

    /// Whom `subject` follows, mutes or blocks, oldest first.
    func objects(_ kind: Kind, of subject: Int64) throws -> [Int64] {
        let columns = kind.columns
        let sql = "SELECT \(columns.object) FROM appnet_\(kind.rawValue) WHERE \(columns.subject) = ? ORDER BY id"
        return try Int64.fetchAll(try database.cachedStatement(sql: sql), arguments: [subject])
    }

    /// Who follows, mutes or blocks `object`, oldest first.
    func subjects(_ kind: Kind, of object: Int64) throws -> [Int64] {
        let columns = kind.columns
        let sql = "SELECT \(columns.subject) FROM appnet_\(kind.rawValue) WHERE \(columns.object) = ? ORDER BY id"
        return try Int64.fetchAll(try database.cachedStatement(sql: sql), arguments: [object])
    }

    /// How many `subject` follows, mutes or blocks.
    func objectCount(_ kind: Kind, of subject: Int64) throws -> Int {
        let sql = "SELECT COUNT(*) FROM appnet_\(kind.rawValue) WHERE \(kind.columns.subject) = ?"
        return try Int.fetchOne(try database.cachedStatement(sql: sql), arguments: [subject]) ?? 0
    }

    /// How many follow, mute or block `object`.
    func subjectCount(_ kind: Kind, of object: Int64) throws -> Int {
        let sql = "SELECT COUNT(*) FROM appnet_\(kind.rawValue) WHERE \(kind.columns.object) = ?"
        return try Int.fetchOne(try database.cachedStatement(sql: sql), arguments: [object]) ?? 0
    }
}
