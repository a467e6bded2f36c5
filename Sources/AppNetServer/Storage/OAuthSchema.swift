internal import GRDB

extension AppNetSchema.Migration {
    /// Codes and delegations of the OAuth flows (§1.3).
    static let oauth = Self(name: "oauth") { try AuthorizationCodeTable.createTables($0) }

    /// The token of a used code.
    static let codeTokens = Self(name: "codeTokens") { try AuthorizationCodeTable.addTokens($0) }
}
