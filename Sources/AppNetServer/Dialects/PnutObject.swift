internal import HeliumJSON
internal import HeliumServerKit

/// The kinds of response objects whose members differ between the dialects (Docs/Protocols/AppNet.md §6.3).
enum PnutObject: Hashable, Sendable {
    case message, channel, user, file, post, token, marker, interaction, configuration, text, place, stream, poll
    case client, exploreStream
    /// Numbers by type of channel.
    case countsByType
    /// Objects that are the same in both dialects: numbers, lists of ids and maps of these.
    case plain
}

extension PnutObject {
    /// Returns pnut's form of `data`: an object, or each object of a list.
    func translated(_ data: JSONValue) -> JSONValue {
        if case .array(let elements) = data { return .array(elements.map(translated)) }
        guard case .object(let members) = data else { return data }
        switch self {
        case .message: return .object(Self.message(members, renamed(members)))
        case .post: return .object(Self.post(members, renamed(members)))
        case .channel: return .object(Self.channel(members, renamed(members)))
        case .user: return .object(Self.user(members, renamed(members)))
        case .stream: return .object(Self.stream(members, renamed(members)))
        case .interaction: return .object(Self.interaction(members, renamed(members)))
        case .file, .token, .marker, .poll, .client, .exploreStream: return .object(renamed(members))
        case .configuration: return Self.configuration(data)
        case .text: return ["content": .object(Self.content(members))]
        case .countsByType: return .object(members.map { (PnutNames.pnut($0.name), $0.value) })
        case .place, .plain: return data
        }
    }

    /// Returns the members with pnut's names and values. Unknown members are not changed.
    private func renamed(_ members: JSONObject) -> JSONObject {
        let own = Self.rules[self] ?? [:]
        var result = JSONObject()
        for member in members {
            if let rule = own[member.name] ?? Self.commonRules[member.name] {
                if let value = rule.change(member.value) { result.append((rule.name, value)) }
            } else {
                result.append(member)
            }
        }
        return result
    }

    /// The rules for members of several kinds.
    private static let commonRules: [String: MemberRule] = [
        "user": .object("user", .user), "marker": .object("marker", .marker),
        "source": .named("source", source), "annotations": .named("raw", raw),
    ]

    private static let rules: [PnutObject: [String: MemberRule]] = [
        .message: [
            "text": .dropped, "html": .dropped, "entities": .dropped, "machine_only": .dropped,
            "num_replies": .named("counts") { ["replies": $0] },
        ],
        .post: [
            "text": .dropped, "html": .dropped, "entities": .dropped, "machine_only": .dropped,
            "canonical_url": .dropped, "num_stars": .dropped, "num_replies": .dropped, "num_reposts": .dropped,
            "you_starred": .named("you_bookmarked"), "starred_by": .object("bookmarked_by", .user),
            "reposters": .object("reposted_by", .user), "repost_of": .object("repost_of", .post),
        ],
        .channel: [
            "you_can_edit": .dropped, "readers": .dropped, "writers": .dropped, "editors": .dropped,
            "owner": .object("user", .user), "type": .named("type") { $0.mapText(PnutNames.pnut) },
            "is_inactive": .named("is_active") { $0 == .bool(true) ? .bool(false) : nil },
            "recent_message": .object("recent_message", .message),
            "recent_deleted_message": .object("recent_deleted_message", .message),
        ],
        .user: [
            "canonical_url": .dropped, "you_can_subscribe": .dropped, "is_follower": .dropped,
            "is_following": .dropped, "is_muted": .dropped, "description": .dropped, "avatar_image": .dropped,
            "cover_image": .dropped, "counts": .named("counts", userCounts),
            "verified_domain": .named("verified") { ["domain": $0, "url": $0.mapText { "https://\($0)" }] },
        ],
        .file: [
            "sha1": .dropped, "url_permanent": .dropped, "complete": .named("is_complete"),
            "public": .named("is_public"), "url_expires": .named("url_expires_at"),
            "derived_files": .named("derived_files", derivedFiles),
        ],
        .token: [
            "client_id": .dropped, "invite_link": .dropped, "app": .named("app", source),
            "storage": .named("storage", storage),
        ],
        .client: ["description": .named("content") { $0.objectValue.map { .object(content($0)) } }],
        .marker: ["name": .named("name") { $0.mapText(PnutNames.pnutMarker) }],
        .interaction: [
            "action": .named("action") { $0.mapText(PnutNames.pnutAction) }, "users": .object("users", .user),
        ],
        .stream: [
            "id": .dropped, "key": .dropped, "filter": .dropped,
            "object_types": .named("object_types") {
                .array(($0.arrayValue ?? []).map { $0.mapText(PnutNames.pnutEvent) })
            },
        ],
        // The URL of an explore stream is relative to pnut's root.
        .exploreStream: [
            "url": .named("url") {
                $0.mapText { $0.replacing("/stream/0/posts/stream/", with: "/v1/posts/streams/") }
            }
        ],
    ]

    // MARK: Messages and posts

    private static func message(_ members: JSONObject, _ renamed: JSONObject) -> JSONObject {
        renamed + contentMember(members) + ["is_sticky": .bool(false)]
    }

    private static let postCounts = [
        "num_stars": "bookmarks", "num_replies": "replies", "num_reposts": "reposts",
    ]

    private static func post(_ members: JSONObject, _ renamed: JSONObject) -> JSONObject {
        var result = renamed
        var counts = JSONObject(members.compactMap { member in postCounts[member.name].map { ($0, member.value) } })
        counts["threads"] = members["reply_to"] == nil ? 1 : 0
        result["counts"] = .object(counts)
        return result + contentMember(members)
    }

