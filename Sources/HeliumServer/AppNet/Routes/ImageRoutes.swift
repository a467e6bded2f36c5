internal import HTTPTypes

extension AppNetRoutes {
    /// Avatars and covers (§2.5).
    static let imageRoutes: [AppNetRoute] = []
}
