internal import HTTPTypes

extension AppNetRoutes {
    /// Files (§2.4).
    static let fileRoutes: [AppNetRoute] = []
}
