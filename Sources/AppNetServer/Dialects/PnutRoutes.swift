internal import HTTPTypes

/// The table of pnut's calls (Docs/Protocols/AppNet.md §6.2).
enum PnutRoutes {
    static let all = channels + messages + files + users + posts + polls + streams + others

    private static let channels: [PnutRoute] = [
        PnutRoute(.get, at: "users/me/channels/subscribed", is: "channels", gives: .channel),
        PnutRoute(.get, at: "channels", gives: .channel),
        PnutRoute(.post, at: "channels", takes: .channel, gives: .channel, status: .created),
        PnutRoute(.get, at: "users/me/channels", gives: .channel),
        PnutRoute(.get, at: "users/me/channels/muted", gives: .channel),
        PnutRoute(.get, .delete, at: "users/me/channels/num_unread", in: .pnut, gives: .countsByType),
        PnutRoute(.get, at: "users/me/channels/existing_pm", in: .pnut, gives: .channel),
        PnutRoute(.get, at: "channels/search", gives: .channel),
        PnutRoute(.get, at: "channels/streams/explore", in: .pnut),
        PnutRoute(.get, at: "channels/streams/explore/{slug}", in: .pnut, gives: .channel),
        PnutRoute(.get, at: "channels/{id}/presence", in: .pnut),
        PnutRoute(.get, .delete, at: "channels/{id}", gives: .channel),
        PnutRoute(.put, .patch, at: "channels/{id}", takes: .channel, gives: .channel),
        PnutRoute(.put, at: "channels/{id}/owner", in: .pnut, gives: .channel),
        PnutRoute(.put, at: "channels/{id}/subscribe", by: .post, gives: .channel),
        PnutRoute(.delete, at: "channels/{id}/subscribe", gives: .channel),
        PnutRoute(.put, at: "channels/{id}/mute", by: .post, gives: .channel),
        PnutRoute(.delete, at: "channels/{id}/mute", gives: .channel),
        PnutRoute(.get, at: "channels/{id}/subscribers", gives: .user),
    ]

    private static let messages: [PnutRoute] = [
        PnutRoute(.post, at: "channels/{id}/messages", in: .pnut, takes: .message, gives: .message, status: .created),
        PnutRoute(.get, at: "channels/{id}/messages", gives: .message),
        PnutRoute(.get, at: "channels/{id}/sticky_messages", in: .pnut, gives: .message),
        PnutRoute(.get, at: "channels/messages", gives: .message),
        PnutRoute(.get, at: "channels/messages/search", gives: .message),
        PnutRoute(.get, at: "users/me/messages", gives: .message),
        PnutRoute(.get, at: "channels/{id}/messages/{mid}", gives: .message),
        PnutRoute(.delete, at: "channels/{id}/messages/{mid}", in: .pnut, gives: .message),
        PnutRoute(.get, at: "channels/{id}/messages/{mid}/thread", in: .pnut, gives: .message),
        PnutRoute(.post, at: "channels/{id}/messages/{mid}/report", in: .pnut, gives: .message),
        PnutRoute(.put, .delete, at: "channels/{id}/messages/{mid}/sticky", in: .pnut, gives: .message),
        PnutRoute(.post, at: "markers", is: "posts/marker", takes: .markers, gives: .marker),
    ]

    private static let files: [PnutRoute] = [
        PnutRoute(.post, at: "files", takes: .file, gives: .file, status: .created),
        PnutRoute(.get, at: "files", gives: .file),
        PnutRoute(.delete, at: "files", in: .pnut, status: .accepted),
        PnutRoute(.get, at: "users/me/files", gives: .file),
        PnutRoute(.get, .delete, at: "files/{id}", gives: .file),
        PnutRoute(.patch, at: "files/{id}", takes: .file, gives: .file),
        PnutRoute(.put, at: "files/{id}/content", gives: .file),
        PnutRoute(.put, at: "files/{id}/content/{key}", gives: .file),
        PnutRoute(.get, at: "sys/ops/{uuid}", in: .pnut),
    ]

