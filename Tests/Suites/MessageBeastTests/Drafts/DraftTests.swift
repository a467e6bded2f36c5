import AppNet
import Foundation
import GRDB
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
        let summary = try await manager.pendingSummary()
        #expect(summary.isSent && summary.drafts == 1 && !summary.isEmpty)
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

    @Test("the cost of drafts does not grow with the number of messages")
    func cost() throws {
        var costs: [Int: [Int]] = [:]
        for count in [100, 5000] {
            let journal = try Journal()
            try journal.store((1...count).reversed().map { Journal.message($0, "text") })
            let (channel, now) = (Journal.channel.text, Milliseconds(1_700_000_000_000))
            try journal.writer.write { database in
                for number in 1...10 {
                    _ = try DraftTable(database: database).insert(
                        "{}",
                        id: "draft-\(number)",
                        channel: channel,
                        date: now,
                        created: now
                    )
                }
            }
            costs[count] = [
                try journal.steps { try #expect(DraftTable(database: $0).count() == 10) },
                try journal.steps { try #expect(DraftTable(database: $0).drafts(in: channel).messages.count == 10) },
                try journal.steps { try #expect(DraftTable(database: $0).drafts(in: nil).messages.count == 10) },
                try journal.steps { try #expect(DraftTable(database: $0).draft("draft-3") != nil) },
                try journal.steps { _ = try DraftTable(database: $0).required("draft-3") },
            ]
        }
        #expect(costs[100] == costs[5000], "\(costs)")
        #expect(costs[100]?.allSatisfy { $0 < 1000 } == true, "\(costs)")
    }

    @Test("a draft in an action channel, and one that uses a file twice, are refused")
    func refused() async throws {
        let device = try await ActionWorld()
        let manager = device.manager
        let target = try await device.unsent("Tea")[0]
        try await device.actions.apply(device.favorites, to: target, sendsImmediately: false)
        let file = try await manager.stage(Data("tea".utf8), name: "tea.txt", type: FileWorld.type)
        let attachment = PendingFileAttachment(pendingFileID: file.id, isOEmbed: false)
        let draft = try await manager.createDraft(Message(text: "Tea"), in: device.journal)
        let id = try #require(draft.message.id)
        // As an earlier version stored it.
        try await manager.writer.write { database in
            try database.execute(
                sql: "UPDATE message SET channel_id = ? WHERE kind = 'draft'",
                arguments: [device.favorites.text]
            )
        }
        let action = try #require(try await manager.outbox(of: device.favorites).first?.message.message.id)
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await manager.createDraft(Message(text: "Tea"), in: device.favorites) },
            { _ = try await manager.promoteDraft(id) },
            { _ = try await manager.edit(action, to: Message(text: "Tea")) },
            {
                let files = [attachment, attachment]
                _ = try await manager.createDraft(Message(text: "Tea"), in: device.journal, attachments: files)
            },
        ]
        for (number, call) in calls.enumerated() {
            let error = await #expect(throws: MessageBeastError.self, "\(number)") { try await call() }
            #expect(error?.kind == .invalidArgument, "\(number)")
        }
        #expect(try await manager.drafts().map(\.message.id) == [id])
        await manager.stop()
    }

    @Test("the file of a removed draft is removed from the disk")
    func removedFile() async throws {
        let files = try await FileWorld()
        try await files.manager.start()
        let file = try await files.stage("tea")
        let draft = try await files.manager.createDraft(
            Message(text: "Tea"),
            in: files.channel,
            attachments: [files.attachment(file)]
        )
        #expect(files.staged.count == 1)
        try await files.manager.deleteDraft(try #require(draft.message.id))
        try await eventually { files.staged == [] }
        await files.manager.stop()
    }
}
