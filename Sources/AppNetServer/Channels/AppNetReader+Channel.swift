internal import GRDB

/// The rights in channels (Docs/Protocols/AppNet.md §1.2, §2.1).
extension AppNetReader {
    /// Returns whether the viewer has a role. The scopes of the token are ignored.
    func has(_ role: ChannelACL.Role, in channel: AppNetChannel) -> Bool {
        if let user = viewer.user { return channel.allows(role, user: user) }
        return role == .readers && channel.isPublic
    }

    /// Returns whether the viewer can see the channel. That is the case if the channel is public, for a reader whose
    /// token has the required scope, and for an app to which a reader granted `messages`. An app stream has the rights
    /// of each of the app's users.
    func sees(_ channel: AppNetChannel) throws -> Bool {
        if channel.isPublic { return true }
        if viewer.isApp {
            if let last = lastEntrusted, last.channel == channel { return last.isEntrusted }
            let result = try isEntrusted(with: channel)
            lastEntrusted = (channel, result)
            return result
        }
        return has(.readers, in: channel) && viewer.hasScope(for: channel)
    }

    private func isEntrusted(with channel: AppNetChannel) throws -> Bool {
        guard let client = viewer.client else { return false }
        func opens(_ token: AppNetToken) -> Bool {
            guard let user = token.user, channel.allows(.readers, user: user) else { return false }
            return isAppStream ? AppNetViewer(token).hasScope(for: channel) : token.scopes.contains(.messages)
        }
        if channel.isReadableByAnyUser { return try tables.tokens.hasUserToken(of: client, where: opens) }
        // Only the tokens of the channel's users are read. An app may have very many others.
        return try channel.namedUsers.contains { try isEntrusted(by: $0, opens) }
    }

    /// Returns whether the viewer can see a message of a channel. Authors see their own messages even without access to
    /// the channel, if their token has the required scope.
    func sees(_ message: AppNetMessage, in channel: AppNetChannel) throws -> Bool {
        if let user = viewer.user, message.user == user, viewer.hasScope(for: channel) { return true }
        return try sees(channel)
    }
}

extension AppNetViewer {
    /// Returns whether the token's scopes suffice for a channel that its user may read.
    fileprivate func hasScope(for channel: AppNetChannel) -> Bool {
        scopes.contains(.messages) || (scopes.contains(.publicMessages) && channel.isReadableByAnyUser)
    }
}

extension AppNetChannel {
    /// The owner and the users of the ACLs.
    fileprivate var namedUsers: [Int64] { [owner] + readers.users + writers.users + editors.users }
}
