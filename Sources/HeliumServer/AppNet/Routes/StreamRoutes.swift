internal import HTTPTypes

extension AppNetRoutes {
    /// App streams and user streams (§2.13, §2.14).
    static let streamRoutes: [AppNetRoute] = []
}
