import AppNet
import Foundation
import HeliumCore
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
