/// The endpoints of pnut.io's own API description (pnut-api/api-spec 1.3.0), one for each method and path.
///
/// A test walks the list: each endpoint has a route on `/v1` of the embedded server and a call of the client, or a reason here.
struct PnutEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// The reason why an endpoint has no call.
    enum Absence: String, Sendable {
        /// RSS is for feed readers. The server answers 404.
        case rss
        /// The client's sign-in makes these requests, which are not calls with a token.
        case signIn
        /// A page for people at `pnut.io`, not below the API's root.
        case page
    }

    let method: String
    /// The path below the root; names in braces are placeholders.
    let path: String
    let absence: Absence?

    var description: String { "\(method) \(path)" }

    /// The path with one name for all placeholders.
    var shape: String {
        path.split(separator: "/").map { $0.hasPrefix("{") || $0.hasPrefix(":") ? "*" : String($0) }
            .joined(separator: "/")
    }

    private init(_ line: Substring, _ absence: Absence?) {
        let parts = line.split(separator: " ")
        method = String(parts[0])
        path = String(parts[1])
        self.absence = absence
    }

    private static func list(_ text: String, _ absence: Absence? = nil) -> [PnutEndpoint] {
        text.split(separator: "\n").map { PnutEndpoint($0, absence) }
    }

    static let all =
        calls + list(rss, .rss) + list("POST oauth/access_token", .signIn)
        + list("GET oauth/authenticate", .page)

    /// The same as `rss.md` of the description.
    private static let rss = """
        GET feed/rss/posts/tags/{tag}
        GET feed/rss/users/{user_id}/posts
        GET feed/rss/posts/search
        GET feed/rss/channels/{channel_id}/messages
        GET feed/rss/channels/search
        """

    private static let calls =
        list(
            """
            GET token
            DELETE token
            GET apps/me/users/ids
            GET apps/me/users/tokens
            GET streams
            POST streams
            DELETE streams
            GET streams/{key}
            PUT streams/{key}
            DELETE streams/{key}
            POST streams/{key}/test
            DELETE users/me/streams/{connection_id}
            DELETE users/me/streams/{connection_id}/{subscription_id}
            GET users/{user_id}/clients
            GET clients/{client_id}
            POST markers
            GET sys/config
            GET sys/stats
            GET sys/ops/{uuid}
            GET oembed
            POST text/process
            """
        )
        + list(
            """
            GET channels
            POST channels
            GET channels/{channel_id}
            PUT channels/{channel_id}
            DELETE channels/{channel_id}
            PUT channels/{channel_id}/owner
            GET channels/search
            GET channels/streams/explore
            GET channels/streams/explore/{slug}
            PUT channels/{channel_id}/subscribe
            DELETE channels/{channel_id}/subscribe
            PUT channels/{channel_id}/mute
            DELETE channels/{channel_id}/mute
            GET channels/{channel_id}/subscribers
            GET channels/{channel_id}/presence
            GET users/{user_id}/presence/channels/{channel_id}
            PUT users/me/presence/channels/{channel_id}
            GET users/me/channels
            GET users/me/channels/subscribed
            GET users/me/channels/muted
            GET users/me/channels/existing_pm
            GET users/me/channels/num_unread
            DELETE users/me/channels/num_unread
            """
        )
        + list(
            """
            GET channels/messages
            GET channels/messages/search
            GET channels/{channel_id}/messages
            POST channels/{channel_id}/messages
            GET channels/{channel_id}/messages/{message_id}
            DELETE channels/{channel_id}/messages/{message_id}
            GET channels/{channel_id}/messages/{message_id}/thread
            POST channels/{channel_id}/messages/{message_id}/report
            PUT channels/{channel_id}/messages/{message_id}/sticky
            DELETE channels/{channel_id}/messages/{message_id}/sticky
            GET channels/{channel_id}/sticky_messages
            GET users/me/messages
            GET files
            POST files
            DELETE files
            GET files/{file_id}
            PATCH files/{file_id}
            DELETE files/{file_id}
            PUT files/{file_id}/content
            PUT files/{file_id}/content/{derived_key}
            GET users/me/files
            """
        )
        + list(
            """
            GET polls
            POST polls
            GET polls/search
            GET polls/{poll_id}
            DELETE polls/{poll_id}
            PUT polls/{poll_id}/response
            GET users/me/polls
            GET users/me/polls/responses
            GET posts
            POST posts
            GET posts/search
            GET posts/{post_id}
            PUT posts/{post_id}
            DELETE posts/{post_id}
            GET posts/{post_id}/revisions
            GET posts/{post_id}/thread
            GET posts/{post_id}/interactions
            PUT posts/{post_id}/bookmark
            DELETE posts/{post_id}/bookmark
            PUT posts/{post_id}/repost
            DELETE posts/{post_id}/repost
            POST posts/{post_id}/report
            GET posts/streams/me
            GET posts/streams/unified
            GET posts/streams/global
            GET posts/streams/explore
            GET posts/streams/explore/{slug}
            GET posts/tags/{tag}
            """
        )
        + list(
            """
            GET users
            GET users/search
            GET users/suggested
            GET users/{user_id}
            PUT users/me
            PATCH users/me
            GET users/{user_id}/avatar
            POST users/me/avatar
            DELETE users/me/avatar
            GET users/{user_id}/cover
            POST users/me/cover
            DELETE users/me/cover
            GET users/{user_id}/posts
            GET users/{user_id}/mentions
            GET users/{user_id}/bookmarks
            GET users/me/interactions
            GET users/{user_id}/following
            GET users/{user_id}/followers
            PUT users/{user_id}/follow
            DELETE users/{user_id}/follow
            GET users/{user_id}/muted
            PUT users/{user_id}/mute
            DELETE users/{user_id}/mute
            GET users/{user_id}/blocked
            PUT users/{user_id}/block
            DELETE users/{user_id}/block
            GET presence
            GET users/{user_id}/presence
            PUT users/me/presence
            GET badges
            GET badges/{badge_id}
            GET users/me/badges
            """
        )
}
