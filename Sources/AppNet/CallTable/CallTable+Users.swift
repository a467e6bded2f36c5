// The calls of Docs/Protocols/AppNet.md §2.5 and §2.6.
extension CallSpecification {
    // MARK: Users

    static let user = Self("users.get", .get("users/:user"), .none, returns: AppNetUser.self)
    static let usersByID = Self("users.byIDs", .get("users", query: "ids"), .any, returns: [AppNetUser].self)
    static let searchUsers = Self("users.search", .get("users/search", query: "q"), .any, returns: [AppNetUser].self)
    static let replaceProfile = Self(
        "users.replaceProfile",
        .put("users/me"),
        .user,
        scopes: [.updateProfile],
        returns: AppNetUser.self
    )
    static let updateProfile = Self(
        "users.updateProfile",
        .patch("users/me"),
        .user,
        scopes: [.updateProfile],
        returns: AppNetUser.self
    )
    static let avatar = Self("users.avatar", .get("users/:user/avatar"), .none)
    static let cover = Self("users.cover", .get("users/:user/cover"), .none)
    static let setAvatar = Self(
        "users.setAvatar",
        .post("users/me/avatar"),
        .user,
        scopes: [.updateProfile],
        returns: AppNetUser.self
    )
    static let setCover = Self(
        "users.setCover",
        .post("users/me/cover"),
        .user,
        scopes: [.updateProfile],
        returns: AppNetUser.self
    )
    static let follow = Self(
        "users.follow",
        .post("users/:user/follow"),
        pnut: .at(.put("users/:user/follow")),
        .user,
        scopes: [.follow],
        returns: AppNetUser.self
    )
    static let unfollow = Self(
        "users.unfollow",
        .delete("users/:user/follow"),
        .user,
        scopes: [.follow],
        returns: AppNetUser.self
    )
    static let muteUser = Self(
        "users.mute",
        .post("users/:user/mute"),
        pnut: .at(.put("users/:user/mute")),
        .user,
        scopes: [.follow],
        returns: AppNetUser.self
    )
    static let unmuteUser = Self(
        "users.unmute",
        .delete("users/:user/mute"),
        .user,
        scopes: [.follow],
        returns: AppNetUser.self
    )
    static let blockUser = Self(
        "users.block",
        .post("users/:user/block"),
        pnut: .at(.put("users/:user/block")),
        .user,
        scopes: [.follow],
        returns: AppNetUser.self
    )
    static let unblockUser = Self(
        "users.unblock",
        .delete("users/:user/block"),
        .user,
        scopes: [.follow],
        returns: AppNetUser.self
    )
    static let following = Self(
        "users.following",
        .get("users/:user/following"),
        .any,
        returns: [AppNetUser].self,
        pages: true,
        subscribable: true
    )
    static let followers = Self(
        "users.followers",
        .get("users/:user/followers"),
        .any,
        returns: [AppNetUser].self,
        pages: true,
        subscribable: true
    )
    static let followingIDs = Self(
        "users.followingIDs",
        .get("users/:user/following/ids"),
        pnut: .none,
        .any,
        returns: [AppNetUser.ID].self
    )
    static let followerIDs = Self(
        "users.followerIDs",
        .get("users/:user/followers/ids"),
        pnut: .none,
        .any,
        returns: [AppNetUser.ID].self
    )
    static let mutedUsers = Self("users.muted", .get("users/:user/muted"), .any, returns: [AppNetUser].self)
    static let blockedUsers = Self("users.blocked", .get("users/:user/blocked"), .any, returns: [AppNetUser].self)
    static let mutedUserIDs = Self(
        "users.mutedIDs",
        .get("users/muted/ids", query: "ids"),
        pnut: .none,
        .app,
        returns: [String: [AppNetUser.ID]].self
    )
    static let blockedUserIDs = Self(
        "users.blockedIDs",
        .get("users/blocked/ids", query: "ids"),
        pnut: .none,
        .app,
        returns: [String: [AppNetUser.ID]].self
    )
    static let reposters = Self(
        "posts.reposters",
        .get("posts/:post/reposters"),
        pnut: .none,
        .any,
        returns: [AppNetUser].self,
        pages: true
    )
    static let starrers = Self(
        "posts.starrers",
        .get("posts/:post/stars"),
        pnut: .none,
        .any,
        returns: [AppNetUser].self,
        pages: true
    )

    // MARK: Token, configuration, text

    static let token = Self("token.current", .get("token"), .any, returns: TokenInfo.self, subscribable: true)
    static let revokeToken = Self("token.revoke", .delete("token"), .any, returns: TokenInfo.self)
    static let appUserIDs = Self(
        "token.userIDs",
        .get("apps/me/tokens/user_ids"),
        pnut: .at(.get("apps/me/users/ids")),
        .app,
        returns: [AppNetUser.ID].self
    )
    static let appTokens = Self(
        "token.all",
        .get("apps/me/tokens"),
        pnut: .at(.get("apps/me/users/tokens")),
        .app,
        returns: [TokenInfo].self,
        pages: true
    )
    static let configuration = Self(
        "configuration.get",
        .get("config"),
        pnut: .at(.get("sys/config")),
        .none,
        returns: ServiceConfiguration.self
    )
    static let processText = Self("text.process", .post("text/process"), .any, returns: ProcessedText.self)
}

extension CallTable {
    static let users: [CallSpecification] = [
        .user, .usersByID, .searchUsers, .replaceProfile, .updateProfile, .avatar, .cover, .setAvatar, .setCover,
        .follow, .unfollow, .muteUser, .unmuteUser, .blockUser, .unblockUser, .following, .followers, .followingIDs,
        .followerIDs, .mutedUsers, .blockedUsers, .mutedUserIDs, .blockedUserIDs, .reposters, .starrers,
    ]

    static let tokens: [CallSpecification] = [
        .token, .revokeToken, .appUserIDs, .appTokens, .configuration, .processText,
    ]
}
