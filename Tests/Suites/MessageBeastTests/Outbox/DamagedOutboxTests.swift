import AppNet
import Foundation
import GRDB
import HeliumDatabase
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Unsent messages that cannot be read")
struct DamagedOutboxTests {
    /// The states of the row while its document is damaged.
    @Test(
        "unsent messages that cannot be decoded are parked, and block neither other messages nor fetches",
        arguments: ["queued", "sending"]
    )
    func parked(state: String) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await world.filledJournal(2, of: manager)
        let damaged = try #require(try await manager.create(Message(text: "Tea"), in: channel).message.id)
        let sound = try #require(try await manager.create(Message(text: "Coffee"), in: channel).message.id)
        try await manager.writer.write { database in
            let arguments: StatementArguments = [damaged.text]
            try database.execute(sql: "UPDATE message SET json = '{' WHERE id = ?", arguments: arguments)
            try database.execute(
                sql: """
                    UPDATE outbox SET state = '\(state)'
                    WHERE local_id = (SELECT local_id FROM message WHERE client_token = ?)
                    """,
                arguments: arguments
            )
        }
        let events = manager.events
        try await manager.sendAll()
        #expect(try await manager.message(id: sound)?.state == .sent)
        let parked = try await manager.parkedMessages()
        #expect(parked.map(\.reason.code) == ["damaged"])
        #expect(parked.map(\.message.message.id) == [damaged])
        #expect(try await manager.fetchNewest(in: channel).summary != nil)
        // It can be retried, edited and discarded.
        try await manager.retry(damaged)
        try await manager.sendAll(in: channel)
        #expect(try await manager.parkedMessages().map(\.reason.code) == ["damaged"])
        let edited = try await manager.edit(damaged, to: Message(text: "Cake"))
        try await manager.sendAll(in: channel)
        #expect(try await manager.message(id: try #require(edited.message.id))?.state == .sent)
        #expect(try await manager.check() == [])
        await manager.stop()
        var reasons: [String] = []
        for await event in events {
            if case .parked(_, damaged, let reason) = event { reasons.append(reason.code) }
        }
        #expect(reasons == ["damaged", "damaged"])
    }

    @Test("an unsent message whose file cannot be read is parked")
    func parkedForFile() async throws {
        let files = try await FileWorld()
        let staged = try await files.manager.stage(Data("picture".utf8), name: "a.bin", type: "com.example.file")
        let attachment = PendingFileAttachment(pendingFileID: staged.id, isOEmbed: false)
        let manager = files.manager
        let id = try #require(
            try await manager.create(
                Message(text: "Tea"),
                in: files.channel,
                attachments: [attachment],
                sendsImmediately: false
            ).message.id
        )
        try await manager.writer.write { database in
            try database.execute(sql: "UPDATE pending_file SET state = 'uploaded', file_json = '{'")
        }
        try await manager.sendAll(in: files.channel)
        #expect(try await manager.parkedMessages().map(\.reason.code) == ["damaged"])
        try await manager.discard(id)
        #expect(try await manager.pendingSummary().isEmpty)
        await manager.stop()
    }
}
