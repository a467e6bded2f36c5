internal import HeliumJSON
internal import HeliumServerKit

/// The calls for one channel (Docs/Protocols/AppNet.md §2.1).
struct ChannelHandlers: RequestScoped {
    let context: AppNetContext

    private var finder: ChannelFinder { ChannelFinder(context) }
    private var writer: ChannelWriter { ChannelWriter(context) }

    /// Handles `POST channels`.
    func create() throws -> AppNetResponse {
        let body = try context.body()
        guard let type = body["type"]?.stringValue, ChannelRules.isType(type) else {
            throw AppNetFailure.badRequest("You must supply a type like com.example.channel.")
        }
        try require(type != AppNetChannel.privateMessages, "Private message channels are made by sending a message.")
        var channel = AppNetChannel(id: 0, type: type, owner: try context.me(), created: context.now)
        try apply(body, to: &channel)
        channel = try writer.insert(channel)
        try writer.subscribe(channel.owner, to: channel)
        if body["auto_subscribe"]?.lenientFlag ?? false { try writer.autoSubscribe(to: channel) }
        writer.recordEvent(of: channel, by: context.caller.user)
        return .data(try context.renderer.changedChannel(channel))
    }

    /// Handles `GET channels/{channel}`.
    func read() throws -> AppNetResponse { try .object(context.renderer.channel(finder.visible())) }

    /// Handles `PUT` and `PATCH channels/{channel}`.
    func update() throws -> AppNetResponse {
        var channel = try finder.channel(allowing: .editors)
        let body = try context.body()
        try apply(body, to: &channel)
        try tables.channels.update(channel)
        if body["auto_subscribe"]?.lenientFlag ?? false { try writer.autoSubscribe(to: channel) }
        writer.recordEvent(of: channel, by: context.caller.user)
        return .data(try context.renderer.changedChannel(channel))
    }

    /// Handles `DELETE channels/{channel}`. The channel is deactivated permanently.
    func deactivate() throws -> AppNetResponse {
        var channel = try finder.visible()
        guard channel.owner == (try context.me()) else {
            throw AppNetFailure.forbidden("Only the owner may deactivate the channel.")
        }
        try require(channel.type != AppNetChannel.privateMessages, "Private message channels cannot be deactivated.")
        channel.isInactive = true
        try tables.channels.update(channel)
        writer.recordEvent(of: channel, by: context.caller.user)
        for user in try tables.audience.subscribers(of: channel.id) { try writer.unsubscribe(user, from: channel) }
        return try .object(context.renderer.channel(channel))
    }

    /// Checks and applies the members that clients can change.
    private func apply(_ body: JSONValue, to channel: inout AppNetChannel) throws {
        for role in ChannelACL.Role.allCases {
            guard let sent = body[role.rawValue], sent != .null else { continue }
            let isUnlimited = role == .readers && channel.type == AppNetChannel.broadcast
            channel[role] = try channel[role].updated(
                sent,
                role: role,
                owner: channel.owner,
                maximumUsers: isUnlimited ? nil : ChannelRules.maximumUsers,
                resolve: { try UserFinder(context).id(named: $0) }
            )
        }
        try ChannelRules.check(channel)
        if let annotations = body["annotations"], annotations != .null {
            let rules = AnnotationRules(context: context, place: .channel(type: channel.type))
            channel.annotations = try rules.merged(annotations, into: channel.annotations)
        }
    }
}
