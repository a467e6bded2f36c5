/// What an app asks a user for in a web flow (§1.3).
struct AuthorizationQuestion: Hashable, Sendable {
    /// How the answer comes back.
    enum Kind: String, Sendable {
        /// A code in the query, which the app trades in for a token.
        case code
        /// The token itself in the fragment.
        case token
    }

    let kind: Kind
    let client: AppNetApp
    let target: RedirectTarget
    /// The redirect URI as it was sent.
    let redirectURI: String
    let scopes: Set<AppNetScope>
    /// What the app wants to have back.
    let state: String?

    /// Where the flow returns to with an answer.
    func returning(_ members: [(String, String)]) -> String {
        let members = members + (state.map { [("state", $0)] } ?? [])
        switch kind {
        case .code: return target.withQuery(members)
        case .token: return target.withFragment(members)
        }
    }

    /// Where the flow returns to with an error of RFC 6749, section 4.1.2.1.
    func refusing(_ code: String, _ text: String) -> String {
        returning([("error", code), ("error_description", text)])
    }
}
