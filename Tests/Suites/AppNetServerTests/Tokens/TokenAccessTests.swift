import HTTPTypes
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Access to App.net by kind of token", .timeLimit(.minutes(5)))
struct TokenAccessTests {
    /// The caller of a request.
    private enum Visitor: String, CaseIterable {
        /// The user whose things are asked for.
        case owner
        /// A user who may read the private channel.
        case reader
        /// A user who may not.
        case stranger
        /// A reader whose token has the scope `basic` alone.
        case limited
        /// The app to which the reader gave `messages`.
        case app
        /// An app that has no token from the user.
        case otherApp
        case none
    }

    /// The columns of the tables below are in the order of ``Visitor``.
    private typealias Row = (path: String, statuses: [Int])

    private static let reads: [Row] = [
        ("channels/PRIVATE", [200, 200, 404, 403, 200, 404, 404]),
        ("channels/PRIVATE/messages", [200, 200, 404, 403, 200, 404, 404]),
        ("channels/PRIVATE/messages/MESSAGE", [200, 200, 404, 403, 200, 404, 404]),
        ("channels/PRIVATE/subscribers", [200, 200, 404, 403, 200, 404, 404]),
        ("channels/PRIVATE/subscribers/ids", [200, 200, 404, 403, 200, 404, 404]),
        ("channels/OPEN", [200, 200, 200, 403, 200, 404, 404]),
        ("channels/OPEN/messages", [200, 200, 200, 403, 200, 404, 404]),
        ("channels/PUBLIC", [200, 200, 200, 403, 200, 200, 200]),
        ("channels/PUBLIC/messages", [200, 200, 200, 403, 200, 200, 200]),
        ("users/me/channels", [200, 200, 200, 403, 403, 403, 401]),
        ("users/me/messages", [200, 200, 200, 403, 403, 403, 401]),
        ("users/me/files", [200, 200, 200, 403, 403, 403, 401]),
        ("files/SECRET", [200, 404, 404, 404, 404, 404, 404]),
        ("files/SECRET?file_token=wrong", [200, 404, 404, 404, 404, 404, 404]),
        ("files/SECRET/content", [204, 404, 404, 404, 403, 403, 401]),
        ("files/SHARED", [200, 200, 200, 200, 200, 200, 200]),
        ("users/OWNER", [200, 200, 200, 200, 200, 200, 200]),
        ("users/OWNER/muted", [200, 403, 403, 403, 200, 403, 401]),
        ("users/OWNER/blocked", [200, 403, 403, 403, 200, 403, 401]),
        ("users/OWNER/posts", [200, 200, 200, 200, 200, 200, 200]),
        ("users/OWNER/mentions", [200, 200, 200, 200, 200, 200, 401]),
        ("posts/stream", [200, 200, 200, 403, 403, 403, 401]),
        ("streams/STREAM", [403, 403, 403, 403, 200, 404, 401]),
        ("filters/FILTER", [200, 404, 404, 404, 403, 403, 401]),
        ("token", [200, 200, 200, 200, 200, 200, 401]),
        ("/v1/channels/PRIVATE", [200, 200, 404, 403, 200, 404, 404]),
        ("/v1/channels/PRIVATE/messages", [200, 200, 404, 403, 200, 404, 404]),
        ("/v1/channels/PRIVATE/sticky_messages", [200, 200, 404, 403, 200, 404, 404]),
        ("/v1/channels/PRIVATE/messages/MESSAGE/thread", [200, 200, 404, 403, 200, 404, 404]),
    ]

    /// Lists leave out what the caller may not see: the number of their elements.
    private static let lists: [(path: String, counts: [Int?])] = [
        ("channels?ids=PRIVATE,OPEN,PUBLIC", [3, 3, 2, nil, 3, 1, nil]),
        ("channels/messages?ids=MESSAGE", [1, 1, 0, nil, 1, 0, nil]),
        ("channels/messages/search?query=secret&channel_ids=PRIVATE", [1, 1, 0, nil, 1, 0, nil]),
        ("channels/subscribers/ids?ids=PRIVATE,PUBLIC", [2, 2, 1, nil, 2, 1, 1]),
        ("channels/search?q=name", [3, 3, 2, nil, nil, nil, nil]),
        ("files?ids=SECRET,SHARED", [2, 1, 1, nil, nil, nil, nil]),
        ("users/muted/ids?ids=OWNER", [nil, nil, nil, nil, 1, 0, nil]),
        ("users/blocked/ids?ids=OWNER", [nil, nil, nil, nil, 1, 0, nil]),
        ("apps/me/tokens", [nil, nil, nil, nil, 4, 0, nil]),
        ("apps/me/tokens/user_ids", [nil, nil, nil, nil, 4, 0, nil]),
        ("streams", [nil, nil, nil, nil, 1, 0, nil]), ("filters", [1, 0, 0, 0, nil, nil, nil]),
    ]

