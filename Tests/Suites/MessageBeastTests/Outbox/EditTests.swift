import AppNet
import HTTPTypes
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Editing unsent messages, and replies to them")
struct EditTests {
    private func channel(of manager: MessageManager, in world: BeastWorld) async throws -> AppNetChannel.ID {
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        world.wire.forget()
        return channel
    }

    private func onService(_ channel: AppNetChannel.ID, _ world: BeastWorld) async throws -> [Message] {
        try await world.client.messages.list(in: channel).page(PageBounds(count: 200)).elements.reversed()
            .filter { $0.isDeleted != true }
    }

    private func refuse(_ text: String, in world: BeastWorld) {
        let refusal = #"{"meta": {"code": 400, "error_message": "Not that one"}}"#
        let count = Counter()
        world.wire.set { request in
            request.method == .post && count.increment() == 1 ? .respond(.json(refusal, status: 400)) : .pass
        }
    }

    @Test("an edited parked message is sent at its position, with no attempts counted", .behaviour(53))
    func parked() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await channel(of: manager, in: world)
        refuse("Bad", in: world)
        let bad = try await manager.create(Message(text: "Bad #old"), in: channel, sendsImmediately: false)
        world.clock.advance(by: .seconds(5))
        _ = try await manager.create(Message(text: "Later"), in: channel, sendsImmediately: false)
        try await manager.sendAll(in: channel)
        let old = try #require(bad.message.id)
        world.wire.fail()
        let edited = try await manager.edit(old, to: Message(text: "Good #new"))
        #expect(edited.id == bad.id)
        #expect(edited.displayDate == bad.displayDate)
        #expect(edited.sendAttemptsCount == 0)
        #expect(edited.message.id != old)
        #expect(edited.message.token == edited.message.id?.text)
        #expect(try await manager.message(id: old)?.id == bad.id)
        #expect(try await manager.messages(in: channel, hashtag: "old").isEmpty)
        #expect(try await manager.messages(in: channel, hashtag: "new").count == 1)
        #expect(try await manager.search(text: "bad", in: channel).isEmpty)
        #expect(try await manager.page(of: channel).messages.map { $0.message.text } == ["Later", "Good #new"])
        world.wire.set(nil)
        try await manager.sendAll(in: channel)
        #expect(try await onService(channel, world).compactMap(\.text) == ["Later", "Good #new"])
        #expect(try await manager.message(id: old)?.state == .sent)
        #expect(try await manager.check() == [])
        await manager.stop()
    }

    @Test("a late copy with the token from before the edit is deleted")
    func lateCopy() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.maximumSendAttempts = 1 }
        let channel = try await channel(of: manager, in: world)
        world.wire.fail("POST ", times: 1, delivery: .maybeSent)
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        let document = created.message
        _ = try await manager.outbox.drain(channel, isExplicit: true)
        #expect(try await manager.parkedMessages().first?.reason.code == "outcomeUnknown")
        world.wire.set(nil)
        _ = try await manager.edit(try #require(created.message.id), to: Message(text: "Coffee"))
        try await manager.sendAll(in: channel)
        // The request that was given up arrives now.
        var late = document
        late.id = nil
        late.channelID = nil
        _ = try await world.client.messages.create(UnsentMessage.posted(late), in: channel)
        #expect(try await onService(channel, world).compactMap(\.text) == ["Coffee", "Tea"])
        _ = try await manager.fetchNewest(in: channel)
        try await manager.sendAll(in: channel)
        #expect(try await onService(channel, world).compactMap(\.text) == ["Coffee"])
        #expect(try await manager.page(of: channel).messages.map { $0.message.text } == ["Coffee"])
        await manager.stop()
    }

    @Test("a message whose outcome is unknown is looked for before it is edited")
    func unknownOutcome() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.maximumSendAttempts = 1 }
        let channel = try await channel(of: manager, in: world)
        world.wire.loseResponses(times: 1)
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        _ = try await manager.outbox.drain(channel, isExplicit: true)
        let id = try #require(created.message.id)
        world.wire.fail()
        await #expect(throws: AppNetError.self) { try await manager.edit(id, to: Message(text: "Coffee")) }
        #expect(try await manager.parkedMessages().map { $0.message.message.text } == ["Tea"])
        world.wire.set(nil)
        let error = await #expect(throws: MessageBeastError.self) {
            try await manager.edit(id, to: Message(text: "Coffee"))
        }
        #expect(error?.kind == .notEditable)
        #expect(try await manager.message(id: id)?.state == .sent)
        #expect(try await onService(channel, world).compactMap(\.text) == ["Tea"])
        await manager.stop()
    }

    @Test("a queued message keeps its id when it is edited, an invalid edit changes nothing, and a sent one is refused")
    func queued() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await channel(of: manager, in: world)
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        let id = try #require(created.message.id)
        await #expect(throws: MessageBeastError.self) { try await manager.edit(id, to: Message(text: "")) }
        #expect(try await manager.message(id: id)?.message.text == "Tea")
        world.wire.fail()
        #expect(try await manager.edit(id, to: Message(text: "Coffee")).message.id == id)
        world.wire.set(nil)
        try await manager.sendAll(in: channel)
        let error = await #expect(throws: MessageBeastError.self) {
            try await manager.edit(id, to: Message(text: "Water"))
        }
        #expect(error?.kind == .notEditable)
        #expect(try await onService(channel, world).compactMap(\.text) == ["Coffee"])
        await manager.stop()
    }

    @Test("a reply to an unsent message waits for it and carries its id on the service")
    func reply() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await channel(of: manager, in: world)
        refuse("Question", in: world)
        let question = try await manager.create(Message(text: "Question"), in: channel, sendsImmediately: false)
        let temporary = try #require(question.message.id)
        let answer = Message(text: "Answer", replyTo: temporary)
        _ = try await manager.create(answer, in: channel, sendsImmediately: false)
        _ = try await manager.create(Message(text: "Other"), in: channel, sendsImmediately: false)
        try await manager.sendAll(in: channel)
        #expect(try await onService(channel, world).compactMap(\.text) == ["Other"])
        // Neither waits for the other.
        await #expect(throws: MessageBeastError.self) {
            let last = try #require(try await manager.messages(in: channel).first { $0.message.text == "Answer" })
            return try await manager.edit(
                temporary,
                to: Message(text: "Question?", replyTo: last.message.id)
            )
        }
        _ = try await manager.edit(temporary, to: Message(text: "Question?"))
        try await manager.sendAll(in: channel)
        let messages = try await onService(channel, world)
        #expect(messages.compactMap(\.text) == ["Other", "Question?", "Answer"])
        #expect(messages.last?.replyTo == messages.dropLast().last?.id)
        await manager.stop()
    }

    @Test("a reply to a message that was deleted before it was sent is sent as an ordinary message")
    func replyToDeleted() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await channel(of: manager, in: world)
        let question = try await manager.create(Message(text: "Question"), in: channel, sendsImmediately: false)
        let temporary = try #require(question.message.id)
        _ = try await manager.create(Message(text: "Answer", replyTo: temporary), in: channel, sendsImmediately: false)
        try await manager.delete(temporary)
        try await manager.sendAll(in: channel)
        let messages = try await onService(channel, world)
        #expect(messages.compactMap(\.text) == ["Answer"])
        #expect(messages.first?.replyTo == nil)
        let unknown = Message(text: "Answer", replyTo: Message.ID("d2f4c0a2-0000-4000-8000-000000000000"))
        await #expect(throws: MessageBeastError.self) { try await manager.create(unknown, in: channel) }
        await manager.stop()
    }
}
