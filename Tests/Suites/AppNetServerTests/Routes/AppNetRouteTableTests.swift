import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Table of App.net's calls", .timeLimit(.minutes(5)))
struct AppNetRouteTableTests {
    /// The rows of Docs/Protocols/AppNet.md §2.1–2.3, 2.5 and 2.6, with a body where one is needed. Channel 1 is a
    /// channel, message 1 is in it, and user 2 is another user.
    private static let rows: [(method: String, path: String, isApp: Bool, body: String?)] = [
        ("POST", "channels", false, #"{"type":"com.example.notes"}"#), ("GET", "channels/1", false, nil),
        ("PUT", "channels/1", false, "{}"), ("PATCH", "channels/1", false, "{}"), ("GET", "channels", false, nil),
        ("GET", "channels?ids=1", false, nil), ("GET", "users/me/channels", false, nil),
        ("POST", "channels/1/subscribe", false, nil), ("DELETE", "channels/1/subscribe", false, nil),
        ("POST", "channels/1/mute", false, nil), ("DELETE", "channels/1/mute", false, nil),
        ("GET", "users/me/channels/muted", false, nil), ("GET", "channels/1/subscribers", false, nil),
        ("GET", "channels/1/subscribers/ids", false, nil), ("GET", "channels/subscribers/ids?ids=1", false, nil),
        ("GET", "users/me/channels/pm/num_unread", false, nil),
        ("GET", "users/me/channels/broadcast/num_unread", false, nil),
        ("DELETE", "users/me/channels/broadcast/num_unread", false, nil),
        ("POST", "channels/1/messages", false, #"{"text":"x"}"#),
        ("POST", "channels/pm/messages", false, #"{"text":"x","destinations":[2]}"#),
        ("GET", "channels/1/messages", false, nil), ("GET", "channels/1/messages/1", false, nil),
        ("GET", "channels/messages?ids=1", false, nil), ("GET", "users/me/messages", false, nil),
        ("DELETE", "channels/1/messages/1", false, nil),
        ("POST", "posts/marker", false, #"{"name":"global","id":"1"}"#),
        ("GET", "users/2", false, nil), ("GET", "users?ids=2", false, nil), ("GET", "users/search?q=bob", false, nil),
        ("PATCH", "users/me", false, "{}"), ("POST", "users/2/follow", false, nil),
        ("PUT", "users/me", false, #"{"name":"A","locale":"de","timezone":"UTC","description":{"text":"d"}}"#),
        ("DELETE", "users/2/follow", false, nil), ("POST", "users/2/mute", false, nil),
        ("DELETE", "users/2/mute", false, nil), ("POST", "users/2/block", false, nil),
        ("DELETE", "users/2/block", false, nil), ("GET", "users/2/following", false, nil),
        ("GET", "users/2/followers", false, nil), ("GET", "users/2/following/ids", false, nil),
        ("GET", "users/2/followers/ids", false, nil), ("GET", "users/me/muted", false, nil),
        ("GET", "users/me/blocked", false, nil), ("GET", "users/muted/ids?ids=1", true, nil),
        ("GET", "users/blocked/ids?ids=1", true, nil), ("GET", "token", false, nil),
        ("GET", "apps/me/tokens/user_ids", true, nil), ("GET", "apps/me/tokens", true, nil),
        ("GET", "config", false, nil), ("POST", "text/process", false, #"{"text":"x"}"#),
        ("DELETE", "channels/1", false, nil), ("DELETE", "token", false, nil),
    ]

    @Test("every call of users, tokens, channels, messages and markers returns data of its kind")
    func walk() async throws {
        try await withAppNet { alice in
            try await alice.createMessage("x", in: alice.createChannel())
            for row in Self.rows {
                let answer = try await (row.isApp ? alice.app : alice).send(row.method, row.path, row.body)
                #expect(answer.status == 200 && answer.tree["data"] != nil, "\(row.method) \(row.path): \(answer.text)")
                #expect(answer.meta["code"] == .integer(200))
            }
        }
    }

    @Test("no call is twice in the table of App.net's calls, and its paths have known parameters only")
    func uniqueness() {
        var seen: Set<String> = []
        for route in AppNetRoutes.all {
            let shape = route.pattern.parts.map { if case .literal(let text) = $0 { text } else { "{}" } }
            for method in route.methods {
                let key = "\(route.area) \(method) \(shape.joined(separator: "/"))"
                #expect(seen.insert(key).inserted, "\(key)")
            }
        }
    }

    @Test("every call of App.net that returns a list takes all general parameters")
    func generalParameters() async throws {
        let names = ["annotations", "html", "muted", "deleted", "machine", "marker", "read", "recent_message"]
        let query = names.map { "include_\($0)=1" }.joined(separator: "&") + "&channel_types=a.b&file_types=c.d&x=y"
        try await withAppNet { alice in
            try await alice.createMessage("x", in: alice.createChannel())
            for row in Self.rows where row.method == "GET" && !row.isApp {
                let path = row.path + (row.path.contains("?") ? "&" : "?") + query
                #expect(try await alice.send("GET", path).status == 200, "\(path)")
            }
        }
    }
}
