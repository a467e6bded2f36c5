internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

extension AppNetChannel {
    /// What a chat room is called by its settings (§6.3).
    var chatName: JSONValue? {
        guard type == "net.app.core.chat" else { return nil }
        return annotations.first { $0["type"] == "net.app.core.chat-settings" }?["value"]?["name"]
    }
}

/// What pnut tells of objects and App.net does not (§6.3), in App.net's names where it has them.
extension AppNetRenderer {
    private var pnut: PnutTable { PnutTable(database: database) }

    func pnutMembers(of message: AppNetMessage) throws -> JSONObject {
        var members: JSONObject = ["is_sticky": .bool(try pnut.isSticky(message.id))]
        if try PnutMarkTable(database: database).isNSFW(.message, message.id) {
            members["is_nsfw"] = .bool(true)
        }
        if let deleter = try pnut.deleter(of: message.id) { members["deleted_by"] = .id(deleter) }
        return members
    }

    func pnutMembers(of post: PostRecord) throws -> JSONObject {
        guard !post.isDeleted else { return [:] }
        let revisions = try PostRevisionTable(database: database).revisions(of: post.id)
        var members: JSONObject = [:]
        let earlier = post.revision.flatMap { number in revisions.first { $0.number == number } }
        let isNSFW = try earlier?.isNSFW ?? PnutMarkTable(database: database).isNSFW(.post, post.id)
        if isNSFW { members["is_nsfw"] = .bool(true) }
        if let revision = post.revision {
            members["revision"] = .count(revision)
        } else if !revisions.isEmpty {
            members["is_revised"] = .bool(true)
        }
        return members
    }

    /// The version of a post that a repost shows: reposts keep the one that they were made of (AppNet.md §6.2).
    func version(of post: PostRecord, shownBy repost: PostRecord) throws -> PostRecord {
        let revisions = try PostRevisionTable(database: database).revisions(of: post.id)
        return revisions.last { repost.id <= $0.lastPost }.map(post.at) ?? post
    }

    func pnutMembers(of channel: AppNetChannel) throws -> JSONObject {
        [
            "has_sticky_messages": .bool(try pnut.stickyCount(in: channel.id) > 0),
            "created_at": .string(AppNetDate.text(channel.created)),
        ] + (try recentMessages(of: channel))
    }

    /// The latest message that is not deleted, and where a deleted one is later, the latest of those.
    private func recentMessages(of channel: AppNetChannel) throws -> JSONObject {
        let table = AppNetMessageTable(database: database)
        guard let last = try channel.recentMessage.flatMap(table.message) else { return [:] }
        let found = [
            ("recent_message", last.isDeleted ? try table.latest(in: channel.id) : last),
            ("recent_deleted_message", last.isDeleted ? last : nil),
        ]
        var members = JSONObject()
        for case (let name, let message?) in found {
            members["\(name)_id"] = .id(message.id)
            if showsRecentMessage { members[name] = try self.message(message, in: channel) }
        }
        return members
    }

    /// Those whom an ACL names, with little more than their names; all members where private messages are written.
    func limitedUsers(_ role: ChannelACL.Role, of channel: AppNetChannel) throws -> JSONValue {
        let isOwned = channel.type != AppNetChannel.privateMessages || role != .writers
        let ids = (isOwned ? [] : [channel.owner]) + channel[role].users
        let table = AppNetUserTable(database: database)
        return .array(
            try ids.compactMap(table.user).map { user in
                var json: JSONValue = ["id": .id(user.id), "username": .string(user.username)]
                if !user.name.isEmpty { json["name"] = .string(user.name) }
                json["avatar_image"] = ["url": .string(UserImage.avatar.url(user, root: root))]
                return json
            }
        )
    }
}
