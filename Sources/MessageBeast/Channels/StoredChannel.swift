public import AppNet
internal import Foundation
internal import HeliumJSON

/// A channel that the store mirrors.
public struct StoredChannel: Sendable, Hashable, Identifiable {
    /// The purpose of a channel.
    public enum Role: Sendable, Hashable {
        /// A channel of messages.
        case content
        /// A channel of actions of a type on the messages of another channel.
        case actions(type: String, target: AppNetChannel.ID)
    }

    /// The id.
    public let id: AppNetChannel.ID

    /// The type: a reverse domain name.
    public let type: String

    /// The purpose.
    public let role: Role

    /// The channel as the service returned it when it was found or created.
    public let channel: AppNetChannel

    /// The progress of the full sync.
    public let fullSyncState: FullSyncState

    init(_ record: ChannelRecord) {
        id = AppNetChannel.ID(record.id)
        type = record.type
        role =
            record.kind == .action
            ? .actions(type: record.actionType ?? "", target: AppNetChannel.ID(record.targetChannelID ?? "")) : .content
        channel = (try? HeliumJSONDecoder().decode(AppNetChannel.self, from: record.json)) ?? AppNetChannel()
        fullSyncState = record.syncState
    }
}

extension ChannelRecord {
    /// Creates the record of a channel of the service.
    ///
    /// - Parameter isNew: Whether this engine has just created the channel, so that there is nothing to fetch.
    init(_ channel: AppNetChannel, for wanted: WantedChannel, parameters: GeneralParameters, isNew: Bool) throws {
        guard let id = channel.id?.text, !id.isEmpty else {
            throw MessageBeastError(.protocolViolation, "the service returned a channel without an id")
        }
        self.init(
            id: id,
            kind: wanted.isAction ? .action : .private,
            type: wanted.channelType,
            actionType: wanted.actionType,
            targetChannelID: wanted.target?.text,
            json: try HeliumJSONEncoder.bodies.encodeToString(channel),
            queryParameters: try ChannelParameters.text(of: parameters),
            syncState: isNew ? .complete : .notStarted
        )
    }
}
