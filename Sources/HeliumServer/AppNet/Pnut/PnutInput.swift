/// What pnut's clients send, in App.net's members (§6.3).
enum PnutInput: Hashable, Sendable {
    case message, post, channel, user, file, markers, text, stream, poll
    case plain

    /// App.net's form of a body.
    ///
    /// - Parameter user: the caller's id, which App.net has in the names of some markers
    func translated(_ body: JSONTree, user: String?) -> JSONTree {
        if self == .markers, case .array(let markers) = body {
            return .array(markers.map { Self.marker($0, user: user) })
        }
        guard case .object(let members) = body else { return body }
        let result = members.flatMap { member -> [JSONMember] in
            switch (self, member.name) {
            case (_, "raw"): [JSONMember("annotations", Self.annotations(member.value, isMutable: isMutable))]
            case (.channel, "acl"): Self.acls(member.value)
            case (.channel, "type"): [JSONMember("type", member.value.mapText(PnutNames.appNet))]
            case (.channel, "readers"), (.channel, "writers"), (.channel, "editors"): []
            case (.user, "content"): [JSONMember("description", Self.entities(of: member.value))]
            case (.file, "is_public"): [JSONMember("public", member.value)]
            case (.message, "machine_only"), (.post, "machine_only"): []
            case (.stream, "object_types"): [JSONMember("object_types", Self.eventTypes(member.value))]
            // There are no filters (§6.2).
            case (.stream, "filter_id"): []
            default: [member]
            }
        }
        switch self {
        case .message, .post, .text: return Self.entities(of: .object(result))
        default: return .object(result)
        }
    }

    /// Whether an update of such an object's raw changes what it names and keeps the rest.
    private var isMutable: Bool { self == .channel || self == .user || self == .file }

    /// The map of raw as a list of annotations. An empty list deletes a type of what can be updated.
    static func annotations(_ raw: JSONTree, isMutable: Bool) -> JSONTree {
        guard case .object(let members) = raw else { return raw }
        return .array(
            members.flatMap { member -> [JSONTree] in
                let type = JSONTree.string(PnutNames.appNet(member.name))
                guard case .array(let values) = member.value else {
                    return [["type": type, "value": member.value]]
                }
                if values.isEmpty { return isMutable ? [["type": type]] : [] }
                return values.map {
                    [
                        "type": type,
                        "value": PnutAttachments.listed($0.mapReplacementKeys(PnutNames.appNet), type: type),
                    ]
                }
            }
        )
    }

    private static func eventTypes(_ value: JSONTree) -> JSONTree {
        guard case .array(let types) = value else { return value }
        return .array(types.map { $0.mapText(PnutNames.appNetEvent) })
    }

    private static func acls(_ value: JSONTree) -> [JSONMember] {
        [("read", "readers"), ("write", "writers"), ("full", "editors")].compactMap { name, appNet in
            value[name].map { JSONMember(appNet, $0) }
        }
    }

    /// Markdown links are on unless they are switched off.
    private static func entities(of body: JSONTree) -> JSONTree {
        guard case .object(let members) = body else { return body }
        let given = members.first { $0.name == "entities" }?.value
        var flags: [JSONMember] = []
        if case .object(let members) = given { flags = members }
        let defaults = [JSONMember("parse_links", .bool(true)), JSONMember("parse_markdown_links", .bool(true))]
        let isOwn = flags.contains { $0.name == "links" || $0.name == "parse_markdown_links" }
        for member in defaults where !isOwn && !flags.contains(where: { $0.name == member.name }) {
            flags.append(member)
        }
        return .object(members.filter { $0.name != "entities" } + [JSONMember("entities", .object(flags))])
    }

    private static func marker(_ value: JSONTree, user: String?) -> JSONTree {
        guard case .object(let members) = value else { return value }
        return .object(
            members.map { member in
                switch member.name {
                case "name":
                    JSONMember("name", member.value.mapText { PnutNames.appNetMarker($0, user: user) })
                case "percentage":
                    // A number, or a text of digits.
                    JSONMember(
                        "percentage",
                        member.value.stringValue.flatMap { Int64($0) }.map { .integer($0) } ?? member.value
                    )
                default: member
                }
            }
        )
    }
}
