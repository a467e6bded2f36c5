internal import HeliumJSON
internal import HeliumServerKit

/// Keys inside a value that the server replaces (Docs/Protocols/AppNet.md §4.2). The stored form contains references
/// without secrets. They are replaced by members in each response.
enum ReplacementValues {
    static let prefix = "+net.app.core."
    private static let file = prefix + "file"
    private static let fileList = prefix + "file_list"
    private static let place = prefix + "place"
    private static let user = prefix + "user"
    /// Only in pnut.io (Docs/Protocols/AppNet.md §6.3).
    private static let poll = prefix + "poll"
    /// The maximum number of files in a list.
    private static let maximumFiles = 64
    /// The maximum number of replacement values in the annotations of an object. More do not fit into
    /// ``TextLimits/annotationBytes``.
    static let maximumOfObject = 256
    /// The members that the author of an oembed can set in place of the file's own.
    private static let overridden: Set<String> = ["provider_name", "provider_url", "embeddable_url"]

    /// Returns the stored form of a value, with keys replaced at any depth. The parser limits the depth.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for a malformed or unknown replacement value.
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
        default: throw AppNetFailure.badRequest("\(member.name) is not a replacement value.")
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

    /// Returns the read tokens that stored values contain.
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

    /// Returns the value to store when a client sends back a stored value with expanded replacement values. The
    /// replacement values are kept, and the other members are those that the client sent. Returns `nil` if the
    /// references differ, or if there is a new replacement value.
    static func echoed(_ sent: JSONValue, of stored: JSONValue, type: String, context: AppNetContext) throws
        -> JSONValue?
    {
        guard holdsKey(stored), !holdsKey(sent), hasReferences(sent, of: stored) else { return nil }
        if context.request.dialect.reshapesAttachments, type == "net.app.core.attachments" { return stored }
        // The members of a deleted file are not in responses, so they cannot be distinguished from the client's own.
        guard try grants(in: stored).allSatisfy({ try context.tables.files.file(grantedBy: $0) != nil }) else {
            return stored
        }
        // URLs have members with different names in public and in private objects.
        let answered = try [true, false].map { isPublic in
            try expanded(stored, type: type, isPublic: isPublic, renderer: context.renderer)
        }
        return restored(sent, stored, answered)
    }

    /// Returns the sent value, with the stored keys in place of the members into which they were expanded.
    private static func restored(_ sent: JSONValue, _ stored: JSONValue, _ answered: [JSONValue]) -> JSONValue {
        guard holdsKey(stored) else { return sent }
        if let elements = stored.arrayValue {
            let restored = zip(sent.arrayValue ?? [], elements).enumerated().map { index, pair in
                // A list may have been expanded in place of its key, with fewer elements.
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

    /// Returns whether a value contains a replacement key, at any depth.
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

    /// Returns the form of a value in responses. The members that replace a key are added to the object that contains
    /// the key.
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
    /// Returns `annotations` if they were requested and there are some.
    ///
    /// - Parameter isPublic: Whether the annotated object is public.
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
