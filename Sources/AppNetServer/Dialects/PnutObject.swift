internal import HeliumJSON
internal import HeliumServerKit

/// The kinds of answers, whose members the two dialects spell differently (§6.3).
enum PnutObject: Hashable, Sendable {
    case message, channel, user, file, post, token, marker, interaction, configuration, text, place, stream, poll
    case client, exploreStream
    /// Numbers by the types of channels.
    case countsByType
    /// The same in both dialects: numbers, lists of ids, maps of them.
    case plain
}

extension PnutObject {
    /// pnut's form of `data`: an object, or each object of a list.
    func translated(_ data: JSONValue) -> JSONValue {
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
        case .text: return Self.object(["content": .object(Self.content(members))])
        case .poll: return .object(members.map { Self.common($0) ?? $0 })
        case .client: return Self.client(members)
        case .countsByType: return .object(members.map { (PnutNames.pnut($0.name), $0.value) })
        case .exploreStream: return Self.exploreStream(data)
        case .place, .plain: return data
        }
    }

    private static func object(_ members: JSONObject) -> JSONValue { .object(members) }

    /// What of several kinds is translated in one way; nil for members that only one kind has.
    private static func common(_ member: JSONObject.Element) -> JSONObject.Element? {
        switch member.name {
        case "user": ("user", PnutObject.user.translated(member.value))
        case "source": ("source", source(member.value))
        case "annotations": ("raw", raw(member.value))
        case "marker": ("marker", PnutObject.marker.translated(member.value))
        default: nil
        }
    }

    // MARK: Messages and posts

    private static func message(_ members: JSONObject) -> JSONValue {
        var result: JSONObject = [:]
        for member in members {
            switch member.name {
            case "text", "html", "entities", "machine_only": break
            case "num_replies": result["counts"] = ["replies": member.value]
            default: result.append(common(member) ?? member)
            }
        }
        if !isDeleted(members) { result["content"] = .object(content(members)) }
        if !result.contains(where: { $0.name == "is_sticky" }) { result["is_sticky"] = .bool(false) }
        return .object(result)
    }

    private static let postCounts = [
        "num_stars": "bookmarks", "num_replies": "replies", "num_reposts": "reposts",
    ]

    private static func post(_ members: JSONObject) -> JSONValue {
        var result: JSONObject = [:]
        var counts: JSONObject = [:]
        for member in members {
            switch member.name {
            case "text", "html", "entities", "machine_only", "canonical_url": break
            case "you_starred": result["you_bookmarked"] = member.value
            case "starred_by": result["bookmarked_by"] = PnutObject.user.translated(member.value)
            case "reposters": result["reposted_by"] = PnutObject.user.translated(member.value)
            case "repost_of": result["repost_of"] = PnutObject.post.translated(member.value)
            default:
                if let name = postCounts[member.name] {
                    counts[name] = member.value
                } else {
                    result.append(common(member) ?? member)
                }
            }
        }
        let threads: JSONValue = members.contains { $0.name == "reply_to" } ? 0 : 1
        result["counts"] = .object(counts + ["threads": threads])
        if !isDeleted(members) { result["content"] = .object(content(members)) }
        return .object(result)
    }

    private static func isDeleted(_ members: JSONObject) -> Bool {
        members.contains { $0.name == "is_deleted" && $0.value == .bool(true) }
    }

    /// Text, html and entities.
    private static func content(_ members: JSONObject) -> JSONObject {
        let text = members.first { $0.name == "text" }?.value.stringValue
        var content = JSONObject()
        for member in members {
            switch member.name {
            case "text": content["text"] = member.value
            case "html": content["html"] = html(member.value)
            case "entities": content["entities"] = entities(member.value, of: text ?? "")
            default: break
            }
        }
        return content
    }

    private static func html(_ value: JSONValue) -> JSONValue {
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

    private static func entities(_ value: JSONValue, of text: String) -> JSONValue {
        guard case .object(let members) = value else { return value }
        return .object(
            members.map { member -> JSONObject.Element in
                switch member.name {
                case "hashtags": ("tags", asWritten(member.value.arrayValue ?? [], in: text))
                case "mentions": ("mentions", asWritten(member.value.arrayValue ?? [], in: text))
                default: member
                }
            }
        )
    }

    /// Mentions or tags, whose names are here as the text's writer spelled them, without the sign before them (AppNet.md §6.1).
    private static func asWritten(_ values: [JSONValue], in text: String) -> JSONValue {
        if values.isEmpty { return [] }
        let scalars = Array(text.unicodeScalars)
        return .array(values.map { asWritten($0, in: scalars) })
    }

    private static func asWritten(_ value: JSONValue, in text: [Unicode.Scalar]) -> JSONValue {
        let renamed = renamed(value, ["name": "text"])
        guard let position = value["pos"]?.integerValue.flatMap({ Int(exactly: $0) }),
            let length = value["len"]?.integerValue.flatMap({ Int(exactly: $0) }),
            position >= 0, length > 1, position < text.count, length <= text.count - position
        else { return renamed }
        let written = String(String.UnicodeScalarView(text[(position + 1)..<(position + length)]))
        guard written.lowercased() == value["name"]?.stringValue?.lowercased() else { return renamed }
        var entity = renamed
        entity["text"] = .string(written)
        return entity
    }

    // MARK: Channels

    private static let acls = ["readers": "read", "writers": "write", "editors": "full"]

    private static func channel(_ members: JSONObject) -> JSONValue {
        let isPrivate = members.contains { $0.name == "type" && $0.value == "net.app.core.pm" }
        var result: JSONObject = [:]
        var acl: JSONObject = [:]
        for member in members {
            switch member.name {
            case "you_can_edit": break
            case "owner":
                // A private conversation has no owner; all its members are in the list of the writers.
                if !isPrivate { result["user"] = PnutObject.user.translated(member.value) }
            case "readers", "writers", "editors":
                if let name = acls[member.name] { acl[name] = Self.acl(name, member.value) }
            case "type": result["type"] = member.value.mapText(PnutNames.pnut)
            case "is_inactive":
                if member.value == .bool(true) { result["is_active"] = .bool(false) }
            case "recent_message", "recent_deleted_message":
                result[member.name] = PnutObject.message.translated(member.value)
            default: result.append(common(member) ?? member)
            }
        }
        if isPrivate, let owner = members.first(where: { $0.name == "owner" })?.value["id"] {
            acl["write"] = acl["write"].map { withMember(owner, of: $0) }
        }
        return .object(result + ["acl": .object(acl)])
    }

    private static func acl(_ name: String, _ value: JSONValue) -> JSONValue {
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

    private static func withMember(_ id: JSONValue, of acl: JSONValue) -> JSONValue {
        guard case .object(let members) = acl else { return acl }
        return .object(
            members.map { member -> JSONObject.Element in
                guard member.name == "user_ids", case .array(let ids) = member.value else { return member }
                return ("user_ids", .array(ids.contains(id) ? ids : [id] + ids))
            }
        )
    }

    // MARK: Users

    private static func user(_ members: JSONObject) -> JSONValue {
        var result: JSONObject = [:]
        var content: JSONObject = [:]
        for member in members {
            switch member.name {
            case "canonical_url", "you_can_subscribe", "is_follower", "is_following", "is_muted": break
            case "description":
                if case .object(let description) = member.value { content = Self.content(description) + content }
            case "avatar_image", "cover_image": content.append(member)
            case "verified_domain":
                let url = member.value.mapText { "https://\($0)" }
                result["verified"] = ["domain": member.value, "url": url]
            case "counts":
                var counts = renamed(member.value, ["stars": "bookmarks"])
                if counts["clients"] == nil, case .object(let members) = counts {
                    counts = .object(members + ["clients": 0])
                }
                result["counts"] = counts
            default: result.append(common(member) ?? member)
            }
        }
        return .object(result + ["content": .object(content)])
    }

    // MARK: Files

    private static let fileMembers = [
        "complete": "is_complete", "public": "is_public", "url_expires": "url_expires_at",
    ]

    private static func file(_ members: JSONObject) -> JSONValue {
        var result: JSONObject = [:]
        for member in members {
            switch member.name {
            case "sha1", "url_permanent": break
            case "derived_files":
                guard case .object(let derived) = member.value else { break }
                let files = derived.map { entry -> JSONObject.Element in
                    (
                        entry.name.replacing("image_thumb_", with: "core_image_"),
                        PnutObject.file.translated(entry.value)
                    )
                }
                result["derived_files"] = .object(files)
            default:
                if let name = fileMembers[member.name] {
                    result[name] = member.value
                } else {
                    result.append(common(member) ?? member)
                }
            }
        }
        return .object(result)
    }

    // MARK: Small objects

    private static func source(_ value: JSONValue) -> JSONValue { renamed(value, ["link": "url", "client_id": "id"]) }

    private static func token(_ members: JSONObject) -> JSONValue {
        .object(
            members.compactMap { member -> JSONObject.Element? in
                switch member.name {
                case "app": ("app", source(member.value))
                case "storage":
                    (
                        "storage",
                        [
                            "available": member.value["available"] ?? 0,
                            "total": sum(member.value["available"], member.value["used"]),
                        ]
                    )
                case "client_id", "invite_link": nil
                default: common(member) ?? member
                }
            }
        )
    }

    private static func client(_ members: JSONObject) -> JSONValue {
        .object(
            members.map { member -> JSONObject.Element in
                guard member.name == "description", case .object(let text) = member.value else {
                    return common(member) ?? member
                }
                return ("content", .object(content(text)))
            }
        )
    }

    private static func sum(_ a: JSONValue?, _ b: JSONValue?) -> JSONValue {
        let (value, overflow) = (a?.integerValue ?? 0).addingReportingOverflow(b?.integerValue ?? 0)
        return .count(overflow ? .max : value)
    }

    /// An app stream: its key is its name, and there are no filters (§6.2).
    private static func stream(_ members: JSONObject) -> JSONValue {
        var stream = JSONObject()
        stream["key"] = members["key"] ?? members["id"]
        let others = members.compactMap { member -> JSONObject.Element? in
            switch member.name {
            case "id", "key", "filter": nil
            case "object_types":
                (
                    "object_types",
                    .array((member.value.arrayValue ?? []).map { $0.mapText(PnutNames.pnutEvent) })
                )
            default: member
            }
        }
        return .object(stream + JSONObject(others))
    }

    /// An explore stream's address is below pnut's root.
    private static func exploreStream(_ value: JSONValue) -> JSONValue {
        var stream = value
        stream["url"] = value["url"]?.mapText { $0.replacing("/stream/0/posts/stream/", with: "/v1/posts/streams/") }
        return stream
    }

    private static func marker(_ members: JSONObject) -> JSONValue {
        .object(
            members.map { member -> JSONObject.Element in
                member.name == "name" ? ("name", member.value.mapText(PnutNames.pnutMarker)) : member
            }
        )
    }

    private static func interaction(_ members: JSONObject) -> JSONValue {
        let action = members.first { $0.name == "action" }?.value.stringValue
        let objects: PnutObject =
            switch action {
            case "follow": .user
            case "star", "repost", "reply": .post
            case "poll_response": .poll
            default: .channel
            }
        return .object(
            members.map { member -> JSONObject.Element in
                switch member.name {
                case "action": ("action", member.value.mapText(PnutNames.pnutAction))
                case "users": ("users", PnutObject.user.translated(member.value))
                case "objects": ("objects", objects.translated(member.value))
                default: member
                }
            }
        )
    }

    private static func configuration(_ value: JSONValue) -> JSONValue {
        func limit(_ kind: String, _ name: String) -> JSONValue { value[kind]?[name] ?? .null }
        return [
            "post": ["max_length": limit("post", "text_max_length")],
            "message": ["max_length": limit("message", "text_max_length")],
            "raw": ["max_length": limit("message", "annotation_max_bytes")],
            "user": ["max_length": limit("user", "text_max_length")],
        ]
    }

    /// The list of annotations as a map from types to lists of values, in the order of the first of each type.
    static func raw(_ annotations: JSONValue) -> JSONValue {
        guard case .array(let elements) = annotations else { return .object([:]) }
        var types: [String] = []
        var values: [String: [JSONValue]] = [:]
        for element in elements {
            guard let type = element["type"]?.stringValue.map(PnutNames.pnut) else { continue }
            if values[type] == nil { types.append(type) }
            for value in PnutAttachments.parts(of: element["value"] ?? .object([:]), type: element["type"]) {
                values[type, default: []].append(value.mapReplacementKeys(PnutNames.pnut))
            }
        }
        return .object(types.map { ($0, .array(values[$0] ?? [])) })
    }

    /// An object, or each object of a list, with some members under other names.
    private static func renamed(_ value: JSONValue, _ names: [String: String]) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map { renamed($0, names) })
        case .object(let members): .object(members.map { (names[$0.name] ?? $0.name, $0.value) })
        default: value
        }
    }
}

extension JSONValue {
    /// Text, changed; anything else as it is.
    func mapText(_ change: (String) -> String) -> JSONValue {
        if case .string(let text) = self { .string(change(text)) } else { self }
    }

    /// The value with other names for the keys that the server replaces, however deep they are.
    func mapReplacementKeys(_ change: (String) -> String) -> JSONValue {
        switch self {
        case .array(let elements): .array(elements.map { $0.mapReplacementKeys(change) })
        case .object(let members):
            .object(
                members.map { member -> JSONObject.Element in
                    let name = member.name.hasPrefix("+") ? change(member.name) : member.name
                    return (name, member.value.mapReplacementKeys(change))
                }
            )
        default: self
        }
    }
}
