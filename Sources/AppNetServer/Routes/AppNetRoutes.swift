internal import HTTPTypes

/// The table of all calls.
struct AppNetRoutes: Sendable {
    /// All calls of all areas. If two patterns match a path, the one with the earlier literals is used.
    static let all: [AppNetRoute] = [
        userRoutes, serviceRoutes, oauthRoutes, channelRoutes, messageRoutes, postRoutes, fileRoutes, streamRoutes,
        pnutRoutes,
    ].flatMap { $0 }

    private let table = RouteTable(Self.all)

    /// Returns the route for a request.
    ///
    /// - Throws: ``AppNetFailure`` with 404 for a path, and 405 for a method, that the table does not contain.
    func match(_ request: AppNetRequest) throws(AppNetFailure) -> RouteTable<AppNetRoute>.Match {
        let match = try table.match(request.segments, request.method) { $0.area == request.area }
        if request.method == .head, match.route.opensStream { throw .methodNotAllowed(["GET"]) }
        return match
    }
}
