internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A poll in its stored form (Docs/Protocols/AppNet.md §6.2).
struct PollRecord: Codable, Hashable, Sendable {
    @RowID var id: Int64
    var user: Int64
    var client: String
    /// The creation time in seconds since 1970.
    var created: Int64
    /// The time at which it closes, in seconds since 1970.
    var closes: Int64
    var type: String
    var prompt: String
    /// The texts of the options by their positions. The first position is 1.
    @JSONText var options: [String]
    /// The maximum number of options that a user can choose.
    var maximumOptions: Int
    var isPublic: Bool
    var isAnonymous: Bool
    /// The token that gives access to a private poll.
    var token: String
    @JSONText var annotations: [JSONValue]

    enum CodingKeys: String, CodingKey {
        case id, user, client, created, closes, type, prompt, options
        case maximumOptions = "maximum_options"
        case isPublic = "is_public"
        case isAnonymous = "is_anonymous"
        case token, annotations
    }
}

extension PollRecord: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "appnet_poll"

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The tables of polls and of the responses to them.
struct PollTable {
    /// A response of a user.
    struct Response: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_poll_response"

        /// The pagination id.
        @RowID var id: Int64
        let poll: Int64
        let user: Int64
        @JSONText var positions: [Int]
        let created: Int64
    }

    let database: Database

    /// The order by the time of closing, and by id among equal times, as a SQL expression with an index.
    static let endOrder: StaticString = "((closes << 20) | (id & 1048575))"

    private var index: SearchIndex { SearchIndex(.poll, database) }

    static func createTables(_ database: Database) throws {
        try database.create(table: "appnet_poll", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.requiredColumns(.integer, "user")
            table.requiredColumns(.text, "client")
            table.requiredColumns(.integer, "created", "closes")
            table.requiredColumns(.text, "type", "prompt", "options")
            table.requiredColumns(.integer, "maximum_options", "is_public", "is_anonymous")
            table.requiredColumns(.text, "token", "annotations")
        }
        try database.create(indexOn: "appnet_poll", columns: ["user", "id"])
        try database.create(table: "appnet_poll_response", options: .strict) { table in
            table.autoIncrementedPrimaryKey("id")
            table.requiredColumns(.integer, "poll")
            table.column("user", .integer).notNull().indexed()
            table.requiredColumns(.text, "positions")
            table.requiredColumns(.integer, "created")
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

    func poll(_ id: Int64) throws -> PollRecord? { try PollRecord.fetchOne(database, where: "id = ?", [id]) }

    /// Returns the polls that meet a condition, in a window of a column or an expression. The condition is a literal in
    /// the source.
    func polls(
        where condition: String,
        _ arguments: StatementArguments,
        _ window: PageWindow,
        by column: StaticString = "id"
    ) throws -> [PollRecord] {
        try PollRecord.fetchAll(database, where: condition, arguments, window, by: column)
    }

    /// Returns the polls that may match a search, in a window of ids or of ``endOrder``.
    func polls(_ search: PollSearch, now: Int64, _ window: PageWindow, byEnd: Bool) throws -> [PollRecord] {
        var (condition, arguments) = search.condition(now: now)
        if let terms = search.expression.map(index.condition) {
            condition += " AND \(terms.sql)"
            arguments += terms.arguments
        }
        return try polls(where: condition, arguments, window, by: byEnd ? Self.endOrder : "id")
    }

    func count() throws -> Int { try PollRecord.fetchCount(database) }

    /// Stores a new poll, whose id is 0, and sets its id.
    func insert(_ poll: PollRecord) throws -> PollRecord {
        let poll = try poll.inserted(database)
        try index.set(SearchTerms(ProcessedText(text: poll.prompt)), of: poll.id)
        return poll
    }

    /// Deletes a poll and the responses to it.
    func delete(_ id: Int64) throws {
        try PollRecord.deleteOne(database, key: id)
        try index.remove(id)
    }

    // MARK: Responses

    /// Returns the positions of a user's response; `nil` if the user never responded.
    func response(to poll: Int64, by user: Int64) throws -> [Int]? {
        try Response.fetchOne(database, where: "poll = ? AND user = ?", [poll, user])?.positions
    }

    /// Returns the responses to a poll, earliest first.
    func responses(to poll: Int64) throws -> [Response] {
        try Response.fetchAll(database, where: "poll = ? ORDER BY id", [poll])
    }

    /// Returns the users who responded to a poll, latest first. They are read one by one.
    func respondents(to poll: Int64) throws -> some Cursor<Int64> {
        try Int64.fetchCursor(
            database.cachedStatement(sql: "SELECT user FROM appnet_poll_response WHERE poll = ? ORDER BY id DESC"),
            arguments: [poll]
        )
    }

    /// Returns the responses to a user's polls in a window.
    func responses(toPollsOf user: Int64, _ window: PageWindow) throws -> [Response] {
        try Response.fetchAll(database, where: "poll IN (SELECT id FROM appnet_poll WHERE user = ?)", [user], window)
    }

    /// Stores a user's response. It replaces an earlier one and keeps its id and time.
    func setResponse(_ positions: [Int], to poll: Int64, by user: Int64, at now: Int64) throws {
        if var earlier = try Response.fetchOne(database, where: "poll = ? AND user = ?", [poll, user]) {
            earlier.positions = positions
            try earlier.update(database)
        } else {
            try Response(id: 0, poll: poll, user: user, positions: positions, created: now).insert(database)
        }
    }
}
