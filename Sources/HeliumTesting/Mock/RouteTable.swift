import Foundation
import HTTPTypes
import HeliumCore

/// A path pattern in which names replace some segments.
struct PathPattern: Sendable {
    let text: String
    private let segments: [String]

    init(_ text: String) {
        self.text = text
        segments = PathPattern.split(text)
    }

    private static func split(_ path: String) -> [String] {
        let relative: Substring = path.hasPrefix("/") ? path.dropFirst() : path[...]
        return relative.split(separator: Character("/"), omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the segments by their names; `nil` if the path does not match.
    func match(_ path: String) -> [String: String]? {
        let actual = PathPattern.split(path)
        var parameters: [String: String] = [:]
        for (index, segment) in segments.enumerated() {
            if segment == "*", index == segments.count - 1 {
                guard index < actual.count else { return nil }
                parameters["*"] = actual[index...].joined(separator: "/")
                return parameters
            }
            guard index < actual.count else { return nil }
            let value = actual[index].removingPercentEncoding ?? actual[index]
            if segment.hasPrefix(":"), segment.count > 1 {
                guard !value.isEmpty else { return nil }
                parameters[String(segment.dropFirst())] = value
            } else if value != segment.removingPercentEncoding ?? segment {
                return nil
            }
        }
        return actual.count == segments.count ? parameters : nil
    }
}

/// A route: the requests that it matches, and their response.
struct Route: Sendable {
    let method: HTTPRequest.Method?
    let pattern: PathPattern
    let conditions: [MockTransport.Condition]
    let times: MockTransport.Times
    let respond: MockTransport.Responder

    /// The method and the pattern, without keys in the pattern.
    var name: String { "\(method?.rawValue ?? "(any)") \(SecretPath.masking(pattern.text))" }

    enum Fit {
        case fits([String: String])
        case differs(String)
    }

    func fit(_ request: TransportRequest) -> Fit {
        if let method, method != request.method { return .differs("the method differs") }
        guard let parameters = pattern.match(request.path) else { return .differs("the path differs") }
        for condition in conditions where !condition.holds(request) {
            return .differs("it does not have \(condition.description)")
        }
        return .fits(parameters)
    }
}

/// Finds the route of each request and counts the requests of each route.
struct RouteTable: Sendable {
    enum Verdict {
        case matched(Route, [String: String])
        /// The reason for each route.
        case unmatched([String])
    }

    private let order: MockTransport.Order
    private var routes: [(route: Route, count: Int)] = []
    private var position = 0

    init(order: MockTransport.Order) { self.order = order }

    mutating func add(_ route: Route) { routes.append((route, 0)) }

    mutating func match(_ request: TransportRequest) -> Verdict {
        var reasons: [String] = []
        for index in (order == .strict ? position : 0)..<routes.count {
            let (route, count) = routes[index]
            if count >= route.times.maximum {
                reasons.append("\(route.name): it has already received its \(count) requests")
                continue
            }
            switch route.fit(request) {
            case .fits(let parameters):
                routes[index].count += 1
                position = index
                return .matched(route, parameters)
            case .differs(let reason):
                reasons.append("\(route.name): \(reason)")
                if order == .strict, count < route.times.minimum {
                    reasons.append("it must come first")
                    return .unmatched(reasons)
                }
            }
        }
        return .unmatched(reasons)
    }

    /// The routes with fewer requests than required.
    var unmet: [String] {
        routes.filter { $0.count < $0.route.times.minimum }.map { entry in
            "\(entry.route.name) received \(entry.count) of \(entry.route.times.minimum) requests"
        }
    }
}