    /// Returns the text of an object that is not deleted.
    private static func contentMember(_ members: JSONObject) -> JSONObject {
        members["is_deleted"] == .bool(true) ? [:] : ["content": .object(content(members))]
    }

    /// Returns text, HTML and entities.
    private static func content(_ members: JSONObject) -> JSONObject {
        let text = members["text"]?.stringValue ?? ""
        return JSONObject(
            members.compactMap { member -> JSONObject.Element? in
                switch member.name {
                case "text": member
                case "html": ("html", member.value.mapText(html))
                case "entities": ("entities", entities(member.value, of: text))
                default: nil
                }
            }
        )
    }

    private static func html(_ text: String) -> String {
        text.replacing(
            #"<span itemscope="https://app.net/schemas/Post">"#,
            with: #"<span itemscope itemtype="https://pnut.io/schemas/Post">"#
        )
        .replacing(" data-hashtag-name=", with: " data-tag-name=")
        .replacing(#" itemprop="hashtag">"#, with: #" itemprop="tag">"#)
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

    /// Returns mentions or tags with the names as the author wrote them, without the sign before the name
    /// (Docs/Protocols/AppNet.md §6.1).
    private static func asWritten(_ values: [JSONValue], in text: String) -> JSONValue {
        if values.isEmpty { return [] }
        let scalars = Array(text.unicodeScalars)
        return .array(values.map { asWritten($0, in: scalars) })
    }

    private static func asWritten(_ value: JSONValue, in text: [Unicode.Scalar]) -> JSONValue {
        let renamed = withNames(value, ["name": "text"])
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

    private static func channel(_ members: JSONObject, _ renamed: JSONObject) -> JSONObject {
        var result = renamed
        var acl = JSONObject()
        for (role, name) in [("readers", "read"), ("writers", "write"), ("editors", "full")] {
            acl[name] = members[role].map { Self.acl(name, $0) }
        }
        // A private conversation has no owner. All its members are in the list of writers.
        if members["type"] == "net.app.core.pm" {
            result["user"] = nil
            if let owner = members["owner"]?["id"] { acl["write"] = acl["write"].map { withMember(owner, of: $0) } }
        }
        return result + ["acl": .object(acl)]
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
        guard case .array(let ids)? = acl["user_ids"], !ids.contains(id) else { return acl }
        var acl = acl
        acl["user_ids"] = .array([id] + ids)
        return acl
    }

    // MARK: Users

    private static func user(_ members: JSONObject, _ renamed: JSONObject) -> JSONObject {
        let content = members["description"]?.objectValue.map(content) ?? [:]
        let images = members.filter { $0.name == "avatar_image" || $0.name == "cover_image" }
        return renamed + ["content": .object(content + images)]
    }

    private static func userCounts(_ value: JSONValue) -> JSONValue {
        guard case .object(let counts) = withNames(value, ["stars": "bookmarks"]) else { return value }
        return .object(counts + ["clients": 0])
    }

    // MARK: Small objects

    private static func derivedFiles(_ value: JSONValue) -> JSONValue? {
        value.objectValue.map { files in
            .object(files.map { ($0.name.replacing("image_thumb_", with: "core_image_"), file.translated($0.value)) })
        }
    }

    private static func source(_ value: JSONValue) -> JSONValue {
        withNames(value, ["link": "url", "client_id": "id"])
    }

    private static func storage(_ value: JSONValue) -> JSONValue {
        let available = value["available"]?.integerValue ?? 0
        let (total, overflow) = available.addingReportingOverflow(value["used"]?.integerValue ?? 0)
        return ["available": value["available"] ?? 0, "total": .count(overflow ? .max : total)]
    }

    /// Returns an app stream. It is identified by its key and has no filters (Docs/Protocols/AppNet.md §6.2).
    private static func stream(_ members: JSONObject, _ renamed: JSONObject) -> JSONObject {
        var stream = JSONObject()
        stream["key"] = members["key"] ?? members["id"]
        return stream + renamed
    }

    private static func interaction(_ members: JSONObject, _ renamed: JSONObject) -> JSONObject {
        let objects: PnutObject =
            switch members["action"]?.stringValue {
            case "follow": .user
            case "star", "repost", "reply": .post
            case "poll_response": .poll
            default: .channel
            }
        var result = renamed
        result["objects"] = members["objects"].map(objects.translated)
        return result
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

    /// Returns the list of annotations as a map from types to lists of values, in the order of the first annotation of
    /// each type.
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

    /// Renames members of an object, or of each object of a list.
    private static func withNames(_ value: JSONValue, _ names: [String: String]) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map { withNames($0, names) })
        case .object(let members): .object(members.map { (names[$0.name] ?? $0.name, $0.value) })
        default: value
        }
    }
}

/// A rule for the translation of a member: its name and value in pnut.
private struct MemberRule: Sendable {
    let name: String
    /// Returns the value in pnut; `nil` removes the member.
    let change: @Sendable (JSONValue) -> JSONValue?

    static let dropped = Self(name: "", change: { _ in nil })

    static func named(_ name: String, _ change: @escaping @Sendable (JSONValue) -> JSONValue? = { $0 }) -> Self {
        Self(name: name, change: change)
    }

    static func object(_ name: String, _ kind: PnutObject) -> Self {
        Self(name: name, change: { kind.translated($0) })
    }
}

extension JSONValue {
    /// Returns a changed text. Other values are not changed.
    func mapText(_ change: (String) -> String) -> JSONValue {
        if case .string(let text) = self { .string(change(text)) } else { self }
    }

    /// Returns the value with renamed replacement keys, at any depth.
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
