internal import HTTPTypes

extension AppNetRoutes {
    /// What calls of channels and messages need one of.
    static let messageScopes: Set<AppNetScope> = [.publicMessages, .messages]

    /// Messages (§2.2).
    static let messageRoutes: [AppNetRoute] = [
        messaging(.post, "channels/{channel}/messages", .user) { try MessageHandlers($0).create() },
        messaging(.get, "channels/{channel}/messages", .varies, isPaginated: true) { try MessageHandlers($0).list() },
        messaging(.get, "channels/{channel}/messages/{message}", .varies) { try MessageHandlers($0).read() },
        messaging(.get, "channels/messages", .any) { try MessageHandlers($0).readMany() },
        messaging(.get, "channels/messages/search", .any, isPaginated: true) {
            try SearchHandlers($0).searchMessages()
        },
        messaging(.get, "users/me/messages", .user, isPaginated: true) { try MessageHandlers($0).listOwn() },
        messaging(.delete, "channels/{channel}/messages/{message}", .user) { try MessageHandlers($0).delete() },
    ]

    /// A call that needs a scope of messages.
    static func messaging(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ access: AppNetAccess,
        isPaginated: Bool = false,
        handler: @escaping @Sendable (AppNetContext) throws -> AppNetAnswer
    ) -> AppNetRoute {
        AppNetRoute(
            method,
            path,
            access,
            scopes: messageScopes,
            isPaginated: isPaginated,
            handler: handler
        )
    }
}
