import AppNet
import Foundation
import HeliumServer
import MessageBeast
import TestSupport
import Testing

/// The samples of the documentation, run.
@Suite("Samples of MessageBeast")
struct SampleTests {
    @Test("sample: a journal is synchronized and read")
    func journal() async throws {
        let world = try await BeastWorld()
        let client = world.client
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        _ = try await world.emptyJournal()
        // sample
        let manager = try MessageManager(client: client, account: "1", store: .file(path))
        try await manager.start()
        let journal = try await manager.privateChannel(ofType: "net.app.ohai.journal").id
        try await manager.fullSync(of: journal).run()
        for message in try await manager.page(of: journal, limit: 50).messages {
            print(message.message.text ?? "")
        }
        // end of sample
        #expect(try await manager.fullSyncState(of: journal) == .complete)
        #expect(manager.account == world.account)
        await manager.stop()
    }

    @Test("sample: the progress of a full sync is printed")
    func progress() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let journal = try await world.filledJournal(3, of: manager)
        // sample
        for try await progress in manager.fullSync(of: journal) {
            print("\(progress.messages) messages")
        }
        // end of sample
        #expect(try await manager.fullSyncState(of: journal) == .complete)
    }

    @Test("sample: a channel and the actions on its messages are synchronized")
    func channels() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        // sample
        let sync = ChannelSyncManager(
            manager: manager,
            specs: TargetWithActionChannelsSpecSet(
                target: ChannelSpec(type: "net.app.ohai.journal"),
                actionTypes: ["com.example.favorite"]
            )
        )
        try await sync.initializeChannels()
        try await sync.runFullSync()
        let results = try await sync.fetchNewest()
        // end of sample
        #expect(results.results.count == 2)
        #expect(results.results.allSatisfy { $0.error == nil })
    }

    @Test("sample: a message with a file is sent")
    func file() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let journal = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let folder = try TemporaryFolder()
        let path = folder.path("photo.gif")
        try FileWorld.image().write(to: URL(fileURLWithPath: path))
        // sample
        let photo = try await manager.stage(fileAtPath: path, type: "com.example.photo")
        let attachment = PendingFileAttachment(pendingFileID: photo.id, isOEmbed: true)
        let message = try await manager.create(Message(text: "Look"), in: journal, attachments: [attachment])
        // end of sample
        try await manager.sendAll(in: journal)
        #expect(try await manager.message(id: try #require(message.message.id))?.state == .sent)
        await manager.stop()
    }

    @Test("sample: a favorite is applied to a message")
    func favorite() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let journal = try await world.filledJournal(1, of: manager)
        _ = try await manager.fetchNewest(in: journal)
        let id = try #require(try await manager.page(of: journal).messages.first?.message.id)
        // sample
        let favorites = try await manager.actions.channel(ofType: "com.example.favorite", target: journal).id
        try await manager.actions.apply(favorites, to: id)
        let messages = try await manager.actions.actionedMessages(in: favorites, limit: 20)
        // end of sample
        #expect(messages.map(\.message.id) == [id])
        await manager.stop()
    }

    @Test("sample: the newest messages are shown as they change")
    func observed() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let journal = try await world.filledJournal(3, of: manager)
        let shown = Printer()
        @Sendable func show(_ messages: [MessagePlus]) { shown("\(messages.count) messages") }
        let task = Task {
            // sample
            for try await messages in manager.observeMessages(in: journal, limit: 50) {
                show(messages)
            }
            // end of sample
        }
        try await eventually { shown.output.contains("0 messages") }
        _ = try await manager.fetchNewest(in: journal)
        try await eventually { shown.output.contains("3 messages") }
        await manager.stop()
        try await task.value
    }
}
