internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// Publishes an event to the app streams of an audience (Docs/Protocols/AppNet.md §2.13). The message is made once,
/// however many streams there are.
struct AppStreamPublisher {
    /// App streams for which the message of an event is the same: those of one app with equal display options.
    struct Audience: Sendable {
        let client: String
        let display: GeneralParameters
        let records: [AppStreamRecord]
        /// The number of steps that it takes to publish an event: one, and more for long filters.
        let steps: Int
    }

    private let audience: Audience
    private let state: AppNetState
    private let reader: AppNetReader

    init(_ audience: Audience, state: AppNetState, database: Database) {
        self.audience = audience
        self.state = state
        reader = AppNetReader(appStreamOf: audience.client, database)
    }

    /// Returns the audiences of some streams of one app.
    static func audiences(
        of records: [AppStreamRecord],
        _ streams: AppStreams,
        _ filters: FilterTable
    ) -> [Audience] {
        guard let client = records.first?.client else { return [] }
        return Dictionary(grouping: records) { streams.display(of: $0.id) }.map { display, records in
            // A filter that cannot be read fails when it is used.
            let bytes = Set(records.compactMap(\.filter)).reduce(0) { $0 + ((try? filters.size(of: $1)) ?? 0) }
            return Audience(client: client, display: display, records: records, steps: 1 + bytes / bytesPerStep)
        }
    }

    /// The number of bytes of filters whose reading takes about as long as making an object.
    private static let bytesPerStep = 32 * 1024

    private var tables: AppNetTables { reader.tables }

    /// Publishes an event. A stream whose filter cannot be read does not keep the event from the others.
    ///
    /// - Parameter number: The number of the event's write.
    /// - Throws: The first error.
    func publish(_ event: AppNetEvent, number: Int) throws {
        guard try isVisible(event) else { return }
        let message = try message(of: event)
        let subject = FilterSubject(message) { [reader] in try reader.isEntrusted(by: $0) }
        var passes: [Int64: Bool] = [:]
        var failure: (any Error)?
        for record in audience.records {
            do {
                if let id = record.filter {
                    let isPassed = try passes[id] ?? self.passes(id, subject, event)
                    passes[id] = isPassed
                    guard isPassed else { continue }
                }
                state.events.appStreams.send(message, to: record, number: number, at: state.microseconds)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private func message(of event: AppNetEvent) throws -> JSONValue {
        var meta: JSONValue = [
            "timestamp": .count(state.microseconds / 1000), "type": .string(event.kind.rawValue),
            "id": .string(identifier(of: event)),
        ]
        if event.isDeleted { meta["is_deleted"] = .bool(true) }
        if let revision = event.revision { meta["revision"] = .count(revision) }
        let data = try data(of: event, &meta)
        var message: JSONValue = ["meta": meta]
        message["data"] = data
        return message
    }

    /// Returns whether a filter lets a message pass.
    private func passes(_ id: Int64, _ subject: FilterSubject, _ event: AppNetEvent) throws -> Bool {
        // A filter that was deleted, or that the app may not use any longer, excludes everything. Without it, a stream
        // would have the events that its owner did not want it to have.
        guard let filter = try state.events.filters.filter(id, in: tables.filters), try reader.sees(filter) else {
            return false
        }
        return try filter.passes(subject, type: event.kind.rawValue)
    }

    /// A renderer without personal members, with the connection's options.
    private var renderer: AppNetRenderer { AppNetRenderer(reader, audience.display, state) }

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
            return try tables.tokens.token(id: event.object)?.client == audience.client
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
