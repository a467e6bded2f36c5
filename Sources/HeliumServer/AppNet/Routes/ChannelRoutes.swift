internal import HTTPTypes

extension AppNetRoutes {
    /// Channels (§2.1).
    static let channelRoutes: [AppNetRoute] = []
}
