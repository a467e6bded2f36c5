import AppNet
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Replies to parked messages")
struct ReplyWaitingTests {
    @Test("a reply that waits for a parked message does not block fetches")
    func fetchBesideParked() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let refusal = #"{"meta": {"code": 400, "error_message": "Not that one"}}"#
        world.wire.set { $0.method == .post ? .respond(.json(refusal, status: 400)) : .pass }
        let parked = try await manager.create(Message(text: "Tea"), in: channel)
        let reply = try await manager.create(Message(text: "With milk", replyTo: parked.message.id), in: channel)
        _ = try await manager.create(Message(text: "And sugar", replyTo: reply.message.id), in: channel)
        try await manager.sendAll(in: channel)
        try await world.fill(channel, 1)
        #expect(try await manager.fetchNewest(in: channel).summary?.inserted == 1)
        world.wire.set(nil)
        try await manager.retry(try #require(parked.message.id))
        try await manager.sendAll(in: channel)
        #expect(try await manager.page(of: channel).messages.count { $0.state == .sent } == 4)
    }
}
