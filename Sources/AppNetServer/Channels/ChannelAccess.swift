internal import GRDB

/// What a viewer may do with channels (§1.2, §2.1).
struct ChannelAccess {
    let viewer: AppNetViewer
    let database: Database

    /// Whether the viewer has a role; without regard to the token's scopes.
    func has(_ role: ChannelACL.Role, in channel: AppNetChannel) -> Bool {
        if let user = viewer.user { return channel.allows(role, user: user) }
        return role == .readers && channel.isPublic
    }

    /// Whether the viewer sees the channel: a reader whose token's scopes reach so far, everybody where it is public,
    /// and an app to which a reader gave `messages`.
    func sees(_ channel: AppNetChannel) throws -> Bool {
        if channel.isPublic { return true }
        if viewer.isApp { return try isEntrusted(with: channel) }
        guard has(.readers, in: channel) else { return false }
        return viewer.scopes.contains(.messages)
            || (viewer.scopes.contains(.publicMessages) && channel.isReadableByAnyUser)
    }

    private func isEntrusted(with channel: AppNetChannel) throws -> Bool {
        guard let client = viewer.client else { return false }
        return try AppNetTokenTable(database: database).userTokens(of: client).contains { token in
            guard let user = token.user, token.scopes.contains(.messages) else { return false }
            return channel.allows(.readers, user: user)
        }
    }

    /// Whether a message of a channel is the viewer's to see: also an author's own, without access to the channel.
    func sees(_ message: AppNetMessage, in channel: AppNetChannel) throws -> Bool {
        if let user = viewer.user, message.user == user { return true }
        return try sees(channel)
    }
}

extension ChannelAccess {
    /// The access of a request's caller.
    init(_ context: AppNetContext) { self.init(viewer: context.caller.viewer, database: context.database) }
}
