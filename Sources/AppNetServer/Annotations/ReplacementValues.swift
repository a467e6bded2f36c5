internal import HeliumJSON
internal import HeliumServerKit

/// Keys inside of a value that the server replaces (§4.2). What is stored are references without secrets; they become
/// members at every rendering.
enum ReplacementValues {
    static let prefix = "+net.app.core."
    private static let file = prefix + "file"
    private static let fileList = prefix + "file_list"
    private static let place = prefix + "place"
    private static let user = prefix + "user"
    /// Only of pnut.io (AppNet.md §6.3).
    private static let poll = prefix + "poll"
    /// The most files of one list.
    private static let maximumFiles = 64
    /// What the writer of an oembed may say against the file's own members.
    private static let overridden: Set<String> = ["provider_name", "provider_url", "embeddable_url"]

    /// A value as it is stored: its keys are replaced at any depth, which the parser bounds.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for a malformed or unknown replacement.
    static func accepted(_ value: JSONValue, type: String, context: AppNetContext) throws -> JSONValue {
        switch value {
        case .object(let members):
            .object(try members.map { ($0.name, try accepted($0, type: type, context: context)) })
        case .array(let elements): .array(try elements.map { try accepted($0, type: type, context: context) })
        default: value
        }
    }

    private static func accepted(_ member: JSONObject.Element, type: String, context: AppNetContext) throws -> JSONValue
    {
        guard member.name.hasPrefix(prefix) else { return try accepted(member.value, type: type, context: context) }
        switch member.name {
        case file: return try FileReplacement.accepted(member.value, type: type, context: context)
        case fileList:
            guard let files = member.value.arrayValue, files.count <= maximumFiles else {
                throw AppNetFailure.badRequest("\(fileList) must be a list of at most \(maximumFiles) files.")
            }
            return .array(try files.map { try FileReplacement.accepted($0, type: type, context: context) })
        case place: return try PlaceReplacement.accepted(member.value, context: context)
        case user: return try acceptedUser(member.value, context)
        case poll where context.request.dialect.replacesPolls:
            return try PollReplacement.accepted(member.value, context: context)
        default: throw AppNetFailure.badRequest("\(member.name) is no replacement value.")
        }
    }

    private static func acceptedUser(_ value: JSONValue, _ context: AppNetContext) throws -> JSONValue {
        guard let name = value["user_id"]?.lenientText, let format = value["format"]?.stringValue,
            ["basic", "full"].contains(format)
        else { throw AppNetFailure.badRequest("\(user) needs user_id and format, basic or full.") }
        guard let found = try UserFinder(context).named(name) else {
            throw AppNetFailure.badRequest("\(user) names a user that does not exist.")
        }
        return ["user_id": .id(found.id), "format": .string(format)]
    }

    /// The read tokens that stored values grant.
    static func grants(in stored: JSONValue) -> [String] {
        switch stored {
        case .object(let members):
            members.flatMap { member -> [String] in
                switch member.name {
                case file: [member.value["file_token_read"]?.stringValue].compactMap(\.self)
                case fileList: (member.value.arrayValue ?? []).compactMap { $0["file_token_read"]?.stringValue }
                default: grants(in: member.value)
                }
            }
        case .array(let elements): elements.flatMap(grants)
        default: []
        }
    }

    /// What is stored where a client sends back what it was answered for a stored value with replacements: they stay,
    /// and what else it wrote is as it sent it. Nil where the references are others, or something is new to replace.
    static func echoed(_ sent: JSONValue, of stored: JSONValue, type: String, context: AppNetContext) throws
        -> JSONValue?
    {
        guard holdsKey(stored), !holdsKey(sent), hasReferences(sent, of: stored) else { return nil }
        if context.request.dialect.reshapesAttachments, type == "net.app.core.attachments" { return stored }
        // A deleted file's members are answered no more, and could not be told from the client's own.
        guard try grants(in: stored).allSatisfy({ try context.tables.files.file(grantedBy: $0) != nil }) else {
            return stored
        }
        // URLs have members of different names in public and in private.
        let answered = try [true, false].map { isPublic in
            try expanded(stored, type: type, isPublic: isPublic, renderer: context.renderer)
        }
        return restored(sent, stored, answered)
    }

