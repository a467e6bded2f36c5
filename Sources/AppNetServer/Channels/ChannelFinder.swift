/// Finds the channel in a request's path, for callers who may see it.
struct ChannelFinder: RequestScoped {
    let context: AppNetContext

    /// Returns the channel in the path if the caller can see it.
    ///
    /// - Throws: ``AppNetFailure`` with 404 if the channel does not exist or is hidden from the caller, and 403 for a
    ///   reader whose token lacks the scope.
    func visible() throws -> AppNetChannel {
        try visible(require(tables.channels.channel(try context.id("channel")), or: .notFound))
    }

    /// Returns a channel if the caller can see it.
    ///
    /// - Throws: The errors of ``visible()``.
    func visible(_ channel: AppNetChannel) throws -> AppNetChannel {
        if try reader.sees(channel) { return channel }
        try require(context.caller.user != nil && reader.has(.readers, in: channel), or: .notFound)
        throw AppNetFailure.forbidden("This call requires the scope: messages.")
    }

    /// Returns the channel in the path if the caller has a role in it, and no member of a private conversation blocks
    /// the caller.
    ///
    /// - Throws: ``AppNetFailure`` with 403 if the caller can see the channel but does not have the role or is blocked;
    ///   or the error of ``visible()``.
    func channel(allowing role: ChannelACL.Role) throws -> AppNetChannel {
        let channel = try visible()
        guard reader.has(role, in: channel) else {
            let verb = role == .writers ? "write to" : "edit"
            throw AppNetFailure.forbidden("You may not \(verb) this channel.")
        }
        try PrivateChannels(context).checkIsOpen(channel)
        return channel
    }
}
