public import AppNet

/// Flags on messages, such as favorites, which all devices of an account share.
///
/// The service cannot change a message. An action is therefore a separate message, in a channel for the actions of one
/// type on the messages of one other channel. Several action messages for one message, from several devices, count as
/// one.
///
/// ```swift
/// let favorites = try await manager.actions.channel(ofType: "com.example.favorite", target: journal).id
/// try await manager.actions.apply(favorites, to: id)
/// let messages = try await manager.actions.actionedMessages(in: favorites, limit: 20)
/// ```
///
/// Action channels are fetched like other channels: by ``MessageManager/fetchNewest(in:excluding:)`` and
/// ``MessageManager/fullSync(of:excluding:)``. With a client of pnut.io, where every message has a text, every function
/// throws ``MessageBeastError/Kind/unsupportedByDialect``.
public struct ActionMessageManager: Sendable {
    /// The engine.
    public let manager: MessageManager

    /// Creates a manager for the actions of an engine.
    package init(manager: MessageManager) { self.manager = manager }

    private var context: EngineContext { manager.context }
}

extension MessageManager {
    /// The flags on messages.
    nonisolated public var actions: ActionMessageManager { ActionMessageManager(manager: self) }
}

// MARK: Changing

extension ActionMessageManager {
    /// Returns the channel of the actions of a type on the messages of another channel.
    ///
    /// A stored channel is returned without a request. Otherwise the user's channel on the service is used, or a new
    /// channel is created. If two devices created one each at the same time, the channel with the lower id is used and
    /// receives the actions of the other.
    ///
    /// - Parameters:
    ///   - type: A name of the app's choice, for example `com.example.favorite`.
    ///   - target: The channel of the messages that the actions are on.
    /// - Throws: `AppNetError` if a request failed; nothing is created after a failed look-up. ``MessageBeastError``.
    public func channel(ofType type: String, target: AppNetChannel.ID) async throws -> StoredChannel {
        try await manager.actionChannel(ofType: type, target: target)
    }

    /// Applies the action of a channel to a message, sent or unsent, and starts sending it.
    ///
    /// The action of an unsent message is sent after the message.
    ///
    /// - Parameters:
    ///   - channel: The action channel.
    ///   - id: The id of the message, which may be temporary.
    ///   - sendsImmediately: Whether sending starts at once. If `false`, the action waits until the channel is next
    ///     sent.
    /// - Returns: Whether the action was off.
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/notFound`` and
    ///   ``MessageBeastError/Kind/queueFull``. Nothing is stored in that case.
    @discardableResult
    public func apply(
        _ channel: AppNetChannel.ID,
        to id: Message.ID,
        sendsImmediately: Bool = true
    ) async throws -> Bool {
        try await apply(channel, to: [id], sendsImmediately: sendsImmediately) > 0
    }

    /// Applies the action of a channel to messages, in one transaction.
    ///
    /// - Parameters:
    ///   - channel: The action channel.
    ///   - ids: The ids of the messages, which may be temporary.
    ///   - sendsImmediately: Whether sending starts at once. If `false`, the actions wait until the channel is next
    ///     sent.
    /// - Returns: The number of messages that the action was off for.
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/notFound`` and
    ///   ``MessageBeastError/Kind/queueFull``. Nothing is stored in that case.
    @discardableResult
    public func apply(
        _ channel: AppNetChannel.ID,
        to ids: [Message.ID],
        sendsImmediately: Bool = true
    ) async throws -> Int {
        try await write(channel, sends: sendsImmediately) { writer in
            try writer.apply(to: ids.map { try ActionTarget($0, for: writer.channel, in: writer.database) })
        }
    }

    /// Removes the action of a channel from a message. Does nothing if it is off, except that a removal that the service
    /// refused before is sent again.
    ///
    /// Removing an unsent action makes no request.
    ///
    /// - Parameters:
    ///   - channel: The action channel.
    ///   - id: The id of the message. It may be temporary, and the message need not be stored.
    /// - Returns: Whether the action was on.
    /// - Throws: ``MessageBeastError``.
    @discardableResult
    public func remove(_ channel: AppNetChannel.ID, from id: Message.ID) async throws -> Bool {
        try await remove(channel, from: [id]) > 0
    }

    /// Removes the action of a channel from messages, in one transaction. A removal that the service refused before is sent
    /// again.
    ///
    /// - Parameters:
    ///   - channel: The action channel.
    ///   - ids: The ids of the messages. They may be temporary, and the messages need not be stored.
    /// - Returns: The number of messages that the action was on for.
    /// - Throws: ``MessageBeastError``.
    @discardableResult
    public func remove(_ channel: AppNetChannel.ID, from ids: [Message.ID]) async throws -> Int {
        try await write(channel) { writer in
            let table = MessageTable(database: writer.database)
            return try writer.remove(
                from: ids.map { id in
                    // A temporary id identifies the message. The action names the message by its current id.
                    let localID = try table.localID(of: id)
                    return try localID.map { try ActionTarget(localID: $0, in: writer.database).id } ?? id.text
                }
            )
        }
    }

    private func write(
        _ channel: AppNetChannel.ID,
        sends: Bool = true,
        _ body: @escaping @Sendable (ActionWriter) throws -> Int
    ) async throws -> Int {
        try context.checkActions()
        let (configuration, now, random) = (context.configuration, context.now, context.random)
        let limit = context.options.maximumUnsent
        return try await context.write(try context.life.term(), sends: sends) { database in
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
    /// Returns whether the action of a channel is on a message. The message need not be stored.
    ///
    /// - Throws: ``MessageBeastError``.
    public func isActioned(_ id: Message.ID, in channel: AppNetChannel.ID) async throws -> Bool {
        try await read(channel) { try $0.isActioned(id) }
    }

    /// Returns the ids, among those given, of the messages that the action of a channel is on. The list may have any
    /// length.
    ///
    /// - Throws: ``MessageBeastError``.
    public func actionedIDs(among ids: [Message.ID], in channel: AppNetChannel.ID) async throws -> Set<Message.ID> {
        try await read(channel) { try $0.actionedIDs(among: ids) }
    }

    /// Returns whether the action of a channel is on any message.
    ///
    /// - Throws: ``MessageBeastError``.
    public func hasActioned(in channel: AppNetChannel.ID) async throws -> Bool {
        try await read(channel) { try $0.hasActioned() }
    }

    /// Returns the number of messages that the action of a channel is on, including messages that are not stored.
    ///
    /// - Throws: ``MessageBeastError``.
    public func count(in channel: AppNetChannel.ID) async throws -> Int {
        try await read(channel) { try $0.count() }
    }

    /// Returns the stored messages that the action of a channel is on, newest display date first.
    ///
    /// Unsent messages and unsent actions are included.
    ///
    /// - Parameters:
    ///   - channel: The action channel.
    ///   - cursor: The position after which the returned messages are. Default: `nil`, which starts at the newest
    ///     message.
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
    /// Checks that the service supports messages without text.
    ///
    /// - Throws: ``MessageBeastError/Kind/unsupportedByDialect``.
    func checkActions() throws {
        guard client.dialect == .appNet else {
            throw MessageBeastError(
                .unsupportedByDialect,
                "pnut.io does not support actions: they need messages without text"
            )
        }
    }
}
