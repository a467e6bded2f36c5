internal import Foundation
public import HeliumCore
internal import HeliumJSON

/// A token that a sign-in gave (§1.3).
///
/// Neither the description nor the reflection shows the token.
public struct AccessGrant: Sendable {
    /// The token: for ``AppNetConfiguration/token`` and ``AccountTokens``.
    public let accessToken: Secret

    /// What it is good for, where the service says.
    public let token: TokenInfo?

    /// Whose it is, where the service says: pnut.io, and App.net as a part of ``token``.
    public let userID: AppNetUser.ID?

    /// That user's name.
    public let username: String?

    /// A grant.
    public init(accessToken: Secret, token: TokenInfo? = nil, userID: AppNetUser.ID? = nil, username: String? = nil) {
        self.accessToken = accessToken
        self.token = token
        self.userID = userID ?? token?.user?.id
        self.username = username ?? token?.user?.username
    }
}

extension AccessGrant {
    /// Reads the token endpoint's answer.
    ///
    /// - Parameter tokenMember: The member with the token: `access_token`, `delegate_token`.
    /// - Returns: `nil` if the answer has none.
    init?(_ body: Data, tokenMember: String, dialect: AppNetDialect) {
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
    /// Whose it is; not the token.
    public var description: String { "AccessGrant(\(username ?? userID?.text ?? "no user"))" }

    /// Whose it is; not the token.
    public var customMirror: Mirror { Mirror(self, children: ["grant": description]) }
}
