internal import HTTPTypes

extension AppNetRoutes {
    /// The scopes of which calls for channels and messages need one.
    static let messageScopes: Set<AppNetScope> = [.publicMessages, .messages]

    /// The calls for messages (Docs/Protocols/AppNet.md §2.2).
    static let messageRoutes = messageCalls.with { $0.scopes = messageScopes }

    private static let messageCalls: [AppNetRoute] = [
        AppNetRoute(.post, "channels/{channel}/messages", by: MessageHandlers.create),
        AppNetRoute(.get, "channels/{channel}/messages", .varies, isPaginated: true, by: MessageHandlers.list),
        AppNetRoute(.get, "channels/{channel}/messages/{message}", .varies, by: MessageHandlers.read),
        AppNetRoute(.get, "channels/messages", .any, by: MessageHandlers.readMany),
        AppNetRoute(.get, "channels/messages/search", .any, isPaginated: true, by: SearchHandlers.searchMessages),
        AppNetRoute(.get, "users/me/messages", isPaginated: true, by: MessageHandlers.listOwn),
        AppNetRoute(.delete, "channels/{channel}/messages/{message}", by: MessageHandlers.delete),
    ]
}