    @Test("each reading call answers each kind of token as documented, and lists leave out hidden objects")
    func reads() async throws {
        try await withVisitors { peers, names in
            for (path, statuses) in Self.reads {
                for (visitor, status) in zip(Visitor.allCases, statuses) {
                    let answer = try await peers[visitor]?.send("GET", Self.path(path, names))
                    #expect(answer?.status == status, "\(visitor) GET \(path): \(answer?.text ?? "")")
                }
            }
            for (path, counts) in Self.lists {
                for (visitor, count) in zip(Visitor.allCases, counts) {
                    let answer = try await peers[visitor]?.send("GET", Self.path(path, names))
                    let data = answer?.tree["data"]
                    let found = data?.arrayValue?.count ?? data?.names?.count
                    #expect(found == count, "\(visitor) GET \(path): \(answer?.text ?? "")")
                }
            }
        }
    }

    @Test("an app's access by a reader ends with the reader's token, and with his access to the channel")
    func entrusting() async throws {
        try await withVisitors { peers, names in
            let app = try #require(peers[.app])
            let path = Self.path("channels/PRIVATE", names)
            // The owner's own token gives the app the same.
            for visitor in [Visitor.owner, .reader] {
                let token = try #require(peers[visitor]?.token)
                #expect(try await app.send("GET", path).status == 200)
                try await app.running.appNet.setToken(token, .revoked)
            }
            #expect(try await app.send("GET", path).status == 404)
            #expect(try await app.send("GET", Self.path("channels/OPEN", names)).status == 200)
        }
    }

    // MARK: All routes

    /// The kinds of tokens that the page names, by the API's calls; all others need a user's.
    private static let access: [AppNetAccess: Set<String>] = [
        .none: [
            "users/{user}", "users/{user}/avatar", "users/{user}/cover", "config", "posts/{id}", "users/{user}/posts",
            "users/{user}/stars", "posts/tag/{hashtag}", "posts/stream/global", "posts/stream/explore",
            "posts/stream/explore/{slug}",
        ],
        .varies: [
            "channels/{channel}", "channels/{channel}/subscribers", "channels/{channel}/subscribers/ids",
            "channels/subscribers/ids", "channels/{channel}/messages", "channels/{channel}/messages/{message}",
            "files/{id}", "token",
        ],
        .any: [
            "channels", "channels/messages", "channels/messages/search", "users", "users/search",
            "users/{user}/following", "users/{user}/followers", "users/{user}/following/ids",
            "users/{user}/followers/ids", "users/{user}/muted", "users/{user}/blocked", "posts/{id}/reposters",
            "posts/{id}/stars", "posts", "users/{user}/mentions", "posts/{id}/replies", "posts/search",
            "places/{factual_id}",
        ],
        .app: [
            "users/muted/ids", "users/blocked/ids", "apps/me/tokens/user_ids", "apps/me/tokens", "streams",
            "streams/{id}",
        ],
    ]

    @Test("the access of all calls of App.net is as documented")
    func table() {
        for route in AppNetRoutes.all where route.area == .api {
            let pattern = route.pattern.description
            let isRead = route.methods == [.get]
            let named = Self.access.first { $0.value.contains(pattern) && (isRead || $0.key == .app) }?.key
            let expected = ["token", "text/process"].contains(pattern) && !isRead ? .any : named ?? .user
            #expect(route.access == expected, "\(route.methods) \(pattern)")
        }
    }

