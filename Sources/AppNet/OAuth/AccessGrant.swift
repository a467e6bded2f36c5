package import Foundation
public import HeliumCore
internal import HeliumJSON

/// A token that was granted by a sign-in (Docs/Protocols/AppNet.md §1.3).
///
/// The description and the reflection do not contain the token.
public struct AccessGrant: Sendable {
    /// The token, for ``AppNetConfiguration/token`` and ``AccountTokens``.
    public let accessToken: Secret

    /// The description of the token; `nil` if the response has none.
    public let token: TokenInfo?

    /// The id of the token's user; `nil` if the response has none. App.net sends it as a part of ``token``.
    public let userID: AppNetUser.ID?

    /// The name of the token's user; `nil` if the response has none.
    public let username: String?

    /// Creates a grant.
    public init(accessToken: Secret, token: TokenInfo? = nil, userID: AppNetUser.ID? = nil, username: String? = nil) {
        self.accessToken = accessToken
        self.token = token
        self.userID = userID ?? token?.user?.id
        self.username = username ?? token?.user?.username
    }
}

extension AccessGrant {
    /// Decodes a response of the token endpoint.
    ///
    /// - Parameter tokenMember: The name of the member with the token: `access_token` or `delegate_token`.
    /// - Returns: `nil` if the response has no token.
    package init?(_ body: Data, tokenMember: String, dialect: AppNetDialect) {
        guard let document = (try? JSONValue(parsing: body))?.objectValue,
            let text = document[tokenMember]?.stringValue, !text.isEmpty
        else { return nil }
        var info: TokenInfo?
        if let member = document["token"], member.objectValue != nil {
            let form = dialect == .pnut ? try? PnutMembers.appNetForm(of: member, as: TokenInfo.self) : member
            info = try? HeliumJSONDecoder().decode(TokenInfo.self, from: HeliumJSONEncoder().encode(form))
        }
        self.init(
            accessToken: Secret(text),
            token: info,
            userID: document["user_id"].flatMap {
                ($0.stringValue ?? $0.intValue.map(String.init)).map { AppNetUser.ID($0) }
            },
            username: document["username"]?.stringValue
        )
    }
}

extension AccessGrant: CustomStringConvertible, CustomReflectable {
    /// The user of the token, without the token.
    public var description: String { "AccessGrant(\(username ?? userID?.text ?? "no user"))" }

    /// A mirror with only the description.
    public var customMirror: Mirror { Mirror(self, children: ["grant": description]) }
}
