internal import HTTPTypes

extension AppNetRoutes {
    /// What calls of channels and messages need one of.
    static let messageScopes: Set<AppNetScope> = [.publicMessages, .messages]

    /// Messages (§2.2).
    static let messageRoutes: [AppNetRoute] = [
        messaging(.post, "channels/{channel}/messages", .user) { try $0.createMessage() },
        messaging(.get, "channels/{channel}/messages", .varies, isPaginated: true) { try $0.listMessages() },
        messaging(.get, "channels/{channel}/messages/{message}", .varies) { try $0.readMessage() },
        messaging(.get, "channels/messages", .any) { try $0.readMessages() },
        messaging(.get, "users/me/messages", .user, isPaginated: true) { try $0.listOwnMessages() },
        messaging(.delete, "channels/{channel}/messages/{message}", .user) { try $0.deleteMessage() },
    ]

    /// A call that needs a scope of messages.
    static func messaging(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ access: AppNetAccess,
        isPaginated: Bool = false,
        handler: @escaping @Sendable (AppNetCall) throws -> AppNetAnswer
    ) -> AppNetRoute {
        AppNetRoute(
            method,
            path: path,
            access: access,
            scopes: messageScopes,
            isPaginated: isPaginated,
            handler: handler
        )
    }
}
