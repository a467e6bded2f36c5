import AppNet
import Foundation
import HeliumConcurrency
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("A database that is full, read-only or locked", .timeLimit(.minutes(5)))
struct ObstacleTests {
    private func begin(_ obstacle: Obstacle, _ files: FileWorld) throws -> () throws -> Void {
        try obstacle.begin(for: files.manager, at: files.folder.path("journal.sqlite"))
    }

    /// Writes until it is refused: a full file has room for a few rows in the pages that it has.
    ///
    /// - Returns: The kind of the error, and the number of writes before it.
    private func refusal(_ write: (Int) async throws -> Void) async throws -> (kind: MessageBeastError.Kind?, Int) {
        for number in 0..<500 {
            do {
                try await write(number)
            } catch let error as MessageBeastError {
                return (error.kind, number)
            }
        }
        return (nil, 500)
    }

    /// A message of two pages.
    private func large(_ number: Int) -> Message {
        let note: String = String(repeating: "\(number % 10)", count: 6000)
        var message = Message(text: "\(number)")
        message.annotations = [Annotation(type: "com.example.note", value: ["text": .string(note)])]
        return message
    }

    @Test(
        "an engine whose database is full, read-only or locked refuses messages and files, and works again later",
        arguments: Obstacle.allCases
    )
    func writing(_ obstacle: Obstacle) async throws {
        let files = try await FileWorld { $0.sendsAutomatically = false }
        let manager = files.manager
        try await files.create("Kept", [try await files.stage("kept")])
        let end = try begin(obstacle, files)
        let (kind, created) = try await refusal {
            _ = try await manager.create(large($0), in: files.channel, sendsImmediately: false)
        }
        #expect(kind == obstacle.kind)
        let (stagedKind, staged) = try await refusal {
            let name = String(repeating: "a", count: 250) + "\($0)"
            _ = try await manager.stage(Data("bytes".utf8), name: name, type: FileWorld.type)
        }
        #expect(stagedKind == obstacle.kind)
        if obstacle != .full { #expect(created == 0 && staged == 0) }
        // What can be read says so now, and not only after the obstacle.
        let texts = ["Kept"] + (0..<created).map { "\($0)" }
        #expect(try await manager.page(of: files.channel, limit: nil).messages.reversed().map(\.message.text) == texts)
        #expect(try await manager.pendingSummary().messages == texts.count)
        let pending = try await manager.pendingFiles().map(\.id)
        #expect(pending.count == 1 + staged)
        #expect(files.staged == pending.sorted())
        try end()
        #expect(try await manager.check() == [])
        _ = try await manager.create(Message(text: "After"), in: files.channel, sendsImmediately: false)
        try await manager.sendAll(in: files.channel)
        #expect(try await files.messages().map(\.text) == texts + ["After"])
        #expect(try await files.attached().first == [files.sha1("kept")])
        #expect(try await manager.pendingSummary().messages == 0)
        await manager.stop()
    }

    @Test(
        "a page is not stored in part if the database cannot be written, and is fetched again",
        arguments: Obstacle.allCases
    )
    func page(_ obstacle: Obstacle) async throws {
        let files = try await FileWorld { $0.sendsAutomatically = false }
        let manager = files.manager
        let ids = try await files.world.fill(files.channel, 300)
        let cursor = try await manager.newestCursor(of: files.channel)
        let end = try begin(obstacle, files)
        let error = await #expect(throws: MessageBeastError.self) { try await manager.fetchNewest(in: files.channel) }
        #expect(error?.kind == obstacle.kind)
        #expect(try await manager.page(of: files.channel).messages == [])
        #expect(try await manager.newestCursor(of: files.channel) == cursor)
        try end()
        #expect(try await manager.fetchNewest(in: files.channel).summary?.inserted == 300)
        #expect(try await files.world.stored(files.channel, by: manager) == ids.compactMap(\.number).sorted(by: >))
        #expect(try await manager.check() == [])
        await manager.stop()
    }

    @Test(
        "changes and deletions are refused if the database cannot be written, and the message stays",
        arguments: [Obstacle.readOnly, .locked]
    )
    func changes(_ obstacle: Obstacle) async throws {
        let files = try await FileWorld { $0.sendsAutomatically = false }
        let manager = files.manager
        let sent = try await files.create("Sent", [])
        try await manager.sendAll(in: files.channel)
        let unsent = try await files.create("Unsent", [])
        let before = try await manager.page(of: files.channel).messages
        let end = try begin(obstacle, files)
        let channel = files.channel
        let changes: [@Sendable () async throws -> Void] = [
            { try await manager.delete(sent) }, { try await manager.delete(unsent) },
            { _ = try await manager.edit(unsent, to: Message(text: "Changed")) },
            { _ = try await manager.createDraft(Message(text: "Draft"), in: channel) },
            { try await manager.apply(MessageRetention(maximumCount: 0), to: channel) },
            { try await manager.wipe() },
        ]
        for (number, change) in changes.enumerated() {
            let error = await #expect(throws: MessageBeastError.self, "change \(number)") { try await change() }
            #expect(error?.kind == obstacle.kind, "change \(number)")
        }
        #expect(try await manager.page(of: channel).messages == before)
        #expect(try await manager.drafts() == [])
        let summary = try await manager.pendingSummary()
        #expect(summary.messages == 1 && summary.deletions == 0)
        try end()
        try await manager.delete(sent)
        try await manager.sendAll()
        #expect(try await files.messages().map(\.text) == ["Unsent"])
        #expect(try await manager.check() == [])
        await manager.stop()
    }

    @Test("a message whose response could not be stored is found again, and posted once", arguments: Obstacle.allCases)
    func response(_ obstacle: Obstacle) async throws {
        let files = try await FileWorld { $0.sendsAutomatically = false }
        let manager = files.manager
        let gate = Signal<Void>()
        files.wire.holdResponses(until: gate)
        let id = try await files.create("Tea", [])
        let channel = files.channel
        let sending = Task { try await manager.sendAll(in: channel) }
        try await eventually { files.wire.heldResponses == 1 }
        let end = try begin(obstacle, files)
        gate.settle()
        switch await sending.result {
        case .success:
            // The response may fit into the pages of a full file.
            #expect(obstacle == .full)
        case .failure(let error):
            #expect((error as? MessageBeastError)?.kind == obstacle.kind)
            #expect(try await manager.message(id: id)?.state == .unsent)
        }
        try end()
        try await manager.sendAll(in: channel)
        #expect(try await manager.message(id: id)?.state == .sent)
        #expect(files.requests("POST", "/messages") == 1)
        #expect(try await files.messages().map(\.text) == ["Tea"])
        await manager.stop()
    }

    @Test(
        "an engine continues by itself when its database can be written again",
        arguments: [Obstacle.readOnly, .locked]
    )
    func recovery(_ obstacle: Obstacle) async throws {
        let world = try await BeastWorld(skippingSleepsUpTo: nil)
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let manager = try world.manager(.file(path))
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let gate = Signal<Void>()
        world.wire.holdResponses(until: gate)
        let created = try await manager.create(Message(text: "Tea"), in: channel)
        let id = try #require(created.message.id)
        try await eventually { world.wire.heldResponses == 1 }
        let end = try obstacle.begin(for: manager, at: path)
        gate.settle()
        await world.clock.waitForSleepers()
        #expect(try await manager.message(id: id)?.state == .unsent)
        try end()
        world.clock.advance(by: .seconds(60))
        try await eventually { try await manager.message(id: id)?.state == .sent }
        #expect(world.wire.requests.count { FileWorld.isPost(line: $0) } == 1)
        await manager.stop()
    }
}
