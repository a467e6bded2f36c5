public import AppNet
public import Foundation
internal import GRDB
internal import HeliumDatabase

// MARK: Messages

extension MessageManager {
    /// Observes the newest messages of a channel.
    ///
    /// - Parameters:
    ///   - channel: The channel of the messages.
    ///   - limit: The maximum number of messages; `nil` for all. Default: 50.
    ///   - filter: Returns `true` for messages to leave out. They do not count for the limit. Default: `nil`, no filter.
    nonisolated public func observeMessages(
        in channel: AppNetChannel.ID,
        limit: Int? = 50,
        excluding filter: MessageFilter? = nil
    ) -> Observation<[MessagePlus]> {
        observing { try $0.page(of: channel, limit: limit, excluding: filter).messages }
    }

    /// Observes a message of any channel; `nil` while it is not stored.
    ///
    /// A temporary id remains valid after the message was sent.
    nonisolated public func observeMessage(id: Message.ID) -> Observation<MessagePlus?> {
        observing { try $0.message(id: id) }
    }

    /// Observes the messages with ids, of any channel; see ``messages(ids:)``.
    nonisolated public func observeMessages(ids: [Message.ID]) -> Observation<[MessagePlus]> {
        observing { try $0.messages(ids: ids) }
    }

    /// Observes the messages of a channel between two display dates; see ``messages(in:from:to:limit:excluding:)``.
    ///
    /// - Parameters:
    ///   - channel: The channel of the messages.
    ///   - from: The earliest date, inclusive; `nil` for no limit.
    ///   - to: The date before which the messages are; `nil` for no limit.
    ///   - limit: The maximum number of messages; `nil` for all. Default: `nil`.
    ///   - filter: Returns `true` for messages to leave out. They do not count for the limit. Default: `nil`, no filter.
    nonisolated public func observeMessages(
        in channel: AppNetChannel.ID,
        from: Date?,
        to: Date?,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) -> Observation<[MessagePlus]> {
        observing { try $0.messages(in: channel, from: from, to: to, limit: limit, excluding: filter) }
    }

    /// Observes the newest messages with a hashtag; see ``messages(in:hashtag:after:limit:excluding:)``.
    nonisolated public func observeMessages(
        in channel: AppNetChannel.ID,
        hashtag: String,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) -> Observation<[MessagePlus]> {
        observing { try $0.messages(in: channel, hashtag: hashtag, limit: limit, excluding: filter) }
    }

    /// Observes the newest messages with annotations of a type; see
    /// ``messages(in:annotationType:after:limit:excluding:)``.
    nonisolated public func observeMessages(
        in channel: AppNetChannel.ID,
        annotationType: String,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) -> Observation<[MessagePlus]> {
        observing { try $0.messages(in: channel, annotationType: annotationType, limit: limit, excluding: filter) }
    }

    /// Observes the newest messages at a place; see ``messages(in:at:precision:after:limit:excluding:)``.
    nonisolated public func observeMessages(
        in channel: AppNetChannel.ID,
        at location: DisplayLocation,
        precision: LocationPrecision = .hundredMeters,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) -> Observation<[MessagePlus]> {
        observing { try $0.messages(in: channel, at: location, precision: precision, limit: limit, excluding: filter) }
    }

    private nonisolated func observing<Value>(
        _ body: @escaping @Sendable (MessageReader) throws -> Value
    ) -> Observation<Value> {
        let configuration = context.configuration
        return Observation(context: context, tables: ObservedTables.messages) {
            try body(MessageReader(database: $0, configuration: configuration))
        }
    }
}

// MARK: Searches

extension MessageManager {
    /// Observes the first hits of a search; see
    /// ``search(text:in:order:after:afterRank:limit:filter:excluding:)``.
    nonisolated public func observeSearch(
        text: String,
        in channel: AppNetChannel.ID,
        order: SearchOrder = .newestFirst,
        limit: Int? = nil,
        filter: SearchFilter = SearchFilter(),
        excluding excludes: MessageFilter? = nil
    ) -> Observation<[SearchHit]> {
        observing {
            try $0.search(text: text, in: channel, order: order, limit: limit, filter: filter, excluding: excludes)
        }
    }

