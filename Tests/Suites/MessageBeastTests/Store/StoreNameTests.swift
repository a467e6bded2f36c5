import AppNet
import Foundation
import HeliumConcurrency
import TestSupport
import Testing

@testable import MessageBeast

@Suite("A store that is opened by several names", .timeLimit(.minutes(5)))
struct StoreNameTests {
    /// A folder with `journal.sqlite`, and links that lead to it from another folder.
    private struct Names {
        let folder: TemporaryFolder
        var file: String { folder.path("journal.sqlite") }
        /// A link to the file, and the file by a link to its folder.
        var others: [String] { [folder.path("names/link.sqlite"), folder.path("names/folder/journal.sqlite")] }

        init() throws {
            folder = try TemporaryFolder()
            let files = FileManager.default
            try files.createDirectory(atPath: folder.path("names"), withIntermediateDirectories: true)
            try files.createSymbolicLink(
                atPath: folder.path("names/link.sqlite"),
                withDestinationPath: "../journal.sqlite"
            )
            try files.createSymbolicLink(atPath: folder.path("names/folder"), withDestinationPath: "..")
        }

        /// The names of the files beside the links.
        var strays: [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder.path("names"))) ?? []).sorted()
        }
    }

    @Test("an engine does not post what another engine is sending, whatever names they use", arguments: [0, 1])
    func claims(other: Int) async throws {
        let world = try await BeastWorld()
        let names = try Names()
        let first = try world.manager(.file(names.file))
        let channel = try await first.privateChannel(ofType: BeastWorld.journal).id
        let gate = Signal<Void>()
        world.wire.forget()
        world.wire.set { $0.method == .post ? .hold(gate) : .pass }
        _ = try await first.create(Message(text: "Tea"), in: channel)
        try await eventually { world.wire.requests.count { FileWorld.isPost(line: $0) } == 1 }
        let second = try world.manager(.file(names.others[other]))
        #expect(try await second.outbox.drain(channel, isExplicit: true) == .seconds(1))
        #expect(world.wire.requests.count == 1)
        gate.settle()
        try await eventually { try await second.page(of: channel).messages.first?.state == .sent }
        #expect(world.wire.requests.count { FileWorld.isPost(line: $0) } == 1)
        #expect(names.strays == ["folder", "link.sqlite"])
        await second.stop()
        await first.stop()
    }

    @Test("a file that is staged by one name is uploaded by another", arguments: [0, 1])
    func stagedFiles(other: Int) async throws {
        let world = try await BeastWorld()
        let names = try Names()
        // The link leads to no file yet.
        let first = try world.manager(.file(names.others[other])) { $0.sendsAutomatically = false }
        let channel = try await first.privateChannel(ofType: BeastWorld.journal).id
        let file = try await first.stage(Data("tea".utf8), name: "tea.txt", type: FileWorld.type)
        _ = try await first.create(
            Message(text: "Tea"),
            in: channel,
            attachments: [PendingFileAttachment(pendingFileID: file.id, isOEmbed: false)],
            sendsImmediately: false
        )
        await first.stop()
        let second = try world.manager(.file(names.file)) { $0.sendsAutomatically = false }
        try await second.sendAll(in: channel)
        #expect(try await second.parkedMessages() == [])
        #expect(try await second.page(of: channel).messages.map(\.state) == [.sent])
        #expect(names.strays == ["folder", "link.sqlite"])
        await second.stop()
    }

    @Test("the bytes of staged files are salvaged from a store, whatever name leads to it", arguments: [0, 1])
    func salvage(other: Int) async throws {
        let world = try await BeastWorld()
        let names = try Names()
        let manager = try world.manager(.file(names.file)) { $0.sendsAutomatically = false }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let file = try await manager.stage(Data("tea".utf8), name: "tea.txt", type: FileWorld.type)
        let attachment = PendingFileAttachment(pendingFileID: file.id, isOEmbed: false)
        _ = try await manager.create(Message(text: "Tea"), in: channel, attachments: [attachment])
        await manager.close()
        let export = names.folder.path("export.jsonl")
        _ = try MessageManager.salvage(names.others[other], to: export)
        let lines = try String(contentsOfFile: export, encoding: .utf8).split(separator: "\n")
        #expect(lines.count { $0.hasPrefix(#"{"staged_bytes""#) } == 1)
    }
}
