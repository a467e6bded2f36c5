import AppNet
import Foundation
import GRDB
import HeliumDatabase
import Testing

@testable import MessageBeast

// Looks into an engine that only tests take.
extension MessageManager {
    nonisolated var writer: any DatabaseWriter { context.database.access.database }

    nonisolated func newestCursor(of channel: AppNetChannel.ID) async throws -> Int? {
        try await context.read { try ChannelTable(database: $0).channel(channel.text)?.newestCursor.map { Int($0) } }
    }

    /// Returns how often the geocoder was asked for the place that is next in its queue.
    nonisolated func geocodingAttempts() async throws -> Int? {
        try await context.read { try GeocodeQueue(database: $0).first()?.attempts }
    }

    nonisolated func totalChanges() async throws -> Int {
        try await context.database.access.write { $0.totalChangesCount }
    }

    /// Inserts an unsent message the way the outbox will.
    nonisolated func insertUnsent(_ text: String = "Unsent", in channel: AppNetChannel.ID) async throws {
        let json = try IncomingMessage.text(of: Message(text: text))
        let token = UUID().uuidString
        try await context.database.access.write { database in
            try database.execute(
                sql: """
                    INSERT INTO message (id, channel_id, display_date_ms, sort_key, created_ms, kind, client_token,
                        json_version, text, json)
                    VALUES (?1, ?2, ?3, ?4, ?3, 'unsent', ?1, 1, ?5, ?6)
                    """,
                arguments: [token, channel.text, 1_700_000_000_000, (1 << 62) + 1, text, json]
            )
            let localID = database.lastInsertedRowID
            try WordIndex.messages.insert(IndexedText.words(of: text), of: localID, in: database)
            try database.execute(
                sql: "INSERT INTO outbox (local_id, queue_seq, state) VALUES (?, ?, 'queued')",
                arguments: [localID, localID]
            )
            // It is not sent until the channel is woken.
            _ = try DueRows(database: database).take(by: nil)
        }
    }
}

/// A folder that is removed when the test has ended.
final class TemporaryFolder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("messagebeast-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
