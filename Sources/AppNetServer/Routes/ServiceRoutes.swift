internal import HTTPTypes

extension AppNetRoutes {
    /// Tokens (§1.3, §2.6), configuration, text and places (§2.8).
    static let serviceRoutes: [AppNetRoute] = [
        // Without a token it may be a question for a delegated one (§1.3).
        AppNetRoute(.get, "token", .varies) { try TokenHandlers($0).read() }.with {
            $0.tellsLimits = false
        },
        AppNetRoute(.delete, "token", .any) { try TokenHandlers($0).delete() },
        AppNetRoute(.get, "apps/me/tokens/user_ids", .app) { try TokenHandlers($0).listUsers() },
        AppNetRoute(.get, "apps/me/tokens", .app, isPaginated: true) { try TokenHandlers($0).list() },
        AppNetRoute(.get, "config", .none) { ServiceHandlers($0).readConfiguration() }.with {
            $0.tellsLimits = false
        },
        // Stores nothing, and counts as a read [wire].
        AppNetRoute(.post, "text/process", .any) { try ServiceHandlers($0).processText() }.with {
            $0.writes = false
            $0.countsAsWrite = false
        },
        AppNetRoute(.get, "places/{factual_id}", .any) { try PlaceHandlers($0).read() },
        AppNetRoute(.get, "places/search", .user) { try PlaceHandlers($0).search() },
    ]

    /// How tokens are got (§1.3).
    static let oauthRoutes: [AppNetRoute] =
        ["authenticate", "authorize"].flatMap { name in
            [
                AppNetRoute(.get, name, .none, area: .oauth) { try AuthorizationHandlers($0).show() },
                AppNetRoute(.post, name, .none, area: .oauth) { try AuthorizationHandlers($0).decide() },
            ]
        } + [
            AppNetRoute(.post, "access_token", .none, area: .oauth) { try AccessTokenHandlers($0).grant() }
        ]
}
