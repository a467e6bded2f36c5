@testable import AppNetServer

/// The calls that only pnut.io has (Docs/Protocols/AppNet.md §6.2).
extension RightsTable {
    static let pnutRows = [pnutChannels, pnutMessages, pnutPosts, pnutServices, pnutPolls].flatMap { $0 }

    private static func pnut(
        _ call: String,
        _ target: String,
        _ refused: [RightsReader: Int] = [:],
        body: String? = nil,
        status: Int? = 200
    ) -> RightsRow { row(call, target, refused, body: body, in: .pnut, status: status) }

    private static let pnutChannels: [RightsRow] = [
        pnut("GET users/me/channels/num_unread", "users/me/channels/num_unread"),
        pnut("DELETE users/me/channels/num_unread", "users/me/channels/num_unread"),
        // The token of `narrow` may not see the conversation, although its user is a member.
        pnut(
            "GET users/me/channels/existing_pm",
            "users/me/channels/existing_pm?ids=@alice,@erin",
            RightsRefusals.letters
        ),
        pnut(
            "PUT channels/{channel}/owner",
            "channels/ROOM/owner",
            RightsRefusals.room.and([.writer: 403]),
            body: #"{"id":"1"}"#
        ),
        pnut("GET channels/{channel}/presence", "channels/ROOM/presence", RightsRefusals.room),
        pnut(
            "GET users/{user}/presence/channels/{channel}",
            "users/@bob/presence/channels/ROOM",
            RightsRefusals.room
        ),
        pnut(
            "PUT users/me/presence/channels/{channel}",
            "users/me/presence/channels/ROOM",
            RightsRefusals.room,
            body: "{}"
        ),
        pnut(
            "PUT users/me/presence/channels/{channel}",
            "users/me/presence/channels/LETTERS",
            RightsRefusals.letters.and([.blocked: 403]),
            body: "{}"
        ), pnut("GET channels/streams/explore", "channels/streams/explore"),
        pnut("GET channels/streams/explore/{slug}", "channels/streams/explore/new"),
    ]

    private static let pnutMessages: [RightsRow] = [
        pnut(
            "POST channels/{channel}/messages",
            "channels/ROOM/messages",
            RightsRefusals.room,
            body: #"{"text":"a"}"#,
            status: 201
        ),
        pnut(
            "POST channels/{channel}/messages",
            "channels/LETTERS/messages",
            RightsRefusals.letters.and([.blocked: 403]),
            body: #"{"text":"a"}"#,
            status: 201
        ), pnut("DELETE channels/{channel}/messages/{message}", "channels/ROOM/messages/LINE", RightsRefusals.room),
        pnut("GET channels/{channel}/sticky_messages", "channels/ROOM/sticky_messages", RightsRefusals.room),
        pnut(
            "GET channels/{channel}/messages/{message}/thread",
            "channels/ROOM/messages/LINE/thread",
            RightsRefusals.room
        ),
        pnut(
            "POST channels/{channel}/messages/{message}/report",
            "channels/ROOM/messages/LINE/report",
            RightsRefusals.room
        ),
        pnut(
            "PUT channels/{channel}/messages/{message}/sticky",
            "channels/ROOM/messages/LINE/sticky",
            RightsRefusals.room.and([.writer: 403])
        ),
        pnut(
            "PUT channels/{channel}/messages/{message}/sticky",
            "channels/LETTERS/messages/REPLY/sticky",
            RightsRefusals.letters.and([.owner: 403, .blocked: 403])
        ),
        pnut(
            "DELETE channels/{channel}/messages/{message}/sticky",
            "channels/ROOM/messages/LINE/sticky",
            RightsRefusals.room.and([.writer: 403])
        ),
    ]

    private static let pnutPosts: [RightsRow] = [
        pnut("POST posts", "posts", body: #"{"text":"a"}"#, status: 201),
        pnut("PUT posts/{id}", "posts/POSTED", RightsRefusals.users(403), body: ##"{"text":"b #tag"}"##, status: 201),
        pnut("GET posts/{id}/revisions", "posts/POSTED/revisions"),
        pnut("PUT posts/{id}/repost", "posts/POSTED/repost", [.owner: 400], body: "{}", status: 201),
        pnut("PUT posts/{id}/bookmark", "posts/POSTED/bookmark", body: "{}"),
        pnut("GET users/{user}/bookmarks", "users/@alice/bookmarks"),
        pnut("GET posts/tags/{hashtag}", "posts/tags/tag"),
        // The poll and the post have the same id.
        pnut("GET posts/{id}/interactions", "posts/BALLOT/interactions?filters=poll_response"),
    ]

    private static let pnutServices: [RightsRow] = [
        pnut("DELETE files", "files?ids=PAPER", status: 202), pnut("GET sys/ops/{uuid}", "sys/ops/none", status: 404),
        pnut("GET sys/stats", "sys/stats"), pnut("GET users/suggested", "users/suggested"),
        pnut("DELETE users/me/avatar", "users/me/avatar"), pnut("DELETE users/me/cover", "users/me/cover"),
        pnut("GET badges", "badges"), pnut("GET badges/{badge}", "badges/1"),
        pnut("GET users/me/badges", "users/me/badges"), pnut("GET presence", "presence"),
        pnut("GET users/{user}/presence", "users/@bob/presence"),
        pnut("PUT users/me/presence", "users/me/presence", body: "{}"),
        pnut("GET users/{user}/clients", "users/@alice/clients"), pnut("GET clients/{client}", "clients/helium"),
        pnut("GET oembed", "oembed?url=https://photos.pnut.io/PAPER", status: 404),
        pnut("POST streams/{id}/test", "streams/\(RightsSecret.stream.text)/test", [.otherApp: 404]),
    ]

    private static let pnutPolls: [RightsRow] = [
        pnut("POST polls", "polls", body: poll("new"), status: 201), pnut("GET polls", "polls?ids=BALLOT"),
        pnut("GET polls/search", "polls/search"),
        pnut("GET polls/{id}", "polls/BALLOT", RightsRefusals.users(404).except(.writer)),
        pnut("DELETE polls/{id}", "polls/BALLOT", RightsRefusals.users(404).and([.writer: 403])),
        pnut(
            "PUT polls/{id}/response",
            "polls/BALLOT/response",
            RightsRefusals.users(404).except(.writer),
            body: #"{"positions":["2"]}"#
        ),
        pnut(
            "PUT polls/{id}/response/{position}",
            "polls/BALLOT/response/2",
            RightsRefusals.users(404).except(.writer),
            body: "{}"
        ), pnut("GET users/me/polls", "users/me/polls"),
        pnut("GET users/me/polls/responses", "users/me/polls/responses"),
    ]
}
