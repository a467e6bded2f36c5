internal import HTTPTypes

extension AppNetRoutes {
    /// Calls that App.net never had (§6.2), by their paths below `/v1`.
    static let pnutRoutes: [AppNetRoute] = [
        own(.get, "users/me/channels/num_unread", scopes: [.messages]) { try $0.countUnreadByType() },
        own(.delete, "users/me/channels/num_unread", scopes: [.messages]) { try $0.markTypesRead() },
        own(.get, "users/me/channels/existing_pm", scopes: messageScopes) { try $0.existingPrivateChannel() },
        own(.put, "channels/{channel}/owner", scopes: messageScopes) { try $0.giveChannelAway() },
        own(.post, "channels/{channel}/messages", scopes: messageScopes) { try $0.createMessageAndMarker() },
        own(.delete, "channels/{channel}/messages/{message}", scopes: messageScopes) { try $0.deleteAnyMessage() },
        own(.get, "channels/{channel}/sticky_messages", access: .varies, scopes: messageScopes, isPaginated: true) {
            try $0.listStickyMessages()
        },
        own(
            .get,
            "channels/{channel}/messages/{message}/thread",
            access: .varies,
            scopes: messageScopes,
            isPaginated: true
        ) { try $0.listThread() },
        own(.post, "channels/{channel}/messages/{message}/report", scopes: messageScopes) { try $0.reportMessage() },
        own(.put, "channels/{channel}/messages/{message}/sticky", scopes: messageScopes) { try $0.setSticky(true) },
        own(.delete, "channels/{channel}/messages/{message}/sticky", scopes: messageScopes) { try $0.setSticky(false) },
        own(.get, "posts/{id}/interactions", access: .any, isPaginated: true) { try $0.listPostInteractions() },
        own(.delete, "files", scopes: [.files]) { try $0.deleteFiles() },
        own(.get, "sys/ops/{uuid}") { try $0.readOperation() },
        own(.get, "sys/stats", access: .none) { try $0.readStatistics() },
        own(.get, "users/suggested") { try $0.suggestUsers() },
        own(.delete, "users/me/avatar", scopes: [.updateProfile]) { try $0.removeImage(.avatar) },
        own(.delete, "users/me/cover", scopes: [.updateProfile]) { try $0.removeImage(.cover) },
        // Nobody has a badge here.
        own(.get, "badges", access: .any) { _ in .data(.array([])) },
        own(.get, "users/me/badges") { _ in .data(.array([])) },
        own(.get, "presence", access: .any) { try $0.listPresence() },
        own(.get, "users/{user}/presence", access: .any) { try $0.readPresence() },
        own(.put, "users/me/presence") { try $0.setPresence() },
    ]

    private static func own(
        _ method: HTTPRequest.Method,
        _ path: String,
        access: AppNetAccess = .user,
        scopes: Set<AppNetScope> = [],
        isPaginated: Bool = false,
        handler: @escaping @Sendable (AppNetCall) throws -> AppNetAnswer
    ) -> AppNetRoute {
        AppNetRoute(
            method,
            path: path,
            area: .pnut,
            access: access,
            scopes: scopes,
            isPaginated: isPaginated,
            handler: handler
        )
    }
}
