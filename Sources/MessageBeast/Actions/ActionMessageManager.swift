public import AppNet

/// Flags on messages, such as favorites, which all devices of an account share.
///
/// Messages of the service cannot be changed. An action is therefore a message of its own, in a channel for the actions of one
/// type on the messages of one other channel. Several action messages for one message, from several devices, count as one.
///
/// ```swift
/// let favorites = try await manager.actions.channel(ofType: "com.example.favorite", target: journal).id
/// try await manager.actions.apply(favorites, to: id)
/// let messages = try await manager.actions.actionedMessages(in: favorites, limit: 20)
/// ```
///
/// Action channels are fetched as others are: by ``MessageManager/fetchNewest(in:excluding:)`` and
/// ``MessageManager/fullSync(of:excluding:)``. On a client of pnut.io, whose messages all have a text, every function throws
/// ``MessageBeastError/Kind/unsupportedByDialect``.
public struct ActionMessageManager: Sendable {
    /// The engine.
    public let manager: MessageManager

    /// The actions of an engine.
    public init(manager: MessageManager) { self.manager = manager }

    private var context: EngineContext { manager.context }
}

extension MessageManager {
    /// The flags on messages.
    nonisolated public var actions: ActionMessageManager { ActionMessageManager(manager: self) }
}

// MARK: Changing

extension ActionMessageManager {
    /// The channel of the actions of a type on the messages of another channel: the stored one without a request, else the
    /// user's channel on the service, else a new one.
    ///
    /// If two devices have created one each at the same time, the one with the lower id is used, and gets the actions of the
    /// other.
    ///
    /// - Parameters:
    ///   - type: A name of the app's choice, for example `com.example.favorite`.
    ///   - target: The channel of the messages that the actions are on.
    /// - Throws: `AppNetError` if a request failed; after a failed look-up, nothing is created. ``MessageBeastError``.
    public func channel(ofType type: String, target: AppNetChannel.ID) async throws -> StoredChannel {
        try await manager.actionChannel(ofType: type, target: target)
    }

    /// Puts the action of a channel on a message, sent or not, and begins to send it. The action of an unsent message is sent
    /// after the message.
    ///
    /// - Parameters:
    ///   - channel: The action channel.
    ///   - id: The id of the message, which may be temporary.
    ///   - sendsImmediately: Whether sending begins at once, in place of at the next call.
    /// - Returns: Whether the action was off.
    /// - Throws: ``MessageBeastError``, of the kinds ``MessageBeastError/Kind/notFound`` and
    ///   ``MessageBeastError/Kind/queueFull`` too. Nothing is stored then.
    @discardableResult
    public func apply(
        _ channel: AppNetChannel.ID,
        to id: Message.ID,
        sendsImmediately: Bool = true
    ) async throws -> Bool {
        try await apply(channel, to: [id], sendsImmediately: sendsImmediately) > 0
    }

    /// Puts the action of a channel on messages, in one transaction.
    ///
    /// - Parameters:
    ///   - channel: The action channel.
    ///   - ids: The ids of the messages, which may be temporary.
    ///   - sendsImmediately: Whether sending begins at once, in place of at the next call.
    /// - Returns: The number of messages that the action was off for.
    /// - Throws: ``MessageBeastError``, of the kinds ``MessageBeastError/Kind/notFound`` and
    ///   ``MessageBeastError/Kind/queueFull`` too. Nothing is stored then.
    @discardableResult
    public func apply(
        _ channel: AppNetChannel.ID,
        to ids: [Message.ID],
        sendsImmediately: Bool = true
    ) async throws -> Int {
        let count = try await write(channel) { writer in
            try writer.apply(to: ids.map { try ActionTarget($0, for: writer.channel, in: writer.database) })
        }
        if count > 0, sendsImmediately { manager.outbox.wake(channel) }
        return count
    }

    /// Takes the action of a channel off a message. Does nothing if it is off.
    ///
    /// An action that was not sent makes no request.
    ///
    /// - Parameters:
    ///   - channel: The action channel.
    ///   - id: The id of the message, which may be temporary, and need not be stored.
    /// - Returns: Whether the action was on.
    /// - Throws: ``MessageBeastError``.
    @discardableResult
    public func remove(_ channel: AppNetChannel.ID, from id: Message.ID) async throws -> Bool {
        try await remove(channel, from: [id]) > 0
    }

