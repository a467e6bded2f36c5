internal import HTTPTypes

extension AppNetRoutes {
    /// The calls for tokens (Docs/Protocols/AppNet.md §1.3, §2.6), configuration, text and places (§2.8).
    static let serviceRoutes: [AppNetRoute] = [
        // Without a token, the call may identify a delegate token (Docs/Protocols/AppNet.md §1.3).
        AppNetRoute(.get, "token", .varies, by: TokenHandlers.read).with { $0.tellsLimits = false },
        AppNetRoute(.delete, "token", .any, by: TokenHandlers.delete),
        AppNetRoute(.get, "apps/me/tokens/user_ids", .app, by: TokenHandlers.listUsers),
        AppNetRoute(.get, "apps/me/tokens", .app, isPaginated: true, by: TokenHandlers.list),
        AppNetRoute(.get, "config", .none, by: ServiceHandlers.readConfiguration).with { $0.tellsLimits = false },
        // The call does not store anything and counts as a read, as with the service.
        AppNetRoute(.post, "text/process", .any, by: ServiceHandlers.processText).with {
            $0.writes = false
            $0.countsAsWrite = false
        },
        AppNetRoute(.get, "places/{factual_id}", .any, by: PlaceHandlers.read),
        AppNetRoute(.get, "places/search", by: PlaceHandlers.search),
    ]

    /// The calls of the OAuth flows (Docs/Protocols/AppNet.md §1.3).
    static let oauthRoutes: [AppNetRoute] =
        ["authenticate", "authorize"].flatMap { name in
            [
                AppNetRoute(.get, name, .none, area: .oauth, by: AuthorizationHandlers.show),
                AppNetRoute(.post, name, .none, area: .oauth, by: AuthorizationHandlers.decide),
            ]
        } + [
            AppNetRoute(.post, "access_token", .none, area: .oauth, by: AccessTokenHandlers.grant)
        ]
}
