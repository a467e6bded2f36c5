internal import HTTPTypes

extension AppNetRoutes {
    /// Users (§2.5).
    static let userRoutes: [AppNetRoute] =
        [
            AppNetRoute(.get, path: "users/{user}", access: .none) { try $0.readUser() },
            AppNetRoute(.get, path: "users", access: .any) { try $0.readUsers() },
            AppNetRoute(.get, path: "users/search", access: .any) { try $0.searchUsers() },
            AppNetRoute(.put, path: "users/me", access: .user, scopes: [.updateProfile]) {
                try $0.updateProfile(isWhole: true)
            },
            AppNetRoute(.patch, path: "users/me", access: .user, scopes: [.updateProfile]) {
                try $0.updateProfile(isWhole: false)
            },
            AppNetRoute(.get, path: "users/{user}/following", access: .any, isPaginated: true) {
                try $0.listFollows(following: true)
            },
            AppNetRoute(.get, path: "users/{user}/followers", access: .any, isPaginated: true) {
                try $0.listFollows(following: false)
            },
            AppNetRoute(.get, path: "users/{user}/following/ids", access: .any) {
                try $0.listFollowIDs(following: true)
            },
            AppNetRoute(.get, path: "users/{user}/followers/ids", access: .any) {
                try $0.listFollowIDs(following: false)
            },
            AppNetRoute(.get, path: "users/{user}/muted", access: .any) { try $0.listRelation(.mute) },
            AppNetRoute(.get, path: "users/{user}/blocked", access: .any) { try $0.listRelation(.block) },
            AppNetRoute(.get, path: "users/muted/ids", access: .app) { try $0.listRelationIDs(.mute) },
            AppNetRoute(.get, path: "users/blocked/ids", access: .app) { try $0.listRelationIDs(.block) },
        ]
        + [UserRelations.Kind.follow, .mute, .block].flatMap { kind in
            [
                AppNetRoute(.post, path: "users/{user}/\(kind.rawValue)", access: .user, scopes: [.follow]) {
                    try $0.setRelation(kind, true)
                },
                AppNetRoute(.delete, path: "users/{user}/\(kind.rawValue)", access: .user, scopes: [.follow]) {
                    try $0.setRelation(kind, false)
                },
            ]
        }
}
