internal import HTTPTypes

extension AppNetRoutes {
    /// Token, configuration, text (§2.6).
    static let tokenRoutes: [AppNetRoute] = [
        // Without a token it may be a question for a delegated one (§1.3).
        AppNetRoute(.get, path: "token", access: .varies) { try $0.readToken() }.with { $0.tellsLimits = false },
        AppNetRoute(.delete, path: "token", access: .any) { try $0.deleteToken() },
        AppNetRoute(.get, path: "apps/me/tokens/user_ids", access: .app) { try $0.listTokenUsers() },
        AppNetRoute(.get, path: "apps/me/tokens", access: .app, isPaginated: true) { try $0.listTokens() },
        AppNetRoute(.get, path: "config", access: .none) { $0.readConfiguration() }.with { $0.tellsLimits = false },
        // Stores nothing, and counts as a read [wire].
        AppNetRoute(.post, path: "text/process", access: .any) { try $0.processText() }.with {
            $0.writes = false
            $0.countsAsWrite = false
        },
    ]
}
