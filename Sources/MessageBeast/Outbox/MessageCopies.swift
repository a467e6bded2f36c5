internal import GRDB
internal import HeliumCore

/// Keeps the copy of a message that has the lower id, with the actions on both copies
/// (Docs/Protocols/MessageBeast.md §4.4).
struct MessageCopies {
    let database: Database
    let derived: DerivedRows
    /// The channel of the copies, unless a function documents otherwise.
    let channel: ChannelRecord
    let random: RandomSource

    /// Gives a stored message the lower id of its copy, and queues the deletion of the higher one.
    func replace(_ localID: Int64, id higher: String, by message: IncomingMessage) throws {
        let actions = try actions(on: higher)
        try PendingDeletionTable(database: database).insert(higher, channel: channel.id)
        let adoption = MessageAdoption(database: database, derived: derived, channel: channel, random: random)
        try adoption.rename(localID, from: higher, to: message)
        try derived.replace(of: localID, with: message.derivation)
        // Actions on the other copy may arrive later, from another device or in a later page.
        try MessageTable(database: database).keepFormerID(higher, of: localID)
        try move(actions, to: localID)
    }

    /// Queues the deletion of a copy whose id is higher than that of a stored message.
    func discard(_ higher: String, besides localID: Int64) throws {
        try PendingDeletionTable(database: database).insert(higher, channel: channel.id)
        try MessageTable(database: database).keepFormerID(higher, of: localID)
        try move(actions(on: higher), to: localID)
    }

    /// Gives a new message the actions of its copy with the higher id, which was stored here and is missing on the
    /// service. The message may also be the missing one, if the service has it again: it gets its own actions again.
    func succeed(_ missing: String, by message: IncomingMessage, _ localID: Int64) throws {
        let kept = try MissingActions(database: database).take(from: missing)
        for channel in kept { try apply(channel, to: [localID]) }
        // An action on a former id would be replaced each time that one arrives.
        if message.id.hasSameBytes(as: missing) { return }
        let arrived = try actions(on: missing)
        try MessageTable(database: database).keepFormerID(missing, of: localID)
        try move(arrived, to: localID)
    }

    /// Moves the actions among new action messages that are on copies which are no longer stored. ``channel`` is the
    /// channel of the actions.
    ///
    /// - Parameter actions: The targets of the new action messages, by the local ids of the action messages.
    func follow(_ actions: [(localID: Int64, target: String)]) throws {
        let moved = try MessageTable(database: database).localIDs(ofFormerIDs: actions.map(\.target))
        if moved.isEmpty { return }
        var targets: [Int64] = []
        for action in actions {
            guard let localID = moved[action.target] else { continue }
            try MessageDeletion.delete(action.localID, in: database)
            targets.append(localID)
        }
        // Together, because each call reads the deletions that are queued.
        try apply(channel.id, to: targets)
    }

    /// Returns the sent actions on a message, by channel. Unsent actions follow their target automatically.
    private func actions(on id: String) throws -> [(channel: String, actions: [Int64])] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT spec.action_local_id FROM action_spec AS spec
                CROSS JOIN message AS m ON m.local_id = spec.action_local_id
                WHERE spec.action_channel_id = ? AND spec.target_message_id = ? AND m.kind = 'sent'
                ORDER BY spec.action_local_id
                """
        )
        return try ChannelTable(database: database).actionChannels(target: channel.id).map {
            ($0, try Int64.fetchAll(statement, arguments: [$0, id]))
        }
    }

    /// Applies the actions that are off for the remaining copy, and deletes those on the other copy.
    private func move(_ actions: [(channel: String, actions: [Int64])], to localID: Int64) throws {
        for (channel, actions) in actions where !actions.isEmpty {
            for action in actions { try MessageDeletion.delete(action, in: database) }
            try apply(channel, to: [localID])
        }
    }

    private func apply(_ channel: String, to localIDs: [Int64]) throws {
        let writer = ActionWriter(
            database: database,
            channel: try ChannelTable(database: database).required(channel),
            configuration: derived.configuration,
            now: derived.now,
            random: random
        )
        _ = try writer.apply(to: localIDs.map { try ActionTarget(localID: $0, in: database) })
    }
}
