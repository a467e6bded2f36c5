internal import HeliumJSON
internal import HeliumServerKit

extension AppNetRenderer {
    /// Returns the JSON object of a message (Docs/Protocols/AppNet.md §3.1), or the deleted form (§2.2).
    func message(_ message: AppNetMessage, in channel: AppNetChannel) throws -> JSONValue? {
        guard message.channel == channel.id, try reader.sees(message, in: channel) else { return nil }
        var members: JSONObject = [
            "id": .id(message.id), "channel_id": .id(message.channel),
            "created_at": .string(AppNetDate.text(message.created)),
        ]
        if let user = try user(message.user) { members["user"] = user }
        members["source"] = try source(message.client)
        members += textMembers(of: message)
        if let replyTo = message.replyTo { members["reply_to"] = .id(replyTo) }
        members += [
            "thread_id": .id(message.thread), "num_replies": .count(message.replies),
            "machine_only": .bool(message.isMachineOnly),
        ]
        if options.dialect.extendsObjects { members += try pnutMembers(of: message) }
        if message.isDeleted {
            members["is_deleted"] = .bool(true)
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
