import AppNet
import Foundation
import HeliumServer
import MessageBeast

/// The steps of the demonstration with a journal that is written offline.
struct BeastDemo {
    private let server: ReadyInformation.AppNet
    private let user: ReadyInformation.AppNet.User
    private let folder: URL

    private static let journalType = MessageBeastNames.journalChannelType
    private static let favorite = "com.example.favorite"

    init(_ server: ReadyInformation.AppNet, folder: URL) throws {
        guard let user = server.users.first else { throw DemoFailure("the server has no users") }
        self.server = server
        self.user = user
        self.folder = folder
    }

    func run(_ stage: inout DemoStage) async {
        var made: Channels?
        await stage.step("make a journal with favorites") {
            try await with("one") { engine, _ in
                let journal = try await engine.privateChannel(ofType: Self.journalType).id
                let favorites = try await engine.actions.channel(ofType: Self.favorite, target: journal).id
                made = Channels(journal: journal, favorites: favorites)
                return "channels \(journal) and \(favorites)"
            }
        }
        guard let channels = made else { return }
        await stage.step("write in it without a network") { try await write(channels) }
        await stage.step("start again, and send each message once") { try await send(channels) }
        await stage.step("search it, and mark a favorite") { try await find(channels) }
        await stage.step("see the same on a second device") { try await compare(channels) }
    }

    private struct Channels {
        let journal: AppNetChannel.ID
        let favorites: AppNetChannel.ID
    }

    /// Runs `work` with the engine of a device. The engine can reach the service unless `isOffline` is set.
    private func with(
        _ device: String,
        isOffline: Bool = false,
        _ work: (MessageManager, AppNetClient) async throws -> String
    ) async throws -> String {
        // Port 9 is the discard port. No service listens there.
        let nowhere = URL(string: "http://127.0.0.1:9/") ?? server.root
        let client = try AppNetClient(
            configuration: AppNetConfiguration(token: Secret(user.token), baseURL: isOffline ? nowhere : server.root)
        )
        var configuration = MessageManagerConfiguration()
        configuration.isHashtagExtractionEnabled = true
        configuration.dateAdapter = .ohaiDisplayDate
        let account = isOffline ? nil : try await client.users.get(.me).id
        let engine = try MessageManager(
            client: client,
            account: account,
            store: .file(folder.appendingPathComponent("\(device).sqlite").path),
            configuration: configuration
        )
        let result: Result<String, any Error>
        do {
            try await engine.start()
            result = .success(try await work(engine, client))
        } catch {
            result = .failure(error)
        }
        await engine.stop()
        await client.close()
        return try result.get()
    }

    private func write(_ channels: Channels) async throws -> String {
        try await with("one", isOffline: true) { engine, _ in
            for text in ["Rain all day #weather", "The café was closed", "Sun at last #weather"] {
                _ = try await engine.create(Message(text: text), in: channels.journal)
            }
            let map = try await engine.stage(Data("a map".utf8), name: "map.txt", type: "com.example.map")
            let attachment = PendingFileAttachment(pendingFileID: map.id, isOEmbed: false)
            _ = try await engine.create(Message(text: "The way home"), in: channels.journal, attachments: [attachment])
            try await engine.sendAll(in: channels.journal)
            let waiting = try await engine.pendingSummary()
            try expect(waiting.messages == 4 && waiting.files == 1, "\(waiting.messages) messages waiting")
            return "\(waiting.messages) messages and \(waiting.files) file waiting"
        }
    }

    private func send(_ channels: Channels) async throws -> String {
        try await with("one") { engine, client in
            try await engine.sendAll(in: channels.journal)
            try expect(try await engine.pendingSummary().isEmpty, "something was not sent")
            let page = try await client.messages.list(in: channels.journal).page()
            let texts = page.elements.reversed().compactMap(\.text)
            try expect(texts.first == "Rain all day #weather" && texts.count == 4, "the service has \(texts)")
            return "\(texts.count) messages, in order"
        }
    }

    private func find(_ channels: Channels) async throws -> String {
        try await with("one") { engine, _ in
            let found = try await engine.search(text: "CAFE", in: channels.journal)
            let tagged = try await engine.messages(in: channels.journal, hashtag: "weather")
            try expect(found.count == 1 && tagged.count == 2, "\(found.count) hits, \(tagged.count) tagged")
            guard let id = tagged.first?.message.id else { throw DemoFailure("the message has no id") }
            try await engine.actions.apply(channels.favorites, to: id)
            try await engine.sendAll(in: channels.favorites)
            return "café found, \(tagged.count) tagged #weather, 1 favorite"
        }
    }

    private func compare(_ channels: Channels) async throws -> String {
        try await with("two") { engine, _ in
            let specs = TargetWithActionChannelsSpecSet(
                target: ChannelSpec(type: Self.journalType),
                actionTypes: [Self.favorite]
            )
            let sync = ChannelSyncManager(manager: engine, specs: specs)
            try await sync.initializeChannels()
            try await sync.runFullSync()
            let texts = try await engine.page(of: channels.journal).messages.compactMap(\.message.text)
            let favorites = try await engine.actions.actionedMessages(in: channels.favorites)
                .compactMap(\.message.text)
            try expect(texts.count == 4 && favorites == ["Sun at last #weather"], "\(texts), favorites \(favorites)")
            return "\(texts.count) messages, favorite: \(favorites.joined(separator: ", "))"
        }
    }
}
