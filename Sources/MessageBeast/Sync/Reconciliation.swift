internal import AppNet
internal import GRDB
internal import HeliumCore

/// The result of a comparison with the service.
public struct ReconcileSummary: Sendable, Hashable {
    /// The number of compared messages.
    public internal(set) var checked = 0

    /// The number of messages that were removed because the service no longer has them.
    public internal(set) var removed = 0
}

/// Removes the stored messages of a channel that were deleted on the service (Docs/Protocols/MessageBeast.md §3.7).
///
/// A response can only remove messages that were stored before its request. A failed request removes nothing.
struct Reconciliation: Sendable {
    let context: EngineContext
    let channel: AppNetChannel.ID

    private static let batchSize = 200

    func run() async throws -> ReconcileSummary {
        let term = try context.life.term()
        let id = channel.text
        var summary = ReconcileSummary()
        while true {
            try Task.checkCancellation()
            let (record, batch) = try await context.read { database in
                let channel = try ChannelTable(database: database).required(id)
                return (channel, try ReconcileCursor(database: database, channel: id).batch(Self.batchSize))
            }
            guard let last = batch.last else { break }
            let lost = try await lost(among: batch.map(\.id), ChannelParameters.complete(of: record))
            summary.checked += batch.count
            summary.removed += try await context.write(term) { database in
                try ReconcileCursor(database: database, channel: id).move(to: last.sortKey)
                return try Self.remove(lost, in: database)
            }
        }
        try await confirmTargets()
        let now = context.now
        try await context.write(term) { database in
            let table = ChannelTable(database: database)
            try ReconcileCursor(database: database, channel: id).move(to: nil)
            guard var channel = try table.channel(id) else { return }
            channel.lastReconciled = now
            try table.setSync(channel)
        }
        return summary
    }

    /// Requests the missing messages on which actions of this channel have arrived, so that the actions are deleted. A
    /// message that the service has after all is stored again. The actions remain if the user may no longer read the
    /// message, which the next comparison will not change either.
    private func confirmTargets() async throws {
        let id = channel.text
        for target in try await context.read({ try MissingActions(database: $0).targets(in: id) }) {
            try Task.checkCancellation()
            do {
                _ = try await MessageRefresh(context: context, channel: target.channel).refresh(target.id)
            } catch let error as AppNetError where error.kind == .undecodable || error.status == 403 {
                // Nothing says that the service does not have the message.
            }
        }
    }

    /// A message that the service no longer has.
    private struct Lost: Sendable {
        let id: Message.ID
        /// Whether the service has denied that it has the message, rather than left it out of a list.
        let isConfirmed: Bool
    }

    /// Returns the messages that the service no longer has.
    ///
    /// If more than half are missing, each is requested individually. A message with actions on it is always requested
    /// individually, because its actions are deleted on the service. A message that cannot be decoded is not missing.
    private func lost(among ids: [Message.ID], _ parameters: GeneralParameters) async throws -> [Lost] {
        let messages = context.client.messages
        let attempts = ReadAttempts(context: context)
        var (found, unreadable): ([Message], UnreadableItems?) = ([], nil)
        do {
            let (elements, others) = try await attempts({ try await messages.readable(ids, parameters: parameters) })
            (found, unreadable) = (elements, others)
        } catch let error as AppNetError where error.kind == .undecodable {
            // None of the messages can be decoded. They are requested individually.
        }
        // The service has a message that cannot be decoded.
        let live = Set(found.filter { $0.isDeleted != true && $0.channelID == channel }.compactMap(\.id))
            .union((unreadable?.ids ?? []).map { Message.ID($0) })
        let missing = ids.filter { !live.contains($0) }
        let areAllNamed = unreadable.map { $0.ids.count == $0.count } ?? false
        let isDoubtful = missing.count * 2 > ids.count || !areAllNamed
        let actioned = isDoubtful ? [] : try await actioned(among: missing)
        var lost: [Lost] = []
        for id in missing {
            if !isDoubtful, !actioned.contains(id) {
                lost.append(Lost(id: id, isConfirmed: false))
            } else if try await isLost(id, parameters) {
                lost.append(Lost(id: id, isConfirmed: true))
            }
        }
        return lost
    }

    /// Returns those messages that an action is on.
    private func actioned(among ids: [Message.ID]) async throws -> Set<Message.ID> {
        if ids.isEmpty { return [] }
        return try await context.read { database in
            let specs = ActionSpecTable(database: database)
            return try ids.reduce(into: []) { found, id in
                if try specs.hasActions(on: id) { found.insert(id) }
            }
        }
    }

    private func isLost(_ id: Message.ID, _ parameters: GeneralParameters) async throws -> Bool {
        try Task.checkCancellation()
        do {
            return try await MessageRefresh(context: context, channel: channel).fetch(id, parameters) == nil
        } catch let error as AppNetError where error.kind == .undecodable {
            return false
        }
    }

    /// Removes messages that are still stored.
    ///
    /// - Returns: The number of messages.
    private static func remove(_ lost: [Lost], in database: Database) throws -> Int {
        guard !lost.isEmpty else { return 0 }
        let specs = ActionSpecTable(database: database)
        // An action that was applied in the meantime leaves its message to the next comparison.
        let ids = try lost.filter { try $0.isConfirmed || !specs.hasActions(on: $0.id) }.map(\.id.text)
        let localIDs = try MessageTable(database: database).localIDs(of: ids).values.sorted()
        let removal = MessageRemoval(database: database)
        for localID in localIDs { try removal.removeActions(on: localID) }
        try removal.remove(localIDs, areMissing: true)
        return localIDs.count
    }
}

/// The position of an interrupted reconciliation.
private struct ReconcileCursor {
    let database: Database
    let channel: String

    private var key: String { "reconciled:\(channel)" }

    /// Returns the next messages to request.
    func batch(_ count: Int) throws -> [(id: Message.ID, sortKey: Int64)] {
        let position = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT CAST(value AS INTEGER) FROM meta WHERE key = ?"),
            arguments: [key]
        )
        return try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id, sort_key FROM message
                    WHERE channel_id = ? AND sort_key > ? AND kind = 'sent' ORDER BY sort_key LIMIT ?
                    """
            ),
            arguments: [channel, position ?? -1, count]
        ).map { (Message.ID($0[0] as String), $0[1]) }
    }

    /// Stores the highest id that was compared; `nil` starts over.
    func move(to sortKey: Int64?) throws {
        guard let sortKey else {
            try database.cachedStatement(sql: "DELETE FROM meta WHERE key = ?").execute(arguments: [key])
            return
        }
        try database.cachedStatement(
            sql: "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        ).execute(arguments: [key, String(sortKey)])
    }
}
