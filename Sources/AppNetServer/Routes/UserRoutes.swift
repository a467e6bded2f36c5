internal import HTTPTypes

extension AppNetRoutes {
    /// The calls for users, their relations and pictures (Docs/Protocols/AppNet.md §2.5), and for interactions with
    /// their objects (§2.9).
    static let userRoutes: [AppNetRoute] =
        [
            AppNetRoute(.get, "users/{user}", .none, by: UserHandlers.read),
            AppNetRoute(.get, "users", .any, by: UserHandlers.readMany),
            AppNetRoute(.get, "users/search", .any, by: UserHandlers.search),
            AppNetRoute(.put, "users/me", scopes: [.updateProfile]) { try ProfileHandlers($0).update(isWhole: true) },
            AppNetRoute(.patch, "users/me", scopes: [.updateProfile]) {
                try ProfileHandlers($0).update(isWhole: false)
            },
            AppNetRoute(.get, "users/{user}/following", .any, isPaginated: true) {
                try RelationHandlers($0).listFollows(following: true)
            },
            AppNetRoute(.get, "users/{user}/followers", .any, isPaginated: true) {
                try RelationHandlers($0).listFollows(following: false)
            },
            AppNetRoute(.get, "users/{user}/following/ids", .any) {
                try RelationHandlers($0).listFollowIDs(following: true)
            },
            AppNetRoute(.get, "users/{user}/followers/ids", .any) {
                try RelationHandlers($0).listFollowIDs(following: false)
            },
            AppNetRoute(.get, "users/{user}/muted", .any) { try RelationHandlers($0).list(.mute) },
            AppNetRoute(.get, "users/{user}/blocked", .any) { try RelationHandlers($0).list(.block) },
            AppNetRoute(.get, "users/muted/ids", .app) { try RelationHandlers($0).listIDs(.mute) },
            AppNetRoute(.get, "users/blocked/ids", .app) { try RelationHandlers($0).listIDs(.block) },
            AppNetRoute(.get, "users/me/interactions", isPaginated: true, by: InteractionHandlers.list),
        ]
        + [UserRelations.Kind.follow, .mute, .block].flatMap { kind in
            [
                AppNetRoute(.post, "users/{user}/\(kind.rawValue)", scopes: [.follow]) {
                    try RelationHandlers($0).set(kind, true)
                },
                AppNetRoute(.delete, "users/{user}/\(kind.rawValue)", scopes: [.follow]) {
                    try RelationHandlers($0).set(kind, false)
                },
            ]
        }
        + imageRoutes

    private static let imageRoutes: [AppNetRoute] =
        [
            AppNetRoute(.get, "images/{image}", .none, area: .content, by: UserImageHandlers.read)
                .with { $0.tellsLimits = false }
        ]
        + UserImage.allCases.flatMap { image in
            [
                // The call is not limited, so its responses do not contain the header fields for limits
                // (Docs/Protocols/AppNet.md §1.7).
                AppNetRoute(.get, "users/{user}/\(image.rawValue)", .none) {
                    try UserImageHandlers($0).redirect(to: image)
                }.with {
                    $0.tellsLimits = false
                    $0.isLimited = false
                },
                AppNetRoute(.post, "users/me/\(image.rawValue)", scopes: [.updateProfile]) {
                    try UserImageHandlers($0).set(image)
                }.with { $0.bodyLimit = .picture },
            ]
        }
}
