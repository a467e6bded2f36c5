import Foundation
import HTTPTypes
import HeliumCore
import ServerSupport

@testable import AppNetServer
@testable import CosmServer
@testable import HeliumServerKit

/// Every call of the server, made from its tables of routes.
enum SecretCalls {
    /// A secret of a client that the server does not know. It looks like a token.
    static let unknown = "Unkn0wn-pl4nted-0123456789abcdef0123"

    /// The calls, with `part` in place of each part of a path that varies.
    static func all(_ services: TestJSON?) -> [(method: String, path: String)] {
        let appNet = (AppNetRoutes.all).filter { !$0.opensStream }.flatMap { route in
            route.methods.map { ($0.rawValue, prefix(route.area) + path(route.pattern)) }
        }
        let pnut = PnutRoutes.all.flatMap { route in
            route.methods.map { ($0.rawValue, AppNetArea.pnutPrefix + path(route.pattern)) }
        }
        let cosm = CosmAction.allCases.map { action in
            let (method, path) = call(action)
            return (method, "/v2" + path)
        }
        var middleware: [(String, String)] = []
        if case .array(let routes) = services?["response"] {
            for route in routes {
                guard case .string(let method) = route["method"], case .string(let url) = route["url"],
                    let start = url.range(of: "/demo-auth")
                else { continue }
                let path = url[start.lowerBound...].split(separator: "/").map { $0.hasPrefix(":") ? "1" : String($0) }
                middleware.append((method, "/" + path.joined(separator: "/")))
            }
        }
        return appNet + pnut + cosm + middleware + [
            ("GET", "/demo-auth/v1/services"), ("GET", "/data/"), ("POST", "/data/"),
        ]
    }

    private static func prefix(_ area: AppNetArea) -> String {
        switch area {
        case .api: "/stream/0"
        case .oauth: "/oauth"
        case .content: AppNetArea.contentPrefix
        case .live: AppNetArea.livePrefix
        case .pnut: AppNetArea.pnutPrefix
        }
    }

    private static func path(_ pattern: AppNetPattern) -> String {
        pattern.parts.map { part in
            switch part {
            case .literal(let text): "/\(text)"
            case .parameter("token"), .parameter("proof"): "/\(unknown)"
            case .parameter: "/1"
            }
        }.joined()
    }

    private static func call(_ action: CosmAction) -> (String, String) {
        let stream = "/feeds/1/datastreams/a"
        let point = "\(stream)/datapoints/2013-01-01T00:00:00Z"
        return switch action {
        case .listFeeds: ("GET", "/feeds")
        case .createFeed: ("POST", "/feeds")
        case .readFeed: ("GET", "/feeds/1")
        case .updateFeed: ("PUT", "/feeds/1")
        case .deleteFeed: ("DELETE", "/feeds/1")
        case .listDatastreams: ("GET", "/feeds/1/datastreams")
        case .createDatastreams: ("POST", "/feeds/1/datastreams")
        case .readDatastream: ("GET", stream)
        case .updateDatastream: ("PUT", stream)
        case .deleteDatastream: ("DELETE", stream)
        case .createDatapoints: ("POST", "\(stream)/datapoints")
        case .deleteDatapoints: ("DELETE", "\(stream)/datapoints")
        case .readDatapoint: ("GET", point)
        case .updateDatapoint: ("PUT", point)
        case .deleteDatapoint: ("DELETE", point)
        case .listKeys: ("GET", "/keys")
        case .createKey: ("POST", "/keys")
        case .readKey: ("GET", "/keys/\(unknown)")
        case .updateKey: ("PUT", "/keys/\(unknown)")
        case .deleteKey: ("DELETE", "/keys/\(unknown)")
        case .listTriggers: ("GET", "/triggers")
        case .createTrigger: ("POST", "/triggers")
        case .readTrigger: ("GET", "/triggers/1")
        case .updateTrigger: ("PUT", "/triggers/1")
        case .deleteTrigger: ("DELETE", "/triggers/1")
        case .listUsers: ("GET", "/users")
        case .createUser: ("POST", "/users")
        case .readUser: ("GET", "/users/helium")
        case .updateUser: ("PUT", "/users/helium")
        case .deleteUser: ("DELETE", "/users/helium")
        }
    }
}
