import AppNet
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Sending all channels", .timeLimit(.minutes(5)))
struct SendAllTests {
    /// A device whose action channel comes before its journal in the order in which channels are sent: that of their ids
    /// as texts, as 10 and 9.
    private func device(_ world: BeastWorld) async throws -> ActionWorld {
        var last = 0
        repeat {
            let filler = WantedChannel.content("com.example.filler").creation(for: world.account)
            last = try #require(try await world.client.channels.create(filler).id?.number)
        } while !"\(last + 1)".allSatisfy({ $0 == "9" })
        let device = try await ActionWorld(of: world, try world.manager { $0.sendsAutomatically = false })
        try #require(device.favorites.text < device.journal.text)
        return device
    }

    @Test("one call sends an action, too, whose channel comes before that of its message")
    func released() async throws {
        let world = try await BeastWorld()
        let device = try await device(world)
        let target = try await device.unsent("Tea")[0]
        try await device.actions.apply(device.favorites, to: target)
        try await device.manager.sendAll()
        #expect(try await device.manager.pendingSummary().isEmpty)
        let id = try await device.id(target)
        #expect(try await device.targets() == [id])
        await device.manager.stop()
    }

    @Test("one call tries a message that fails once, also if messages of other channels are sent")
    func failing() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        var channels: [AppNetChannel.ID] = []
        for number in 0..<3 {
            channels.append(try await manager.privateChannel(ofType: "com.example.number\(number)").id)
        }
        for channel in channels { _ = try await manager.create(Message(text: "Tea"), in: channel) }
        world.wire.fail("channels/\(channels[1])/messages")
        world.wire.forget()
        try await manager.sendAll()
        #expect(world.wire.requests.count { $0.hasPrefix("POST ") } == 3)
        #expect(try await manager.outbox(of: channels[1]).count == 1)
        #expect(try await manager.pendingSummary().messages == 1)
        await manager.stop()
    }
}
