internal import HTTPTypes

extension AppNetRoutes {
    /// How tokens are got (§1.3).
    static let oauthRoutes: [AppNetRoute] =
        ["authenticate", "authorize"].flatMap { name in
            [
                AppNetRoute(.get, path: name, area: .oauth, access: .none) { try $0.showAuthorization() },
                AppNetRoute(.post, path: name, area: .oauth, access: .none) { try $0.decideAuthorization() },
            ]
        } + [
            AppNetRoute(.post, path: "access_token", area: .oauth, access: .none) { try $0.grantToken() }
        ]
}
