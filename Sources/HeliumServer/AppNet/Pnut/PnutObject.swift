/// The kinds of answers, whose members the two dialects spell differently (§6.3).
enum PnutObject: Hashable, Sendable {
    case message, channel, user, file, post, token, marker, interaction, configuration, text, place, stream, poll
    case client, exploreStream
    /// The same in both dialects: numbers, lists of ids, maps of them.
    case plain
}

extension PnutObject {
    /// pnut's form of `data`: an object, or each object of a list.
    func translated(_ data: JSONTree) -> JSONTree {
        if case .array(let elements) = data { return .array(elements.map(translated)) }
        guard case .object(let members) = data else { return data }
        switch self {
        case .message: return Self.message(members)
        case .channel: return Self.channel(members)
        case .user: return Self.user(members)
        case .file: return Self.file(members)
        case .post: return Self.post(members)
        case .token: return Self.token(members)
        case .marker: return Self.marker(members)
        case .interaction: return Self.interaction(members)
        case .configuration: return Self.configuration(data)
        case .stream: return Self.stream(members)
        case .text: return Self.object([JSONMember("content", .object(Self.content(members)))])
        case .poll, .client: return .object(members.map { Self.common($0) ?? $0 })
        case .exploreStream: return Self.exploreStream(data)
        case .place, .plain: return data
        }
    }

    private static func object(_ members: [JSONMember]) -> JSONTree { .object(members) }

    /// What of several kinds is translated in one way; nil for members that only one kind has.
    private static func common(_ member: JSONMember) -> JSONMember? {
        switch member.name {
        case "user": JSONMember("user", PnutObject.user.translated(member.value))
        case "source": JSONMember("source", source(member.value))
        case "annotations": JSONMember("raw", raw(member.value))
        case "marker": JSONMember("marker", PnutObject.marker.translated(member.value))
        default: nil
        }
    }

    // MARK: Messages and posts

    private static func message(_ members: [JSONMember]) -> JSONTree {
        var result: [JSONMember] = []
        for member in members {
            switch member.name {
            case "text", "html", "entities", "machine_only": break
            case "num_replies": result.append(JSONMember("counts", ["replies": member.value]))
            default: result.append(common(member) ?? member)
            }
        }
        if !isDeleted(members) { result.append(JSONMember("content", .object(content(members)))) }
        if !result.contains(where: { $0.name == "is_sticky" }) { result.append(JSONMember("is_sticky", .bool(false))) }
        return .object(result)
    }

    private static let postCounts = [
        "num_stars": "bookmarks", "num_replies": "replies", "num_reposts": "reposts",
    ]

    private static func post(_ members: [JSONMember]) -> JSONTree {
        var result: [JSONMember] = []
        var counts: [JSONMember] = []
        for member in members {
            switch member.name {
            case "text", "html", "entities", "machine_only", "canonical_url": break
            case "you_starred": result.append(JSONMember("you_bookmarked", member.value))
            case "starred_by": result.append(JSONMember("bookmarked_by", PnutObject.user.translated(member.value)))
            case "reposters": result.append(JSONMember("reposted_by", PnutObject.user.translated(member.value)))
            case "repost_of": result.append(JSONMember("repost_of", PnutObject.post.translated(member.value)))
            default:
                if let name = postCounts[member.name] {
                    counts.append(JSONMember(name, member.value))
                } else {
                    result.append(common(member) ?? member)
                }
            }
        }
        let threads: JSONTree = .integer(members.contains { $0.name == "reply_to" } ? 0 : 1)
        result.append(JSONMember("counts", .object(counts + [JSONMember("threads", threads)])))
        if !isDeleted(members) { result.append(JSONMember("content", .object(content(members)))) }
        return .object(result)
    }

    private static func isDeleted(_ members: [JSONMember]) -> Bool {
        members.contains { $0.name == "is_deleted" && $0.value == .bool(true) }
    }

    /// Text, html and entities.
    private static func content(_ members: [JSONMember]) -> [JSONMember] {
        let text = members.first { $0.name == "text" }?.value.stringValue
        return members.compactMap { member in
            switch member.name {
            case "text": member
            case "html": JSONMember("html", html(member.value))
            case "entities": JSONMember("entities", entities(member.value, of: text ?? ""))
            default: nil
            }
        }
    }

