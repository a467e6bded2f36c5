internal import HTTPTypes

extension AppNetRoutes {
    /// How tokens are got (§1.3).
    static let oauthRoutes: [AppNetRoute] = []
}
