@testable import AppNetServer

/// The table of rights: what each route answers to each reader (Docs/Protocols/AppNet.md §1.2, §2, §6.2).
enum RightsTable {
    static let rows = [channels, messages, users, services, posts, files, streams, content, pnutRows].flatMap { $0 }

    static func row(
        _ call: String,
        _ target: String,
        _ refused: [RightsReader: Int] = [:],
        body: String? = nil,
        in area: AppNetArea = .api,
        status: Int? = 200
    ) -> RightsRow {
        RightsRow(call: call, area: area, target: target, body: body, status: status, refused: refused)
    }

    static func filter(_ name: String) -> String {
        let clause = #"{"object_type":"post","field":"/data/id","operator":"equals","value":"1"}"#
        return #"{"name":"\#(name)","match_policy":"include_any","clauses":[\#(clause)]}"#
    }

    static func poll(_ prompt: String) -> String {
        let options = #"[{"text":"a"},{"text":"b"}]"#
        return #"{"prompt":"\#(prompt)","type":"com.example.ballot","options":\#(options),"duration":60}"#
    }

    private static let text = #"{"text":"a text"}"#

    private static let channels: [RightsRow] = [
        row("POST channels", "channels", body: #"{"type":"com.example.new"}"#),
        row("GET channels", "channels?ids=ROOM,LETTERS,HALL"),
        row("GET channels", "channels", [.app: 403, .otherApp: 403]),
        row("GET channels/{channel}", "channels/ROOM", RightsRefusals.room),
        row("GET channels/{channel}", "channels/LETTERS", RightsRefusals.letters),
        row("PUT channels/{channel}", "channels/ROOM", RightsRefusals.room.and([.writer: 403]), body: "{}"),
        row("PATCH channels/{channel}", "channels/ROOM", RightsRefusals.room.and([.writer: 403]), body: "{}"),
        // Only who has begun the conversation may edit it, and that user is blocked.
        row(
            "PUT channels/{channel}",
            "channels/LETTERS",
            RightsRefusals.letters.and([.owner: 403, .blocked: 403]),
            body: "{}"
        ),
        row(
            "PATCH channels/{channel}",
            "channels/LETTERS",
            RightsRefusals.letters.and([.owner: 403, .blocked: 403]),
            body: "{}"
        ), row("DELETE channels/{channel}", "channels/ROOM", RightsRefusals.room.and([.writer: 403])),
        row("GET users/me/channels", "users/me/channels"),
        row("GET users/me/channels/muted", "users/me/channels/muted"),
        row("POST channels/{channel}/subscribe", "channels/ROOM/subscribe", RightsRefusals.room),
        // Who has lost access can still unsubscribe.
        row(
            "DELETE channels/{channel}/subscribe",
            "channels/ROOM/subscribe",
            RightsRefusals.room.except(.removed, .narrow)
        ),
        row("POST channels/{channel}/mute", "channels/ROOM/mute", RightsRefusals.room),
        row("DELETE channels/{channel}/mute", "channels/ROOM/mute", RightsRefusals.room),
        row("GET channels/{channel}/subscribers", "channels/ROOM/subscribers", RightsRefusals.room),
        row("GET channels/{channel}/subscribers/ids", "channels/ROOM/subscribers/ids", RightsRefusals.room),
        row("GET channels/search", "channels/search?q=hidden"),
        row("GET channels/subscribers/ids", "channels/subscribers/ids?ids=ROOM,LETTERS"),
        row("GET users/me/channels/pm/num_unread", "users/me/channels/pm/num_unread"),
        row("GET users/me/channels/broadcast/num_unread", "users/me/channels/broadcast/num_unread"),
        row("DELETE users/me/channels/broadcast/num_unread", "users/me/channels/broadcast/num_unread"),
    ]

    private static let messages: [RightsRow] = [
        row("POST channels/{channel}/messages", "channels/ROOM/messages", RightsRefusals.room, body: text),
        row(
            "POST channels/{channel}/messages",
            "channels/LETTERS/messages",
            RightsRefusals.letters.and([.blocked: 403]),
            body: text
        ),
        row(
            "POST channels/{channel}/messages",
            "channels/pm/messages",
            [.owner: 400, .narrow: 403, .blocked: 403],
            body: #"{"text":"a text","destinations":["@alice"]}"#
        ),
        row("GET channels/{channel}/messages", "channels/ROOM/messages", RightsRefusals.room),
        row("GET channels/{channel}/messages", "channels/LETTERS/messages", RightsRefusals.letters),
        row("GET channels/{channel}/messages/{message}", "channels/ROOM/messages/LINE", RightsRefusals.room),
        row("GET channels/{channel}/messages/{message}", "channels/LETTERS/messages/REPLY", RightsRefusals.letters),
        row("GET channels/messages", "channels/messages?ids=LINE,2,REPLY"),
        row("GET channels/messages/search", "channels/messages/search?query=hidden&channel_ids=ROOM,LETTERS"),
        row("GET users/me/messages", "users/me/messages"),
        row(
            "DELETE channels/{channel}/messages/{message}",
            "channels/ROOM/messages/LINE",
            RightsRefusals.room.and([.owner: 403])
        ),
        row(
            "DELETE channels/{channel}/messages/{message}",
            "channels/LETTERS/messages/REPLY",
            RightsRefusals.letters.and([.blocked: 403])
        ),
    ]

    private static let users: [RightsRow] = [
        row("GET users/{user}", "users/@alice"), row("GET users", "users?ids=@alice,@erin"),
        row("GET users/search", "users/search?q=alice"),
        row(
            "PUT users/me",
            "users/me",
            body: #"{"name":"A","locale":"en","timezone":"UTC","description":{"text":"d"}}"#
        ), row("PATCH users/me", "users/me", body: "{}"),
        row("GET users/{user}/following", "users/@alice/following"),
        row("GET users/{user}/followers", "users/@alice/followers"),
        row("GET users/{user}/following/ids", "users/@alice/following/ids"),
        row("GET users/{user}/followers/ids", "users/@alice/followers/ids"),
        row("GET users/{user}/muted", "users/@alice/muted", RightsRefusals.users(403).and([.otherApp: 403])),
        row("GET users/{user}/blocked", "users/@alice/blocked", RightsRefusals.users(403).and([.otherApp: 403])),
        row("GET users/muted/ids", "users/muted/ids?ids=1"), row("GET users/blocked/ids", "users/blocked/ids?ids=1"),
        row("GET users/me/interactions", "users/me/interactions"),
        row("POST users/{user}/follow", "users/@alice/follow", [.owner: 400, .blocked: 403]),
        row("DELETE users/{user}/follow", "users/@alice/follow", [.owner: 400]),
        row("POST users/{user}/mute", "users/@alice/mute", [.owner: 400]),
        row("DELETE users/{user}/mute", "users/@alice/mute", [.owner: 400]),
        row("POST users/{user}/block", "users/@alice/block", [.owner: 400]),
        row("DELETE users/{user}/block", "users/@alice/block", [.owner: 400]),
        row("GET users/{user}/avatar", "users/@alice/avatar", status: 302),
        row("GET users/{user}/cover", "users/@alice/cover", status: 302),
        row("POST users/me/avatar", "users/me/avatar", body: "{}", status: 400),
        row("POST users/me/cover", "users/me/cover", body: "{}", status: 400),
    ]

    private static let services: [RightsRow] = [
        row("GET token", "token", [.anonymous: 401]), row("DELETE token", "token"),
        row("GET apps/me/tokens/user_ids", "apps/me/tokens/user_ids"), row("GET apps/me/tokens", "apps/me/tokens"),
        row("GET config", "config"), row("POST text/process", "text/process", body: text),
        row("GET places/{factual_id}", "places/none", status: 404),
        row("GET places/search", "places/search?latitude=1&longitude=1"),
        row("GET authenticate", "authenticate", in: .oauth, status: nil),
        row("POST authenticate", "authenticate", in: .oauth, status: nil),
        row("GET authorize", "authorize", in: .oauth, status: nil),
        row("POST authorize", "authorize", in: .oauth, status: nil),
        row("POST access_token", "access_token", body: "{}", in: .oauth, status: 400),
    ]

    private static let posts: [RightsRow] = [
        row("POST posts", "posts", body: text), row("GET posts", "posts?ids=POSTED"),
        row("GET posts/{id}", "posts/POSTED"), row("DELETE posts/{id}", "posts/POSTED", RightsRefusals.users(403)),
        row("GET users/{user}/posts", "users/@alice/posts"), row("GET users/{user}/stars", "users/@alice/stars"),
        row("GET users/{user}/mentions", "users/@alice/mentions"),
        row("GET posts/{id}/replies", "posts/POSTED/replies"),
        row("GET posts/tag/{hashtag}", "posts/tag/tag"), row("GET posts/stream", "posts/stream"),
        row("GET posts/stream/unified", "posts/stream/unified"), row("GET posts/stream/global", "posts/stream/global"),
        row("POST posts/{id}/star", "posts/POSTED/star"), row("DELETE posts/{id}/star", "posts/POSTED/star"),
        row("POST posts/{id}/repost", "posts/POSTED/repost", [.owner: 400]),
        row("DELETE posts/{id}/repost", "posts/POSTED/repost"),
        row("POST posts/{id}/report", "posts/POSTED/report", [.owner: 400, .narrow: 400, .bare: 400]),
        row("GET posts/{id}/stars", "posts/POSTED/stars"), row("GET posts/{id}/reposters", "posts/POSTED/reposters"),
        row("GET posts/stream/explore", "posts/stream/explore"),
        row("GET posts/stream/explore/{slug}", "posts/stream/explore/posts"),
        row("GET posts/search", "posts/search?query=tag"),
    ]

    private static let files: [RightsRow] = [
        row("POST files", "files", body: #"{"type":"com.example.new","kind":"other"}"#),
        row("GET files", "files?ids=PAPER"), row("GET users/me/files", "users/me/files"),
        row("GET files/{id}", "files/PAPER", RightsRefusals.paper),
        row("PUT files/{id}", "files/PAPER", RightsRefusals.paper, body: "{}"),
        row("PATCH files/{id}", "files/PAPER", RightsRefusals.paper, body: "{}"),
        row("DELETE files/{id}", "files/PAPER", RightsRefusals.paper),
        row("GET files/{id}/content", "files/PAPER/content", RightsRefusals.paper, status: 302),
        row("PUT files/{id}/content", "files/PAPER/content", RightsRefusals.paper, body: "x", status: 400),
        row("GET files/{id}/content/{key}", "files/PAPER/content/none", RightsRefusals.paper, status: 404),
        row("PUT files/{id}/content/{key}", "files/PAPER/content/none", RightsRefusals.paper, body: "x", status: 400),
        row("POST files/{id}/content/{key}", "files/PAPER/content/none", RightsRefusals.paper, body: "{}", status: 400),
        row("POST files/{id}/{key}", "files/PAPER/none", RightsRefusals.paper, body: "{}", status: 400),
    ]

    private static let streams: [RightsRow] = [
        row(
            "POST posts/marker",
            "posts/marker",
            RightsRefusals.users(404).and([.writer: 200, .narrow: 404, .bare: 404]),
            body: #"{"name":"channel:ROOM","id":"1"}"#
        ), row("POST filters", "filters", body: filter("new")), row("GET filters", "filters"),
        row("DELETE filters", "filters"), row("GET filters/{id}", "filters/SIEVE", RightsRefusals.users(404)),
        row("PUT filters/{id}", "filters/SIEVE", RightsRefusals.users(404), body: filter("new")),
        row("DELETE filters/{id}", "filters/SIEVE", RightsRefusals.users(404)),
        row(
            "POST streams",
            "streams",
            [.otherApp: 404],
            body: #"{"object_types":["post"],"filter_id":"SIEVE"}"#
        ), row("GET streams", "streams"), row("DELETE streams", "streams"),
        row("GET streams/{id}", "streams/FEED", [.otherApp: 404]),
        row("PUT streams/{id}", "streams/FEED", [.otherApp: 404], body: #"{"object_types":["star"]}"#),
        row("DELETE streams/{id}", "streams/FEED", [.otherApp: 404]),
        row("DELETE users/me/streams/{connection}", "users/me/streams/none", status: 404),
        row("DELETE users/me/streams/{connection}/{subscription}", "users/me/streams/none/none", status: 404),
    ]

    /// The targets of URLs. They are the same for all readers, and cannot be guessed.
    private static let content: [RightsRow] = [
        row("GET {file}/{key}/{expires}/{proof}/{name}", "PAPER/-/99999999999/0/a", in: .content, status: 404),
        row("GET p/{name}", "p/PAPER", in: .content, status: 404),
        row("GET p/{name}/{label}", "p/PAPER/a", in: .content, status: 404),
        row("GET a/{token}/{key}/{label}", "a/PAPER/-/a", in: .content, status: 404),
        row("GET images/{image}", "images/1", in: .content, status: 404),
    ]
}
