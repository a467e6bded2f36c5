internal import HTTPTypes

extension AppNetRoutes {
    /// Streams: markers (§2.3), filters (§2.11), app streams and user streams (§2.13, §2.14).
    static let streamRoutes: [AppNetRoute] = [
        AppNetRoute(.post, "posts/marker", .user) { try MarkerHandlers($0).update() },
        AppNetRoute(.post, "filters", .user) { try FilterHandlers($0).create() },
        AppNetRoute(.get, "filters", .user) { try FilterHandlers($0).list() },
        AppNetRoute(.delete, "filters", .user) { try FilterHandlers($0).deleteAll() },
        AppNetRoute(.get, "filters/{id}", .user) { try FilterHandlers($0).read() },
        AppNetRoute(.put, "filters/{id}", .user) { try FilterHandlers($0).replace() },
        AppNetRoute(.delete, "filters/{id}", .user) { try FilterHandlers($0).delete() },
        AppNetRoute(.post, "streams", .app) { try AppStreamHandlers($0).create() },
        AppNetRoute(.get, "streams", .app) { try AppStreamHandlers($0).list() },
        AppNetRoute(.delete, "streams", .app) { try AppStreamHandlers($0).deleteAll() },
        AppNetRoute(.get, "streams/{id}", .app) { try AppStreamHandlers($0).read() },
        AppNetRoute(.put, "streams/{id}", .app) { try AppStreamHandlers($0).update() },
        AppNetRoute(.delete, "streams/{id}", .app) { try AppStreamHandlers($0).delete() },
        AppNetRoute(.get, "app/{id}", .app, area: .live) { try AppStreamHandlers($0).consume() },
        AppNetRoute(.get, "user", .user, area: .live) { try UserStreamHandlers($0).open() },
        AppNetRoute(.delete, "users/me/streams/{connection}", .user) { try UserStreamHandlers($0).delete() },
        AppNetRoute(.delete, "users/me/streams/{connection}/{subscription}", .user) {
            try UserStreamHandlers($0).deleteSubscription()
        },
    ]
}
