/// The caller of a request.
struct AppNetCaller: Hashable, Sendable {
    /// The token; `nil` for a request without a token.
    var token: AppNetToken?

    var user: Int64? { token?.user }
    var viewer: AppNetViewer {
        token.map(AppNetViewer.init) ?? AppNetViewer()
    }
}

/// The user or app for which objects are rendered.
struct AppNetViewer: Hashable, Sendable {
    /// The user; `nil` for apps and for callers without a token.
    var user: Int64?
    /// The client id of the token's app; `nil` without a token.
    var client: String?
    /// The scopes of a user token.
    var scopes: Set<AppNetScope> = []

    var isApp: Bool { user == nil && client != nil }
}

extension AppNetViewer {
    /// Creates the viewer of a token.
    init(_ token: AppNetToken) { self.init(user: token.user, client: token.client, scopes: token.scopes) }
}
