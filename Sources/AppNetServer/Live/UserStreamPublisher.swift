internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// Publishes events to the user streams of one token with equal display options, for which each object is made once
/// (Docs/Protocols/AppNet.md §2.14).
struct UserStreamPublisher {
    /// The change of a subscribed list by an event.
    struct Change {
        /// The data; `nil` if a deleted object cannot be shown.
        var data: JSONValue?
        /// The type of the event's object.
        var kind: AppNetEvent.Kind
        /// The position of the object in the list.
        var position: Int64?
        /// The id of an object that was deleted or has left the list.
        var deleted: Int64?
        /// The channel of a message, or the changed channel.
        var channel: AppNetChannel?
        /// Returns whether the filter of a subscription lets the change pass.
        var passes: (GeneralParameters) throws -> Bool = { _ in true }
    }

    /// The streams, of which there is at least one.
    private let streams: [UserStream]
    /// The stream whose user, token and options the others also have.
    private let stream: UserStream
    private let state: AppNetState
    private let reader: AppNetReader
    /// Creates objects for the user of the streams with the options of the connections.
    private let renderer: AppNetRenderer

    /// - Parameter streams: Streams of one token with equal display options; `nil` is returned if there are none.
    init?(streams: [UserStream], state: AppNetState, database: Database) {
        guard let first = streams.first else { return nil }
        self.streams = streams
        self.state = state
        stream = first
        reader = AppNetReader(first.viewer, database)
        renderer = AppNetRenderer(reader, first.display, state)
    }

    /// Publishes an event. A subscription for which this fails does not keep the event from the others.
    ///
    /// - Parameter failure: Set to the first error.
    func publish(_ event: AppNetEvent, failure: inout (any Error)?) {
        var changes: [UserStreamEndpoint: Change?] = [:]
        for stream in streams {
            var done: Set<UserStreamEndpoint> = []
            for subscription in stream.subscriptions where done.insert(subscription.endpoint).inserted {
                let endpoint = subscription.endpoint
                do {
                    let change = try changes[endpoint] ?? self.change(of: endpoint, event)
                    changes[endpoint] = .some(change)
                    guard let change else { continue }
                    try publish(change, of: endpoint, event, to: stream)
                } catch {
                    failure = failure ?? error
                }
            }
        }
    }

    private func publish(
        _ change: Change,
        of endpoint: UserStreamEndpoint,
        _ event: AppNetEvent,
        to stream: UserStream
    ) throws {
        let told = try stream.subscriptions.filter { try $0.endpoint == endpoint && change.passes($0.filter) }
        guard !told.isEmpty else { return }
        let frame = frame(change, event, told.map(\.id), of: stream)
        // The token may have ended while the object was made.
        guard state.events.mayGet(event, stream.token) else { return }
        state.events.userStreams.send(frame, to: stream.id, at: state.microseconds)
    }

    private func frame(
        _ change: Change,
        _ event: AppNetEvent,
        _ subscriptions: [String],
        of stream: UserStream
    ) -> JSONValue {
        var meta: JSONValue = [
            "subscription_ids": .array(subscriptions.map(JSONValue.string)), "connection_id": .string(stream.id),
            "type": .string(change.kind.rawValue), "timestamp": .count(state.microseconds / 1000),
        ]
        if let position = change.position {
            meta["min_id"] = .id(position)
            meta["max_id"] = .id(position)
            meta["more"] = .bool(false)
        }
        if let channel = change.channel {
            meta.setChannel(channel)
            if stream.display.dialect.extendsObjects { meta["channel_name"] = channel.chatName }
        }
        if let revision = event.revision { meta["revision"] = .count(revision) }
        if let deleted = change.deleted {
            meta["is_deleted"] = .bool(true)
            meta["deleted_id"] = .id(deleted)
        }
        var frame: JSONValue = ["meta": meta]
        frame["data"] = change.data
        return frame
    }

    private var tables: AppNetTables { reader.tables }

    private func change(of endpoint: UserStreamEndpoint, _ event: AppNetEvent) throws -> Change? {
        switch (endpoint, event.kind) {
        case (.following, .userFollow) where event.actor == stream.user:
            return try follow(event, other: event.object)
        case (.followers, .userFollow) where event.object == stream.user:
            return try follow(event, other: event.actor)
        case (.posts, .post), (.mentions, .post), (.personal, .post), (.unified, .post), (.replies, .post):
            return try post(event, endpoint)
        case (.messages(let channel), .message) where event.channel == channel:
            return try message(event)
        case (.subscribers(let channel), .channelSubscription) where event.channel == channel:
            return try subscriber(event)
        case (.channels, .message) where !event.isDeleted, (.channels, .channel):
            return try channel(event)
        case (.channels, .channelSubscription) where event.actor == stream.user:
            return try channel(event)
        case (.files, .file) where event.actor == stream.user:
            return try file(event)
        case (.token, .token) where event.object == stream.token, (.token, .user) where event.object == stream.user:
            return try token(event)
        default:
            return nil
        }
    }

