internal import HTTPTypes

/// A call in a table of routes.
protocol TableRoute: Sendable {
    var methods: [HTTPRequest.Method] { get }
    var pattern: AppNetPattern { get }
}

/// Finds the route for a path. If two patterns match a path, the one with the earlier literals is used.
struct RouteTable<Route: TableRoute>: Sendable {
    /// A route, and the values of its path parameters.
    typealias Match = (route: Route, values: [String: String])

    private let byCount: [Int: [Route]]

    init(_ routes: [Route]) {
        byCount = Dictionary(grouping: routes, by: \.pattern.parts.count)
            .mapValues { $0.sorted { $0.pattern.rank.lexicographicallyPrecedes($1.pattern.rank) } }
    }

    /// Returns the route for a path and a method.
    ///
    /// - Throws: ``AppNetFailure`` with 404 for a path, and 405 for a method, that the table does not contain.
    func match(
        _ segments: [String],
        _ asked: HTTPRequest.Method,
        where isCandidate: (Route) -> Bool = { _ in true }
    ) throws(AppNetFailure) -> Match {
        let method = asked == .head ? HTTPRequest.Method.get : asked
        var allowed: [String] = []
        for route in byCount[segments.count] ?? [] where isCandidate(route) {
            guard let values = route.pattern.match(segments) else { continue }
            if route.methods.contains(method) { return (route, values) }
            allowed += route.methods.map(\.rawValue).filter { !allowed.contains($0) }
        }
        throw allowed.isEmpty ? .notFound : .methodNotAllowed(allowed)
    }
}
