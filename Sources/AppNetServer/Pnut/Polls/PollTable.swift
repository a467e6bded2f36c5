internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A stored poll (AppNet.md §6.2).
struct PollRecord: Hashable, Sendable {
    var id: Int64
    var user: Int64
    var client: String
    /// Seconds since 1970.
    var created: Int64
    /// When it closes, in seconds since 1970.
    var closes: Int64
    var type: String
    var prompt: String
    /// The texts of the options by their positions; the first position is 1.
    var options: [String]
    /// The number of options that a user can choose.
    var maximumOptions: Int
    var isPublic: Bool
    var isAnonymous: Bool
    /// Opens a private poll to those who know it.
    var token: String
    var annotations: [JSONValue]
}

/// The stored polls and the responses to them.
struct PollTable {
    /// A user's response.
    struct Response: Hashable, Sendable {
        /// The pagination id.
        let id: Int64
        let poll: Int64
        let user: Int64
        let positions: [Int]
    }

    let database: Database

    static func createTables(_ database: Database) throws {
        try database.create(table: "appnet_poll", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("user", .integer).notNull()
            table.column("client", .text).notNull()
            table.column("created", .integer).notNull()
            table.column("closes", .integer).notNull()
            table.column("type", .text).notNull()
            table.column("prompt", .text).notNull()
            table.column("options", .text).notNull()
            table.column("maximum_options", .integer).notNull()
            table.column("is_public", .integer).notNull()
            table.column("is_anonymous", .integer).notNull()
            table.column("token", .text).notNull()
            table.column("annotations", .text).notNull()
        }
        try database.create(indexOn: "appnet_poll", columns: ["user", "id"])
        try database.create(table: "appnet_poll_response", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("poll", .integer).notNull()
            table.column("user", .integer).notNull().indexed()
            table.column("positions", .text).notNull()
            table.column("created", .integer).notNull()
            table.uniqueKey(["poll", "user"])
        }
        try database.execute(
            sql: """
                CREATE TRIGGER appnet_poll_interaction AFTER INSERT ON appnet_poll_response BEGIN
                INSERT INTO appnet_interaction (user, action, object, actor, cause, created)
                SELECT user, 'poll_response', id, new.user, new.id, new.created FROM appnet_poll
                WHERE id = new.poll AND user != new.user;
                END;
                CREATE TRIGGER appnet_poll_deletion AFTER DELETE ON appnet_poll BEGIN
                DELETE FROM appnet_poll_response WHERE poll = old.id;
                DELETE FROM appnet_interaction WHERE action = 'poll_response' AND object = old.id;
                END;
                """
        )
    }

    // MARK: Polls

    func poll(_ id: Int64) throws -> PollRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM appnet_poll WHERE id = ?", arguments: [id])
            .map(PollRecord.init(row:))
    }

    /// The polls of a condition, which is spelt in this source, in the order of a window.
    func polls(
        where condition: String = "1 = 1",
        _ arguments: StatementArguments = [],
        ordered order: String
    ) throws -> [PollRecord] {
        try Row.fetchAll(database, sql: "SELECT * FROM appnet_poll WHERE \(condition)" + order, arguments: arguments)
            .map(PollRecord.init(row:))
    }

    func count() throws -> Int { try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM appnet_poll") ?? 0 }

    /// Stores a new poll, whatever its id says, and gives it its id.
    func insert(_ poll: PollRecord) throws -> PollRecord {
        try database.execute(
            sql: """
                INSERT INTO appnet_poll (user, client, created, closes, type, prompt, options, maximum_options,
                is_public, is_anonymous, token, annotations) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                poll.user, poll.client, poll.created, poll.closes, poll.type, poll.prompt,
                JSONValue.array(poll.options.map(JSONValue.string)).text(), poll.maximumOptions, poll.isPublic,
                poll.isAnonymous, poll.token, JSONValue.array(poll.annotations).text(),
            ]
        )
        var poll = poll
        poll.id = database.lastInsertedRowID
        return poll
    }

    /// Deletes a poll with the responses to it.
    func delete(_ id: Int64) throws {
        try database.execute(sql: "DELETE FROM appnet_poll WHERE id = ?", arguments: [id])
    }

    // MARK: Responses

    /// The positions that a user responded with; `nil` where there never was a response.
    func response(to poll: Int64, by user: Int64) throws -> [Int]? {
        try Row.fetchOne(
            database,
            sql: "SELECT * FROM appnet_poll_response WHERE poll = ? AND user = ?",
            arguments: [poll, user]
        ).map { Response(row: $0).positions }
    }

    /// The responses to a poll, the earliest first.
    func responses(to poll: Int64) throws -> [Response] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM appnet_poll_response WHERE poll = ? ORDER BY id",
            arguments: [poll]
        ).map(Response.init(row:))
    }

    /// The responses to a user's polls in a window.
    func responses(toPollsOf user: Int64, _ window: PageWindow) throws -> [Response] {
        let sql = "SELECT * FROM appnet_poll_response WHERE poll IN (SELECT id FROM appnet_poll WHERE user = ?)"
        return try Row.fetchAll(database, sql: sql + window.sql("id"), arguments: [user]).map(Response.init(row:))
    }

    /// Keeps a user's response in the place of an earlier one.
    func setResponse(_ positions: [Int], to poll: Int64, by user: Int64, at now: Int64) throws {
        try database.execute(
            sql: """
                INSERT INTO appnet_poll_response (poll, user, positions, created) VALUES (?, ?, ?, ?)
                ON CONFLICT (poll, user) DO UPDATE SET positions = excluded.positions
                """,
            arguments: [poll, user, JSONValue.array(positions.map(JSONValue.count)).text(), now]
        )
    }
}

extension PollTable.Response {
    fileprivate init(row: Row) {
        let positions = JSONValue.parse(row["positions"])?.arrayValue ?? []
        self.init(
            id: row["id"],
            poll: row["poll"],
            user: row["user"],
            positions: positions.compactMap { $0.integerValue.flatMap { Int(exactly: $0) } }
        )
    }
}

extension PollRecord {
    fileprivate init(row: Row) {
        self.init(
            id: row["id"],
            user: row["user"],
            client: row["client"],
            created: row["created"],
            closes: row["closes"],
            type: row["type"],
            prompt: row["prompt"],
            options: JSONValue.parse(row["options"])?.arrayValue?.compactMap(\.stringValue) ?? [],
            maximumOptions: row["maximum_options"],
            isPublic: row["is_public"],
            isAnonymous: row["is_anonymous"],
            token: row["token"],
            annotations: JSONValue.parse(row["annotations"])?.arrayValue ?? []
        )
    }
}

extension AppNetCall {
    var polls: PollTable { PollTable(database: database) }
}
