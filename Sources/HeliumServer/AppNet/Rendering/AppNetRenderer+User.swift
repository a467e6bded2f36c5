extension AppNetRenderer {
    /// §3.3.
    func user(_ user: AppNetUser) throws -> JSONTree { try self.user(user, isAnnotated: true) }

    /// A user, with annotations or never with them.
    func user(_ user: AppNetUser, isAnnotated: Bool) throws -> JSONTree {
        var members = [
            JSONMember("id", .id(user.id)), JSONMember("username", .string(user.username)),
            JSONMember("name", .string(user.name)),
        ]
        if let description = user.description {
            members.append(JSONMember("description", .object(description.members(html: options.includesHTML))))
        }
        members += [
            JSONMember("timezone", .string(user.timezone)), JSONMember("locale", .string(user.locale)),
            JSONMember("avatar_image", try UserImage.avatar.json(user, root: root, database: database)),
            JSONMember("cover_image", try UserImage.cover.json(user, root: root, database: database)),
            JSONMember("type", .string(user.type)), JSONMember("created_at", .string(AppNetDate.text(user.created))),
            JSONMember("counts", try counts(user)),
        ]
        members += try relation(to: user)
        members.append(JSONMember("canonical_url", .string("https://alpha.app.net/\(user.username)")))
        if isAnnotated { members += try annotations(user.annotations, of: .user, isPublic: true) }
        return .object(members)
    }

    private func counts(_ user: AppNetUser) throws -> JSONTree {
        let relations = UserRelations(database: database)
        return [
            "following": .count(try relations.objectCount(.follow, of: user.id)),
            "followers": .count(try relations.subjectCount(.follow, of: user.id)),
            "posts": .count(try PostCounts.posts(of: user.id, database)),
            "stars": .count(try PostCounts.stars(of: user.id, database)),
        ]
    }

    /// What is between the viewer and a user; absent without a user token and on the user himself [wire].
    private func relation(to user: AppNetUser) throws -> [JSONMember] {
        guard isPersonal, let me = viewer.user, me != user.id else { return [] }
        let relations = UserRelations(database: database)
        func member(_ name: String, _ value: Bool) -> JSONMember { JSONMember(name, .bool(value)) }
        let isBlocked = try relations.exists(.block, user.id, me)
        return [
            member("follows_you", try relations.exists(.follow, user.id, me)),
            member("you_follow", try relations.exists(.follow, me, user.id)),
            member("you_muted", try relations.exists(.mute, me, user.id)),
            member("you_blocked", try relations.exists(.block, me, user.id)),
            member("you_can_follow", try relations.mayFollow(me, user.id)), member("you_can_subscribe", !isBlocked),
        ]
    }
}

extension UserRelations {
    /// Whether one user may follow another, or write to him in private: nobody does who is blocked, and bots do only to
    /// their followers (§3.3).
    func mayFollow(_ follower: Int64, _ followed: Int64) throws -> Bool {
        if try exists(.block, followed, follower) { return false }
        guard try AppNetUserTable(database: database).user(follower)?.type == "bot" else { return true }
        return try exists(.follow, followed, follower)
    }
}
