internal import HTTPTypes

extension AppNetRoutes {
    /// Posts, stars and reposts (§2.7).
    static let postRoutes: [AppNetRoute] = []
}
