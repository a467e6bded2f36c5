extension AppNetCall {
    var channels: AppNetChannelTable { AppNetChannelTable(database: database) }
    var audience: ChannelAudience { ChannelAudience(database: database) }
    var access: ChannelAccess { ChannelAccess(viewer: caller.viewer, database: database) }

    /// The channel that the path names and the caller sees.
    ///
    /// - Throws: ``AppNetFailure`` with 404, the same whether there is none or it is hidden from the caller; 403 for a
    ///   reader whose scopes do not suffice.
    func visibleChannel(_ name: String = "channel") throws -> AppNetChannel {
        guard let channel = try channels.channel(try id(name)) else { throw AppNetFailure.notFound }
        if try access.sees(channel) { return channel }
        guard caller.user != nil, access.has(.readers, in: channel) else { throw AppNetFailure.notFound }
        throw AppNetFailure.forbidden("This call requires the scope: messages.")
    }

    /// A channel in which the caller has a role.
    ///
    /// - Throws: ``AppNetFailure`` with 403 where he sees it and has not, or what ``visibleChannel(_:)`` throws.
    func channel(allowing role: ChannelACL.Role) throws -> AppNetChannel {
        let channel = try visibleChannel()
        guard access.has(role, in: channel) else {
            let verb = role == .writers ? "write to" : "edit"
            throw AppNetFailure.forbidden("You may not \(verb) this channel.")
        }
        return channel
    }
}
