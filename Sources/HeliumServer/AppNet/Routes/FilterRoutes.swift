internal import HTTPTypes

extension AppNetRoutes {
    /// Filters of app streams (§2.11).
    static let filterRoutes: [AppNetRoute] = []
}
