internal import HeliumJSON
internal import HeliumServerKit

/// Private conversations. There is one channel for each set of members (Docs/Protocols/AppNet.md §2.1).
struct PrivateChannels: RequestScoped {
    let context: AppNetContext

    /// Returns the conversation with exactly these members; `nil` if there is none.
    func channel(of members: Set<Int64>) throws -> AppNetChannel? {
        try tables.channels.channel(members: Self.key(members))
    }

    /// Returns the conversation of the caller and the users of `destinations`. Creates it if there is none.
    ///
    /// - Throws: ``AppNetFailure`` with 400 if a user does not exist, and 403 if the caller may not write to a user.
    func channel(to destinations: JSONValue?) throws -> AppNetChannel {
        let me = try context.me()
        guard context.caller.viewer.scopes.contains(.messages) else {
            throw AppNetFailure.forbidden("This call requires the scope: messages.")
        }
        let others = try recipients(destinations)
        let members = others.union([me])
        let channel = try self.channel(of: members) ?? create(of: me, with: others)
        for user in members.sorted() where try !tables.audience.hasMuted(user, channel.id) {
            try ChannelWriter(context).subscribe(user, to: channel)
        }
        return try tables.channels.channel(channel.id) ?? channel
    }

    /// Checks that no member of a private conversation blocks the caller. Does nothing for channels of other types.
    ///
    /// - Throws: ``AppNetFailure`` with 403 if a member blocks the caller.
    func checkIsOpen(_ channel: AppNetChannel) throws {
        guard channel.type == AppNetChannel.privateMessages else { return }
        let me = try context.me()
        for member in [channel.owner] + channel.writers.users where try tables.relations.exists(.block, member, me) {
            throw AppNetFailure.forbidden("You cannot write to this conversation.")
        }
    }

    /// Returns the users of `destinations`, without the caller.
    private func recipients(_ destinations: JSONValue?) throws -> Set<Int64> {
        let me = try context.me()
        guard let names = destinations?.textList else {
            throw AppNetFailure.badRequest("You must supply destinations, a list of users.")
        }
        try require(
            names.count <= ChannelRules.maximumNames,
            "destinations has at most \(ChannelRules.maximumNames) users."
        )
        let count = 1...ChannelRules.maximumUsers
        let wrongCount = AppNetFailure.badRequest("destinations must name 1 to \(count.upperBound) other users.")
        var others: Set<Int64> = []
        var asked: Set<ByteText> = []
        for name in names where asked.insert(name) {
            guard let user = try UserFinder(context).id(named: name) else {
                throw AppNetFailure.badRequest("destinations names a user that does not exist.")
            }
            guard user != me, others.insert(user).inserted else { continue }
            guard try tables.relations.mayFollow(me, user) else {
                let username = try tables.users.user(user)?.username
                throw AppNetFailure.forbidden("You cannot write to @\(username ?? name).")
            }
            try require(others.count <= count.upperBound, or: wrongCount)
        }
        try require(count ~= others.count, or: wrongCount)
        return others
    }

    private func create(of owner: Int64, with others: Set<Int64>) throws -> AppNetChannel {
        var channel = AppNetChannel(id: 0, type: AppNetChannel.privateMessages, owner: owner, created: context.now)
        channel.readers.isImmutable = true
        channel.writers.isImmutable = true
        channel.writers.users = others.sorted()
        channel.members = Self.key(others.union([owner]))
        channel = try ChannelWriter(context).insert(channel)
        ChannelWriter(context).recordEvent(of: channel, by: owner)
        return channel
    }

    private static func key(_ members: Set<Int64>) -> String {
        members.sorted().map(String.init).joined(separator: ",")
    }
}
