internal import HTTPTypes

extension AppNetRoutes {
    /// Places (§2.8).
    static let placeRoutes: [AppNetRoute] = []
}
