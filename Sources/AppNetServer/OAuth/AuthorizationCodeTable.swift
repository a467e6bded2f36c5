internal import GRDB
internal import HeliumServerKit

/// The table of codes of web flows. Each code can be exchanged for one token (Docs/Protocols/AppNet.md §1.3).
struct AuthorizationCodeTable {
    /// The lifetime of a code in seconds.
    static let lifetime: Int64 = 600
    /// The maximum number of stored codes. The oldest are deleted first.
    static let maximumCodes = 10_000

    /// A code and its grant. Codes are numbered in the order of their creation.
    struct Code: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_code"

        @RowID var number: Int64 = 0
        let secret: String
        let client: String
        let user: Int64
        @ScopeList var scopes: Set<AppNetScope>
        let redirectURI: String
        let createdAt: Int64
        var isUsed = false
        /// The id of the token for which the code was exchanged.
        var token: Int64?

        enum CodingKeys: String, CodingKey {
            case number
            case secret = "code"
            case client, user, scopes
            case redirectURI = "redirect_uri"
            case createdAt = "created"
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
            table.requiredColumns(.text, "client")
            table.requiredColumns(.integer, "user")
            table.requiredColumns(.text, "scopes", "redirect_uri")
            table.requiredColumns(.integer, "created", "is_used")
        }
        try database.create(table: "appnet_delegate_token", options: .strict) { table in
            table.autoIncrementedPrimaryKey("number")
            table.column("secret", .text).notNull().unique()
            table.requiredColumns(.text, "client")
            table.requiredColumns(.integer, "token")
        }
    }

    /// Adds the column for the token of a code. A second use of the code revokes the token.
    static func addTokens(_ database: Database) throws {
        try database.alter(table: "appnet_code") { $0.add(column: "token", .integer) }
    }

    func insert(_ code: Code) throws { try code.insert(database, keepingLatest: Self.maximumCodes) }

    func code(_ secret: String) throws -> Code? { try Code.fetchOne(database, where: "code = ?", [secret]) }

    func markUsed(_ secret: String, by token: Int64) throws {
        try Code.filter(Column("code") == secret)
            .updateAll(database, Column("is_used").set(to: true), Column("token").set(to: token))
    }

    /// Stores a token with which another service can identify a user.
    func insertDelegate(_ secret: String, client: String, token: Int64) throws {
        try DelegateRecord(number: 0, secret: secret, client: client, token: token)
            .insert(database, keepingLatest: Self.maximumCodes)
    }

    /// Returns the token of a delegate token that was issued for `client`.
    func delegated(_ secret: String, client: String) throws -> Int64? {
        try DelegateRecord.fetchOne(database, where: "secret = ? AND client = ?", [secret, client])?.token
    }
}
