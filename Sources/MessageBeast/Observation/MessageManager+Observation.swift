public import AppNet
public import Foundation
internal import GRDB
internal import HeliumDatabase

// MARK: Messages

extension MessageManager {
    /// The newest messages of a channel, as they change.
    ///
    /// - Parameter limit: The maximum number of messages; `nil` for all.
    nonisolated public func observeMessages(
        in channel: AppNetChannel.ID,
        limit: Int? = 50
    ) -> Observation<[MessagePlus]> {
        observing { try $0.page(of: channel, limit: limit).messages }
    }

    /// A message, of any channel, as it changes; `nil` while it is not stored. A temporary id remains valid after the message
    /// was sent.
    nonisolated public func observeMessage(id: Message.ID) -> Observation<MessagePlus?> {
        observing { try $0.message(id: id) }
    }

    /// The newest messages with a hashtag, as ``messages(in:hashtag:after:limit:)``.
    nonisolated public func observeMessages(
        in channel: AppNetChannel.ID,
        hashtag: String,
        limit: Int? = nil
    ) -> Observation<[MessagePlus]> {
        observing { try $0.messages(in: channel, hashtag: hashtag, limit: limit) }
    }

    /// The newest messages with annotations of a type, as ``messages(in:annotationType:after:limit:)``.
    nonisolated public func observeMessages(
        in channel: AppNetChannel.ID,
        annotationType: String,
        limit: Int? = nil
    ) -> Observation<[MessagePlus]> {
        observing { try $0.messages(in: channel, annotationType: annotationType, limit: limit) }
    }

    /// The newest messages at a place, as ``messages(in:at:precision:after:limit:)``.
    nonisolated public func observeMessages(
        in channel: AppNetChannel.ID,
        at location: DisplayLocation,
        precision: LocationPrecision = .hundredMeters,
        limit: Int? = nil
    ) -> Observation<[MessagePlus]> {
        observing { try $0.messages(in: channel, at: location, precision: precision, limit: limit) }
    }

    /// The hits of a search, as ``search(text:in:order:after:afterRank:limit:filter:)``, from the first one on.
    nonisolated public func observeSearch(
        text: String,
        in channel: AppNetChannel.ID,
        order: SearchOrder = .newestFirst,
        limit: Int? = nil,
        filter: SearchFilter = SearchFilter()
    ) -> Observation<[SearchHit]> {
        observing { try $0.search(text: text, in: channel, order: order, limit: limit, filter: filter) }
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

// MARK: What messages have in common

extension MessageManager {
    /// The hashtags of a channel, as ``hashtags(in:since:before:limit:)``.
    nonisolated public func observeHashtags(
        in channel: AppNetChannel.ID,
        since: Date? = nil,
        before: Date? = nil,
        limit: Int? = nil
    ) -> Observation<[HashtagInstances]> {
        listing { try $0.hashtags(in: channel, since: since, before: before, limit: limit) }
    }

    /// The places of a channel, as ``displayLocations(in:precision:limit:)``.
    nonisolated public func observeDisplayLocations(
        in channel: AppNetChannel.ID,
        precision: LocationPrecision = .tenKilometers,
        limit: Int? = nil
    ) -> Observation<[DisplayLocationInstances]> {
        listing { try $0.displayLocations(in: channel, precision: precision, limit: limit) }
    }

    private nonisolated func listing<Value>(
        _ body: @escaping @Sendable (InstanceReader) throws -> Value
    ) -> Observation<Value> {
        let configuration = context.configuration
        return Observation(context: context, tables: ObservedTables.messages) {
            try body(InstanceReader(database: $0, configuration: configuration))
        }
    }
}

// MARK: The outbox and the sync

extension MessageManager {
    /// The number of unsent messages of a channel, parked ones included, as it changes.
    ///
    /// - Parameter channel: The channel; `nil` for all.
    nonisolated public func observeUnsentCount(in channel: AppNetChannel.ID? = nil) -> Observation<Int> {
        Observation(context: context, tables: ObservedTables.messages) {
            try OutboxTable(database: $0).visibleCount(in: channel?.text)
        }
    }

    /// The unsent messages of a channel, as ``outbox(of:)``.
    nonisolated public func observeOutbox(of channel: AppNetChannel.ID) -> Observation<[OutboxItem]> {
        let configuration = context.configuration
        return Observation(context: context, tables: ObservedTables.messages) {
            try OutboxItem.items(of: channel, configuration: configuration, in: $0)
        }
    }

    /// The messages that wait for a decision, as ``parkedMessages()``.
    nonisolated public func observeParkedMessages() -> Observation<[ParkedMessage]> {
        let configuration = context.configuration
        return Observation(context: context, tables: ObservedTables.messages) {
            try ParkedMessage.all(configuration: configuration, in: $0)
        }
    }

    /// The state of the sync of a channel, as ``syncStatus(of:)``.
    nonisolated public func observeSyncStatus(of channel: AppNetChannel.ID) -> Observation<SyncStatus> {
        Observation(context: context, tables: ObservedTables.sync) { try SyncStatus(of: channel.text, in: $0) }
    }

    /// Looks at once for what other processes have written, in place of within a second, and notifies the observations.
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
    /// Whether the action of a channel is on a message, as it changes.
    ///
    /// Iterating throws ``MessageBeastError`` of the kind ``MessageBeastError/Kind/notFound`` for a channel that is not stored.
    public func observeIsActioned(_ id: Message.ID, in channel: AppNetChannel.ID) -> MessageManager.Observation<Bool> {
        observing(channel) { try $0.isActioned(id) }
    }

    /// The stored messages that the action of a channel is on, newest first, as they change.
    ///
    /// Iterating throws ``MessageBeastError`` of the kind ``MessageBeastError/Kind/notFound`` for a channel that is not stored.
    ///
    /// - Parameter limit: The maximum number of messages; `nil` for all.
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

/// The tables that values are read from, as far as SQLite reports their changes: not those without row ids, whose rows change
/// with those of messages.
enum ObservedTables {
    static let messages = ["message", "outbox", "location_instance"]
    static let sync = ["channel", "message", "outbox", "pending_message_deletion"]
    static let actions = messages + ["action_spec"]
}
