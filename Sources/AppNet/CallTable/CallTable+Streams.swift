// The calls of Docs/Protocols/AppNet.md §2.11, §2.13 and §2.14.
extension CallSpecification {
    // MARK: Filters

    static let createFilter = Self("filters.create", .post("filters"), pnut: .none, .user, returns: StreamFilter.self)
    static let filter = Self("filters.get", .get("filters/:filter"), pnut: .none, .user, returns: StreamFilter.self)
    static let replaceFilter = Self(
        "filters.replace",
        .put("filters/:filter"),
        pnut: .none,
        .user,
        returns: StreamFilter.self
    )
    static let deleteFilter = Self(
        "filters.delete",
        .delete("filters/:filter"),
        pnut: .none,
        .user,
        returns: StreamFilter.self
    )
    static let filters = Self("filters.all", .get("filters"), pnut: .none, .user, returns: [StreamFilter].self)
    static let deleteFilters = Self(
        "filters.deleteAll",
        .delete("filters"),
        pnut: .none,
        .user,
        returns: [StreamFilter].self
    )

    // MARK: App streams

    static let createStream = Self("appStreams.create", .post("streams"), .app, returns: AppStream.self)
    static let appStream = Self(
        "appStreams.get",
        .get("streams/:stream"),
        .app,
        returns: AppStream.self
    )
    static let updateStream = Self("appStreams.update", .put("streams/:stream"), .app, returns: AppStream.self)
    static let deleteStream = Self("appStreams.delete", .delete("streams/:stream"), .app, returns: AppStream.self)
    static let appStreams = Self("appStreams.all", .get("streams"), .app, returns: [AppStream].self)
    static let deleteStreams = Self("appStreams.deleteAll", .delete("streams"), .app, returns: [AppStream].self)

    // MARK: User streams

    static let deleteUserStream = Self(
        "userStreams.delete",
        .delete("users/me/streams/:connection"),
        .user
    )
    static let deleteSubscription = Self(
        "userStreams.deleteSubscription",
        .delete("users/me/streams/:connection/:subscription"),
        .user
    )
}

extension CallTable {
    static let filters: [CallSpecification] = [
        .createFilter, .filter, .replaceFilter, .deleteFilter, .filters, .deleteFilters,
    ]

    static let streams: [CallSpecification] = [
        .createStream, .appStream, .updateStream, .deleteStream, .appStreams, .deleteStreams, .deleteUserStream,
        .deleteSubscription,
    ]
}