    @Test("all calls of App.net refuse tokens of a wrong kind or without the scope")
    func everyRoute() async throws {
        try await withVisitors { peers, names in
            for route in AppNetRoutes.all where route.area != .oauth && route.area != .content {
                for method in route.methods {
                    guard let base = Self.bases[route.area] else { continue }
                    let path = Self.path(route.pattern.description, names)
                    if route.area == .pnut {
                        _ = try PnutRoutes.match(path.split(separator: "/").map(String.init), method)
                    }
                    let target = base + path
                    for visitor in [Visitor.owner, .limited, .app, .none] {
                        guard let status = Self.refusal(of: visitor, by: route) else { continue }
                        let answer = try await peers[visitor]?.send(
                            method.rawValue,
                            target,
                            method == .get ? nil : "{}"
                        )
                        #expect(answer?.status == status, "\(visitor) \(method) \(target): \(answer?.text ?? "")")
                    }
                }
            }
        }
    }

    private static let bases: [AppNetArea: String] = [.api: "/stream/0/", .pnut: "/v1/", .live: "/stream/"]

    /// The status of a refusal for the kind of token alone; `nil` where that does not suffice to tell.
    private static func refusal(of visitor: Visitor, by route: AppNetRoute) -> Int? {
        switch (route.access, visitor) {
        case (.user, .none), (.app, .none), (.any, .none): 401
        case (.app, .owner), (.app, .limited), (.user, .app): 403
        case (_, .limited) where !route.scopes.isEmpty: 403
        default: nil
        }
    }

    // MARK: Visitors

    private static func path(_ pattern: String, _ names: [String: String]) -> String {
        var path = pattern
        for (name, value) in names { path = path.replacing(name, with: value) }
        for (name, value) in [
            ("{user}", "me"), ("{hashtag}", "a"), ("{slug}", "posts"), ("{connection}", "c"), ("{subscription}", "s"),
            ("{channel}", "1"), ("{message}", "1"), ("{id}", "1"), ("{mid}", "1"), ("{key}", "k"), ("{uuid}", "u"),
            ("{factual_id}", "f"),
        ] {
            path = path.replacing(name, with: value)
        }
        return path
    }

    private func withVisitors(_ body: ([Visitor: AppNetPeer], [String: String]) async throws -> Void) async throws {
        var users = ["alice", "bob", "carol", "dave"].map { AppNetAccounts.User(name: $0) }
        users[3].scopes = ["basic"]
        var other = AppNetAccounts.App(clientID: "other")
        other.tokens = ["other-app-token"]
        let accounts = AppNetAccounts(users: users, apps: AppNetAccounts.standard.apps + [other])
        try await withAppNet({ $0.accounts = accounts }) { alice in
            let annotation =
                #"[{"type":"com.example.title","value":{"text":"name"}}]"#
            func channel(_ readers: String) async throws -> String {
                try await alice.createChannel(
                    #"{"type":"com.example.notes","readers":\#(readers),"annotations":\#(annotation)}"#
                )
            }
            let isolated = try await channel(#"{"user_ids":["2","4"]}"#)
            let open = try await channel(#"{"any_user":true}"#)
            let shared = try await channel(#"{"public":true}"#)
            func file(isPublic: Bool) async throws -> String {
                let json = #"{"kind":"other","type":"com.example.a","name":"a","public":\#(isPublic)}"#
                return try await alice.post("files", json)["id"]?.stringValue ?? ""
            }
            let clause = #"{"object_type":"post","field":"/data/id","operator":"equals","value":"1"}"#
            let filter = try await alice.post("filters", #"{"match_policy":"include_any","clauses":[\#(clause)]}"#)
            let stream = try await alice.app.post("streams", #"{"object_types":["post"]}"#)
            let names = [
                "PRIVATE": isolated, "OPEN": open, "PUBLIC": shared, "OWNER": "1",
                "MESSAGE": try await alice.createMessage("secret", in: isolated),
                "SECRET": try await file(isPublic: false), "SHARED": try await file(isPublic: true),
                "FILTER": filter["id"]?.stringValue ?? "", "STREAM": stream["id"]?.stringValue ?? "",
            ]
            try await body(
                [
                    .owner: alice, .reader: alice.user(1), .stranger: alice.user(2), .limited: alice.user(3),
                    .app: alice.app, .otherApp: alice.with("other-app-token"), .none: alice.anonymous,
                ],
                names
            )
        }
    }
}