    /// What was sent, with the keys of what is stored in the place of the members that they were answered as.
    private static func restored(_ sent: JSONValue, _ stored: JSONValue, _ answered: [JSONValue]) -> JSONValue {
        guard holdsKey(stored) else { return sent }
        if let elements = stored.arrayValue {
            let restored = zip(sent.arrayValue ?? [], elements).enumerated().map { index, pair in
                // A key's own members may have stood in its place, and be fewer.
                self.restored(pair.0, pair.1, answered.map { $0.arrayValue?.dropFirst(index).first ?? .null })
            }
            return .array(restored)
        }
        let replaced = Set(answered.flatMap { ($0.objectValue ?? [:]).map(\.name) }).filter { stored[$0] == nil }
        let own = (sent.objectValue ?? [:]).filter { !replaced.contains($0.name) }.map { member -> JSONObject.Element in
            let answered = answered.map { $0[member.name] ?? .null }
            return (member.name, restored(member.value, stored[member.name] ?? .null, answered))
        }
        return .object(JSONObject(own) + (stored.objectValue ?? [:]).filter { $0.name.hasPrefix(prefix) })
    }

    /// Whether there is a key to replace, at any depth.
    private static func holdsKey(_ value: JSONValue) -> Bool {
        switch value {
        case .object(let members): members.contains { $0.name.hasPrefix(prefix) || holdsKey($0.value) }
        case .array(let elements): elements.contains(where: holdsKey)
        default: false
        }
    }

    private static func hasReferences(_ sent: JSONValue, of stored: JSONValue) -> Bool {
        guard holdsKey(stored) else { return true }
        if let stored = stored.arrayValue {
            guard let sent = sent.arrayValue, sent.count == stored.count else { return false }
            return zip(sent, stored).allSatisfy(hasReferences)
        }
        return (stored.objectValue ?? [:]).allSatisfy { member in
            switch member.name {
            case file: sent["file_id"] == member.value["file_id"]
            case place: sent["factual_id"] == member.value["factual_id"]
            case user: sent["id"] == member.value["user_id"]
            case poll: sent["poll_id"] == member.value["poll_id"]
            case fileList:
                sent[String(fileList.dropFirst())]?.arrayValue?.map { $0["file_id"] }
                    == member.value.arrayValue?.map { $0["file_id"] }
            default: hasReferences(sent[member.name] ?? .null, of: member.value)
            }
        }
    }

    /// The value as it is answered: what a key stands for is among the members of the object that has it.
    static func expanded(_ stored: JSONValue, type: String, isPublic: Bool, renderer: AppNetRenderer) throws
        -> JSONValue
    {
        func expanded(_ stored: JSONValue) throws -> JSONValue {
            try self.expanded(stored, type: type, isPublic: isPublic, renderer: renderer)
        }
        guard holdsKey(stored) else { return stored }
        if let elements = stored.arrayValue { return .array(try elements.map(expanded)) }
        let members = stored.objectValue ?? [:]
        var value = JSONValue.object(
            try members.filter { !$0.name.hasPrefix(prefix) }.map { ($0.name, try expanded($0.value)) }
        )
        for member in members where member.name.hasPrefix(prefix) {
            if member.name == fileList {
                let files = try (member.value.arrayValue ?? []).map { file in
                    JSONValue.object(try renderer.fileReplacement(file, isPublic: isPublic))
                }
                value[String(fileList.dropFirst())] = .array(files)
                continue
            }
            for new in try self.members(member, isPublic, renderer) {
                let isKept = type == "net.app.core.oembed" && overridden.contains(new.name) && value[new.name] != nil
                if !isKept { value[new.name] = new.value }
            }
        }
        return value
    }

    private static func members(
        _ member: JSONObject.Element,
        _ isPublic: Bool,
        _ renderer: AppNetRenderer
    ) throws -> JSONObject {
        switch member.name {
        case file: return try renderer.fileReplacement(member.value, isPublic: isPublic)
        case place: return try PlaceReplacement.expanded(member.value, renderer: renderer)
        case poll: return try PollReplacement.expanded(member.value, renderer: renderer)
        case user:
            let id = member.value["user_id"]?.stringValue.flatMap { Int64($0) }
            guard let user = try id.flatMap(renderer.userInAnnotation) else { return [:] }
            let basic: Set<String> = ["id", "username", "name", "avatar_image"]
            let isFull = member.value["format"] == "full"
            return (user.objectValue ?? [:]).filter { isFull || basic.contains($0.name) }
        default: return [:]
        }
    }
}

extension AppNetRenderer {
    /// `annotations`, where they are asked for and there are some.
    ///
    /// - Parameter isPublic: whether everybody can see the object that has them
    func annotations(_ annotations: [JSONValue], of kind: GeneralParameters.Kind, isPublic: Bool) throws -> JSONObject {
        guard options.annotated.contains(kind), !annotations.isEmpty else { return [:] }
        let rendered = try annotations.map { annotation in
            let type = annotation["type"]?.stringValue ?? ""
            let value = annotation["value"] ?? [:]
            return [
                "type": .string(type),
                "value": try ReplacementValues.expanded(value, type: type, isPublic: isPublic, renderer: self),
            ] as JSONValue
        }
        return ["annotations": .array(rendered)]
    }
}
