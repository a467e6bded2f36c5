/// The request of an app to a user in a web flow (Docs/Protocols/AppNet.md §1.3).
struct AuthorizationQuestion: Hashable, Sendable {
    /// The form of the result.
    enum Kind: String, Sendable {
        /// A code in the query, which the app exchanges for a token.
        case code
        /// The token itself, in the fragment.
        case token
    }

    let kind: Kind
    let client: AppNetApp
    let target: RedirectTarget
    /// The redirect URI as it was sent.
    let redirectURI: String
    let scopes: Set<AppNetScope>
    /// The state that is returned to the app.
    let state: String?

    /// Returns the redirect URL for a result.
    func returning(_ members: [(String, String)]) -> String {
        let members = members + (state.map { [("state", $0)] } ?? [])
        switch kind {
        case .code: return target.withQuery(members)
        case .token: return target.withFragment(members)
        }
    }

    /// Returns the redirect URL for an error of RFC 6749 §4.1.2.1.
    func refusing(_ code: String, _ text: String) -> String {
        returning([("error", code), ("error_description", text)])
    }
}
