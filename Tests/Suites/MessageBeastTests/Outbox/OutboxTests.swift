import AppNet
import Foundation
import GRDB
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumServer
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Creating and sending")
struct OutboxTests {
    /// The texts of a channel on the service, oldest first.
    private func texts(of channel: AppNetChannel.ID, in world: BeastWorld) async throws -> [String] {
        try await world.client.messages.list(in: channel).page(PageBounds(count: 200)).elements.reversed()
            .filter { $0.isDeleted != true }.compactMap(\.text)
    }

    /// A channel that is complete.
    private func channel(of manager: MessageManager, in world: BeastWorld) async throws -> AppNetChannel.ID {
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        world.wire.forget()
        return channel
    }

    private func posts(_ world: BeastWorld) -> Int {
        world.wire.requests.count { $0.hasPrefix("POST ") && $0.contains("/messages") }
    }

    @Test("a message that is written without a network is stored, listed and found", .behaviour(40))
    func offline() async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let file = MessageManager.Store.file(folder.path("journal.sqlite"))
        let manager = try world.manager(file)
        let channel = try await channel(of: manager, in: world)
        world.wire.fail()
        var draft = Message(text: "Tea with #Anna")
        draft.annotations = [
            Annotation(
                type: MessageBeastNames.oembed,
                value: ["version": "1.0", "type": "photo", "url": "https://example.com/a.png", "width": 1, "height": 1]
            )
        ]
        try draft.addLocation(CustomPlace(id: "home", place: Place(name: "Home")))
        let created = try await manager.create(draft, in: channel)
        #expect(created.state == .unsent)
        let second = try world.manager(file)
        let listed = try await second.page(of: channel).messages
        #expect(listed.map(\.id) == [created.id])
        #expect(listed.first?.isUnsent == true)
        #expect(try await second.search(text: "tea", in: channel).count == 1)
        #expect(try await second.messages(in: channel, hashtag: "anna").count == 1)
        #expect(try await second.messages(in: channel, annotationType: MessageBeastNames.oembed).count == 1)
        #expect(try await second.message(id: try #require(created.message.id))?.id == created.id)
    }

    @Test("a message is sent once and keeps its identity, and is found by its temporary id", .behaviour(43, 46))
    func sent() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await channel(of: manager, in: world)
        let events = manager.events
        let draft = Message(text: "Tea with #Anna")
        let created = try await manager.create(draft, in: channel, sendsImmediately: false)
        #expect(created.message.entities?.hashtags?.first?.name == "anna")
        try await manager.sendAll(in: channel)
        #expect(try await texts(of: channel, in: world) == ["Tea with #Anna"])
        let temporary = try #require(created.message.id)
        let stored = try #require(try await manager.message(id: temporary))
        #expect(stored.id == created.id)
        #expect(stored.state == .sent)
        #expect(stored.message.id?.number != nil)
        var iterator = events.makeAsyncIterator()
        let pair = MessageManager.SentMessage(temporaryID: temporary, serverID: try #require(stored.message.id))
        #expect(await iterator.next() == .sent(channel, pair))
        #expect(await iterator.next() == .drained(channel, [pair]))
        // A fetch brings it again, and changes nothing.
        #expect(try await manager.fetchNewest(in: channel).summary?.inserted == 0)
        #expect(try await manager.page(of: channel).messages.count == 1)
        #expect(try await manager.check() == [])
    }

    @Test("creating a message does not change the caller's value, and ignores its token", .behaviour(41))
    func value() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await channel(of: manager, in: world)
        var draft = Message(text: "Tea")
        draft.annotations = [Annotation(type: MessageBeastNames.token, value: ["token": "old"])]
        let before = draft
        let created = try await manager.create(draft, in: channel, sendsImmediately: false)
        #expect(draft == before)
        #expect(created.message.token == created.message.id?.text)
        #expect(created.message.annotations?.count { $0.type == MessageBeastNames.token } == 1)
    }

    @Test("an empty text is refused, except for machine-only messages", .behaviour(42))
    func empty() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await channel(of: manager, in: world)
        let error = await #expect(throws: MessageBeastError.self) {
            try await manager.create(Message(text: ""), in: channel)
        }
        #expect(error?.kind == .textMissing)
        let tooLong = Message(text: String(repeating: "a", count: 3000))
        await #expect(throws: AppNetError.self) { try await manager.create(tooLong, in: channel) }
        #expect(try await manager.page(of: channel).messages == [])
        var machine = Message(text: "", isMachineOnly: true)
        machine.annotations = [Annotation(type: "com.example.state", value: ["on": true])]
        _ = try await manager.create(machine, in: channel)
        try await manager.sendAll(in: channel)
        #expect(try await manager.page(of: channel).messages.first?.state == .sent)
    }

    @Test("two creations and a call to send post each message once, in order", .behaviour(44, 45))
    func concurrent() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await channel(of: manager, in: world)
        var dated = Message(text: "A")
        dated.addDisplayDate(Date(timeIntervalSince1970: 1_800_000_000))
        _ = try await manager.create(dated, in: channel)
        async let second = manager.create(Message(text: "B"), in: channel)
        async let all: Void = manager.sendAll(in: channel)
        _ = try await (second, all)
        try await manager.sendAll(in: channel)
        #expect(try await texts(of: channel, in: world) == ["A", "B"])
        #expect(posts(world) == 2)
    }

    @Test("a response that is lost is found by the token, and nothing is posted again", .behaviour(48))
    func lostResponse() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await channel(of: manager, in: world)
        world.wire.loseResponses(times: 1)
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        try await manager.sendAll(in: channel)
        try await manager.sendAll(in: channel)
        #expect(posts(world) == 1)
        #expect(try await texts(of: channel, in: world) == ["Tea"])
        let stored = try #require(try await manager.page(of: channel).messages.first)
        #expect(stored.id == created.id && stored.state == .sent)
        #expect(try await manager.fetchNewest(in: channel).summary?.inserted == 0)
        #expect(try await manager.page(of: channel).messages.count == 1)
    }

    @Test("a message claimed by a crashed engine is looked for, and posted if it is missing", .behaviour(49))
    func crashed() async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let file = MessageManager.Store.file(folder.path("journal.sqlite"))
        let token: Message.ID
        let channel: AppNetChannel.ID
        do {
            let manager = try world.manager(file)
            channel = try await self.channel(of: manager, in: world)
            token = try #require(
                try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false).message.id
            )
            try await manager.writer.write { database in
                let row = try #require(try OutboxTable(database: database).first(in: channel.text) { $0 })
                _ = try OutboxTable(database: database).claim(
                    row.localID,
                    owner: "0123-dead",
                    cursor: nil,
                    now: Milliseconds(1_700_000_000_000)
                )
            }
        }
        let second = try world.manager(file)
        try await second.sendAll(in: channel)
        #expect(posts(world) == 1)
        #expect(try await texts(of: channel, in: world) == ["Tea"])
        #expect(try await second.message(id: token)?.state == .sent)
    }

    @Test("a message claimed by a running engine is left alone")
    func claimed() async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let file = MessageManager.Store.file(folder.path("journal.sqlite"))
        let first = try world.manager(file)
        let channel = try await channel(of: first, in: world)
        let gate = Signal<Void>()
        world.wire.set { $0.method == .post ? .hold(gate) : .pass }
        _ = try await first.create(Message(text: "Tea"), in: channel)
        try await eventually { posts(world) == 1 }
        let second = try world.manager(file) { $0.sendsAutomatically = false }
        let delay = try await second.outbox.drain(channel, isExplicit: true)
        #expect(delay == .seconds(1))
        #expect(world.wire.requests.count == 1)
        gate.settle()
        try await eventually { try await first.page(of: channel).messages.first?.state == .sent }
        #expect(posts(world) == 1)
        await first.stop()
    }

    @Test("nothing is posted while the channel cannot be listed", .behaviour(50))
    func cannotList() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager() { $0.sendsAutomatically = false }
        let channel = try await channel(of: manager, in: world)
        world.wire.loseResponses(times: 1)
        _ = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        _ = try await manager.outbox.drain(channel, isExplicit: true)
        world.wire.fail("GET ")
        _ = try await manager.outbox.drain(channel, isExplicit: true)
        #expect(posts(world) == 1)
        #expect(try await manager.page(of: channel).messages.first?.state == .unsent)
        world.wire.set(nil)
        try await manager.sendAll(in: channel)
        #expect(posts(world) == 1)
        #expect(try await manager.page(of: channel).messages.first?.state == .sent)
    }

    @Test("a fetch that returns the message before its response makes no second row", .behaviour(51))
    func echoFirst() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.fetchPolicy = .fetchAnyway }
        let channel = try await channel(of: manager, in: world)
        let gate = Signal<Void>()
        world.wire.holdResponses(until: gate)
        let created = try await manager.create(Message(text: "Tea"), in: channel)
        try await eventually { try await texts(of: channel, in: world).count == 1 }
        _ = try await manager.fetchNewest(in: channel)
        #expect(try await manager.page(of: channel).messages.map(\.id) == [created.id])
        gate.settle()
        try await eventually { world.wire.heldResponses == 0 }
        try await manager.sendAll(in: channel)
        #expect(try await manager.page(of: channel).messages.map(\.id) == [created.id])
        #expect(try await texts(of: channel, in: world) == ["Tea"])
        await manager.stop()
    }

    @Test("a message that the service refuses is parked, and later ones are sent", .behaviour(47, 52, 53))
    func refused() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await channel(of: manager, in: world)
        let count = Counter()
        let refusal = #"{"meta": {"code": 400, "error_message": "Not that one"}}"#
        world.wire.set { request in
            request.method == .post && count.increment() == 1 ? .respond(.json(refusal, status: 400)) : .pass
        }
        let events = manager.events
        let bad = try await manager.create(Message(text: "Bad"), in: channel, sendsImmediately: false)
        for text in ["Good", "Better"] {
            _ = try await manager.create(Message(text: text), in: channel, sendsImmediately: false)
        }
        try await manager.sendAll(in: channel)
        #expect(try await texts(of: channel, in: world) == ["Good", "Better"])
        let parked = try await manager.parkedMessages()
        #expect(parked.map(\.message.id) == [bad.id])
        #expect(parked.first?.reason.code == "badRequest")
        #expect(try await manager.fetchNewest(in: channel).summary != nil)
        try await manager.retry(try #require(bad.message.id))
        try await manager.sendAll(in: channel)
        #expect(try await texts(of: channel, in: world) == ["Good", "Better", "Bad"])
        #expect(try await manager.parkedMessages() == [])
        await manager.stop()
        var sent = 0
        var hasParked = false
        for await event in events {
            if case .sent = event { sent += 1 }
            if case .parked(_, bad.message.id, _) = event { hasParked = true }
        }
        #expect(sent == 3)
        #expect(hasParked)
    }

    @Test("attempts without a network are not counted, and sending continues by itself", .behaviour(54))
    func noNetwork() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await channel(of: manager, in: world)
        world.wire.fail("POST ", times: 3)
        let created = try await manager.create(Message(text: "Tea"), in: channel)
        try await eventually { try await manager.message(id: try #require(created.message.id))?.state == .sent }
        #expect(posts(world) == 4)
        #expect(world.clock.requestedSleeps.count >= 3)
        await manager.stop()
    }

    @Test("sending waits for the delay that the service asks for", .behaviour(55))
    func rateLimited() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager() { $0.sendsAutomatically = false }
        let channel = try await channel(of: manager, in: world)
        let count = Counter()
        world.wire.set { request in
            request.method == .post && count.increment() == 1
                ? .respond(.json(#"{"meta": {"code": 429}}"#, status: 429, fields: [.retryAfter: "50"])) : .pass
        }
        _ = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        let delay = try #require(try await manager.outbox.drain(channel, isExplicit: true))
        #expect(delay > .seconds(49) && delay <= .seconds(50))
        _ = try await manager.outbox.drain(channel, isExplicit: true)
        #expect(posts(world) == 1)
        world.clock.advance(by: .seconds(50))
        _ = try await manager.outbox.drain(channel, isExplicit: true)
        #expect(posts(world) == 2)
        #expect(try await texts(of: channel, in: world) == ["Tea"])
    }

    @Test("a rejected token pauses all channels with one event, and parks nothing", .behaviour(56))
    func signedOut() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager() { $0.sendsAutomatically = false }
        let channel = try await channel(of: manager, in: world)
        let other = try await manager.privateChannel(ofType: "com.example.other").id
        let events = manager.events
        try await world.server.appNet.setToken("alice-token", .revoked)
        for channel in [channel, other, channel] {
            _ = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        }
        for channel in [channel, other] { _ = try await manager.outbox.drain(channel, isExplicit: false) }
        #expect(posts(world) == 1)
        #expect(try await manager.parkedMessages() == [])
        try await world.server.appNet.setToken("alice-token", .active)
        try await manager.sendAll()
        #expect(try await texts(of: channel, in: world) == ["Tea", "Tea"])
        #expect(try await texts(of: other, in: world) == ["Tea"])
        await manager.stop()
        var count = 0
        for await event in events where event == .authenticationRequired { count += 1 }
        #expect(count == 1)
    }

    @Test("after too many unknown outcomes a message is parked, and looked for before it is sent again", .behaviour(57))
    func tooOften() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.maximumSendAttempts = 3 }
        let channel = try await channel(of: manager, in: world)
        world.wire.fail("POST ", delivery: .maybeSent)
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        for _ in 0..<8 { _ = try await manager.outbox.drain(channel, isExplicit: true) }
        let parked = try #require(try await manager.parkedMessages().first)
        #expect(parked.reason.code == "outcomeUnknown")
        #expect(parked.message.sendAttemptsCount == 3)
        #expect(posts(world) == 3)
        world.wire.set(nil)
        world.wire.forget()
        try await manager.retry(try #require(created.message.id))
        try await manager.sendAll(in: channel)
        #expect(world.wire.requests.first?.hasPrefix("GET ") == true)
        #expect(try await texts(of: channel, in: world) == ["Tea"])
        await manager.stop()
    }

    @Test("a failing message does not stop another channel", .behaviour(58))
    func independent() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager() { $0.sendsAutomatically = false }
        let channel = try await channel(of: manager, in: world)
        let other = try await manager.privateChannel(ofType: "com.example.other").id
        world.wire.fail("/channels/\(channel)/messages")
        for channel in [channel, other] {
            _ = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        }
        for channel in [channel, other] { _ = try await manager.outbox.drain(channel, isExplicit: true) }
        world.wire.set(nil)
        #expect(try await texts(of: other, in: world) == ["Tea"])
        #expect(try await texts(of: channel, in: world) == [])
    }

    @Test("a fetch sends unsent messages first", .behaviour(59))
    func sendsFirst() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await channel(of: manager, in: world)
        try await world.fill(channel, 2)
        _ = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        let summary = try #require(try await manager.fetchNewest(in: channel).summary)
        #expect(summary.inserted == 2)
        #expect(world.wire.requests.first?.hasPrefix("POST ") == true)
        #expect(try await manager.page(of: channel).messages.count == 3)
    }

    @Test("more messages than the queue's limit are refused, and nothing of them is stored")
    func full() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.maximumUnsent = 2 }
        let channel = try await channel(of: manager, in: world)
        for _ in 0..<2 { _ = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false) }
        let error = await #expect(throws: MessageBeastError.self) {
            try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        }
        #expect(error?.kind == .queueFull)
        let other = try await manager.stage(Data("a".utf8), name: "a", type: FileWorld.type)
        let attachment = PendingFileAttachment(pendingFileID: other.id, isOEmbed: false)
        let second = await #expect(throws: MessageBeastError.self) {
            try await manager.create(Message(text: "Map"), in: channel, attachments: [attachment])
        }
        #expect(second?.kind == .queueFull)
        #expect(try await manager.page(of: channel).messages.map(\.message.text) == ["Tea", "Tea"])
        #expect(try await manager.search(text: "map", in: channel) == [])
        #expect(try await manager.outbox(of: channel).count == 2)
        #expect(try await manager.pendingFiles().map(\.id) == [other.id])
        #expect(try await manager.check() == [])
        try await manager.sendAll(in: channel)
        _ = try await manager.create(Message(text: "Map"), in: channel, attachments: [attachment])
        await manager.stop()
    }

    @Test("setting the clock back does not stop sending")
    func clockSetBack() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager() { $0.sendsAutomatically = false }
        let channel = try await channel(of: manager, in: world)
        world.wire.fail("POST ", times: 1)
        _ = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        let delay = try #require(try await manager.outbox.drain(channel, isExplicit: false))
        #expect(delay <= .seconds(2))
        world.clock.setWallTime(.seconds(1_700_000_000 - 12 * 3600))
        #expect(try await manager.outbox.drain(channel, isExplicit: false) == nil)
        #expect(try await texts(of: channel, in: world) == ["Tea"])
    }

    @Test("an invalid list of messages does not make anything posted twice")
    func wrongListing() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager() { $0.sendsAutomatically = false }
        let channel = try await channel(of: manager, in: world)
        world.wire.loseResponses(times: 1)
        _ = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        _ = try await manager.outbox.drain(channel, isExplicit: true)
        let wrong = #"{"meta": {"code": 200, "more": true}, "data": []}"#
        world.wire.set { $0.method == .get ? .respond(.json(wrong)) : .pass }
        #expect(try await manager.outbox.drain(channel, isExplicit: true) != nil)
        world.wire.set(nil)
        try await manager.sendAll(in: channel)
        #expect(posts(world) == 1)
        #expect(try await manager.page(of: channel).messages.first?.state == .sent)
        await manager.stop()
    }
}
