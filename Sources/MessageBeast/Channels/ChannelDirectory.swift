internal import AppNet
internal import GRDB
internal import HeliumConcurrency
internal import Synchronization

/// Finds the channels of the user and creates missing ones (Docs/Protocols/MessageBeast.md §5.1).
final class ChannelDirectory: Sendable {
    private let context: EngineContext
    /// A lock for each wanted channel, so that two callers do not create two channels.
    private let locks = Guarded<[WantedChannel: AsyncLock]>([:])

    init(context: EngineContext) { self.context = context }

    /// Returns the channel from the store or from the service, or creates it.
    ///
    /// A failed look-up never leads to a creation.
    func channel(_ wanted: WantedChannel, parameters: GeneralParameters?) async throws -> StoredChannel {
        let lock = locks.withLock { locks in
            let lock = locks[wanted] ?? AsyncLock()
            locks[wanted] = lock
            return lock
        }
        return try await lock.withLock {
            // Taken before the look-up, so that a store that is wiped meanwhile does not get the channel back.
            let update = try parameters.map { ParameterUpdate(parameters: $0, term: try context.life.term()) }
            if let known = try await stored(wanted) { return try await apply(update, to: known) }
            let term = try context.life.term()
            var found = try await find(wanted)
            let used: AppNetChannel
            var isNew = false
            if let lowest = found.first {
                used = lowest
            } else {
                let created = try await context.client.channels.create(
                    wanted.creation(for: context.account),
                    parameters: Self.annotated
                )
                context.reached(.channelCreated)
                // Another device may have created a channel since the first look-up. Both devices use the lower id.
                found = try await find(wanted)
                used = found.first ?? created
                isNew = used.id == created.id
            }
            // This runs before the channel is stored, so that an interrupted look-up is repeated.
            let actions = try await DuplicateActions(context: context).move(from: found, wanted)
            let channel = used.youSubscribed == true ? used : try await subscribe(to: used)
            return try await save(channel, for: wanted, parameters, isNew: isNew, moving: actions, term)
        }
    }

    /// Deactivates a channel on the service and removes it with its messages from the store.
    ///
    /// - Throws: ``MessageBeastError/Kind/blocked`` if the channel has unsent messages.
    func deactivate(_ id: AppNetChannel.ID) async throws {
        let term = try context.life.term()
        try await context.read { try Self.checkRemovable(id.text, in: $0) }
        do {
            _ = try await context.client.channels.deactivate(id)
        } catch let error as AppNetError where error.kind == .notFound || error.status == 410 {
            // The channel no longer exists, which is the wanted result.
        }
        try await context.write(term) { database in
            try Self.checkRemovable(id.text, in: database)
            try database.execute(
                sql: "DELETE FROM pending_message_deletion WHERE channel_id = ?",
                arguments: [id.text]
            )
            try database.execute(sql: "DELETE FROM message WHERE channel_id = ?", arguments: [id.text])
            try database.execute(sql: "DELETE FROM channel WHERE id = ?", arguments: [id.text])
        }
    }

    private static func checkRemovable(_ id: String, in database: Database) throws {
        let unsent = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM message WHERE channel_id = ? AND kind <> 'sent'",
            arguments: [id]
        )
        guard let unsent, unsent > 0 else { return }
        throw MessageBeastError(
            .blocked,
            "channel \(id) has \(unsent) unsent messages and drafts",
            blockingWork: BlockingWork(unsent: unsent, pendingDeletions: 0)
        )
    }

    // MARK: The store

    private func stored(_ wanted: WantedChannel) async throws -> ChannelRecord? {
        try await context.read { database in
            let table = ChannelTable(database: database)
            guard let type = wanted.actionType, let target = wanted.target else {
                return try table.privateChannel(type: wanted.channelType)
            }
            return try table.actionChannel(type: type, target: target.text)
        }
    }

    /// New parameters for a stored channel.
    private struct ParameterUpdate {
        let parameters: GeneralParameters
        let term: EngineLife.Term
    }

    /// Stores new parameters for a known channel.
    private func apply(_ update: ParameterUpdate?, to known: ChannelRecord) async throws -> StoredChannel {
        guard let update else { return StoredChannel(known) }
        let text = try ChannelParameters.text(of: update.parameters)
        guard known.queryParameters != text else { return StoredChannel(known) }
        return try await context.write(update.term) { database in
            let table = ChannelTable(database: database)
            // The channel may have been deactivated since it was looked up.
            var record = try table.required(known.id)
            record.queryParameters = text
            try table.save(record)
            return StoredChannel(record)
        }
    }

    private func save(
        _ channel: AppNetChannel,
        for wanted: WantedChannel,
        _ parameters: GeneralParameters?,
        isNew: Bool,
        moving actions: DuplicateActions.Move,
        _ term: EngineLife.Term
    ) async throws -> StoredChannel {
        let record = try ChannelRecord(
            channel,
            for: wanted,
            parameters: parameters ?? ChannelParameters.standard,
            isNew: isNew
        )
        let (configuration, now, random) = (context.configuration, context.now, context.random)
        try await context.write(term) { database in
            try ChannelTable(database: database).save(record)
            let writer = ActionWriter(
                database: database,
                channel: record,
                configuration: configuration,
                now: now,
                random: random
            )
            _ = try writer.apply(to: try actions.targets.map { try ActionTarget(serverID: $0, in: database) })
            let deletions = PendingDeletionTable(database: database)
            for source in actions.sources { try deletions.insert(source.id, channel: source.channel) }
        }
        return StoredChannel(record)
    }

    // MARK: The service

    private static let annotated: GeneralParameters = {
        var parameters = GeneralParameters()
        parameters.includesChannelAnnotations = true
        return parameters
    }()

    private func subscribe(to channel: AppNetChannel) async throws -> AppNetChannel {
        guard let id = channel.id else {
            throw MessageBeastError(.protocolViolation, "the service returned a channel without an id")
        }
        return try await context.client.channels.subscribe(to: id, parameters: Self.annotated)
    }

    /// Returns the matching channels among all channels that the user created, lowest id first.
    ///
    /// Positions in that list are ids, so new messages do not move a channel while the list is read.
    private func find(_ wanted: WantedChannel) async throws -> [AppNetChannel] {
        var parameters = Self.annotated
        parameters.channelTypes = [wanted.channelType]
        parameters.includesInactive = false
        let list = context.client.channels.created(parameters: parameters)
        var found: [AppNetChannel] = []
        var bounds = PageBounds(count: 200)
        var visited: Set<ListPosition> = []
        var incomplete: Page<AppNetChannel>?
        while true {
            try Task.checkCancellation()
            let requested = bounds
            let page = try await ReadAttempts(context: context)({ try await list.page(requested) })
            found += page.elements.filter { wanted.matches($0, of: context.account) }
            if !page.unreadable.isEmpty { incomplete = incomplete ?? page }
            guard page.hasMore else { break }
            guard let older = page.older, let position = older.before, visited.insert(position).inserted else {
                throw MessageBeastError(
                    .protocolViolation,
                    "the list of channels returns to a page that was read before"
                )
            }
            bounds = older
        }
        // A channel that cannot be decoded may be the wanted one, and must not be created again.
        if found.isEmpty { _ = try incomplete?.completeElements() }
        found.sort { ($0.id?.number ?? 0) < ($1.id?.number ?? 0) }
        if found.count > 1, let used = found[0].id {
            context.events.send(.warning(.duplicateChannels(used: used, ignored: found.dropFirst().compactMap(\.id))))
        }
        return found
    }
}
