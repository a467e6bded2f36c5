internal import AppNet

/// The properties of a channel to find or to create.
struct WantedChannel: Hashable, Sendable {
    let channelType: String
    /// The type of the actions; `nil` unless this is an action channel.
    var actionType: String?
    var target: AppNetChannel.ID?

    var isAction: Bool { actionType != nil }

    static func content(_ type: String) -> Self { Self(channelType: type) }

    static func actions(_ type: String, target: AppNetChannel.ID) -> Self {
        Self(channelType: MessageBeastNames.actionChannelType, actionType: type, target: target)
    }

    /// Returns whether a channel of the service is one that this engine, or another device of the user, would have
    /// created.
    func matches(_ channel: AppNetChannel, of account: AppNetUser.ID) -> Bool {
        guard channel.type?.rawValue == channelType, channel.isInactive != true, channel.id?.number != nil,
            channel.owner?.id ?? channel.userID == account
        else { return false }
        guard let writers = channel.writers, writers.isImmutable == true, writers.includesAnyUser != true,
            writers.isPublic != true, writers.includesYou != false,
            (writers.userIDs ?? []).allSatisfy({ $0 == account }), channel.readers?.isImmutable != true
        else { return false }
        guard isAction else { return true }
        let metadata = (channel.annotations ?? []).ofType(MessageBeastNames.actionMetadata).first?.value
        return metadata?["action_type"]?.stringValue == actionType
            && metadata?["channel_id"]?.stringValue == target?.text
    }

    /// Returns the channel to create: its owner is the only writer and may change its readers.
    func creation(for account: AppNetUser.ID) -> AppNetChannel {
        var channel = AppNetChannel(
            type: AppNetChannel.Kind(rawValue: channelType),
            readers: ACL(isImmutable: false),
            writers: ACL(includesAnyUser: false, isImmutable: true, userIDs: [account])
        )
        if let actionType, let target {
            channel.annotations = [
                Annotation(
                    type: MessageBeastNames.actionMetadata,
                    value: ["action_type": .string(actionType), "channel_id": .string(target.text)]
                )
            ]
        }
        return channel
    }
}