    private static func html(_ value: JSONTree) -> JSONTree {
        guard case .string(let text) = value else { return value }
        return .string(
            text.replacing(
                #"<span itemscope="https://app.net/schemas/Post">"#,
                with: #"<span itemscope itemtype="https://pnut.io/schemas/Post">"#
            )
            .replacing(" data-hashtag-name=", with: " data-tag-name=")
            .replacing(#" itemprop="hashtag">"#, with: #" itemprop="tag">"#)
        )
    }

    private static func entities(_ value: JSONTree, of text: String) -> JSONTree {
        guard case .object(let members) = value else { return value }
        return .object(
            members.map { member in
                switch member.name {
                case "hashtags": JSONMember("tags", asWritten(member.value.arrayValue ?? [], in: text))
                case "mentions": JSONMember("mentions", asWritten(member.value.arrayValue ?? [], in: text))
                default: member
                }
            }
        )
    }

    /// Mentions or tags, whose names are here as the text's writer spelled them, without the sign before them (AppNet.md §6.1).
    private static func asWritten(_ values: [JSONTree], in text: String) -> JSONTree {
        if values.isEmpty { return [] }
        let scalars = Array(text.unicodeScalars)
        return .array(values.map { asWritten($0, in: scalars) })
    }

    private static func asWritten(_ value: JSONTree, in text: [Unicode.Scalar]) -> JSONTree {
        let renamed = renamed(value, ["name": "text"])
        guard let position = value["pos"]?.integerValue.flatMap({ Int(exactly: $0) }),
            let length = value["len"]?.integerValue.flatMap({ Int(exactly: $0) }),
            position >= 0, length > 1, position < text.count, length <= text.count - position
        else { return renamed }
        let written = String(String.UnicodeScalarView(text[(position + 1)..<(position + length)]))
        guard written.lowercased() == value["name"]?.stringValue?.lowercased() else { return renamed }
        var entity = renamed
        entity.set("text", .string(written))
        return entity
    }

    // MARK: Channels

    private static let acls = ["readers": "read", "writers": "write", "editors": "full"]

    private static func channel(_ members: [JSONMember]) -> JSONTree {
        let isPrivate = members.contains { $0.name == "type" && $0.value == "net.app.core.pm" }
        var result: [JSONMember] = []
        var acl: [JSONMember] = []
        for member in members {
            switch member.name {
            case "you_can_edit": break
            case "owner":
                // A private conversation has no owner; all its members are in the list of the writers.
                if !isPrivate { result.append(JSONMember("user", PnutObject.user.translated(member.value))) }
            case "readers", "writers", "editors":
                if let name = acls[member.name] { acl.append(JSONMember(name, Self.acl(name, member.value))) }
            case "type": result.append(JSONMember("type", member.value.mapText(PnutNames.pnut)))
            case "is_inactive":
                if member.value == .bool(true) { result.append(JSONMember("is_active", .bool(false))) }
            case "recent_message", "recent_deleted_message":
                result.append(JSONMember(member.name, PnutObject.message.translated(member.value)))
            default: result.append(common(member) ?? member)
            }
        }
        if isPrivate, let owner = members.first(where: { $0.name == "owner" })?.value["id"] {
            acl = acl.map { $0.name == "write" ? JSONMember("write", withMember(owner, of: $0.value)) : $0 }
        }
        return .object(result + [JSONMember("acl", .object(acl))])
    }

    private static func acl(_ name: String, _ value: JSONTree) -> JSONTree {
        guard case .object(let members) = value else { return value }
        return .object(
            members.filter { member in
                switch name {
                case "full": ["immutable", "you", "user_ids", "users"].contains(member.name)
                case "write": member.name != "public"
                default: true
                }
            }
        )
    }

    private static func withMember(_ id: JSONTree, of acl: JSONTree) -> JSONTree {
        guard case .object(let members) = acl else { return acl }
        return .object(
            members.map { member in
                guard member.name == "user_ids", case .array(let ids) = member.value else { return member }
                return JSONMember("user_ids", .array(ids.contains(id) ? ids : [id] + ids))
            }
        )
    }

    // MARK: Users

    private static func user(_ members: [JSONMember]) -> JSONTree {
        var result: [JSONMember] = []
        var content: [JSONMember] = []
        for member in members {
            switch member.name {
            case "canonical_url", "you_can_subscribe", "is_follower", "is_following", "is_muted": break
            case "description":
                if case .object(let description) = member.value { content = Self.content(description) + content }
            case "avatar_image", "cover_image": content.append(member)
            case "verified_domain":
                let url = member.value.mapText { "https://\($0)" }
                result.append(JSONMember("verified", ["domain": member.value, "url": url]))
            case "counts":
                var counts = renamed(member.value, ["stars": "bookmarks"])
                if counts["clients"] == nil, case .object(let members) = counts {
                    counts = .object(members + [JSONMember("clients", .integer(0))])
                }
                result.append(JSONMember("counts", counts))
            default: result.append(common(member) ?? member)
            }
        }
        return .object(result + [JSONMember("content", .object(content))])
    }

    // MARK: Files

    private static let fileMembers = [
        "complete": "is_complete", "public": "is_public", "url_expires": "url_expires_at",
    ]

    private static func file(_ members: [JSONMember]) -> JSONTree {
        var result: [JSONMember] = []
        for member in members {
            switch member.name {
            case "sha1", "url_permanent": break
            case "derived_files":
                guard case .object(let derived) = member.value else { break }
                let files = derived.map { entry in
                    JSONMember(
                        entry.name.replacing("image_thumb_", with: "core_image_"),
                        PnutObject.file.translated(entry.value)
                    )
                }
                result.append(JSONMember("derived_files", .object(files)))
            default:
                if let name = fileMembers[member.name] {
                    result.append(JSONMember(name, member.value))
                } else {
                    result.append(common(member) ?? member)
                }
            }
        }
        return .object(result)
    }

    // MARK: Small objects

    private static func source(_ value: JSONTree) -> JSONTree { renamed(value, ["link": "url", "client_id": "id"]) }

    private static func token(_ members: [JSONMember]) -> JSONTree {
        .object(
            members.compactMap { member in
                switch member.name {
                case "app": JSONMember("app", source(member.value))
                case "storage":
                    JSONMember(
                        "storage",
                        [
                            "available": member.value["available"] ?? .integer(0),
                            "total": sum(member.value["available"], member.value["used"]),
                        ]
                    )
                case "client_id", "invite_link": nil
                default: common(member) ?? member
                }
            }
        )
    }

    private static func sum(_ a: JSONTree?, _ b: JSONTree?) -> JSONTree {
        let (value, overflow) = (a?.integerValue ?? 0).addingReportingOverflow(b?.integerValue ?? 0)
        return .integer(overflow ? .max : value)
    }

    /// An app stream: its key is its name, and there are no filters (§6.2).
    private static func stream(_ members: [JSONMember]) -> JSONTree {
        let key = members.first { $0.name == "key" } ?? members.first { $0.name == "id" }
        let others = members.compactMap { member -> JSONMember? in
            switch member.name {
            case "id", "key", "filter": nil
            case "object_types":
                JSONMember(
                    "object_types",
                    .array((member.value.arrayValue ?? []).map { $0.mapText(PnutNames.pnutEvent) })
                )
            default: member
            }
        }
        return .object((key.map { [JSONMember("key", $0.value)] } ?? []) + others)
    }

    /// An explore stream's address is below pnut's root.
    private static func exploreStream(_ value: JSONTree) -> JSONTree {
        var stream = value
        stream.set("url", value["url"]?.mapText { $0.replacing("/stream/0/posts/stream/", with: "/v1/posts/streams/") })
        return stream
    }

    private static func marker(_ members: [JSONMember]) -> JSONTree {
        .object(
            members.map { member in
                member.name == "name" ? JSONMember("name", member.value.mapText(PnutNames.pnutMarker)) : member
            }
        )
    }

    private static func interaction(_ members: [JSONMember]) -> JSONTree {
        let action = members.first { $0.name == "action" }?.value.stringValue
        let objects: PnutObject =
            switch action {
            case "follow": .user
            case "star", "repost", "reply": .post
            case "poll_response": .poll
            default: .channel
            }
        return .object(
            members.map { member in
                switch member.name {
                case "action": JSONMember("action", member.value.mapText(PnutNames.pnutAction))
                case "users": JSONMember("users", PnutObject.user.translated(member.value))
                case "objects": JSONMember("objects", objects.translated(member.value))
                default: member
                }
            }
        )
    }

    private static func configuration(_ value: JSONTree) -> JSONTree {
        func limit(_ kind: String, _ name: String) -> JSONTree { value[kind]?[name] ?? .null }
        var result: JSONTree = [
            "post": ["max_length": limit("post", "text_max_length")],
            "message": ["max_length": limit("message", "text_max_length")],
            "raw": ["max_length": limit("message", "annotation_max_bytes")],
            "user": ["max_length": limit("user", "text_max_length")],
        ]
        if let bytes = value["file"]?["max_size_bytes"] { result.set("file", ["max_size_bytes": bytes]) }
        return result
    }

    /// The list of annotations as a map from types to lists of values, in the order of the first of each type.
    static func raw(_ annotations: JSONTree) -> JSONTree {
        guard case .array(let elements) = annotations else { return .object([]) }
        var types: [String] = []
        var values: [String: [JSONTree]] = [:]
        for element in elements {
            guard let type = element["type"]?.stringValue.map(PnutNames.pnut) else { continue }
            if values[type] == nil { types.append(type) }
            for value in PnutAttachments.parts(of: element["value"] ?? .object([]), type: element["type"]) {
                values[type, default: []].append(value.mapReplacementKeys(PnutNames.pnut))
            }
        }
        return .object(types.map { JSONMember($0, .array(values[$0] ?? [])) })
    }

    /// An object, or each object of a list, with some members under other names.
    private static func renamed(_ value: JSONTree, _ names: [String: String]) -> JSONTree {
        switch value {
        case .array(let elements): .array(elements.map { renamed($0, names) })
        case .object(let members): .object(members.map { JSONMember(names[$0.name] ?? $0.name, $0.value) })
        default: value
        }
    }
}

extension JSONTree {
    /// Text, changed; anything else as it is.
    func mapText(_ change: (String) -> String) -> JSONTree {
        if case .string(let text) = self { .string(change(text)) } else { self }
    }

    /// The value with other names for the keys that the server replaces, however deep they are.
    func mapReplacementKeys(_ change: (String) -> String) -> JSONTree {
        switch self {
        case .array(let elements): .array(elements.map { $0.mapReplacementKeys(change) })
        case .object(let members):
            .object(
                members.map { member in
                    let name = member.name.hasPrefix("+") ? change(member.name) : member.name
                    return JSONMember(name, member.value.mapReplacementKeys(change))
                }
            )
        default: self
        }
    }
}
