internal import HeliumJSON

extension PnutMembers {
    /// An event's type, meta data and data; or an interaction's objects.
    static func translateEvent(_ object: inout JSONObject, _ direction: PnutDirection) throws {
        if let objects = object["objects"] {
            object["objects"] = .array(
                try (objects.arrayValue ?? []).map { value in
                    try translate(value, PnutPart(interactionObject: value), direction)
                }
            )
        }
        guard case .object(var meta)? = object["meta"] else { return }
        let type = meta["type"]?.stringValue ?? ""
        if let data = object["data"] { object["data"] = try translate(data, PnutPart(eventType: type), direction) }
        let found = eventTypes.first { (direction == .toPnut ? $0.value : $0.pnut).hasSameBytes(as: type) }
        if let found { meta["type"] = .string(direction == .toPnut ? found.pnut : found.value) }
        if case .string(let channel)? = meta["channel_type"] {
            meta["channel_type"] = .string(
                direction == .toPnut ? PnutTypes.pnutName(of: channel) : PnutTypes.appNetName(of: channel)
            )
        }
        object["meta"] = .object(meta)
    }

    /// The types of events that have other names.
    static let eventTypes = [(value: "star", pnut: "bookmark"), (value: "user_follow", pnut: "follow")]
}

extension PnutPart {
    /// What an event of a type is about, by either dialect's name.
    fileprivate init?(eventType type: String) {
        switch ByteText(type) {
        case "post": self = .post
        case "message": self = .message
        case "channel": self = .channel
        case "file": self = .file
        case "user": self = .user
        case "token": self = .token
        case "poll": self = .poll
        case "star", "bookmark", "user_follow", "follow", "mute", "block", "stream_marker", "channel_subscription":
            self = .subjects
        default: return nil
        }
    }

    /// What an interaction was with, by what it has in either dialect.
    fileprivate init?(interactionObject value: JSONValue) {
        if value["username"] != nil {
            self = .user
        } else if value["acl"] != nil || value["readers"] != nil {
            self = .channel
        } else if value["prompt"] != nil {
            self = .poll
        } else {
            self = .post
        }
    }
}
