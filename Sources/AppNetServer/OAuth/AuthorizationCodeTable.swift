internal import GRDB
internal import HeliumServerKit

/// The codes of web flows, each good for one token (§1.3).
struct AuthorizationCodeTable {
    /// How long a code can be traded in, in seconds.
    static let lifetime: Int64 = 600
    /// The most codes that are kept; the oldest go first.
    static let maximumCodes = 10_000

    /// What a code stands for.
    struct Code: Hashable, Sendable {
        var client: String
        var user: Int64
        var scopes: Set<AppNetScope>
        var redirectURI: String
        var createdAt: Int64
        var isUsed = false
        /// The token that the code was traded in for.
        var token: Int64?
    }

    /// A row. Its number tells how old it is.
    private struct CodeRecord: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_code"

        @RowID var number: Int64
        let code: String
        let client: String
        let user: Int64
        let scopes: ScopeList
        let redirectURI: String
        let created: Int64
        let isUsed: Bool
        let token: Int64?

        enum CodingKeys: String, CodingKey {
            case number, code, client, user, scopes
            case redirectURI = "redirect_uri"
            case created
            case isUsed = "is_used"
            case token
        }
    }

    private struct DelegateRecord: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_delegate_token"

        @RowID var number: Int64
        let secret: String
        let client: String
        let token: Int64
    }

    let database: Database

    static func createTables(_ database: Database) throws {
        try database.create(table: "appnet_code", options: .strict) { table in
            table.autoIncrementedPrimaryKey("number")
            table.column("code", .text).notNull().unique()
            table.column("client", .text).notNull()
            table.column("user", .integer).notNull()
            table.column("scopes", .text).notNull()
            table.column("redirect_uri", .text).notNull()
            table.column("created", .integer).notNull()
            table.column("is_used", .integer).notNull()
        }
        try database.create(table: "appnet_delegate_token", options: .strict) { table in
            table.autoIncrementedPrimaryKey("number")
            table.column("secret", .text).notNull().unique()
            table.column("client", .text).notNull()
            table.column("token", .integer).notNull()
        }
    }

    /// Which token came of a code: a second use of the code ends it.
    static func addTokens(_ database: Database) throws {
        try database.alter(table: "appnet_code") { $0.add(column: "token", .integer) }
    }

    func insert(_ secret: String, _ code: Code) throws {
        try CodeRecord(
            number: 0,
            code: secret,
            client: code.client,
            user: code.user,
            scopes: ScopeList(code.scopes),
            redirectURI: code.redirectURI,
            created: code.createdAt,
            isUsed: false,
            token: nil
        ).insert(database)
        let oldest = database.lastInsertedRowID - Int64(Self.maximumCodes)
        try CodeRecord.delete(database, where: "number <= ?", [oldest])
    }

    func code(_ secret: String) throws -> Code? {
        try CodeRecord.fetchOne(database, where: "code = ?", [secret]).map { record in
            Code(
                client: record.client,
                user: record.user,
                scopes: record.scopes.scopes,
                redirectURI: record.redirectURI,
                createdAt: record.created,
                isUsed: record.isUsed,
                token: record.token
            )
        }
    }

    func markUsed(_ secret: String, by token: Int64) throws {
        try CodeRecord.filter(Column("code") == secret)
            .updateAll(database, Column("is_used").set(to: true), Column("token").set(to: token))
    }

    /// Keeps a token by which another service learns who a user is.
    func insertDelegate(_ secret: String, client: String, token: Int64) throws {
        try DelegateRecord(number: 0, secret: secret, client: client, token: token).insert(database)
        let oldest = database.lastInsertedRowID - Int64(Self.maximumCodes)
        try DelegateRecord.delete(database, where: "number <= ?", [oldest])
    }

    /// The token behind a delegate token that was made for `client`.
    func delegated(_ secret: String, client: String) throws -> Int64? {
        try DelegateRecord.fetchOne(database, where: "secret = ? AND client = ?", [secret, client])?.token
    }
}