    private static let users: [PnutRoute] = [
        PnutRoute(.get, at: "users", gives: .user),
        PnutRoute(.get, at: "users/search", gives: .user),
        PnutRoute(.get, at: "users/suggested", in: .pnut, gives: .user),
        PnutRoute(.get, at: "users/{user}", gives: .user),
        PnutRoute(.put, .patch, at: "users/me", takes: .user, gives: .user),
        PnutRoute(.get, at: "users/{user}/avatar"),
        PnutRoute(.get, at: "users/{user}/cover"),
        PnutRoute(.post, at: "users/me/avatar", gives: .user),
        PnutRoute(.post, at: "users/me/cover", gives: .user),
        PnutRoute(.delete, at: "users/me/avatar", in: .pnut, gives: .user),
        PnutRoute(.delete, at: "users/me/cover", in: .pnut, gives: .user),
        PnutRoute(.put, at: "users/{user}/follow", by: .post, gives: .user),
        PnutRoute(.delete, at: "users/{user}/follow", gives: .user),
        PnutRoute(.put, at: "users/{user}/mute", by: .post, gives: .user),
        PnutRoute(.delete, at: "users/{user}/mute", gives: .user),
        PnutRoute(.put, at: "users/{user}/block", by: .post, gives: .user),
        PnutRoute(.delete, at: "users/{user}/block", gives: .user),
        PnutRoute(.get, at: "users/{user}/following", gives: .user),
        PnutRoute(.get, at: "users/{user}/followers", gives: .user),
        PnutRoute(.get, at: "users/{user}/muted", gives: .user),
        PnutRoute(.get, at: "users/{user}/blocked", gives: .user),
        PnutRoute(.get, at: "badges", in: .pnut),
        PnutRoute(.get, at: "badges/{badge}", in: .pnut),
        PnutRoute(.get, at: "users/me/badges", in: .pnut),
        PnutRoute(.get, at: "presence", in: .pnut),
        PnutRoute(.get, at: "users/{user}/presence", in: .pnut),
        PnutRoute(.put, at: "users/me/presence", in: .pnut),
        PnutRoute(.get, at: "users/{user}/presence/channels/{channel}", in: .pnut),
        PnutRoute(.put, at: "users/me/presence/channels/{channel}", in: .pnut),
        PnutRoute(.get, at: "users/{user}/clients", in: .pnut),
        PnutRoute(.get, at: "clients/{client}", in: .pnut, gives: .client),
    ]

    private static let posts: [PnutRoute] = [
        PnutRoute(.post, at: "posts", in: .pnut, takes: .post, gives: .post, status: .created),
        PnutRoute(.put, at: "posts/{id}", in: .pnut, takes: .post, gives: .post, status: .created),
        PnutRoute(.get, at: "posts/{id}/revisions", in: .pnut, gives: .post),
        PnutRoute(.get, at: "posts", gives: .post),
        PnutRoute(.get, at: "posts/search", gives: .post),
        PnutRoute(.get, at: "posts/streams/me", is: "posts/stream", gives: .post),
        PnutRoute(.get, at: "posts/streams/unified", is: "posts/stream/unified", gives: .post),
        PnutRoute(.get, at: "posts/streams/global", is: "posts/stream/global", gives: .post),
        PnutRoute(.get, at: "posts/streams/explore", is: "posts/stream/explore", gives: .exploreStream),
        PnutRoute(.get, at: "posts/streams/explore/{slug}", is: "posts/stream/explore/{slug}", gives: .post),
        PnutRoute(.get, at: "posts/tags/{hashtag}", in: .pnut, gives: .post),
        PnutRoute(.get, .delete, at: "posts/{id}", gives: .post),
        PnutRoute(.get, at: "posts/{id}/thread", is: "posts/{id}/replies", gives: .post),
        PnutRoute(.put, at: "posts/{id}/bookmark", in: .pnut, gives: .post),
        PnutRoute(.delete, at: "posts/{id}/bookmark", is: "posts/{id}/star", gives: .post),
        PnutRoute(.put, at: "posts/{id}/repost", in: .pnut, gives: .post, status: .created),
        PnutRoute(.delete, at: "posts/{id}/repost", gives: .post),
        PnutRoute(.post, at: "posts/{id}/report", gives: .post),
        PnutRoute(.get, at: "posts/{id}/interactions", in: .pnut, gives: .interaction),
        PnutRoute(.get, at: "users/{user}/posts", gives: .post),
        PnutRoute(.get, at: "users/{user}/mentions", gives: .post),
        PnutRoute(.get, at: "users/{user}/bookmarks", in: .pnut, gives: .post),
        PnutRoute(.get, at: "users/me/interactions", gives: .interaction),
    ]

    private static let streams: [PnutRoute] = [
        PnutRoute(.get, .post, .delete, at: "streams", takes: .stream, gives: .stream),
        // The key is passed as the id.
        PnutRoute(.get, .put, .delete, at: "streams/{id}", takes: .stream, gives: .stream),
        PnutRoute(.post, at: "streams/{id}/test", in: .pnut, gives: .stream),
        PnutRoute(.delete, at: "users/me/streams/{connection}"),
        PnutRoute(.delete, at: "users/me/streams/{connection}/{subscription}"),
    ]

    private static let others: [PnutRoute] = [
        PnutRoute(.get, .delete, at: "token", gives: .token),
        PnutRoute(.get, at: "apps/me/users/ids", is: "apps/me/tokens/user_ids"),
        PnutRoute(.get, at: "apps/me/users/tokens", is: "apps/me/tokens", gives: .token),
        PnutRoute(.get, at: "sys/config", is: "config", gives: .configuration),
        PnutRoute(.get, at: "sys/stats", in: .pnut),
        PnutRoute(.get, at: "oembed", in: .pnut),
        PnutRoute(.post, at: "text/process", takes: .text, gives: .text),
        PnutRoute(.post, at: "oauth/access_token", is: "access_token", in: .oauth),
    ]

    private static let table = RouteTable(all)

    /// Returns the call for a request, and the values in its path.
    ///
    /// - Throws: ``AppNetFailure`` with 404 for a path, and 405 for a method, that the table does not contain.
    static func match(_ segments: [String], _ method: HTTPRequest.Method) throws(AppNetFailure)
        -> RouteTable<PnutRoute>.Match
    {
        try table.match(segments, method)
    }
}
