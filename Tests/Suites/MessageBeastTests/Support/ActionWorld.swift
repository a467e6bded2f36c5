import AppNet
import Foundation
import HeliumConcurrency
import HeliumCore
import HeliumJSON
import Synchronization
import Testing

@testable import MessageBeast

/// A server in memory, and a device of alice's with a journal and its favorites.
struct ActionWorld: Sendable {
    static let favorite = "com.example.favorite"

    let world: BeastWorld
    let manager: MessageManager
    let journal: AppNetChannel.ID
    let favorites: AppNetChannel.ID

    var actions: ActionMessageManager { manager.actions }

    init(
        _ store: MessageManager.Store = .memory,
        _ configure: (inout MessageManager.Options) -> Void = { _ in }
    ) async throws {
        let world = try await BeastWorld()
        try await self.init(of: world, try world.manager(store, configure))
    }

    /// A device of a world that may have others.
    init(of world: BeastWorld, _ manager: MessageManager) async throws {
        self.world = world
        self.manager = manager
        journal = try await manager.privateChannel(ofType: BeastWorld.journal).id
        favorites = try await manager.actions.channel(ofType: Self.favorite, target: journal).id
        world.wire.forget()
    }

    /// Another device of alice's.
    func otherDevice() async throws -> Self { try await Self(of: world, try world.manager()) }

    /// Unsent messages, oldest first.
    func unsent(_ texts: String...) async throws -> [Message.ID] {
        var ids: [Message.ID] = []
        for text in texts {
            let created = try await manager.create(Message(text: text), in: journal, sendsImmediately: false)
            ids.append(try #require(created.message.id))
        }
        return ids
    }

    /// Messages that the service has, oldest first.
    func sent(_ count: Int) async throws -> [Message.ID] {
        let ids = try await world.fill(journal, count)
        _ = try await manager.fetchNewest(in: journal)
        return ids
    }

    /// Applies the action as another app of alice's does. This device does not know of it yet.
    func applyElsewhere(to target: Message.ID) async throws {
        var action = Message(isMachineOnly: true)
        action.addTargetMessage(target)
        _ = try await world.client.messages.create(action, in: favorites)
    }

    /// The live action messages on the service, oldest first.
    func live(in channel: AppNetChannel.ID? = nil) async throws -> [Message] {
        var parameters = GeneralParameters(includesDeleted: false, includesMachineOnly: true)
        parameters.includesMessageAnnotations = true
        return try await world.client.messages.list(in: channel ?? favorites, parameters: parameters)
            .page(PageBounds(count: 200)).elements.filter { $0.isDeleted != true }.reversed()
    }

    /// The targets of the live action messages on the service, oldest action first.
    func targets(in channel: AppNetChannel.ID? = nil) async throws -> [Message.ID] {
        try await live(in: channel).compactMap(\.targetMessageID)
    }

    /// Sends what waits in both channels.
    func sendAll() async throws {
        try await manager.sendAll(in: journal)
        try await manager.sendAll(in: favorites)
    }

    /// Takes the action off a message, and does not begin to send that.
    func removeWithoutSending(from id: Message.ID) async throws {
        let (context, favorites) = (manager.context, favorites.text)
        _ = try await context.write(try context.life.term()) { database in
            let writer = ActionWriter(
                database: database,
                channel: try ChannelTable(database: database).required(favorites),
                configuration: context.configuration,
                now: context.now,
                random: context.random
            )
            return try writer.remove(from: [id.text])
        }
    }

    /// The id of a message now.
    func id(_ id: Message.ID) async throws -> Message.ID {
        try #require(try await manager.message(id: id)?.message.id)
    }

    /// The requests that create messages in a channel.
    func posts(to channel: AppNetChannel.ID) -> Int {
        world.wire.requests.count { $0.hasPrefix("POST ") && $0.contains("channels/\(channel)/messages") }
    }
}

/// Keeps the targets of the action messages that are posted.
final class PostedTargets: Sendable {
    private let targets = Guarded<[Message.ID]>([])

    var all: [Message.ID] { targets.withLock { $0 } }

    /// A rule of the wire.
    func note(_ request: TransportRequest) -> Wire.Treatment {
        guard request.method == .post, let body = request.body,
            let message = try? HeliumJSONDecoder().decode(Message.self, from: body),
            let target = message.targetMessageID
        else { return .pass }
        targets.withLock { $0.append(target) }
        return .pass
    }
}
