public import AppNet
public import Foundation
internal import GRDB

/// The state of the sync of a channel.
public struct SyncStatus: Sendable, Hashable {
    /// The progress of the full sync: ``FullSyncState/notStarted`` for a channel that is not stored.
    public let fullSyncState: FullSyncState

    /// The work to send before the channel is fetched; `nil` if there is none.
    public let blockingWork: BlockingWork?

    /// The time of the last comparison with the service; `nil` if there was none.
    public let lastReconciled: Date?

    init(of channel: String, in database: Database) throws {
        let table = ChannelTable(database: database)
        let record = try table.channel(channel)
        fullSyncState = record?.syncState ?? .notStarted
        blockingWork = try table.blockingWork(of: channel)
        lastReconciled = record?.lastReconciled?.date
    }
}

extension MessageManager {
    /// Returns the state of the sync of a channel.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func syncStatus(of channel: AppNetChannel.ID) async throws -> SyncStatus {
        let id = channel.text
        return try await context.read { try SyncStatus(of: id, in: $0) }
    }
}
