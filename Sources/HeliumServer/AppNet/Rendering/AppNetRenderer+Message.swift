extension AppNetRenderer {
    /// §3.1, or the deleted form of §2.2.
    func message(_ message: AppNetMessage, in channel: AppNetChannel) throws -> JSONTree {
        var members = [
            JSONMember("id", .id(message.id)), JSONMember("channel_id", .id(message.channel)),
            JSONMember("created_at", .string(AppNetDate.text(message.created))),
        ]
        if let user = try user(message.user) { members.append(JSONMember("user", user)) }
        members.append(JSONMember("source", try source(message.client)))
        if let text = message.text, !message.isDeleted {
            members += text.members(html: options.includesHTML)
        } else {
            members.append(JSONMember("entities", (message.isDeleted ? AppNetEntities() : message.entities).json))
        }
        if let replyTo = message.replyTo { members.append(JSONMember("reply_to", .id(replyTo))) }
        members += [
            JSONMember("thread_id", .id(message.thread)), JSONMember("num_replies", .count(message.replies)),
            JSONMember("machine_only", .bool(message.isMachineOnly)),
        ]
        if options.isPnut { members += try pnutMembers(of: message) }
        if message.isDeleted {
            members.append(JSONMember("is_deleted", .bool(true)))
            return .object(members)
        }
        var annotations = message.annotations
        if channel.type == AppNetChannel.broadcast {
            annotations.append(fallbackURL("channels/\(channel.id)/messages/\(message.id)"))
        }
        members += try self.annotations(annotations, of: .message, isPublic: channel.isPublic)
        return .object(members)
    }
}
