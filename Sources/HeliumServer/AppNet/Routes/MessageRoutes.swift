internal import HTTPTypes

extension AppNetRoutes {
    /// Messages (§2.2).
    static let messageRoutes: [AppNetRoute] = []
}