    /// Returns a channel if the user can see it.
    private func visibleChannel(_ id: Int64?) throws -> AppNetChannel? {
        guard let channel = try id.flatMap(tables.channels.channel), try reader.sees(channel) else { return nil }
        return channel
    }

    /// Returns the change for a message in a channel.
    private func message(_ event: AppNetEvent) throws -> Change? {
        guard let channel = try visibleChannel(event.channel),
            let message = try tables.messages.message(event.object),
            let object = try renderer.message(message, in: channel)
        else { return nil }
        var change = Change(data: .array([object]), kind: .message, position: message.id)
        change.channel = channel
        if event.isDeleted { change.deleted = message.id }
        let (relations, user) = (tables.relations, stream.user)
        change.passes = { filter in
            try (filter.includesDeleted || !message.isDeleted)
                && (filter.includesMachine || !message.isMachineOnly)
                && (filter.includesMuted || !relations.exists(.mute, user, message.user))
        }
        return change
    }

    /// Returns the change for a user who subscribed to a channel or unsubscribed.
    private func subscriber(_ event: AppNetEvent) throws -> Change? {
        guard try visibleChannel(event.channel) != nil, let actor = event.actor, let user = try renderer.user(actor)
        else { return nil }
        var change = Change(data: .array([user]), kind: .channelSubscription)
        if event.isDeleted { change.deleted = actor }
        change.position = try tables.audience.subscription(of: actor, to: event.object)?.id
        return change
    }

    /// Returns the change for a channel of the inbox: a new message, a changed channel, or an added or removed channel.
    private func channel(_ event: AppNetEvent) throws -> Change? {
        let hasLeft = event.kind == .channelSubscription && event.isDeleted
        let audience = tables.audience
        guard let channel = try visibleChannel(event.channel ?? event.object),
            try hasLeft || audience.isSubscribed(stream.user, to: channel.id),
            let object = try renderer.channel(channel)
        else { return nil }
        var change = Change(data: .array([object]), kind: .channel, position: channel.activity)
        if hasLeft { change.deleted = channel.id }
        change.channel = channel
        let renderer = renderer
        change.passes = { filter in
            guard filter.includes(channelType: channel.type) else { return false }
            return try hasLeft || filter.includesRead || renderer.hasUnread(channel)
        }
        return change
    }

    /// Returns the change for one of the user's files.
    private func file(_ event: AppNetEvent) throws -> Change? {
        guard let file = try tables.files.file(event.object) else {
            return Change(kind: .file, deleted: event.object)
        }
        guard let object = try renderer.file(file, token: .none) else { return nil }
        var change = Change(data: .array([object]), kind: .file, position: file.id)
        if event.isDeleted { change.deleted = file.id }
        change.passes = { filter in
            (filter.includesIncomplete || file.isComplete) && (filter.includesPrivate || file.isPublic)
                && (filter.fileTypes?.contains(file.type) ?? true)
        }
        return change
    }

    /// Returns the change for the stream's own token, which also changes with its user.
    private func token(_ event: AppNetEvent) throws -> Change? {
        if event.kind == .token, event.isDeleted { return Change(kind: .token, deleted: event.object) }
        guard let token = try tables.tokens.token(id: stream.token) else { return nil }
        return Change(data: try renderer.token(token, maxima: state.configuration.maxima), kind: .token)
    }

    /// Returns the change for an added or removed follower.
    private func follow(_ event: AppNetEvent, other: Int64?) throws -> Change? {
        guard let other, let user = try renderer.user(other) else { return nil }
        var change = Change(data: .array([user]), kind: .userFollow)
        if event.isDeleted {
            change.deleted = other
        } else if let actor = event.actor {
            change.position = try tables.relations.id(.follow, actor, event.object)
        }
        return change
    }

    /// Returns the change for a post in one of the streams of posts.
    private func post(_ event: AppNetEvent, _ endpoint: UserStreamEndpoint) throws -> Change? {
        guard let post = try tables.posts.post(event.object) else { return nil }
        switch endpoint {
        case .posts where post.user != stream.user: return nil
        case .mentions where !event.users.contains(stream.user) || post.repostOf != nil: return nil
        case .replies(let thread) where post.thread != thread || post.repostOf != nil: return nil
        case .personal where !(try isIn(PostStreams.personal(includesMentions: false), post)): return nil
        case .unified where !(try isIn(PostStreams.personal(includesMentions: true), post)): return nil
        default: break
        }
        var change = Change(data: .array([try renderer.post(post)]), kind: .post, position: post.id)
        if event.isDeleted { change.deleted = post.id }
        let isPersonal = endpoint == .personal || endpoint == .unified
        let (database, viewer) = (reader.database, stream.user)
        change.passes = { filter in
            try PostVisibility(
                database: database,
                viewer: viewer,
                options: filter,
                askedFor: endpoint == .posts ? viewer : nil,
                includesDirected: !isPersonal
            ).shows(post)
        }
        return change
    }

    private func isIn(_ condition: String, _ post: PostRecord) throws -> Bool {
        try tables.posts.isIn(condition, post.id, viewer: stream.user)
    }
}
