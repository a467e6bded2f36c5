internal import HTTPTypes

extension AppNetRoutes {
    /// The calls for markers (Docs/Protocols/AppNet.md §2.3), filters (§2.11), app streams and user streams (§2.13,
    /// §2.14).
    static let streamRoutes: [AppNetRoute] = [
        AppNetRoute(.post, "posts/marker", by: MarkerHandlers.update),
        AppNetRoute(.post, "filters", by: FilterHandlers.create),
        AppNetRoute(.get, "filters", by: FilterHandlers.list),
        AppNetRoute(.delete, "filters", by: FilterHandlers.deleteAll),
        AppNetRoute(.get, "filters/{id}", by: FilterHandlers.read),
        AppNetRoute(.put, "filters/{id}", by: FilterHandlers.replace),
        AppNetRoute(.delete, "filters/{id}", by: FilterHandlers.delete),
        AppNetRoute(.post, "streams", .app, by: AppStreamHandlers.create),
        AppNetRoute(.get, "streams", .app, by: AppStreamHandlers.list),
        AppNetRoute(.delete, "streams", .app, by: AppStreamHandlers.deleteAll),
        AppNetRoute(.get, "streams/{id}", .app, by: AppStreamHandlers.read),
        AppNetRoute(.put, "streams/{id}", .app, by: AppStreamHandlers.update),
        AppNetRoute(.delete, "streams/{id}", .app, by: AppStreamHandlers.delete),
        AppNetRoute(.get, "app/{id}", .app, area: .live, by: AppStreamHandlers.consume)
            .with { $0.opensStream = true },
        AppNetRoute(.get, "user", area: .live, by: UserStreamHandlers.open).with { $0.opensStream = true },
        AppNetRoute(.delete, "users/me/streams/{connection}", by: UserStreamHandlers.delete),
        AppNetRoute(.delete, "users/me/streams/{connection}/{subscription}", by: UserStreamHandlers.deleteSubscription),
    ]
}
