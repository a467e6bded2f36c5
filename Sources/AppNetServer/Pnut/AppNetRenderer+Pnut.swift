internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

extension AppNetChannel {
    /// The name of a chat room in its settings (Docs/Protocols/AppNet.md §6.3); `nil` if there is none.
    var chatName: JSONValue? {
        guard type == "net.app.core.chat" else { return nil }
        return annotations.first { $0["type"] == "net.app.core.chat-settings" }?["value"]?["name"]
    }
}

/// The members that pnut added to objects (Docs/Protocols/AppNet.md §6.3), with App.net's names if it has them.
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

    /// Returns the version of a post that a repost shows. Reposts keep the version from which they were made
    /// (Docs/Protocols/AppNet.md §6.2).
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

    /// Returns the latest message that is not deleted. If a later message is deleted, returns the latest deleted
    /// message too.
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

    /// Returns the users of an ACL with a few members each. For the writers of a private conversation, returns all its
    /// members.
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
