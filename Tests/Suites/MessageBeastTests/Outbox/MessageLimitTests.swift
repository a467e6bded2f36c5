import AppNet
import Foundation
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Messages that are too large")
struct MessageLimitTests {
    /// A message with a text and an annotation of about `count` bytes.
    private func message(_ count: Int) -> Message {
        let note: String = String(repeating: "a", count: count)
        var message = Message(text: "Tea")
        message.annotations = [Annotation(type: "com.example.note", value: ["text": .string(note)])]
        return message
    }

    /// The largest note that `accepts`, found by halving.
    private func largest(_ accepts: (Message) async -> Bool) async -> Int {
        var (low, high) = (0, 8192)
        while low + 1 < high {
            let middle = (low + high) / 2
            if await accepts(message(middle)) { low = middle } else { high = middle }
        }
        return low
    }

    private func expectNothing(_ files: FileWorld) async throws {
        #expect(try await files.manager.page(of: files.channel).messages == [])
        #expect(try await files.manager.pendingSummary().messages == 0)
        #expect(try await files.manager.search(text: "Tea", in: files.channel) == [])
        #expect(files.wire.requests == [])
    }

    @Test("a message whose annotations have no room for the token is refused, and not stored")
    func token() async throws {
        let files = try await FileWorld { $0.sendsAutomatically = false }
        let (manager, channel) = (files.manager, files.channel)
        let alone = await largest { (try? files.world.client.messages.validate($0, in: channel)) != nil }
        let error = await #expect(throws: AppNetError.self) {
            try await manager.create(message(alone), in: channel)
        }
        #expect(error?.kind == .invalidRequest)
        try await expectNothing(files)
        let fitting = await largest { message in
            guard let id = try? await manager.create(message, in: channel).message.id else { return false }
            return (try? await manager.delete(id)) != nil
        }
        // The token and the display date.
        #expect(fitting < alone - 100)
        try await expectNothing(files)
        // The largest that is stored is one that the service takes.
        _ = try await manager.create(message(fitting), in: channel)
        try await manager.sendAll(in: channel)
        #expect(try await manager.page(of: channel).messages.map(\.state) == [.sent])
        await manager.stop()
    }

    @Test(
        "a message whose annotations have no room for those of its files is refused, and not stored",
        arguments: [true, false]
    )
    func attachments(isOEmbed: Bool) async throws {
        let files = try await FileWorld { $0.sendsAutomatically = false }
        let (manager, channel) = (files.manager, files.channel)
        let file = try await manager.stage(FileWorld.image(), name: "a.gif", type: FileWorld.type)
        let attachment = files.attachment(file, isOEmbed: isOEmbed)
        let alone = await largest { message in
            guard let id = try? await manager.create(message, in: channel).message.id else { return false }
            return (try? await manager.delete(id)) != nil
        }
        let large = message(alone)
        let error = await #expect(throws: AppNetError.self) {
            try await manager.create(large, in: channel, attachments: [attachment])
        }
        #expect(error?.kind == .invalidRequest)
        try await expectNothing(files)
        let created = try await manager.create(message(10), in: channel, attachments: [attachment])
        let id = try #require(created.message.id)
        await #expect(throws: AppNetError.self) { try await manager.edit(id, to: large) }
        #expect(try await manager.message(id: id)?.message == created.message)
        var fitting: Message?
        for count in stride(from: alone, to: 0, by: -50) {
            if let edited = try? await manager.edit(id, to: message(count)) {
                fitting = edited.message
                break
            }
        }
        #expect(fitting != nil)
        try await manager.sendAll(in: channel)
        #expect(try await manager.page(of: channel).messages.map(\.state) == [.sent])
        #expect(try await files.messages().count == 1)
        await manager.stop()
    }

    @Test("a message with a text of more than 2,048 characters is refused, and not stored")
    func text() async throws {
        let files = try await FileWorld { $0.sendsAutomatically = false }
        let (manager, channel) = (files.manager, files.channel)
        let text = String(repeating: "é", count: 2048)
        await #expect(throws: AppNetError.self) { try await manager.create(Message(text: text + "e"), in: channel) }
        try await expectNothing(files)
        let draft = try await manager.createDraft(Message(text: text + "e"), in: channel)
        let id = try #require(draft.message.id)
        await #expect(throws: AppNetError.self) { try await manager.promoteDraft(id) }
        #expect(try await manager.drafts().map(\.message.text) == [text + "e"])
        try await expectNothing(files)
        _ = try await manager.create(Message(text: text), in: channel)
        try await manager.sendAll(in: channel)
        #expect(try await files.messages().map(\.text) == [text])
        await manager.stop()
    }
}
