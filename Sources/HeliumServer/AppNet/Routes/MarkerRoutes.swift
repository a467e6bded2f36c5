internal import HTTPTypes

extension AppNetRoutes {
    /// Markers of streams (§2.3).
    static let markerRoutes: [AppNetRoute] = []
}
