internal import HeliumJSON
internal import HeliumServerKit

/// The users who may read, write or edit a channel (Docs/Protocols/AppNet.md §2.1).
struct ChannelACL: Codable, Hashable, Sendable {
    enum Role: String, CaseIterable, Sendable {
        case readers, writers, editors
    }

    var isForAnyUser = false
    var isPublic = false
    var isImmutable = false
    /// The ids of the users. The owner is never included.
    var users: [Int64] = []

    init() {}

    /// Creates an ACL from a value that ``stored`` returned.
    init(stored: JSONValue) {
        isForAnyUser = stored["any_user"] == .bool(true)
        isPublic = stored["public"] == .bool(true)
        isImmutable = stored["immutable"] == .bool(true)
        users = (stored["user_ids"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap { Int64($0) } }
    }

    var stored: JSONValue { json(you: nil) }

    /// Returns the JSON object (Docs/Protocols/AppNet.md §3.2). `you` is whether the caller has the role, directly or
    /// by another role.
    func json(you: Bool?) -> JSONValue {
        var json: JSONValue = ["any_user": .bool(isForAnyUser), "public": .bool(isPublic)]
        json["immutable"] = .bool(isImmutable)
        json["user_ids"] = .array(users.map { .id($0) })
        if let you { json["you"] = .bool(you) }
        return json
    }
}

extension ChannelACL {
    /// Returns the ACL after an update. Members that are not sent are kept. Setting one of any user, public and a list
    /// of users clears the others.
    ///
    /// - Parameters:
    ///   - resolve: Returns the id of a user by id or `@username`.
    ///   - maximumUsers: The maximum number of users; `nil` for no limit.
    /// - Throws: ``AppNetFailure`` with 400 for an invalid update.
    func updated(
        _ sent: JSONValue,
        role: Role,
        owner: Int64,
        maximumUsers: Int?,
        resolve: (String) throws -> Int64?
    ) throws -> Self {
        guard case .object = sent else { throw AppNetFailure.badRequest("\(role.rawValue) must be an object.") }
        func flag(_ name: String) throws -> Bool? {
            guard let value = sent[name], value != .null else { return nil }
            guard let flag = value.lenientFlag else {
                throw AppNetFailure.badRequest("\(role.rawValue).\(name) must be true or false.")
            }
            return flag
        }
        let anyUser = try flag("any_user")
        let isPublic = try flag("public")
        let users = try Self.users(sent["user_ids"], role, owner, resolve)
        guard [anyUser ?? false, isPublic ?? false, !(users ?? []).isEmpty].filter({ $0 }).count <= 1 else {
            throw AppNetFailure.badRequest("\(role.rawValue) may set only one of any_user, public and user_ids.")
        }
        if isPublic == true, role != .readers { throw AppNetFailure.badRequest("Only readers may be public.") }
        if anyUser == true, role == .editors { throw AppNetFailure.badRequest("editors may not be any_user.") }
        if let maximumUsers, users?.count ?? 0 > maximumUsers {
            throw AppNetFailure.badRequest("\(role.rawValue) may name at most \(maximumUsers) users.")
        }
        var acl = self
        if let anyUser { acl.isForAnyUser = anyUser }
        if let isPublic { acl.isPublic = isPublic }
        if let users { acl.users = users }
        if anyUser == true { (acl.isPublic, acl.users) = (false, []) }
        if isPublic == true { (acl.isForAnyUser, acl.users) = (false, []) }
        if !(users ?? []).isEmpty { (acl.isForAnyUser, acl.isPublic) = (false, false) }
        acl.isImmutable = try flag("immutable") ?? isImmutable
        // Clients send complete objects back. An unchanged ACL is not an error.
        if isImmutable, acl != self { throw AppNetFailure.badRequest("\(role.rawValue) is immutable.") }
        return acl
    }

    /// Returns the users of a list, or of a text with commas, without the owner and without duplicates; `nil` if none
    /// was sent.
    private static func users(
        _ sent: JSONValue?,
        _ role: Role,
        _ owner: Int64,
        _ resolve: (String) throws -> Int64?
    ) throws -> [Int64]? {
        guard let sent, sent != .null else { return nil }
        let names = try require(sent.textList, or: .badRequest("\(role.rawValue).user_ids must be a list of users."))
        try require(
            names.count <= ChannelRules.maximumNames,
            "\(role.rawValue).user_ids has at most \(ChannelRules.maximumNames) users."
        )
        var seen: Set<Int64> = [owner]
        // Each name is looked up once, even if it is repeated.
        var asked: Set<ByteText> = []
        return try names.filter { asked.insert($0) }.compactMap { name in
            guard let id = try resolve(name) else {
                throw AppNetFailure.badRequest("\(role.rawValue).user_ids names a user that does not exist.")
            }
            return seen.insert(id).inserted ? id : nil
        }
    }
}

extension JSONValue {
    /// The elements of a list of texts or numbers, or of a text with commas; `nil` for anything else.
    var textList: [String]? {
        switch self {
        case .array(let elements):
            let texts = elements.compactMap(\.lenientText)
            return texts.count == elements.count ? texts : nil
        case .string(let text):
            return text.split(separator: ",").map { $0.trimming() }.filter { !$0.isEmpty }
        default: return nil
        }
    }
}
