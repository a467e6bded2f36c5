public import AppNet
internal import GRDB

/// The work that a store has not sent yet, and its drafts.
public struct PendingSummary: Sendable, Hashable {
    /// The number of unsent messages, including parked ones, without action messages.
    public let messages: Int
    /// The number of unsent action messages.
    public let actions: Int
    /// The number of files that are not uploaded yet.
    public let files: Int
    /// The number of pending deletions of messages and files, including parked ones.
    public let deletions: Int
    /// The number of pending deletions of files, including parked ones. They are counted in ``deletions``, too.
    public let fileDeletions: Int
    /// The number of deletions of messages and files that wait for a decision of the user. They are counted in
    /// ``deletions``, too.
    ///
    /// ``MessageManager/parkedDeletions()`` and ``MessageManager/parkedFileDeletions()`` return them.
    public let parkedDeletions: Int
    /// The number of drafts.
    public let drafts: Int

    /// Whether everything was sent. Drafts do not count, because they are not to be sent yet.
    public var isSent: Bool { messages + actions + files + deletions == 0 }

    /// Whether a wipe loses nothing: everything was sent, and there are no drafts.
    public var isEmpty: Bool { isSent && drafts == 0 }
}

extension MessageManager {
    /// Returns the state of the full sync of a channel: ``FullSyncState/notStarted`` if the channel is not stored.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func fullSyncState(of channel: AppNetChannel.ID) async throws -> FullSyncState {
        try await fullSyncState(of: [channel])
    }

    /// Returns the combined state of the full sync of several channels.
    ///
    /// The state is started if any channel is started, otherwise not started if any is not started, otherwise complete.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func fullSyncState(of channels: [AppNetChannel.ID]) async throws -> FullSyncState {
        let ids = channels.map(\.text)
        return try await context.read { database in
            let table = ChannelTable(database: database)
            return FullSyncState(
                of: try ids.map { id in
                    try table.channel(id)?.syncState ?? .notStarted
                }
            )
        }
    }

    /// Stores the parameters for requesting the messages of a channel.
    ///
    /// Default: without deleted messages, with machine-only messages. Annotations are always requested.
    ///
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notFound`` for a channel that is
    ///   not stored.
    nonisolated public func setParameters(_ parameters: GeneralParameters, of channel: AppNetChannel.ID) async throws {
        let (id, text) = (channel.text, try ChannelParameters.text(of: parameters))
        try await context.write(try context.life.term()) { database in
            let table = ChannelTable(database: database)
            var record = try table.required(id)
            record.queryParameters = text
            try table.save(record)
        }
    }

    /// Returns the amount of unsent work, and the number of drafts.
    ///
    /// Use this to decide whether to wipe the store when a user logs out.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func pendingSummary() async throws -> PendingSummary {
        try await context.read { database in
            func count(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? 0 }
            let unsent = """
                SELECT count(*) FROM outbox CROSS JOIN message AS m ON m.local_id = outbox.local_id
                CROSS JOIN channel AS c ON c.id = m.channel_id AND c.kind
                """
            let fileDeletions = try count("SELECT count(*) FROM pending_file_deletion")
            return PendingSummary(
                messages: try count("\(unsent) = 'private'"),
                actions: try count("\(unsent) = 'action'"),
                files: try count("SELECT count(*) FROM pending_file WHERE state <> 'uploaded'"),
                deletions: try count("SELECT count(*) FROM pending_message_deletion") + fileDeletions,
                fileDeletions: fileDeletions,
                parkedDeletions: try count("SELECT count(*) FROM pending_message_deletion WHERE parked = 1")
                    + (try FileDeletionTable(database: database).parkedCount()),
                drafts: try DraftTable(database: database).count()
            )
        }
    }

    /// Returns whether the next ``start()`` of an engine that may write has to upgrade the indexes of an older store.
    ///
    /// Searches use the old indexes until then.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func needsUpgrade() async throws -> Bool {
        try await context.read { try IndexUpgrade(database: $0).isNeeded() }
    }

    /// Returns whether the hashtags, places and annotations of stored messages were found with another configuration, or
    /// ``start()`` or ``rebuild()`` has not found all of them again yet.
    ///
    /// The next ``start()`` of an engine that may write completes them. Look-ups are incomplete until then.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func needsDerivation() async throws -> Bool {
        let derivation = Rederivation(configuration: context.configuration, now: context.now)
        return try await context.read { try derivation.isNeeded(in: $0) }
    }

    /// Returns the stored channels, in the order of their ids.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func channels() async throws -> [StoredChannel] {
        try await context.read { database in
            try String.fetchAll(database, sql: "SELECT id FROM channel ORDER BY length(id), id")
                .compactMap { try ChannelTable(database: database).channel($0).map(StoredChannel.init) }
        }
    }
}
