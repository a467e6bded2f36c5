internal import HeliumJSON
internal import HeliumServerKit

extension AppNetCall {
    /// `POST channels`
    func createChannel() throws -> AppNetAnswer {
        let body = try body()
        guard let type = body["type"]?.stringValue, ChannelRules.isType(type) else {
            throw AppNetFailure.badRequest("You must supply a type like com.example.channel.")
        }
        guard type != AppNetChannel.privateMessages else {
            throw AppNetFailure.badRequest("Private message channels are made by sending a message.")
        }
        var channel = AppNetChannel(id: 0, type: type, owner: try me(), created: now)
        try apply(body, to: &channel)
        channel = try insert(channel)
        try subscribe(channel.owner, to: channel)
        if body["auto_subscribe"]?.lenientFlag ?? false { try autoSubscribe(to: channel) }
        tell(channel)
        return .data(try renderer.channel(channel))
    }

    /// Stores a channel with a turn of its own in the inbox.
    ///
    /// - Throws: ``AppNetFailure`` with 400 beyond the ceiling.
    func insert(_ channel: AppNetChannel) throws -> AppNetChannel {
        guard try channels.count() < maxima.channels else { throw AppNetFailure.full("channels") }
        var channel = channel
        channel.activity = try settings.next("activity")
        return try channels.insert(channel)
    }

    /// `GET channels/{channel}`
    func readChannel() throws -> AppNetAnswer { .data(try renderer.channel(visibleChannel())) }

    /// `PUT` and `PATCH channels/{channel}`
    func updateChannel() throws -> AppNetAnswer {
        var channel = try channel(allowing: .editors)
        let body = try body()
        try apply(body, to: &channel)
        try channels.update(channel)
        if body["auto_subscribe"]?.lenientFlag ?? false { try autoSubscribe(to: channel) }
        tell(channel)
        return .data(try renderer.channel(channel))
    }

    /// `DELETE channels/{channel}`: deactivates it for good.
    func deactivateChannel() throws -> AppNetAnswer {
        var channel = try visibleChannel()
        guard channel.owner == (try me()) else { throw AppNetFailure.forbidden("Only the owner may deactivate it.") }
        guard channel.type != AppNetChannel.privateMessages else {
            throw AppNetFailure.badRequest("Private message channels cannot be deactivated.")
        }
        channel.isInactive = true
        try channels.update(channel)
        tell(channel)
        for user in try audience.subscribers(of: channel.id) { try unsubscribe(user, from: channel) }
        return .data(try renderer.channel(channel))
    }

    /// Applies what clients may change, checked.
    private func apply(_ body: JSONValue, to channel: inout AppNetChannel) throws {
        for role in ChannelACL.Role.allCases {
            guard let sent = body[role.rawValue], sent != .null else { continue }
            let isUnlimited = role == .readers && channel.type == AppNetChannel.broadcast
            channel[role] = try channel[role].updated(
                sent,
                role: role,
                owner: channel.owner,
                maximumUsers: isUnlimited ? nil : ChannelRules.maximumUsers,
                resolve: { try self.namedUser($0)?.id }
            )
        }
        try ChannelRules.check(channel)
        if let annotations = body["annotations"], annotations != .null {
            let rules = AnnotationRules(call: self, place: .channel(type: channel.type))
            channel.annotations = try rules.merged(annotations, into: channel.annotations)
        }
    }

    private func tell(_ channel: AppNetChannel) {
        effects.append(AppNetEvent(kind: .channel, object: channel.id, channel: channel.id, actor: caller.user))
    }

    /// Subscribes those whom the ACLs name and who have not muted it; never for broadcasts (§2.1).
    func autoSubscribe(to channel: AppNetChannel) throws {
        guard channel.type != AppNetChannel.broadcast, !channel.isInactive else { return }
        for user in channel.readers.users + channel.writers.users + channel.editors.users
        where try !audience.hasMuted(user, channel.id) { try subscribe(user, to: channel) }
    }

    func subscribe(_ user: Int64, to channel: AppNetChannel) throws {
        guard try audience.subscribe(user, to: channel.id) else { return }
        tell(channel, subscription: user, isDeleted: false)
    }

    func unsubscribe(_ user: Int64, from channel: AppNetChannel) throws {
        guard try audience.unsubscribe(user, from: channel.id) else { return }
        tell(channel, subscription: user, isDeleted: true)
    }

    private func tell(_ channel: AppNetChannel, subscription user: Int64, isDeleted: Bool) {
        effects.append(
            AppNetEvent(
                kind: .channelSubscription,
                object: channel.id,
                channel: channel.id,
                actor: user,
                isDeleted: isDeleted
            )
        )
    }
}
