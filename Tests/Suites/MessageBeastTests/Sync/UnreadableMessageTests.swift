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

    /// A message with an annotation that is valid, and nested deeper than the decoder's limit.
    private static func deep(_ id: String, in channel: AppNetChannel.ID) -> String {
        let (open, close) = (String(repeating: "[", count: 3_000), String(repeating: "]", count: 3_000))
        return #"{"channel_id": "\#(channel)", "text": "b", "annotations": [{"type": "a.b", "value": {"a": "#
            + #"\#(open)\#(close)}}], "id": "\#(id)"}"#
    }

    @Test("a message that is nested too deep does not stop a channel, alone on a page or beside others")
    func deep() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        world.wire.set { request in
            let isLater = Wire.line(request).contains("before_id=7")
            return .respond(
                .json(
                    isLater
                        ? Self.page(
                            #""min_id": "6", "max_id": "6", "more": false"#,
                            Self.deep("6", in: channel),
                            in: channel
                        ) : Self.page(channel, Self.deep("8", in: channel), more: true)
                )
            )
        }
        let progress = try await manager.fullSync(of: channel).run()
        #expect(progress.isComplete && progress.messages == 2 && progress.unreadable.ids == ["8", "6"])
        #expect(progress.unreadable.items.allSatisfy { $0.reason.contains("512") }, "\(progress.unreadable.items)")
        #expect(try await world.stored(channel, by: manager).sorted() == [7, 9])
        #expect(try await manager.newestCursor(of: channel) == 9)
    }

    @Test(
        "the first of the messages with one id in a page is stored, and the others are named",
        arguments: [
            (#"{"id": "9", "channel_id": "CHANNEL", "text": "other"}"#, "9", 2),
            (#"{"id": "9", "channel_id": "CHANNEL", "is_deleted": true}"#, "9", 2),
            (
                #"{"id": "8", "channel_id": "CHANNEL", "text": "b"}, {"id": "9", "channel_id": "CHANNEL", "text": "x"}"#,
                "9", 3
            ),
        ]
    )
    func repeated(_ second: String, _ id: String, _ count: Int) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        let page = Self.page(channel, second.replacingOccurrences(of: "CHANNEL", with: channel.text))
        world.wire.set { _ in .respond(.json(page)) }
        let progress = try await manager.fullSync(of: channel).run()
        #expect(progress.isComplete && progress.messages == count && progress.unreadable.ids == [id])
        #expect(try await manager.message(id: 9)?.message.text == "c")
        #expect(try await manager.newestCursor(of: channel) == 9)
    }

    @Test(
        "a page without items is empty, whatever bounds it has",
        arguments: [
            #""min_id": "1", "max_id": "9", "more": false"#, #""min_id": "9", "max_id": "1", "more": false"#,
            #""min_id": "x", "max_id": "", "more": false"#, #""min_id": "99", "max_id": "99""#,
        ]
    )
    func emptyPage(_ meta: String) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        world.wire.set { request in
            .respond(
                .json(
                    Wire.line(request).contains("before_id=7")
                        ? Self.page(meta, "", in: channel)
                        : Self.page(channel, #"{"id": "8", "channel_id": "\#(channel)", "text": "b"}"#, more: true)
                )
            )
        }
        let progress = try await manager.fullSync(of: channel).run()
        #expect(progress.isComplete && progress.messages == 3 && progress.unreadable.isEmpty)
        // Nothing is newer than the newest message.
        world.wire.set { _ in .respond(.json(Self.page(meta, "", in: channel))) }
        let summary = try #require(try await manager.fetchNewest(in: channel).summary)
        #expect(summary.inserted == 0 && summary.unreadable.isEmpty)
        #expect(try await manager.newestCursor(of: channel) == 9)
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

    /// A page with any messages, in place of `CHANNEL` the id of the channel.
    private static func page(_ meta: String, _ messages: String, in channel: AppNetChannel.ID) -> String {
        #"{"meta": {"code": 200, \#(meta)}, "data": [\#(messages)]}"#
            .replacingOccurrences(of: "CHANNEL", with: channel.text)
    }

    @Test("a page of which no message can be decoded is passed over, and its messages are named")
    func onlyUnreadable() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        world.wire.set { request in
            let isLater = Wire.line(request).contains("before_id=8")
            return .respond(
                .json(
                    isLater
                        ? Self.page(
                            #""min_id": "7", "max_id": "7", "more": false"#,
                            #"{"id": "7", "channel_id": "CHANNEL", "text": "a"}"#,
                            in: channel
                        ) : Self.page(#""min_id": "8", "max_id": "8", "more": true"#, Self.broken, in: channel)
                )
            )
        }
        let progress = try await manager.fullSync(of: channel).run()
        #expect(progress.isComplete && progress.messages == 1 && progress.unreadable.ids == ["8"])
        #expect(try await manager.newestCursor(of: channel) == 8)
        #expect(try await world.stored(channel, by: manager) == [7])
        // The message is stored once it can be decoded.
        let repaired = #"{"meta": {"code": 200}, "data": {"id": "8", "channel_id": "\#(channel)", "text": "b"}}"#
        world.wire.set { _ in .respond(.json(repaired)) }
        _ = try await manager.refresh(8, in: channel)
        #expect(try await world.stored(channel, by: manager).sorted() == [7, 8])
    }

    @Test(
        "a message without an id, or of another channel, is left out and named",
        arguments: [
            ("{}", []), (#"{"id": null, "text": "b"}"#, []), (#"{"id": "x", "text": "b"}"#, []),
            (#"{"id": "-8", "text": "b"}"#, []), (#"{"id": "8", "channel_id": "1999999", "text": "b"}"#, ["8"]),
        ] as [(String, [String])]
    )
    func unusable(_ second: String, _ ids: [String]) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        world.wire.set { _ in .respond(.json(Self.page(channel, second))) }
        let progress = try await manager.fullSync(of: channel).run()
        #expect(progress.isComplete && progress.unreadable.count == 1 && progress.unreadable.ids == ids)
        #expect(try await world.stored(channel, by: manager).sorted() == [7, 9])
        #expect(try await manager.newestCursor(of: channel) == 9)
    }

    @Test(
        "a page without any message that could be one of the channel moves no cursor",
        arguments: [
            "5", "{}", #"{"id": "x", "text": {}}"#, #"{"id": "8", "channel_id": "1999999", "text": "b"}, {}"#,
        ]
    )
    func none(_ messages: String) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        let page = Self.page(#""min_id": "8", "max_id": "8", "more": false"#, messages, in: channel)
        world.wire.set { _ in .respond(.json(page)) }
        await #expect(throws: (any Error).self) { try await manager.fullSync(of: channel).run() }
        #expect(try await manager.newestCursor(of: channel) == nil)
        #expect(try await manager.fullSyncState(of: channel) != .complete)
        #expect(try await world.stored(channel, by: manager) == [])
    }

    @Test("a refresh by ids stores the others, and names the messages that it cannot use")
    func refresh() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(0, of: manager)
        let events = manager.events
        let messages =
            #"{"id": "9", "channel_id": "CHANNEL", "text": "c"}, {"id": "8", "text": {}}, "#
            + #"{"id": "7", "channel_id": "1999999", "text": "a"}, {"id": "6", "channel_id": "CHANNEL", "text": "d"}"#
        world.wire.set { _ in .respond(.json(Self.page(#""more": false"#, messages, in: channel))) }
        world.wire.forget()
        let stored = try await manager.refresh([9, 8, 7, "-1"], in: channel)
        #expect(stored.map(\.message.id) == [9])
        #expect(try await world.stored(channel, by: manager) == [9])
        #expect(world.wire.requests.count == 1 && world.wire.requests.allSatisfy { !$0.contains("-1") })
        await manager.stop()
        var ids: [String] = []
        for await event in events {
            if case .warning(.unreadable(let items, in: channel)) = event { ids += items.ids }
        }
        #expect(ids.sorted() == ["-1", "6", "7", "8"])
    }

    /// Sends a message whose response is lost, and looks for it in lists of these messages.
    private func searched(
        _ messages: String,
        attempts: Int = 3,
        _ check: (MessageManager, BeastWorld, Message.ID) async throws -> Void
    ) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { options in
            options.sendsAutomatically = false
            options.maximumSendAttempts = attempts
        }
        let channel = try await world.filledJournal(0, of: manager)
        world.wire.loseResponses(times: 1)
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        _ = try await manager.outbox.drain(channel, isExplicit: true)
        world.wire.forget()
        let page = Self.page(#""min_id": "8", "max_id": "8", "more": false"#, messages, in: channel)
        world.wire.set { request in Wire.line(request).hasPrefix("GET ") ? .respond(.json(page)) : .pass }
        for _ in 0..<(attempts + 1) { _ = try await manager.outbox.drain(channel, isExplicit: true) }
        #expect(!world.wire.requests.contains { $0.hasPrefix("POST ") })
        try await check(manager, world, try #require(created.message.id))
        await manager.stop()
    }

    @Test("a message with an unknown outcome is parked if the service's only message cannot be decoded")
    func search() async throws {
        try await searched(Self.broken) { manager, _, id in
            let parked = try #require(try await manager.parkedMessages().first)
            #expect(parked.reason.code == "maybeDeletedElsewhere" && parked.reason.message.contains("decoded"))
            try await manager.discard(id)
            #expect(try await manager.pendingSummary().isEmpty)
        }
    }

    @Test("a message with an unknown outcome is parked if the list stays unreadable", arguments: ["5", "{}"])
    func unreadableList(_ messages: String) async throws {
        try await searched(messages) { manager, world, id in
            let parked = try #require(try await manager.parkedMessages().first)
            #expect(parked.reason.code == "outcomeUnknown")
            // The list can be read again, and has the message.
            world.wire.set(nil)
            try await manager.retry(id)
            try await manager.sendAll()
            #expect(try await manager.pendingSummary().isEmpty)
            #expect(!world.wire.requests.contains { $0.hasPrefix("POST ") })
        }
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
