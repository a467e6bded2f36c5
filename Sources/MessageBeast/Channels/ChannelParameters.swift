internal import AppNet
internal import Foundation
internal import GRDB
internal import HeliumJSON

/// The parameters with which the messages of a channel are requested, as the channel's row has them.
enum ChannelParameters {
    /// Without deleted messages, with those for machines.
    static let standard = GeneralParameters(includesDeleted: false, includesMachineOnly: true)

    static func text(of parameters: GeneralParameters) throws -> String {
        try HeliumJSONEncoder.bodies.encodeToString(parameters)
    }

    /// The parameters of a request. Annotations are always requested: dates, places, targets and tokens are annotations.
    static func parameters(of channel: ChannelRecord) -> GeneralParameters {
        var parameters =
            (try? HeliumJSONDecoder().decode(GeneralParameters.self, from: channel.queryParameters)) ?? standard
        parameters.includesMessageAnnotations = true
        return parameters
    }

    /// The parameters of a request that must not miss a message.
    static func complete(of channel: ChannelRecord) -> GeneralParameters {
        var parameters = parameters(of: channel)
        parameters.includesDeleted = true
        parameters.includesMachineOnly = true
        return parameters
    }
}

extension ChannelTable {
    /// The channel with an id.
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

    /// The work that has to be sent before a channel is fetched; `nil` if there is none.
    ///
    /// A message that waits for a parked one waits for the user too, and blocks as little.
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
