import AppNet
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Drafts")
struct DraftTests {
    @Test("a draft is neither sent, listed nor found, and does not hold up fetches", .behaviour(134))
    func draft() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let draft = try await manager.createDraft(Message(text: "Tea with #Anna"), in: channel)
        let id = try #require(draft.message.id)
        #expect(draft.isDraft)
        try await manager.sendAll(in: channel)
        #expect(try await manager.fetchNewest(in: channel).summary?.inserted == 0)
        #expect(try await manager.page(of: channel).messages == [])
        #expect(try await manager.search(text: "tea", in: channel).isEmpty)
        #expect(try await manager.messages(in: channel, hashtag: "anna").isEmpty)
        #expect(try await manager.message(id: id) == nil)
        #expect(try await manager.pendingSummary().isEmpty)
        #expect(try await manager.check() == [])
        await manager.stop()
    }

    @Test("a promoted draft is found, and sent once", .behaviour(134))
    func promotion() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let draft = try await manager.createDraft(Message(text: "Tea with #Anna"), in: channel)
        let id = try #require(draft.message.id)
        let promoted = try await manager.promoteDraft(id, sendsImmediately: false)
        #expect(promoted.id == draft.id)
        #expect(promoted.state == .unsent)
        #expect(try await manager.search(text: "tea", in: channel).count == 1)
        #expect(try await manager.drafts() == [])
        world.wire.forget()
        try await manager.sendAll(in: channel)
        try await manager.sendAll(in: channel)
        #expect(world.wire.requests.count { $0.hasPrefix("POST ") } == 1)
        #expect(try await manager.message(id: id)?.state == .sent)
        #expect(try await manager.check() == [])
        await manager.stop()
    }

    @Test("drafts are listed newest first, are edited and removed, and are checked when they are promoted")
    func edits() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let first = try await manager.createDraft(Message(text: ""), in: channel)
        world.clock.advance(by: .seconds(1))
        let second = try await manager.createDraft(Message(text: "Two"), in: channel)
        #expect(try await manager.drafts(in: channel).map(\.id) == [second.id, first.id])
        let id = try #require(first.message.id)
        let error = await #expect(throws: MessageBeastError.self) { try await manager.promoteDraft(id) }
        #expect(error?.kind == .textMissing)
        #expect(try await manager.draft(id)?.isDraft == true)
        world.clock.advance(by: .seconds(1))
        #expect(try await manager.updateDraft(id, to: Message(text: "One")).message.text == "One")
        #expect(try await manager.drafts(in: channel).map(\.id) == [first.id, second.id])
        try await manager.deleteDraft(id)
        #expect(try await manager.drafts(in: channel).map(\.id) == [second.id])
        await #expect(throws: MessageBeastError.self) { try await manager.deleteDraft(id) }
        await #expect(throws: MessageBeastError.self) {
            try await manager.createDraft(Message(text: "x"), in: AppNetChannel.ID("999"))
        }
        #expect(try await manager.check() == [])
        await manager.stop()
    }
}
