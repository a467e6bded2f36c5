internal import HeliumJSON
internal import HeliumServerKit

extension AppNetRenderer {
    /// Returns the JSON object of a user (Docs/Protocols/AppNet.md §3.3). All readers may see all users.
    func user(_ user: AppNetUser) throws -> JSONValue { try self.user(user, isAnnotated: true) }

    /// Returns the JSON object of a user. Annotations are left out if `isAnnotated` is `false`.
    func user(_ user: AppNetUser, isAnnotated: Bool) throws -> JSONValue {
        var members: JSONObject = [
            "id": .id(user.id), "username": .string(user.username),
            "name": .string(user.name),
        ]
        if let description = user.description {
            members["description"] = .object(description.members(html: options.includesHTML))
        }
        members += [
            "timezone": .string(user.timezone), "locale": .string(user.locale),
            "avatar_image": try UserImage.avatar.json(user, root: root, database: database),
            "cover_image": try UserImage.cover.json(user, root: root, database: database),
            "type": .string(user.type), "created_at": .string(AppNetDate.text(user.created)),
            "counts": try counts(user),
        ]
        members += try relation(to: user)
        members["canonical_url"] = .string("https://alpha.app.net/\(user.username)")
        if isAnnotated { members += try annotations(user.annotations, of: .user, isPublic: true) }
        return .object(members)
    }

    private func counts(_ user: AppNetUser) throws -> JSONValue {
        let relations = UserRelations(database: database)
        let posts = PostTable(database: database)
        return [
            "following": .count(try relations.objectCount(.follow, of: user.id)),
            "followers": .count(try relations.subjectCount(.follow, of: user.id)),
            "posts": .count(try posts.count(by: user.id)), "stars": .count(try posts.starCount(by: user.id)),
        ]
    }

    /// Returns the relations between the viewer and a user. They are left out without a user token and for the viewer's
    /// own user, as the service did.
    private func relation(to user: AppNetUser) throws -> JSONObject {
        guard isPersonal, let me = viewer.user, me != user.id else { return [:] }
        let relations = UserRelations(database: database)
        let isBlocked = try relations.exists(.block, user.id, me)
        return [
            "follows_you": .bool(try relations.exists(.follow, user.id, me)),
            "you_follow": .bool(try relations.exists(.follow, me, user.id)),
            "you_muted": .bool(try relations.exists(.mute, me, user.id)),
            "you_blocked": .bool(try relations.exists(.block, me, user.id)),
            "you_can_follow": .bool(try relations.mayFollow(me, user.id)), "you_can_subscribe": .bool(!isBlocked),
        ]
    }
}

extension UserRelations {
    /// Returns whether a user may follow another user or send private messages to that user. Blocked users may not, and
    /// bots may only if the other user follows them (Docs/Protocols/AppNet.md §3.3).
    func mayFollow(_ follower: Int64, _ followed: Int64) throws -> Bool {
        if try exists(.block, followed, follower) { return false }
        guard try AppNetUserTable(database: database).isBot(follower) else { return true }
        return try exists(.follow, followed, follower)
    }
}
