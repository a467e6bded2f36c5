internal import HTTPTypes

extension AppNetRoutes {
    /// Explore streams (§2.10).
    static let exploreRoutes: [AppNetRoute] = []
}
