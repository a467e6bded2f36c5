internal import HeliumJSON
internal import HeliumServerKit

/// pnut's calls for presence, globally and in a channel (Docs/Protocols/AppNet.md §6.2).
struct PresenceHandlers: RequestScoped {
    /// The default and the maximum duration of a presence, in seconds.
    private static let usualTime: Int64 = 900
    private static let maximumTime: Int64 = 604_800
    private static let maximumText = 100

    let context: AppNetContext

    /// Returns the channel in the path, if the caller can see it; ``PresenceTable/everywhere`` if the path does not
    /// contain one.
    private func channel() throws -> Int64 {
        try context.path["channel"] == nil ? PresenceTable.everywhere : ChannelFinder(context).visible().id
    }

    /// Returns ``channel()``, if no member of a private conversation blocks the caller. The members read the text.
    private func openChannel() throws -> Int64 {
        guard context.path["channel"] != nil else { return PresenceTable.everywhere }
        let channel = try ChannelFinder(context).visible()
        try PrivateChannels(context).checkIsOpen(channel)
        return channel.id
    }

    /// Handles `GET presence` and `GET channels/{channel}/presence`.
    func list() throws -> AppNetResponse {
        let (channel, renderer) = (try channel(), context.renderer)
        return .data(.array(try tables.presences.present(in: channel, at: context.now).compactMap(renderer.presence)))
    }

    /// Handles `GET users/{user}/presence` and `GET users/{user}/presence/channels/{channel}`.
    func read() throws -> AppNetResponse {
        let channel = try channel()
        return try read(of: UserFinder(context).user(), in: channel)
    }

    private func read(of user: AppNetUser, in channel: Int64) throws -> AppNetResponse {
        let presence = try tables.presences.presence(of: user.id, in: channel)
        return .data(try context.renderer.presence(presence, of: user))
    }

    /// Handles `PUT users/me/presence` and `PUT users/me/presence/channels/{channel}`.
    func set() throws -> AppNetResponse {
        let channel = try openChannel()
        let me = try context.me()
        let body = try context.body()
        let expires = try expiration(body["expiration"])
        // Some clients send the presence in the query.
        var text = try Self.presenceText(body["presence"] ?? context.parameters["presence"].map(JSONValue.string))
        if expires <= context.now { text = PresenceTable.offline }
        try tables.presences.save(
            PresenceTable.Presence(channel: channel, user: me, text: text, seen: context.now, expires: expires)
        )
        let isEverywhere = channel == PresenceTable.everywhere
        context.effects.append(
            AppNetEvent(
                kind: isEverywhere ? .userPresence : .userChannelPresence,
                object: me,
                channel: isEverywhere ? nil : channel,
                actor: me
            )
        )
        return try read(of: UserFinder(context).caller(), in: channel)
    }

    /// Returns a text of at most 100 characters. A flag becomes online or offline.
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

    /// Returns a Unix timestamp. Default: 15 minutes from now; maximum: seven days from now.
    private func expiration(_ sent: JSONValue?) throws(AppNetFailure) -> Int64 {
        guard let sent, sent != .null else { return context.now + Self.usualTime }
        guard let time = sent.integerValue ?? sent.stringValue.flatMap({ Int64($0) }) else {
            throw .badRequest("expiration must be a Unix timestamp.")
        }
        return min(time, context.now + Self.maximumTime)
    }
}
