import AppNet
import Foundation
import HeliumCore
import HeliumTesting
import Testing

@testable import MessageBeast

@Suite("Messages of the service that cannot be decoded")
struct UnreadableMessageTests {
    private static func page(_ channel: AppNetChannel.ID, _ second: String, more: Bool = false) -> String {
        """
        {"meta": {"code": 200, "min_id": "7", "max_id": "9", "more": \(more)}, "data": [
            {"id": "9", "channel_id": "\(channel)", "text": "c"}, \(second),
            {"id": "7", "channel_id": "\(channel)", "text": "a"}
        ]}
        """
    }

    private static let broken = #"{"id": "8", "text": "b", "entities": {"links": "none"}}"#

    @Test("a message that cannot be decoded does not stop a full sync, which names it")
    func fullSync() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        let events = manager.events
        world.wire.set { _ in .respond(.json(Self.page(channel, Self.broken))) }
        let progress = try await manager.fullSync(of: channel).run()
        #expect(progress.messages == 2 && progress.isComplete)
        #expect(progress.unreadable.count == 1 && progress.unreadable.ids == ["8"])
        #expect(try await world.stored(channel, by: manager).count == 2)
        #expect(try await manager.newestCursor(of: channel) == 9)
        await manager.stop()
        var warnings: [MessageManager.Event] = []
        for await event in events {
            if case .warning = event { warnings.append(event) }
        }
        #expect(warnings == [.warning(.unreadable(progress.unreadable, in: channel))])
    }

    @Test("a fetch of newer messages stores those around one that cannot be decoded, and names it")
    func newest() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        world.wire.set { _ in .respond(.json(Self.page(channel, Self.broken))) }
        let summary = try #require(try await manager.fetchNewest(in: channel).summary)
        #expect(summary.inserted == 2 && summary.unreadable.ids == ["8"])
    }

    @Test("a message with half an emoji is stored with U+FFFD")
    func halfAnEmoji() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        let second = #"{"id": "8", "channel_id": "\#(channel)", "text": "b\ud83d"}"#
        world.wire.set { _ in .respond(.json(Self.page(channel, second))) }
        let progress = try await manager.fullSync(of: channel).run()
        #expect(progress.messages == 3 && progress.unreadable.isEmpty)
        #expect(try await manager.message(id: 8)?.message.text == "b\u{FFFD}")
    }

    @Test("a page of which no message can be decoded moves no cursor")
    func none() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        let page = #"{"meta": {"code": 200, "min_id": "8", "max_id": "8", "more": false}, "data": [\#(Self.broken)]}"#
        world.wire.set { _ in .respond(.json(page)) }
        let error = await #expect(throws: AppNetError.self) { try await manager.fullSync(of: channel).run() }
        #expect(error?.kind == .undecodable)
        #expect(try await manager.newestCursor(of: channel) == nil)
        #expect(try await manager.fullSyncState(of: channel) != .complete)
    }

    @Test("a message that can no longer be decoded is not removed by a comparison with the service")
    func reconcile() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(5, of: manager)
        try await manager.fullSync(of: channel).run()
        let ids = try await world.stored(channel, by: manager)
        let (kept, gone) = (ids[0], ids[1])
        let others = ids.dropFirst(2).map { #"{"id": "\#($0)", "channel_id": "\#(channel)", "text": "a"}"# }
        let unreadable = #"{"id": "\#(kept)", "channel_id": "\#(channel)", "text": {}}"#
        let list = #"{"meta": {"code": 200}, "data": [\#((others + [unreadable]).joined(separator: ","))]}"#
        world.wire.set { request in Wire.line(request).contains("ids=") ? .respond(.json(list)) : .pass }
        #expect(try await manager.reconcile(channel).removed == 1)
        #expect(try await world.stored(channel, by: manager) == ids.filter { $0 != gone })
    }

    @Test("a comparison in which no message can be decoded removes nothing")
    func reconcileNone() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(2, of: manager)
        try await manager.fullSync(of: channel).run()
        let ids = try await world.stored(channel, by: manager)
        let list =
            #"{"meta": {"code": 200}, "data": [{"id": "\#(ids[0])", "text": {}}, {"id": "\#(ids[1])", "text": {}}]}"#
        let one = #"{"meta": {"code": 200}, "data": {"id": "1", "text": {}}}"#
        world.wire.set { request in .respond(.json(Wire.line(request).contains("ids=") ? list : one)) }
        #expect(try await manager.reconcile(channel).removed == 0)
        #expect(try await world.stored(channel, by: manager) == ids)
    }

    @Test("a channel that cannot be decoded is not created again")
    func channels() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let list =
            #"{"meta": {"code": 200}, "data": [{"id": "7", "type": "com.example.other"}, {"id": "8", "type": {}}]}"#
        world.wire.set { _ in .respond(.json(list)) }
        let error = await #expect(throws: AppNetError.self) {
            try await manager.privateChannel(ofType: BeastWorld.journal)
        }
        #expect(error?.kind == .undecodable)
        #expect(!world.wire.requests.contains { $0.hasPrefix("POST") })
    }
}
