internal import HTTPTypes

extension AppNetRoutes {
    /// Search (§2.12).
    static let searchRoutes: [AppNetRoute] = []
}
