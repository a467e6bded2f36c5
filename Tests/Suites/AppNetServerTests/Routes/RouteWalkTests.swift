import HTTPTypes
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Table of App.net's calls of posts, searches and streams", .timeLimit(.minutes(5)))
struct RouteWalkTests {
    @Test("every call of posts, searches and streams in the table gets its response")
    func walk() async throws {
        let patterns = ["users/me/interactions", "channels/search", "channels/messages/search"]
        let others = AppNetRoutes.all.filter { patterns.contains($0.pattern.description) }
        #expect(others.count == patterns.count)
        let tables = [AppNetRoutes.postRoutes, others, AppNetRoutes.streamRoutes]
        try await withVisitors { alice, bob in
            let channel = try await alice.channel()
            for route in tables.flatMap({ $0 }) where route.area == .api {
                let visitor = route.access == .app ? alice.asApp : alice
                for method in route.methods {
                    let pattern = route.pattern.description
                    let path = try await Self.path(pattern, method, alice, bob)
                    let query = Self.queries["\(method.rawValue) \(pattern)"] ?? ""
                    let target = "\(path)\(query.replacing("CHANNEL", with: channel))"
                    let body = Self.bodies[pattern].map { Array($0.utf8) } ?? Array("{}".utf8)
                    let answer =
                        method == .get || method == .delete
                        ? try await visitor.request(method.rawValue, target: "/stream/0/\(target)")
                        : try await visitor.send(method.rawValue, target, "application/json", body)
                    #expect((200...204).contains(answer.status), "\(method) \(target): \(answer.text)")
                    if route.isPaginated { #expect(answer.meta?["more"] != nil, "\(target)") }
                    _ = try await visitor.delete("streams")
                }
            }
        }
    }

    private static let clause = #"{"object_type":"post","field":"/data/id","operator":"equals","value":"1"}"#
    private static let filter = #"{"match_policy":"include_any","clauses":[\#(clause)]}"#
    private static let bodies = [
        "posts": #"{"text":"walked"}"#, "posts/marker": #"{"name":"global","id":"1"}"#, "filters": filter,
        "filters/{id}": filter,
        "streams": #"{"object_types":["post"]}"#, "streams/{id}": #"{"object_types":["star"]}"#,
    ]
    private static let queries = [
        "GET posts": "?ids=1", "GET posts/search": "?query=a", "GET channels/search": "?q=a",
        "GET channels/messages/search": "?query=a&channel_ids=CHANNEL",
    ]

    /// A path whose names stand for something that is there.
    private static func path(
        _ pattern: String,
        _ method: HTTPRequest.Method,
        _ alice: AppNetVisitor,
        _ bob: AppNetVisitor
    ) async throws -> String {
        var path = pattern.replacing("{user}", with: "me").replacing("{hashtag}", with: "a")
            .replacing("{slug}", with: "posts")
        if path.contains("{connection}") {
            let stream = try await ChunkedClient.user(alice)
            _ = try await alice.get("posts/stream?connection_id=\(stream.connectionID)&subscription_id=s")
            return path.replacing("{connection}", with: stream.connectionID).replacing("{subscription}", with: "s")
        }
        guard path.contains("{id}") else { return path }
        let id: String?
        switch path.prefix(while: { $0 != "/" }) {
        case "filters":
            id = try await alice.send("POST", "filters", "application/json", Array(filter.utf8))["id"]?.stringValue
        case "streams":
            id = try await alice.asApp.post("streams", ["object_types": ["post"]])["id"]?.stringValue
        default:
            let isOthers = path.hasSuffix("repost") || path.hasSuffix("report")
            id = try await (isOthers ? bob : alice).say("a post")
        }
        path = path.replacing("{id}", with: try #require(id))
        return path
    }
}
