internal import GRDB

/// The rights of a viewer in channels (Docs/Protocols/AppNet.md §1.2, §2.1).
struct ChannelAccess {
    let viewer: AppNetViewer
    let database: Database

    /// Returns whether the viewer has a role. The scopes of the token are ignored.
    func has(_ role: ChannelACL.Role, in channel: AppNetChannel) -> Bool {
        if let user = viewer.user { return channel.allows(role, user: user) }
        return role == .readers && channel.isPublic
    }

    /// Returns whether the viewer can see the channel. That is the case if the channel is public, for a reader whose
    /// token has the required scope, and for an app to which a reader granted `messages`.
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

    /// Returns whether the viewer can see a message of a channel. Authors see their own messages even without access to
    /// the channel.
    func sees(_ message: AppNetMessage, in channel: AppNetChannel) throws -> Bool {
        if let user = viewer.user, message.user == user { return true }
        return try sees(channel)
    }
}

extension ChannelAccess {
    /// Creates the access of a request's caller.
    init(_ context: AppNetContext) { self.init(viewer: context.caller.viewer, database: context.database) }
}
