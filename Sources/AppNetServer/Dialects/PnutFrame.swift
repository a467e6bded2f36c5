internal import HeliumJSON
internal import HeliumServerKit

/// Translates frames of streams to pnut's format (Docs/Protocols/AppNet.md §6.3).
enum PnutFrame {
    private static let kinds: [String: PnutObject] = [
        "post": .post, "message": .message, "channel": .channel, "user": .user, "file": .file, "token": .token,
        "user_follow": .user, "channel_subscription": .user,
    ]

    /// The members of an app stream's pairs: their names in pnut and their kinds.
    private static let members: [String: (name: String, kind: PnutObject)] = [
        "post": ("post", .post), "user": ("user", .user), "follows_user": ("followed_user", .user),
        "muted_user": ("muted_user", .user), "blocked_user": ("blocked_user", .user), "marker": ("marker", .marker),
        "channel": ("channel", .channel), "poll": ("poll", .poll),
    ]

    /// Returns an App.net frame in pnut's format.
    static func translated(_ frame: JSONValue) -> JSONValue {
        guard var meta = frame["meta"] else { return frame }
        var frame = frame
        let type = meta["type"]?.stringValue ?? ""
        if meta["type"] != nil { meta["type"] = .string(PnutNames.pnutEvent(type)) }
        if let channel = meta["channel_type"] { meta["channel_type"] = channel.mapText(PnutNames.pnut) }
        frame["meta"] = meta
        if let data = frame["data"] { frame["data"] = translated(data, type) }
        return frame
    }

    private static func translated(_ data: JSONValue, _ type: String) -> JSONValue {
        let isPair = data["user"] != nil && ["star", "user_follow", "mute", "block", "poll"].contains(type)
        if isPair || type == "stream_marker" || (type == "channel_subscription" && data["channel"] != nil) {
            return .object(
                (data.objectValue ?? [:]).map { member in
                    guard let known = members[member.name] else { return member }
                    return (known.name, known.kind.translated(member.value))
                }
            )
        }
        let object = (kinds[type] ?? .plain).translated(data)
        // Posts and messages are sent as lists.
        if type == "post" || type == "message", case .object = object { return [object] }
        return object
    }
}