    /// Takes the action of a channel off messages, in one transaction.
    ///
    /// - Parameters:
    ///   - channel: The action channel.
    ///   - ids: The ids of the messages, which may be temporary, and need not be stored.
    /// - Returns: The number of messages that the action was on for.
    /// - Throws: ``MessageBeastError``.
    @discardableResult
    public func remove(_ channel: AppNetChannel.ID, from ids: [Message.ID]) async throws -> Int {
        let count = try await write(channel) { writer in
            let table = MessageTable(database: writer.database)
            return try writer.remove(
                from: ids.map { id in
                    // A temporary id finds the message, whose present id the action names.
                    let localID = try table.localID(of: id)
                    return try localID.map { try ActionTarget(localID: $0, in: writer.database).id } ?? id.text
                }
            )
        }
        if count > 0 { manager.outbox.wake(channel) }
        return count
    }

    private func write(
        _ channel: AppNetChannel.ID,
        _ body: @escaping @Sendable (ActionWriter) throws -> Int
    ) async throws -> Int {
        try context.checkActions()
        let (configuration, now, random) = (context.configuration, context.now, context.random)
        let limit = context.options.maximumUnsent
        return try await context.write(try context.life.term()) { database in
            let writer = ActionWriter(
                database: database,
                channel: try ChannelTable(database: database).requiredActionChannel(channel.text),
                configuration: configuration,
                now: now,
                random: random,
                limit: limit
            )
            return try body(writer)
        }
    }
}

// MARK: Reading

extension ActionMessageManager {
    /// Whether the action of a channel is on a message, which need not be stored.
    ///
    /// - Throws: ``MessageBeastError``.
    public func isActioned(_ id: Message.ID, in channel: AppNetChannel.ID) async throws -> Bool {
        try await read(channel) { try $0.isActioned(id) }
    }

    /// The messages, among those with some ids, that the action of a channel is on. The list may be of any length.
    ///
    /// - Throws: ``MessageBeastError``.
    public func actionedIDs(among ids: [Message.ID], in channel: AppNetChannel.ID) async throws -> Set<Message.ID> {
        try await read(channel) { try $0.actionedIDs(among: ids) }
    }

    /// Whether the action of a channel is on any message.
    ///
    /// - Throws: ``MessageBeastError``.
    public func hasActioned(in channel: AppNetChannel.ID) async throws -> Bool {
        try await read(channel) { try $0.hasActioned() }
    }

    /// The number of messages that the action of a channel is on, those that are not stored included.
    ///
    /// - Throws: ``MessageBeastError``.
    public func count(in channel: AppNetChannel.ID) async throws -> Int {
        try await read(channel) { try $0.count() }
    }

    /// The stored messages that the action of a channel is on, newest display date first. Unsent messages and unsent actions
    /// are included.
    ///
    /// - Parameters:
    ///   - channel: The action channel.
    ///   - cursor: The position after which the messages are. Default: the newest message.
    ///   - limit: The maximum number of messages; `nil` for all.
    /// - Throws: ``MessageBeastError``.
    public func actionedMessages(
        in channel: AppNetChannel.ID,
        before cursor: MessageCursor? = nil,
        limit: Int? = nil
    ) async throws -> [MessagePlus] {
        try await read(channel) { try $0.messages(before: cursor, limit: limit) }
    }

    private func read<Value: Sendable>(
        _ channel: AppNetChannel.ID,
        _ body: @escaping @Sendable (ActionReader) throws -> Value
    ) async throws -> Value {
        try context.checkActions()
        return try await context.read { try body(ActionReader(database: $0, channel: channel)) }
    }
}

extension EngineContext {
    /// Checks that the service has messages without text.
    ///
    /// - Throws: ``MessageBeastError/Kind/unsupportedByDialect``.
    func checkActions() throws {
        guard client.dialect == .appNet else {
            throw MessageBeastError(
                .unsupportedByDialect,
                "actions need messages without text, which pnut.io does not have"
            )
        }
    }
}
