internal import HTTPTypes

/// The table of all calls.
struct AppNetRoutes: Sendable {
    /// What a request is for.
    struct Match: Sendable {
        let route: AppNetRoute
        let path: [String: String]
    }

    /// Every call of every area; where two fit one path, the one with the earlier literals is meant.
    static let all: [AppNetRoute] = [
        userRoutes, serviceRoutes, oauthRoutes, channelRoutes, messageRoutes, postRoutes, fileRoutes, streamRoutes,
        pnutRoutes,
    ].flatMap { $0 }

    private let byCount: [Int: [AppNetRoute]]

    init(_ routes: [AppNetRoute] = Self.all) {
        byCount = Dictionary(grouping: routes, by: \.pattern.parts.count)
            .mapValues { $0.sorted { $0.pattern.rank.lexicographicallyPrecedes($1.pattern.rank) } }
    }

    /// - Throws: ``AppNetFailure`` with 404 for a path, and 405 for a method, that the table does not have.
    func match(_ request: AppNetRequest) throws(AppNetFailure) -> Match {
        var allowed: [String] = []
        let method = request.method == .head ? HTTPRequest.Method.get : request.method
        for route in byCount[request.segments.count] ?? [] where route.area == request.area {
            guard let values = route.pattern.match(request.segments) else { continue }
            if route.methods.contains(method) { return Match(route: route, path: values) }
            allowed += route.methods.map(\.rawValue).filter { !allowed.contains($0) }
        }
        throw allowed.isEmpty ? .notFound : .methodNotAllowed(allowed)
    }
}
