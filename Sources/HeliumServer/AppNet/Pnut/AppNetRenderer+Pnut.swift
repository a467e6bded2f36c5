internal import GRDB

extension AppNetChannel {
    /// What a chat room is called by its settings (§6.3).
    var chatName: JSONTree? {
        guard type == "net.app.core.chat" else { return nil }
        return annotations.first { $0["type"] == "net.app.core.chat-settings" }?["value"]?["name"]
    }
}

/// What pnut tells of objects and App.net does not (§6.3), in App.net's names where it has them.
extension AppNetRenderer {
    private var pnut: PnutTable { PnutTable(database: database) }

    func pnutMembers(of message: AppNetMessage) throws -> [JSONMember] {
        var members = [JSONMember("is_sticky", .bool(try pnut.isSticky(message.id)))]
        if try PnutMarkTable(database: database).isNSFW(.message, message.id) {
            members.append(JSONMember("is_nsfw", .bool(true)))
        }
        if let deleter = try pnut.deleter(of: message.id) { members.append(JSONMember("deleted_by", .id(deleter))) }
        return members
    }

    func pnutMembers(of post: PostRecord) throws -> [JSONMember] {
        guard !post.isDeleted else { return [] }
        let revisions = try PostRevisionTable(database: database).revisions(of: post.id)
        var members: [JSONMember] = []
        let earlier = post.revision.flatMap { number in revisions.first { $0.number == number } }
        let isNSFW = try earlier?.isNSFW ?? PnutMarkTable(database: database).isNSFW(.post, post.id)
        if isNSFW { members.append(JSONMember("is_nsfw", .bool(true))) }
        if let revision = post.revision {
            members.append(JSONMember("revision", .count(revision)))
        } else if !revisions.isEmpty {
            members.append(JSONMember("is_revised", .bool(true)))
        }
        return members
    }

    /// The version of a post that a repost shows: reposts keep the one that they were made of (AppNet.md §6.2).
    func version(of post: PostRecord, shownBy repost: PostRecord) throws -> PostRecord {
        let revisions = try PostRevisionTable(database: database).revisions(of: post.id)
        return revisions.last { repost.id <= $0.lastPost }.map(post.at) ?? post
    }

    func pnutMembers(of channel: AppNetChannel) throws -> [JSONMember] {
        [
            JSONMember("has_sticky_messages", .bool(try pnut.stickyCount(in: channel.id) > 0)),
            JSONMember("created_at", .string(AppNetDate.text(channel.created))),
        ] + (try recentMessages(of: channel))
    }

    /// The latest message that is not deleted, and where a deleted one is later, the latest of those.
    private func recentMessages(of channel: AppNetChannel) throws -> [JSONMember] {
        let table = AppNetMessageTable(database: database)
        guard let last = try channel.recentMessage.flatMap(table.message) else { return [] }
        let found = [
            ("recent_message", last.isDeleted ? try table.latest(in: channel.id) : last),
            ("recent_deleted_message", last.isDeleted ? last : nil),
        ]
        return try found.flatMap { name, message -> [JSONMember] in
            guard let message else { return [] }
            let id = JSONMember("\(name)_id", .id(message.id))
            return showsRecentMessage ? [id, JSONMember(name, try self.message(message, in: channel))] : [id]
        }
    }

    /// Those whom an ACL names, with little more than their names; all members where private messages are written.
    func limitedUsers(_ role: ChannelACL.Role, of channel: AppNetChannel) throws -> JSONTree {
        let isOwned = channel.type != AppNetChannel.privateMessages || role != .writers
        let ids = (isOwned ? [] : [channel.owner]) + channel[role].users
        let table = AppNetUserTable(database: database)
        return .array(
            try ids.compactMap(table.user).map { user in
                var json: JSONTree = ["id": .id(user.id), "username": .string(user.username)]
                if !user.name.isEmpty { json.set("name", .string(user.name)) }
                json.set("avatar_image", ["url": .string(UserImage.avatar.url(user, root: root))])
                return json
            }
        )
    }
}
