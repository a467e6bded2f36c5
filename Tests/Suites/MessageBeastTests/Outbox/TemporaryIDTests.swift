import AppNet
import Foundation
import GRDB
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Temporary ids")
struct TemporaryIDTests {
    /// Creates a message that has two temporary ids: an attempt to send it has failed, and it was edited after that.
    private func edited(by device: ActionWorld) async throws -> (former: Message.ID, present: Message.ID) {
        let former = try await device.unsent("Tea")[0]
        device.world.wire.fail("POST ", times: 1)
        _ = try await device.manager.outbox.drain(device.journal, isExplicit: true)
        device.world.wire.set(nil)
        let edited = try await device.manager.outbox.edit(former, to: Message(text: "Coffee"))
        #expect(edited.channelID == device.journal)
        let present = try #require(try await device.manager.message(id: former)?.message.id)
        #expect(present != former)
        return (former, present)
    }

    @Test("each temporary id of a message undoes its deletion, and finds the message after that")
    func cancelledDeletion() async throws {
        let device = try await ActionWorld { $0.sendsAutomatically = false }
        let (former, present) = try await edited(by: device)
        try await device.manager.sendAll(in: device.journal)
        let sent = try #require(try await device.manager.message(id: former)?.message.id)
        for id in [former, present, sent] {
            try await device.manager.delete(id)
            #expect(try await device.manager.message(id: sent) == nil)
            #expect(try await device.manager.cancelDeletion(of: id))
            for id in [former, present, sent] {
                #expect(try await device.manager.message(id: id)?.message.id == sent)
            }
        }
        #expect(try await device.manager.cancelDeletion(of: present) == false)
        await device.manager.stop()
    }

    @Test("each temporary id of a message finds its actions")
    func actioned() async throws {
        let device = try await ActionWorld { $0.sendsAutomatically = false }
        let (former, present) = try await edited(by: device)
        let ids = [former, present]
        #expect(try await device.actions.actionedIDs(among: ids, in: device.favorites).isEmpty)
        try await device.actions.apply(device.favorites, to: former, sendsImmediately: false)
        for _ in 0..<2 {
            for id in ids { #expect(try await device.actions.isActioned(id, in: device.favorites)) }
            #expect(try await device.actions.actionedIDs(among: ids, in: device.favorites) == Set(ids))
            try await device.manager.sendAll()
        }
        await device.manager.stop()
    }

    @Test("an action finds its target by a former id when its rows are derived again")
    func derivedAgain() async throws {
        let device = try await ActionWorld { $0.sendsAutomatically = false }
        let former = try await device.unsent("Tea")[0]
        try await device.actions.apply(device.favorites, to: former, sendsImmediately: false)
        device.world.wire.fail("POST ", times: 1)
        _ = try await device.manager.outbox.drain(device.journal, isExplicit: true)
        device.world.wire.set(nil)
        _ = try await device.manager.outbox.edit(former, to: Message(text: "Coffee"))
        try await device.manager.rebuild()
        try await device.manager.sendAll(in: device.journal)
        try await device.manager.sendAll(in: device.favorites)
        let sent = try #require(try await device.manager.message(id: former)?.message.id)
        #expect(try await device.live().map(\.targetMessageID) == [sent])
        await device.manager.stop()
    }

    @Test("a refresh requests a message by its id on the service, and skips unsent messages")
    func refreshed() async throws {
        let device = try await ActionWorld { $0.sendsAutomatically = false }
        let ids = try await device.unsent("Tea", "Coffee")
        let (manager, journal, wire) = (device.manager, device.journal, device.world.wire)
        guard case .refreshed(let unsent) = try await manager.refresh(ids[0], in: journal) else {
            Issue.record("an unsent message is gone")
            return
        }
        #expect(unsent.state == .unsent)
        #expect(try await manager.refresh(ids, in: journal) == [])
        #expect(try await manager.refresh("an id that nothing has", in: journal) == .gone)
        #expect(wire.requests.isEmpty)
        try await manager.sendAll(in: journal)
        wire.forget()
        guard case .refreshed(let sent) = try await manager.refresh(ids[0], in: journal) else {
            Issue.record("a sent message is gone")
            return
        }
        #expect(sent.state == .sent)
        let present = try #require(sent.message.id)
        #expect(try await manager.refresh(ids + [present], in: journal).count == 2)
        #expect(!wire.requests.isEmpty)
        #expect(!wire.requests.contains { request in ids.contains { request.contains($0.text) } })
        try await device.world.client.messages.delete(present, in: journal)
        #expect(try await manager.refresh(ids[0], in: journal) == .gone)
        await manager.stop()
    }

    @Test("a message that is posted at once replies to the id on the service, and has no other message's token")
    func posted() async throws {
        let device = try await ActionWorld { $0.sendsAutomatically = false }
        let (manager, journal) = (device.manager, device.journal)
        let ids = try await device.unsent("Tea")
        try await manager.sendAll(in: journal)
        let stored = try #require(try await manager.message(id: ids[0]))
        let reply = try await manager.post(Message(text: "Coffee", replyTo: ids[0]), in: journal)
        #expect(reply.message.replyTo == stored.message.id)
        // The same content again: not a copy that the network has made.
        _ = try await manager.post(stored.message, in: journal)
        #expect(try await manager.page(of: journal).messages.count == 3)
        #expect(try await manager.pendingSummary().isEmpty)
        let action = await #expect(throws: MessageBeastError.self) {
            try await manager.post(Message(text: "Cake"), in: device.favorites)
        }
        #expect(action?.kind == .invalidArgument)
        await manager.stop()
    }

    @Test("a reply to a parked message cannot be posted at once")
    func postedReplyToParked() async throws {
        let device = try await ActionWorld { $0.sendsAutomatically = false }
        let (manager, journal, wire) = (device.manager, device.journal, device.world.wire)
        let ids = try await device.unsent("Tea")
        wire.set { $0.method == .post ? .respond(.json(#"{"meta": {"code": 400}}"#, status: 400)) : .pass }
        try await manager.sendAll(in: journal)
        #expect(try await manager.parkedMessages().count == 1)
        wire.forget()
        let error = await #expect(throws: MessageBeastError.self) {
            try await manager.post(Message(text: "Coffee", replyTo: ids[0]), in: journal)
        }
        #expect(error?.kind == .notFound)
        #expect(wire.requests.isEmpty)
        await manager.stop()
    }
}
