internal import HTTPTypes

extension AppNetRoutes {
    /// Markers of streams (§2.3).
    static let markerRoutes: [AppNetRoute] = [
        AppNetRoute(.post, path: "posts/marker", access: .user) { try $0.updateMarkers() }
    ]
}
