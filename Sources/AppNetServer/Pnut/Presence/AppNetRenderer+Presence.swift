internal import HeliumJSON
internal import HeliumServerKit

extension AppNetRenderer {
    /// Returns the JSON object of a stored presence; `nil` if the account was deleted.
    func presence(_ presence: PresenceTable.Presence) throws -> JSONValue? {
        try AppNetUserTable(database: database).user(presence.user).map { try self.presence(presence, of: $0) }
    }

    /// Returns the JSON object of a user's current presence. It is offline if none was set or if the last one has
    /// expired.
    func presence(_ presence: PresenceTable.Presence?, of user: AppNetUser) throws -> JSONValue {
        let isOver = presence.map { $0.expires <= now } ?? true
        var json: JSONValue = [
            "id": .id(user.id), "username": .string(user.username),
            "avatar_image": .string(UserImage.avatar.url(user, root: root)),
            "presence": .string(isOver ? PresenceTable.offline : presence?.text ?? PresenceTable.offline),
        ]
        if !user.name.isEmpty { json["name"] = .string(user.name) }
        if let presence { json["last_seen_at"] = .string(AppNetDate.text(presence.seen)) }
        return json
    }
}
