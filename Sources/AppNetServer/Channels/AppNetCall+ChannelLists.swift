internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

extension AppNetCall {
    /// `GET channels`: with `ids` those, else the inbox.
    func listChannels() throws -> AppNetAnswer {
        guard parameters["ids"] == nil else { return try readChannels() }
        let me = try me()
        let access = access
        let renderer = renderer
        var answer = try page(
            fetch: { try channels.subscribed(by: me, $0) },
            id: \.activity,
            includes: { channel in
                guard isListed(channel), try access.sees(channel) else { return false }
                return try options.includesRead || renderer.hasUnread(channel)
            },
            render: renderer.channel
        )
        // What is unread is told with the right to all channels alone (§2.1).
        guard caller.viewer.scopes.contains(.messages) else { return answer }
        let counts = try [AppNetChannel.privateMessages, AppNetChannel.broadcast].map { type -> JSONObject.Element in
            (type, .count(try unread(type, of: me)))
        }
        answer.meta["unread_counts"] = .object(counts)
        return answer
    }

    /// Those of `channel_types` and not of `exclude_channel_types`, and inactive ones only if they are asked for.
    private func isListed(_ channel: AppNetChannel) -> Bool {
        options.includes(channelType: channel.type) && (options.includesInactive || !channel.isInactive)
    }

    private func readChannels() throws -> AppNetAnswer {
        let access = access
        let found = try parameters.ids().compactMap(channels.channel).filter(access.sees)
        return .data(.array(try found.map(renderer.channel)))
    }

    /// `GET users/me/channels`
    func listOwnChannels() throws -> AppNetAnswer {
        let me = try me()
        return try page(
            fetch: { try channels.channels(of: me, $0) },
            id: \.id,
            includes: { try isListed($0) && access.sees($0) },
            render: renderer.channel
        )
    }

    /// `GET users/me/channels/muted`
    func listMutedChannels() throws -> AppNetAnswer {
        let found = try channels.muted(by: try me()).filter { channel in
            try access.sees(channel) && (!options.isPnut || options.includes(channelType: channel.type))
        }
        return .data(.array(try found.map(renderer.channel)))
    }

    /// `POST` and `DELETE channels/{channel}/subscribe`; subscribing unmutes.
    func setSubscribed(_ isSubscribed: Bool) throws -> AppNetAnswer {
        let me = try me()
        guard isSubscribed else {
            // Whoever lost access may still leave.
            guard let channel = try channels.channel(try id("channel")) else { throw AppNetFailure.notFound }
            let isMember = try audience.isSubscribed(me, to: channel.id)
            guard try access.sees(channel) || isMember else { throw AppNetFailure.notFound }
            try unsubscribe(me, from: channel)
            return .data(try renderer.channel(channel))
        }
        let channel = try visibleChannel()
        guard !channel.isInactive else { throw AppNetFailure.badRequest("This channel is inactive.") }
        _ = try audience.unmute(channel.id, by: me)
        try subscribe(me, to: channel)
        return .data(try renderer.channel(channel))
    }

    /// `POST` and `DELETE channels/{channel}/mute`; muting unsubscribes.
    func setMuted(_ isMuted: Bool) throws -> AppNetAnswer {
        let me = try me()
        let channel = try visibleChannel()
        if isMuted {
            _ = try audience.mute(channel.id, by: me)
            try unsubscribe(me, from: channel)
        } else {
            _ = try audience.unmute(channel.id, by: me)
        }
        return .data(try renderer.channel(channel))
    }

    /// `GET channels/{channel}/subscribers`
    func listSubscribers() throws -> AppNetAnswer {
        let channel = try visibleChannel()
        let renderer = renderer
        return try page(
            fetch: { window in
                try Row.fetchAll(
                    database,
                    sql: "SELECT id, user FROM appnet_subscription WHERE channel = ?\(window.sql("id"))",
                    arguments: [channel.id]
                )
            },
            id: { $0["id"] as Int64 },
            render: { try renderer.user($0["user"] as Int64) ?? [:] }
        )
    }

    /// `GET channels/{channel}/subscribers/ids`
    func listSubscriberIDs() throws -> AppNetAnswer {
        .data(.array(try audience.subscribers(of: visibleChannel().id).map { .id($0) }))
    }

    /// `GET channels/subscribers/ids?ids=`
    func listSubscriberIDsOfMany() throws -> AppNetAnswer {
        let access = access
        let found = try parameters.ids().compactMap(channels.channel).filter(access.sees)
        return .data(
            .object(
                try found.map { channel in
                    (String(channel.id), .array(try audience.subscribers(of: channel.id).map { .id($0) }))
                }
            )
        )
    }

    /// How many of a user's subscribed channels of a type have unread messages.
    private func unread(_ type: String, of user: Int64) throws -> Int {
        let renderer = renderer
        return try channels.subscribed(by: user, type: type).count { try renderer.hasUnread($0) }
    }

    /// `GET users/me/channels/pm/num_unread` and `broadcast`
    func countUnread(_ type: String) throws -> AppNetAnswer { .data(.count(try unread(type, of: try me()))) }

    /// `DELETE users/me/channels/broadcast/num_unread`
    func markAllRead(_ type: String) throws -> AppNetAnswer {
        let me = try me()
        for channel in try channels.subscribed(by: me, type: type) {
            guard let recent = channel.recentMessage else { continue }
            try setMarker(channel.marker, item: recent, percentage: 0, resets: false)
        }
        return .data(.count(0))
    }
}
