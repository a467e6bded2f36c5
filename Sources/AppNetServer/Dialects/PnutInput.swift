internal import HeliumJSON
internal import HeliumServerKit

/// Translates request bodies of pnut's clients to App.net's members (Docs/Protocols/AppNet.md §6.3).
enum PnutInput: Hashable, Sendable {
    case message, post, channel, user, file, markers, text, stream, poll
    case plain

    /// Returns App.net's form of a body.
    ///
    /// - Parameter user: The caller's id, which is part of the names of some markers in App.net.
    func translated(_ body: JSONValue, user: String?) -> JSONValue {
        if self == .markers, case .array(let markers) = body {
            return .array(markers.map { Self.marker($0, user: user) })
        }
        guard case .object(let members) = body else { return body }
        var result = JSONObject()
        for member in members {
            switch (self, member.name) {
            case (_, "raw"): result.append(("annotations", Self.annotations(member.value, isMutable: isMutable)))
            case (.channel, "acl"): result += Self.acls(member.value)
            case (.channel, "type"): result.append(("type", member.value.mapText(PnutNames.appNet)))
            case (.channel, "readers"), (.channel, "writers"), (.channel, "editors"): break
            case (.user, "content"): result.append(("description", Self.entities(of: member.value)))
            case (.file, "is_public"): result.append(("public", member.value))
            case (.message, "machine_only"), (.post, "machine_only"): break
            case (.stream, "object_types"): result.append(("object_types", Self.eventTypes(member.value)))
            // pnut's streams have no filters (Docs/Protocols/AppNet.md §6.2).
            case (.stream, "filter_id"): break
            default: result.append(member)
            }
        }
        switch self {
        case .message, .post, .text: return Self.entities(of: .object(result))
        default: return .object(result)
        }
    }

    /// Whether an update of the raw of such an object changes only the types that it names.
    private var isMutable: Bool { self == .channel || self == .user || self == .file }

    /// Returns the map of raw as a list of annotations. An empty list deletes a type, for objects that can be updated.
    static func annotations(_ raw: JSONValue, isMutable: Bool) -> JSONValue {
        guard case .object(let members) = raw else { return raw }
        return .array(
            members.flatMap { member -> [JSONValue] in
                let type = JSONValue.string(PnutNames.appNet(member.name))
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

    private static func eventTypes(_ value: JSONValue) -> JSONValue {
        guard case .array(let types) = value else { return value }
        return .array(types.map { $0.mapText(PnutNames.appNetEvent) })
    }

    private static func acls(_ value: JSONValue) -> JSONObject {
        var acls = JSONObject()
        for (name, appNet) in [("read", "readers"), ("write", "writers"), ("full", "editors")] {
            acls[appNet] = value[name]
        }
        return acls
    }

    /// Returns a body in which links and Markdown links are parsed by default. The default does not apply if the client
    /// sends its own links or flags.
    private static func entities(of body: JSONValue) -> JSONValue {
        guard case .object(let members) = body else { return body }
        let given = members.first { $0.name == "entities" }?.value
        var flags: JSONObject = [:]
        if case .object(let members) = given { flags = members }
        let defaults: JSONObject = ["parse_links": .bool(true), "parse_markdown_links": .bool(true)]
        let isOwn = flags.contains { $0.name == "links" || $0.name == "parse_markdown_links" }
        for member in defaults where !isOwn && !flags.contains(where: { $0.name == member.name }) {
            flags.append(member)
        }
        return .object(members.filter { $0.name != "entities" } + ["entities": .object(flags)])
    }

    private static func marker(_ value: JSONValue, user: String?) -> JSONValue {
        guard case .object(let members) = value else { return value }
        return .object(
            members.map { member -> JSONObject.Element in
                switch member.name {
                case "name":
                    ("name", member.value.mapText { PnutNames.appNetMarker($0, user: user) })
                case "percentage":
                    // A number, or a text of digits.
                    ("percentage", member.value.stringValue.flatMap { Int64($0) }.map { .count($0) } ?? member.value)
                default: member
                }
            }
        )
    }
}
