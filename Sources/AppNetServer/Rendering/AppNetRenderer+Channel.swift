internal import HeliumJSON
internal import HeliumServerKit

extension AppNetRenderer {
    /// Returns the JSON object of a channel (Docs/Protocols/AppNet.md §3.2).
    func channel(_ channel: AppNetChannel) throws -> JSONValue? {
        guard try reader.sees(channel) else { return nil }
        let audience = ChannelAudience(database: database)
        var counts: JSONValue = ["messages": .count(channel.messages)]
        if reader.has(.editors, in: channel) {
            counts["subscribers"] = .count(try audience.subscriberCount(of: channel.id))
        }
        var members: JSONObject = ["id": .id(channel.id), "type": .string(channel.type)]
        if let owner = try user(channel.owner) { members["owner"] = owner }
        members["counts"] = counts
        for role in ChannelACL.Role.allCases {
            let you = isPersonal ? reader.has(role, in: channel) : nil
            var acl = channel[role].json(you: you)
            if options.includesLimitedUsers { acl["users"] = try limitedUsers(role, of: channel) }
            members[role.rawValue] = acl
        }
        if isPersonal {
            let isSubscribed = try viewer.user.map { try audience.isSubscribed($0, to: channel.id) } ?? false
            let isMuted = try viewer.user.map { try audience.hasMuted($0, channel.id) } ?? false
            members += [
                "you_subscribed": .bool(isSubscribed), "you_muted": .bool(isMuted),
                "has_unread": .bool(try hasUnread(channel)),
                "you_can_edit": .bool(reader.has(.editors, in: channel)),
            ]
        }
        members["is_inactive"] = .bool(channel.isInactive)
        members += try options.dialect.extendsObjects ? pnutMembers(of: channel) : recentMessage(of: channel)
        if options.includesMarker, let user = viewer.user {
            let marker = try StreamMarkerTable(database: database).marker(channel.marker, of: user)
            members["marker"] = marker?.json ?? ["name": .string(channel.marker)]
        }
        var annotations = channel.annotations
        if channel.type == AppNetChannel.broadcast { annotations.append(fallbackURL("channels/\(channel.id)")) }
        members += try self.annotations(annotations, of: .channel, isPublic: channel.isPublic)
        return .object(members)
    }

    /// Returns the JSON object of a channel that the viewer created, changed or left. If the viewer may not see the
    /// channel now, the object contains only the viewer's own relation to it.
    func changedChannel(_ channel: AppNetChannel) throws -> JSONValue {
        if let visible = try self.channel(channel) { return visible }
        let audience = ChannelAudience(database: database)
        let isSubscribed = try viewer.user.map { try audience.isSubscribed($0, to: channel.id) } ?? false
        return ["id": .id(channel.id), "type": .string(channel.type), "you_subscribed": .bool(isSubscribed)]
    }

    private func recentMessage(of channel: AppNetChannel) throws -> JSONObject {
        guard let id = channel.recentMessage else { return [:] }
        var members: JSONObject = ["recent_message_id": .id(id)]
        if showsRecentMessage, let recent = try AppNetMessageTable(database: database).message(id) {
            members["recent_message"] = try message(recent, in: channel)
        }
        return members
    }

    /// Whether channels contain their recent message. On app streams they always do (Docs/Protocols/AppNet.md §2.13).
    var showsRecentMessage: Bool { options.includesRecentMessage || !isPersonal }

    /// Returns whether the channel has a message that the viewer has not read (Docs/Protocols/AppNet.md §2.1).
    func hasUnread(_ channel: AppNetChannel) throws -> Bool {
        guard let user = viewer.user, let recent = channel.recentMessage else { return false }
        guard let marker = try StreamMarkerTable(database: database).marker(channel.marker, of: user) else {
            return true
        }
        return recent > marker.lastRead
    }

    /// Returns the annotation with the URL of a broadcast's page, which only the server writes
    /// (Docs/Protocols/AppNet.md §4.5).
    func fallbackURL(_ path: String) -> JSONValue {
        ["type": .string(AnnotationRules.fallbackURL), "value": ["url": .string("\(root)/\(path)")]]
    }
}
