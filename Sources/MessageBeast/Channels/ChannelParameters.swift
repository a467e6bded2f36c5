internal import AppNet
internal import Foundation
internal import GRDB
internal import HeliumJSON

/// The parameters for requesting the messages of a channel, as stored in the channel's row.
enum ChannelParameters {
    /// The default: without deleted messages, with machine-only messages.
    static let standard = GeneralParameters(includesDeleted: false, includesMachineOnly: true)

    static func text(of parameters: GeneralParameters) throws -> String {
        try HeliumJSONEncoder.bodies.encodeToString(parameters)
    }

    /// Returns the parameters of a request. Annotations are always requested: dates, places, targets and tokens are
    /// annotations.
    static func parameters(of channel: ChannelRecord) -> GeneralParameters {
        var parameters =
            (try? HeliumJSONDecoder().decode(GeneralParameters.self, from: channel.queryParameters)) ?? standard
        parameters.includesMessageAnnotations = true
        return parameters
    }

    /// Returns the parameters of a request that must not miss a message.
    static func complete(of channel: ChannelRecord) -> GeneralParameters {
        var parameters = parameters(of: channel)
        parameters.includesDeleted = true
        parameters.includesMachineOnly = true
        return parameters
    }
}

extension ChannelTable {
    /// Returns the channel with an id.
    ///
    /// - Throws: ``MessageBeastError/Kind/notFound``.
    func required(_ id: String) throws -> ChannelRecord {
        guard let channel = try channel(id) else {
            throw MessageBeastError(.notFound, "the channel \(id) is not stored")
        }
        return channel
    }

    func actionChannel(type: String, target: String) throws -> ChannelRecord? {
        let id = try String.fetchOne(
            database.cachedStatement(
                sql: "SELECT id FROM channel WHERE kind = 'action' AND action_type = ? AND target_channel_id = ?"
            ),
            arguments: [type, target]
        )
        return try id.flatMap { try channel($0) }
    }

    /// Returns the work that must be sent before a channel is fetched; `nil` if there is none.
    ///
    /// A message that depends on a parked one also waits for the user, so it does not block either.
    func blockingWork(of channel: String) throws -> BlockingWork? {
        let unsent = try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    WITH RECURSIVE stuck (id) AS (
                        SELECT local_id FROM outbox WHERE state = 'parked'
                        UNION SELECT o.local_id FROM stuck CROSS JOIN outbox AS o ON o.depends_on_local_id = stuck.id
                    )
                    SELECT count(*) FROM outbox CROSS JOIN message AS m ON m.local_id = outbox.local_id
                    WHERE m.channel_id = ? AND outbox.local_id NOT IN (SELECT id FROM stuck)
                    """
            ),
            arguments: [channel]
        )
        let deletions = try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT count(*) FROM pending_message_deletion WHERE channel_id = ? AND parked = 0"
            ),
            arguments: [channel]
        )
        let work = BlockingWork(unsent: unsent ?? 0, pendingDeletions: deletions ?? 0)
        return work.unsent + work.pendingDeletions > 0 ? work : nil
    }
}
