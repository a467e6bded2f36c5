internal import HeliumJSON

/// The content of a request that writes an account (Docs/Protocols/Cosm.md §9).
struct UserInput: Hashable, Sendable {
    /// The login; `nil` if the body has none.
    var login: String?
    /// The members of the account that the request sets. A `null` member is removed.
    var members: JSONObject

    private static let texts = [
        "email", "full_name", "first_name", "last_name", "about", "organisation", "website", "time_zone",
    ]
    private static let flags = [
        "deliver_email", "display_activity", "display_information", "display_stats", "subscribed_to_mailings",
        "receive_forum_notifications",
    ]
    private static let lists = ["roles", "creatable_roles"]
    static let maximumText = 4_096
    static let maximumRoles = 100

    /// Reads the account of a request, with or without the wrapper `user`.
    ///
    /// - Throws: ``CosmFailure``: 400 for a body that is not a user, 422 for members that break a rule.
    static func read(_ body: JSONValue) throws(CosmFailure) -> Self {
        let outer = try JSONFields.body(body)
        let fields = try outer.fields("user") ?? outer
        var members = JSONObject()
        for name in texts {
            switch try fields.textChange(name) {
            case .unchanged: break
            case .cleared: members[name] = .null
            case .set(let text):
                guard text.utf8.count <= maximumText else { throw .invalid("\(name) is too long") }
                members[name] = .string(text)
            }
        }
        for name in flags { if let flag = try fields.boolean(name) { members[name] = .bool(flag) } }
        for name in lists {
            guard let elements = try fields.array(name) else { continue }
            let roles = elements.compactMap(\.stringValue)
            guard roles.count == elements.count, roles.count <= maximumRoles,
                roles.allSatisfy({ $0.utf8.count <= 255 })
            else { throw .invalid("\(name) is not a list of names") }
            members[name] = .array(elements)
        }
        return Self(login: try fields.text("login"), members: members)
    }
}

extension UserRecord {
    /// Sets the members from a request.
    mutating func apply(_ members: JSONObject) {
        for (name, value) in members {
            if value.isNull {
                profile.removeValue(named: name)
            } else {
                profile[name] = value
            }
        }
    }
}
