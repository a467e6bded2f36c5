internal import HTTPTypes

extension AppNetRoutes {
    /// Interactions (§2.9).
    static let interactionRoutes: [AppNetRoute] = []
}
