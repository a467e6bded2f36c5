import AppNet
import Foundation
import GRDB
import HeliumDatabase
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Two copies of a message in one page")
struct CopiesInPageTests {
    /// A device that has stored the higher one of two copies, which were created one minute apart.
    private struct Device {
        let world: BeastWorld
        let manager: MessageManager
        let channel: AppNetChannel.ID
        let lower: Message
        let higher: Message
        /// The temporary id of both.
        let temporary: Message.ID

        init(sendsAutomatically: Bool = true) async throws {
            world = try await BeastWorld()
            manager = try world.manager { $0.sendsAutomatically = sendsAutomatically }
            channel = try await world.emptyJournal()
            _ = try await manager.privateChannel(ofType: BeastWorld.journal)
            let other = try world.manager()
            let aside = try await other.privateChannel(ofType: "com.example.other").id
            let created = try await other.create(Message(text: "Tea"), in: aside, sendsImmediately: false).message
            temporary = try #require(created.id)
            lower = try await world.client.messages.create(UnsentMessage.posted(created), in: channel)
            world.clock.advance(by: .seconds(60))
            higher = try await world.client.messages.create(UnsentMessage.posted(created), in: channel)
            #expect(lower.createdAt != higher.createdAt)
            _ = try await manager.refresh([try #require(higher.id)], in: channel)
        }

        func refreshBoth() async throws {
            _ = try await manager.refresh([try #require(higher.id), try #require(lower.id)], in: channel)
        }

        /// The id, the sort key, the id in the document and the date of creation of each row.
        func rows() async throws -> [String] {
            try await manager.writer.read { database in
                let sql = """
                    SELECT id || ' ' || sort_key || ' ' || json_extract(json, '$.id') || ' ' || created_ms FROM message
                    """
                return try String.fetchAll(database, sql: sql)
            }
        }

        /// The only row there should be.
        func expectLower() async throws {
            let id = try #require(lower.id?.text)
            let created = Milliseconds(try #require(lower.createdAt)).value
            #expect(try await rows() == ["\(id) \(id) \(id) \(created)"])
            #expect(try await manager.message(id: temporary)?.message.id == lower.id)
        }

        func expectEnd() async throws {
            try await expectLower()
            try await manager.sendAll(in: channel)
            try await expectLower()
            let live = try await world.client.messages.list(in: channel).page().elements.filter { $0.isDeleted != true }
            #expect(live.map(\.id) == [lower.id])
            #expect(try await manager.check() == [])
            await manager.stop()
        }
    }

    @Test("the content of a copy with a higher id does not replace the message with the lower id")
    func content() async throws {
        let device = try await Device()
        try await device.refreshBoth()
        try await device.expectEnd()
    }

    @Test("a deleted copy with the higher id does not delete the message with the lower id")
    func tombstone() async throws {
        let device = try await Device()
        try await device.world.client.messages.delete(try #require(device.higher.id), in: device.channel)
        try await device.refreshBoth()
        try await device.expectEnd()
    }

    @Test("a restored message has the position of its id, whatever its document contains")
    func restored() async throws {
        let device = try await Device(sendsAutomatically: false)
        try await device.refreshBoth()
        // As an earlier version has left it.
        let text = try IncomingMessage.text(of: device.higher)
        try await device.manager.writer.write { database in
            try database.execute(sql: "UPDATE message SET json = ?", arguments: [text])
        }
        let id = try #require(device.lower.id)
        try await device.manager.delete(id)
        #expect(try await device.manager.cancelDeletion(of: id))
        let keys = try await device.manager.writer.read { try Int.fetchAll($0, sql: "SELECT sort_key FROM message") }
        #expect(keys == [id.number])
        await device.manager.stop()
    }
}
