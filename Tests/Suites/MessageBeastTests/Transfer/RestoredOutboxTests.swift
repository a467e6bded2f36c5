import AppNet
import Foundation
import HeliumCore
import HeliumServer
import Testing

@testable import MessageBeast

@Suite("Sending from a restored store", .timeLimit(.minutes(5)))
struct RestoredOutboxTests {
    private func exported(sendingAfter isSent: Bool) async throws -> (BeastWorld, ExportFiles, AppNetChannel.ID) {
        let (world, files) = (try await BeastWorld(), try ExportFiles())
        let first = try world.manager(.file(files.folder.path("first.sqlite")))
        let channel = try await world.filledJournal(3, of: first)
        _ = try await first.fetchNewest(in: channel)
        for text in ["One", "Two"] {
            _ = try await first.create(Message(text: text), in: channel, sendsImmediately: false)
        }
        let summary = try await first.export(to: files.export)
        #expect(summary == ExportSummary(channels: 1, messages: 5, unsent: 2))
        if isSent { try await first.sendAll(in: channel) }
        await first.stop()
        world.wire.forget()
        return (world, files, channel)
    }

    private func texts(_ channel: AppNetChannel.ID, _ world: BeastWorld) async throws -> [String] {
        try await world.client.messages.list(in: channel).page(PageBounds(count: 200)).elements.reversed()
            .compactMap(\.text).filter { !$0.hasPrefix("Message") }
    }

    @Test("unsent messages of an imported store are sent in order")
    func unsent() async throws {
        let (world, files, channel) = try await exported(sendingAfter: false)
        let second = try world.manager(.file(files.folder.path("second.sqlite")))
        try await second.restore(from: files.export)
        #expect(try await second.search(text: "message", in: channel).count == 3)
        try await second.sendAll(in: channel)
        #expect(try await texts(channel, world) == ["One", "Two"])
        #expect(try await second.pendingSummary().isEmpty)
        #expect(try await second.check() == [])
        await second.stop()
    }

    @Test("an export with the place of an unsent message can be restored, and sent messages rename the place")
    func unsentPlace() async throws {
        let (world, files) = (try await BeastWorld(), try ExportFiles())
        let first = try world.manager(.file(files.folder.path("first.sqlite"))) { $0.sendsAutomatically = false }
        let channel = try await world.filledJournal(1, of: first)
        let place = LocationTests.ohai("Harbor", 1, 2, id: "u1")
        _ = try await first.create(Message(text: "Here", annotations: [place]), in: channel)
        try await first.export(to: files.export)
        let second = try world.manager(.file(files.folder.path("second.sqlite"))) { $0.sendsAutomatically = false }
        try await second.restore(from: files.export)
        #expect(try await second.places(matching: "harbor").map(\.place.name) == ["Harbor"])
        #expect(try await second.search(placeName: "harbor", in: channel).count == 1)
        let renamed = LocationTests.ohai("Marina", 1, 2, id: "u1")
        let newer = try await world.fill(channel, 1) { .init(text: "\($0)", annotations: [renamed.document]) }
        _ = try await second.refresh(newer, in: channel)
        #expect(try await second.places(matching: "marina").map(\.place.name) == ["Marina"])
        #expect(try await second.check() == [])
        for manager in [first, second] { await manager.stop() }
    }

    /// The user's decisions on a parked message after which it is sent.
    enum Decision: String, CaseIterable, Sendable {
        case retry
        case edit
    }

    @Test(
        "a message that was parked, and sent by the exported store since, is not sent again from the import",
        arguments: Decision.allCases
    )
    func parked(_ decision: Decision) async throws {
        let (world, files) = (try await BeastWorld(), try ExportFiles())
        let first = try world.manager(.file(files.folder.path("first.sqlite"))) { $0.sendsAutomatically = false }
        let channel = try await world.filledJournal(3, of: first)
        _ = try await first.fetchNewest(in: channel)
        let created = try await first.create(Message(text: "One"), in: channel)
        world.wire.set { FileWorld.isPost($0) ? .respond(.failure(403)) : .pass }
        try await first.sendAll(in: channel)
        let parked = try #require(try await first.parkedMessages().first)
        world.wire.set(nil)
        try await first.export(to: files.export)
        let id = try #require(created.message.id)
        try await first.retry(id)
        try await first.sendAll(in: channel)
        await first.stop()
        let second = try world.manager(.file(files.folder.path("second.sqlite"))) { $0.sendsAutomatically = false }
        try await second.restore(from: files.export)
        // A second export of it is no different.
        try await second.export(to: files.folder.path("second.jsonl"))
        let third = try world.manager(.file(files.folder.path("third.sqlite"))) { $0.sendsAutomatically = false }
        try await third.restore(from: files.folder.path("second.jsonl"))
        for manager in [second, third] {
            world.wire.forget()
            #expect(try await manager.parkedMessages().map(\.reason) == [parked.reason])
            switch decision {
            case .retry: try await manager.retry(id)
            case .edit:
                let error = await #expect(throws: MessageBeastError.self) {
                    try await manager.edit(id, to: Message(text: "Two"))
                }
                #expect(error?.kind == .notEditable)
            }
            try await manager.sendAll(in: channel)
            #expect(world.wire.requests.count(where: FileWorld.isPost(line:)) == 0)
            #expect(try await manager.message(id: id)?.state == .sent)
            await manager.stop()
        }
        #expect(try await texts(channel, world) == ["One"])
    }

    @Test("messages that were sent after the export are not sent again from the import")
    func sentMeanwhile() async throws {
        let (world, files, channel) = try await exported(sendingAfter: true)
        let second = try world.manager(.file(files.folder.path("second.sqlite")))
        try await second.restore(from: files.export)
        try await second.sendAll(in: channel)
        #expect(world.wire.requests.count { $0.hasPrefix("POST ") } == 0)
        #expect(try await texts(channel, world) == ["One", "Two"])
        #expect(try await second.pendingSummary().isEmpty)
        let stored = try await second.page(of: channel, limit: nil).messages
        #expect(stored.count == 5 && stored.allSatisfy { $0.state == .sent })
        await second.stop()
    }
}
