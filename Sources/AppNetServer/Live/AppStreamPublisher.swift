internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// Publishes events to one app stream (Docs/Protocols/AppNet.md §2.13).
struct AppStreamPublisher {
    let record: AppStreamRecord
    let state: AppNetState
    private let reader: AppNetReader

    init(record: AppStreamRecord, state: AppNetState, database: Database) {
        self.record = record
        self.state = state
        reader = AppNetReader(appStreamOf: record.client, database)
    }

    private var tables: AppNetTables { reader.tables }

    func publish(_ event: AppNetEvent) throws {
        guard try isVisible(event) else { return }
        var meta: JSONValue = [
            "timestamp": .count(state.microseconds / 1000), "type": .string(event.kind.rawValue),
            "id": .string(identifier(of: event)),
        ]
        if event.isDeleted { meta["is_deleted"] = .bool(true) }
        if let revision = event.revision { meta["revision"] = .count(revision) }
        let data = try data(of: event, &meta)
        var message: JSONValue = ["meta": meta]
        message["data"] = data
        if let id = record.filter {
            // A filter that was deleted, or that the app may not use any longer, excludes everything. Without it, the
            // stream would have the events that its owner did not want it to have.
            guard let filter = try tables.filters.filter(id), try reader.sees(filter) else { return }
            let passes = filter.passes(message, type: event.kind.rawValue) {
                Set((try? authorizedUsers())?.map { String($0) } ?? [])
            }
            guard passes else { return }
        }
        state.events.appStreams.send(message, to: record, at: state.microseconds)
    }

    /// A renderer without personal members, with the connection's options.
    private var renderer: AppNetRenderer {
        AppNetRenderer(reader, state.events.appStreams.display(of: record.id), state)
    }

    /// Returns the users who gave the app a token.
    private func authorizedUsers() throws -> [Int64] {
        try tables.tokens.userTokens(of: record.client).compactMap(\.user)
    }

    private func channel(of event: AppNetEvent) throws -> AppNetChannel? {
        let id = event.channel ?? (event.kind == .channel ? event.object : nil)
        return try id.flatMap(tables.channels.channel)
    }

    /// Adds the subscribers of a channel, and those who need no notification: the actor, and users who muted the actor.
    private func setAudience(of channel: AppNetChannel, but actor: Int64?, _ meta: inout JSONValue) throws {
        let subscribers = try tables.audience.subscribers(of: channel.id)
        let muting = try actor.map { try tables.relations.subjects(.mute, of: $0) } ?? []
        let quiet = subscribers.filter { $0 == actor || muting.contains($0) }
        meta["subscribed_user_ids"] = .array(subscribers.map(JSONValue.id))
        meta["suppress_notifications"] = .array(quiet.map(JSONValue.id))
    }

    /// Returns the opaque id of the event (Docs/Protocols/AppNet.md §2.13).
    private func identifier(of event: AppNetEvent) -> String {
        let actor = event.actor ?? 0
        return switch event.kind {
        case .star, .userFollow, .mute, .block, .channelSubscription: "\(actor):\(event.object)"
        case .streamMarker: "\(actor):\(event.marker ?? "")"
        default: String(event.object)
        }
    }

    /// Returns whether the app can see the event. Public events are visible, and events that one of its users can see.
    private func isVisible(_ event: AppNetEvent) throws -> Bool {
        /// Returns whether a user gave the app a token with one of the scopes. Without scopes, any token suffices.
        func isAuthorized(_ user: Int64?, _ scopes: Set<AppNetScope> = []) throws -> Bool {
            try reader.isEntrusted(by: user) { scopes.isEmpty || !scopes.isDisjoint(with: $0.scopes) }
        }
        switch event.kind {
        case .post, .star, .userFollow, .user:
            return true
        case .mute, .block:
            return try isAuthorized(event.actor)
        case .streamMarker:
            let scopes: Set<AppNetScope> = event.channel == nil ? [.stream] : [.messages, .publicMessages]
            return try isAuthorized(event.actor, scopes)
        case .file:
            return try isAuthorized(event.actor, [.files])
        case .poll:
            return try isAuthorized(event.actor, [.polls])
        case .userPresence:
            return try isAuthorized(event.actor, [.presence])
        case .token:
            return try tables.tokens.token(id: event.object)?.client == record.client
        case .message, .channel, .channelSubscription, .userChannelPresence:
            return try channel(of: event).map(reader.sees) ?? false
        }
    }

    /// Returns the event's `data`, and adds its members of `meta`.
    private func data(of event: AppNetEvent, _ meta: inout JSONValue) throws -> JSONValue? {
        let renderer = renderer
        func pair(_ name: String, _ value: JSONValue?) throws -> JSONValue? {
            guard let value, let user = try event.actor.flatMap(renderer.user) else { return nil }
            return .object([name: value, "user": user])
        }
        switch event.kind {
        case .post:
            return try tables.posts.post(event.object).map(renderer.post)
        case .star:
            return try pair("post", tables.posts.post(event.object).map(renderer.post))
        case .userFollow:
            return try pair("follows_user", renderer.user(event.object))
        case .mute:
            return try pair("muted_user", renderer.user(event.object))
        case .block:
            return try pair("blocked_user", renderer.user(event.object))
        case .user:
            return try renderer.user(event.object)
        case .streamMarker:
            meta["user_id"] = event.actor.map(JSONValue.id)
            if let channel = try channel(of: event) {
                meta.setChannel(channel)
            }
            let marker = try event.actor.flatMap { actor in
                try event.marker.flatMap { try tables.markers.marker($0, of: actor) }
            }
            return try pair("marker", marker?.json)
        case .token:
            meta["user_id"] = event.actor.map(JSONValue.id)
            guard !event.isDeleted else { return nil }
            return try tables.tokens.token(id: event.object).map { token in
                try renderer.token(token, maxima: state.configuration.maxima)
            }
        case .file:
            return try tables.files.file(event.object).flatMap { try renderer.file($0, token: .none) }
        case .message:
            guard let channel = try channel(of: event),
                let message = try tables.messages.message(event.object)
            else { return nil }
            meta.setChannel(channel)
            if renderer.options.dialect.extendsObjects { meta["channel_name"] = channel.chatName }
            try setAudience(of: channel, but: message.user, &meta)
            return try renderer.message(message, in: channel)
        case .channel:
            guard let channel = try channel(of: event) else { return nil }
            try setAudience(of: channel, but: event.actor, &meta)
            return try renderer.channel(channel)
        case .channelSubscription:
            return try pair("channel", channel(of: event).flatMap(renderer.channel))
        case .poll:
            let poll = try tables.polls.poll(event.object)
            return try pair("poll", poll.flatMap { try renderer.poll($0, hidesToken: true) })
        case .userPresence, .userChannelPresence:
            if let channel = event.channel { meta["channel_id"] = .id(channel) }
            let table = tables.presences
            return try table.presence(of: event.object, in: event.channel ?? PresenceTable.everywhere)
                .flatMap(renderer.presence)
        }
    }
}

extension JSONValue {
    /// Adds the members for a channel to the `meta` of an event.
    mutating func setChannel(_ channel: AppNetChannel) {
        self["channel_id"] = .id(channel.id)
        self["channel_type"] = .string(channel.type)
    }
}
