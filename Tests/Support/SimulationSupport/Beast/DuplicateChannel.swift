import AppNet
import HeliumCore
import HeliumJSON
import MessageBeast

/// Two channels for the same actions, as two devices of the past have made them at the same time, with actions in the one
/// that is not used. The devices of the simulation move these.
struct DuplicateChannel {
    let world: BeastSystem.World
    let journal: AppNetChannel.ID

    /// Makes the channels, two messages in the journal, and the actions on them.
    ///
    /// - Returns: The channel that is not used.
    func make() async throws -> AppNetChannel.ID {
        let client = try world.client()
        var channels: [AppNetChannel.ID] = []
        for _ in 0..<2 {
            guard let id = try await client.channels.create(channel).id else { throw Finding("a channel has no id") }
            channels.append(id)
        }
        for number in 0..<2 {
            let text = world.record.newText(by: "past")
            world.record.beginCreation(of: text, by: "past", in: journal)
            let target = try await client.messages.create(Message(text: text), in: journal).id
            world.record.endCreation(of: text)
            guard let target else { throw Finding("a message has no id") }
            let action = world.record.beginAction(on: text, by: "past", isOn: true)
            // The first is on in both channels.
            for channel in number == 0 ? channels : [channels[1]] {
                var message = Message(isMachineOnly: true)
                message.addTargetMessage(target)
                _ = try await client.messages.create(message, in: channel)
            }
            world.record.endAction(action)
        }
        return channels[1]
    }

    private var channel: AppNetChannel {
        var channel = AppNetChannel(
            type: AppNetChannel.Kind(rawValue: MessageBeastNames.actionChannelType),
            readers: ACL(isImmutable: false),
            writers: ACL(includesAnyUser: false, isImmutable: true, userIDs: [world.account])
        )
        channel.annotations = [
            Annotation(
                type: MessageBeastNames.actionMetadata,
                value: ["action_type": .string(Channels.actionType), "channel_id": .string(journal.text)]
            )
        ]
        return channel
    }
}

extension BeastSystem.World {
    /// A client of the service, with nothing in between.
    func client() throws -> AppNetClient {
        var configuration = AppNetConfiguration(token: "alice-token", baseURL: root)
        configuration.environment = ClientEnvironment(transport: service, clock: simulation.clock)
        return try AppNetClient(configuration: configuration)
    }
}
