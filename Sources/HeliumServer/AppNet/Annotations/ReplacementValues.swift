/// Keys inside of a value that the server replaces (§4.2). What is stored are references without secrets; they become
/// members at every rendering.
enum ReplacementValues {
    static let prefix = "+net.app.core."
    private static let file = prefix + "file"
    private static let fileList = prefix + "file_list"
    private static let place = prefix + "place"
    private static let user = prefix + "user"
    /// The most files of one list.
    private static let maximumFiles = 64
    /// What the writer of an oembed may say against the file's own members.
    private static let overridden: Set<String> = ["provider_name", "provider_url", "embeddable_url"]

    /// - Throws: ``AppNetFailure`` with 400 for a malformed or unknown replacement.
    static func accepted(_ value: JSONTree, type: String, call: AppNetCall) throws -> JSONTree {
        .object(
            try (value.members ?? []).map { member in
                guard member.name.hasPrefix(prefix) else { return member }
                switch member.name {
                case file:
                    return JSONMember(file, try FileReplacement.accepted(member.value, type: type, call: call))
                case fileList:
                    guard let files = member.value.arrayValue, files.count <= maximumFiles else {
                        throw AppNetFailure.badRequest("\(fileList) must be a list of at most \(maximumFiles) files.")
                    }
                    let stored = try files.map { try FileReplacement.accepted($0, type: type, call: call) }
                    return JSONMember(fileList, .array(stored))
                case place: return JSONMember(place, try PlaceReplacement.accepted(member.value, call: call))
                case user: return JSONMember(user, try acceptedUser(member.value, call))
                default: throw AppNetFailure.badRequest("\(member.name) is no replacement value.")
                }
            }
        )
    }

    private static func acceptedUser(_ value: JSONTree, _ call: AppNetCall) throws -> JSONTree {
        guard let name = value["user_id"]?.lenientText, let format = value["format"]?.stringValue,
            ["basic", "full"].contains(format)
        else { throw AppNetFailure.badRequest("\(user) needs user_id and format, basic or full.") }
        guard let found = try call.namedUser(name) else {
            throw AppNetFailure.badRequest("\(user) names a user that does not exist.")
        }
        return ["user_id": .id(found.id), "format": .string(format)]
    }

    /// Whether a value is what a client was answered for a stored one with replacements: the same references, and
    /// nothing new to replace.
    static func isEcho(_ sent: JSONTree, of stored: JSONTree) -> Bool {
        let replaced = (stored.members ?? []).filter { $0.name.hasPrefix(prefix) }
        guard !replaced.isEmpty, !(sent.members ?? []).contains(where: { $0.name.hasPrefix(prefix) }) else {
            return false
        }
        return replaced.allSatisfy { member in
            switch member.name {
            case file: sent["file_id"] == member.value["file_id"]
            case place: sent["factual_id"] == member.value["factual_id"]
            case user: sent["id"] == member.value["user_id"]
            case fileList:
                sent[String(fileList.dropFirst())]?.arrayValue?.map { $0["file_id"] }
                    == member.value.arrayValue?.map { $0["file_id"] }
            default: false
            }
        }
    }

    /// The value as it is answered.
    static func expanded(_ stored: JSONTree, type: String, isPublic: Bool, renderer: AppNetRenderer) throws -> JSONTree
    {
        let members = stored.members ?? []
        guard members.contains(where: { $0.name.hasPrefix(prefix) }) else { return stored }
        var value = JSONTree.object(members.filter { !$0.name.hasPrefix(prefix) })
        for member in members where member.name.hasPrefix(prefix) {
            if member.name == fileList {
                let files = try (member.value.arrayValue ?? []).map { file in
                    JSONTree.object(try FileReplacement.expanded(file, isPublic: isPublic, renderer: renderer))
                }
                value.set(String(fileList.dropFirst()), .array(files))
                continue
            }
            for new in try self.members(member, isPublic, renderer) {
                let isKept = type == "net.app.core.oembed" && overridden.contains(new.name) && value[new.name] != nil
                if !isKept { value.set(new.name, new.value) }
            }
        }
        return value
    }

    private static func members(
        _ member: JSONMember,
        _ isPublic: Bool,
        _ renderer: AppNetRenderer
    ) throws -> [JSONMember] {
        switch member.name {
        case file: return try FileReplacement.expanded(member.value, isPublic: isPublic, renderer: renderer)
        case place: return try PlaceReplacement.expanded(member.value, renderer: renderer)
        case user:
            let id = member.value["user_id"]?.stringValue.flatMap { Int64($0) }
            guard let user = try id.flatMap(renderer.user) else { return [] }
            let basic: Set<String> = ["id", "username", "name", "avatar_image"]
            let isFull = member.value["format"] == "full"
            return (user.members ?? []).filter { isFull || basic.contains($0.name) }
        default: return []
        }
    }
}

extension AppNetRenderer {
    /// `annotations`, where they are asked for and there are some.
    ///
    /// - Parameter isPublic: whether everybody can see the object that has them
    func annotations(
        _ annotations: [JSONTree],
        of kind: GeneralParameters.Kind,
        isPublic: Bool
    ) throws -> [JSONMember] {
        guard options.annotated.contains(kind), !annotations.isEmpty else { return [] }
        let rendered = try annotations.map { annotation in
            let type = annotation["type"]?.stringValue ?? ""
            let value = annotation["value"] ?? [:]
            return [
                "type": .string(type),
                "value": try ReplacementValues.expanded(value, type: type, isPublic: isPublic, renderer: self),
            ] as JSONTree
        }
        return [JSONMember("annotations", .array(rendered))]
    }
}
