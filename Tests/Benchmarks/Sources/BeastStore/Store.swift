import AppNet
import Foundation
import GRDB
import HeliumCore
import HeliumKit

@testable import MessageBeast

/// A folder for databases, and engines on them.
struct Store {
    let folder: URL

    init() throws {
        let base = ProcessInfo.processInfo.environment["HELIUM_BENCH_FOLDER"].map { URL(fileURLWithPath: $0) }
        folder = (base ?? FileManager.default.temporaryDirectory)
            .appendingPathComponent("helium-beast-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// An engine with the channel of the messages.
    func manager(
        _ name: String,
        _ configuration: MessageManagerConfiguration,
        transport: (any HTTPTransport)? = nil
    ) async throws -> MessageManager {
        var settings = AppNetConfiguration(token: "token", baseURL: URL(string: "https://api.example.com"))
        settings.environment = ClientEnvironment(transport: transport)
        let manager = try MessageManager(
            client: AppNetClient(configuration: settings),
            account: 1,
            store: .file(path(name)),
            configuration: configuration
        )
        let context = manager.context
        try await context.write(context.life.term()) { database in
            try ChannelTable(database: database).save(
                ChannelRecord(
                    id: Messages.channel.text,
                    kind: .private,
                    type: "net.app.ohai.journal",
                    json: #"{"id":"100"}"#,
                    queryParameters: "{}"
                )
            )
        }
        return manager
    }

    /// Adds channels to an engine.
    func addChannels(_ channels: [AppNetChannel.ID], to manager: MessageManager) async throws {
        let context = manager.context
        try await context.write(context.life.term()) { database in
            for channel in channels {
                try ChannelTable(database: database).save(
                    ChannelRecord(
                        id: channel.text,
                        kind: .private,
                        type: "net.example.channel\(channel.text)",
                        json: #"{"id":"\#(channel.text)"}"#,
                        queryParameters: "{}"
                    )
                )
            }
        }
    }

    func removeDatabase(_ name: String) {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path(name) + suffix) }
    }
}

extension MessageManager {
    static let now = Milliseconds(1_700_000_000_000)

    /// Stores pages of messages from values and their documents to the commit, as a fetch does.
    func ingest(
        _ messages: [Message],
        _ documents: [String],
        in channel: AppNetChannel.ID = Messages.channel,
        pageSize: Int = 200
    ) async throws {
        let (context, configuration, id) = (context, configuration, channel.text)
        let term = try context.life.term()
        for start in stride(from: 0, to: messages.count, by: pageSize) {
            let range = start..<min(start + pageSize, messages.count)
            let page = try range.reversed().map {
                try IncomingMessage(
                    messages[$0],
                    json: documents[$0],
                    configuration: configuration,
                    now: Self.now.date
                )
            }
            try await context.write(term) { database in
                let channel = try ChannelTable(database: database).required(id)
                let ingest = PageIngest(
                    channel: channel,
                    configuration: configuration,
                    now: Self.now,
                    random: .system
                )
                _ = try ingest.store(page, in: database)
            }
        }
    }
}
