import AppNet
import HeliumServer
import MessageBeast
import Testing

/// The samples of the documentation, run.
@Suite("Samples of MessageBeast")
struct SampleTests {
    @Test("a journal is synchronized and read")
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

    @Test("the progress of a full sync is printed")
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

    @Test("a channel and the actions on its messages are synchronized")
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
}
