internal import HeliumJSON
internal import HeliumServerKit

/// pnut's calls of presence, everywhere and in a channel (AppNet.md §6.2).
extension AppNetCall {
    /// The default and the maximum duration of a presence, in seconds.
    private static let usualTime: Int64 = 900
    private static let maximumTime: Int64 = 604_800
    private static let maximumText = 100

    private var presences: PresenceTable { PresenceTable(database: database) }

    /// `GET presence`
    func listPresence() throws -> AppNetAnswer { try listPresence(in: PresenceTable.everywhere) }

    /// `GET channels/{channel}/presence`
    func listChannelPresence() throws -> AppNetAnswer { try listPresence(in: visibleChannel().id) }

    private func listPresence(in channel: Int64) throws -> AppNetAnswer {
        let renderer = renderer
        return .data(.array(try presences.present(in: channel, at: now).compactMap(renderer.presence)))
    }

    /// `GET users/{user}/presence`
    func readPresence() throws -> AppNetAnswer { try readPresence(in: PresenceTable.everywhere) }

    /// `GET users/{user}/presence/channels/{channel}`
    func readChannelPresence() throws -> AppNetAnswer { try readPresence(in: visibleChannel().id) }

    private func readPresence(in channel: Int64) throws -> AppNetAnswer {
        let user = try user()
        let presence = try presences.presence(of: user.id, in: channel)
        return .data(try renderer.presence(presence, of: user))
    }

    /// `PUT users/me/presence`
    func setPresence() throws -> AppNetAnswer { try setPresence(in: PresenceTable.everywhere) }

    /// `PUT users/me/presence/channels/{channel}`
    func setChannelPresence() throws -> AppNetAnswer { try setPresence(in: visibleChannel().id) }

    private func setPresence(in channel: Int64) throws -> AppNetAnswer {
        let me = try me()
        let body = try body()
        let expires = try expiration(body["expiration"])
        // A library sends it in the query.
        var text = try Self.presenceText(body["presence"] ?? parameters["presence"].map(JSONValue.string))
        if expires <= now { text = PresenceTable.offline }
        try presences.save(
            PresenceTable.Presence(channel: channel, user: me, text: text, seen: now, expires: expires)
        )
        let isEverywhere = channel == PresenceTable.everywhere
        effects.append(
            AppNetEvent(
                kind: isEverywhere ? .userPresence : .userChannelPresence,
                object: me,
                channel: isEverywhere ? nil : channel,
                actor: me
            )
        )
        return try readPresenceOfCaller(in: channel)
    }

    private func readPresenceOfCaller(in channel: Int64) throws -> AppNetAnswer {
        guard let user = try users.user(try me()) else { throw AppNetFailure.notFound }
        return .data(try renderer.presence(presences.presence(of: user.id, in: channel), of: user))
    }

    /// A text of at most 100 characters, or a flag.
    private static func presenceText(_ sent: JSONValue?) throws(AppNetFailure) -> String {
        let text: String
        switch sent {
        case nil, .null: return "online"
        case .string("1"): return "online"
        case .string("0"): return PresenceTable.offline
        case .string(let given): text = given.isEmpty ? "online" : given
        case .some(let flag):
            guard let isOnline = flag.lenientFlag else { throw badPresence }
            return isOnline ? "online" : PresenceTable.offline
        }
        guard text.unicodeScalars.count <= maximumText else { throw badPresence }
        return text
    }

    private static var badPresence: AppNetFailure {
        .badRequest("presence must be a text of at most \(maximumText) characters.")
    }

    /// A Unix timestamp; 15 minutes from now where none is given, and seven days at most.
    private func expiration(_ sent: JSONValue?) throws(AppNetFailure) -> Int64 {
        guard let sent, sent != .null else { return now + Self.usualTime }
        guard let time = sent.integerValue ?? sent.stringValue.flatMap({ Int64($0) }) else {
            throw .badRequest("expiration must be a Unix timestamp.")
        }
        return min(time, now + Self.maximumTime)
    }
}

extension AppNetRenderer {
    /// A stored presence; `nil` where the account is gone.
    func presence(_ presence: PresenceTable.Presence) throws -> JSONValue? {
        try AppNetUserTable(database: database).user(presence.user).map { try self.presence(presence, of: $0) }
    }

    /// The current presence of a user; offline if none was set or the last one has expired.
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