    /// Observes the first hits of a search for a pattern; see
    /// ``search(pattern:in:order:after:afterRank:limit:filter:excluding:)``.
    ///
    /// Iterating throws ``MessageBeastError`` with the kind ``MessageBeastError/Kind/invalidPattern`` for invalid
    /// syntax.
    nonisolated public func observeSearch(
        pattern: String,
        in channel: AppNetChannel.ID,
        order: SearchOrder = .newestFirst,
        limit: Int? = nil,
        filter: SearchFilter = SearchFilter(),
        excluding excludes: MessageFilter? = nil
    ) -> Observation<[SearchHit]> {
        observing {
            try $0.search(
                pattern: pattern,
                in: channel,
                order: order,
                limit: limit,
                filter: filter,
                excluding: excludes
            )
        }
    }

    /// Observes the newest messages at places with a name; see ``search(placeName:in:after:limit:excluding:)``.
    nonisolated public func observeSearch(
        placeName: String,
        in channel: AppNetChannel.ID,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) -> Observation<[MessagePlus]> {
        observing { try $0.search(placeName: placeName, in: channel, limit: limit, excluding: filter) }
    }
}

// MARK: The outbox and the sync

extension MessageManager {
    /// Observes the number of unsent messages of a channel, including parked ones.
    ///
    /// - Parameter channel: The channel; `nil` for all.
    nonisolated public func observeUnsentCount(in channel: AppNetChannel.ID? = nil) -> Observation<Int> {
        Observation(context: context, tables: ObservedTables.messages) {
            try OutboxTable(database: $0).visibleCount(in: channel?.text)
        }
    }

    /// Observes the unsent messages of a channel; see ``outbox(of:)``.
    nonisolated public func observeOutbox(of channel: AppNetChannel.ID) -> Observation<[OutboxItem]> {
        let configuration = context.configuration
        return Observation(context: context, tables: ObservedTables.messages) {
            try OutboxItem.items(of: channel, configuration: configuration, in: $0)
        }
    }

    /// Observes the messages that wait for a decision; see ``parkedMessages()``.
    nonisolated public func observeParkedMessages() -> Observation<[ParkedMessage]> {
        let configuration = context.configuration
        return Observation(context: context, tables: ObservedTables.messages) {
            try ParkedMessage.all(configuration: configuration, in: $0)
        }
    }

    /// Observes the state of the sync of a channel; see ``syncStatus(of:)``.
    nonisolated public func observeSyncStatus(of channel: AppNetChannel.ID) -> Observation<SyncStatus> {
        Observation(context: context, tables: ObservedTables.sync) { try SyncStatus(of: channel.text, in: $0) }
    }

    /// Checks at once for changes of other processes, instead of within a second, and notifies the observations.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func checkForChangesOfOtherProcesses() async throws {
        do {
            try await context.observers.look(at: context.database.access)
        } catch {
            throw MessageBeastError.translated(error)
        }
    }
}

// MARK: Actions

extension ActionMessageManager {
    /// Observes whether the action of a channel is on a message.
    ///
    /// Iterating throws ``MessageBeastError`` with the kind ``MessageBeastError/Kind/notFound`` for a channel that is
    /// not stored.
    public func observeIsActioned(_ id: Message.ID, in channel: AppNetChannel.ID) -> MessageManager.Observation<Bool> {
        observing(channel) { try $0.isActioned(id) }
    }

    /// Observes the stored messages that the action of a channel is on, newest first.
    ///
    /// Iterating throws ``MessageBeastError`` with the kind ``MessageBeastError/Kind/notFound`` for a channel that is
    /// not stored.
    ///
    /// - Parameters:
    ///   - channel: The action channel.
    ///   - limit: The maximum number of messages; `nil` for all.
    public func observeActionedMessages(
        in channel: AppNetChannel.ID,
        limit: Int? = nil
    ) -> MessageManager.Observation<[MessagePlus]> {
        observing(channel) { try $0.messages(before: nil, limit: limit) }
    }

    private func observing<Value>(
        _ channel: AppNetChannel.ID,
        _ body: @escaping @Sendable (ActionReader) throws -> Value
    ) -> MessageManager.Observation<Value> {
        let context = manager.context
        return MessageManager.Observation(context: context, tables: ObservedTables.actions) {
            try context.checkActions()
            return try body(ActionReader(database: $0, channel: channel))
        }
    }
}

/// The tables that values are read from, as far as SQLite reports their changes. Tables without row ids are left out:
/// their rows change only with those of messages.
enum ObservedTables {
    static let messages = ["message", "outbox", "location_instance"]
    static let places = ["place", "location_instance"]
    static let sync = ["channel", "message", "outbox", "pending_message_deletion"]
    static let actions = messages + ["action_spec"]
}
