import AppNet
import Foundation
import HeliumDatabase
import TestSupport
import Testing

@testable import MessageBeast

@Suite(
    "Files that cannot be written",
    .enabled(if: WriteProtection.isAvailable, "root may write to every file of this file system"),
    .timeLimit(.minutes(5))
)
struct ProtectedFileTests {
    @Test(
        "a database in a read-only folder is refused as read-only, and nothing in the folder changes",
        arguments: [true, false]
    )
    func folder(hasDatabase: Bool) async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        if hasDatabase {
            let first = try world.manager(.file(path))
            _ = try await first.privateChannel(ofType: BeastWorld.journal)
            await first.stop()
            try first.context.database.access.close()
        }
        let content = try? Data(contentsOf: URL(fileURLWithPath: path))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted()
        try WriteProtection.set(true, folder.path(""))
        defer { try? WriteProtection.set(false, folder.path("")) }
        let error = #expect(throws: MessageBeastError.self) { try world.manager(.file(path)) }
        #expect(error?.kind == .readOnly)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted() == names)
        #expect((try? Data(contentsOf: URL(fileURLWithPath: path))) == content)
        try WriteProtection.set(false, folder.path(""))
        let again = try world.manager(.file(path))
        #expect(try await again.channels().count == (hasDatabase ? 1 : 0))
        await again.stop()
    }

    @Test("a read-only database is refused, and stays as it was")
    func file() async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let first = try world.manager(.file(path)) { $0.sendsAutomatically = false }
        let channel = try await first.privateChannel(ofType: BeastWorld.journal).id
        _ = try await first.create(Message(text: "Tea"), in: channel)
        await first.stop()
        try first.context.database.access.close()
        let content = try Data(contentsOf: URL(fileURLWithPath: path))
        try WriteProtection.set(true, path)
        defer { try? WriteProtection.set(false, path) }
        let error = #expect(throws: MessageBeastError.self) { try world.manager(.file(path)) }
        #expect(error?.kind == .readOnly)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
        try WriteProtection.set(false, path)
        let again = try world.manager(.file(path))
        try await again.sendAll(in: channel)
        #expect(try await again.page(of: channel).messages.map(\.state) == [.sent])
        await again.stop()
    }

    @Test(
        "an engine that only reads reads a database in a read-only folder, and notices a later write of another process",
        arguments: [false, true]
    )
    func readingFolder(hasWriterEnded: Bool) async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let first = try world.manager(.file(path)) { $0.sendsAutomatically = false }
        let channel = try await first.privateChannel(ofType: BeastWorld.journal).id
        _ = try await first.create(Message(text: "Tea"), in: channel)
        await first.stop()
        try first.context.database.access.close()
        try WriteProtection.set(true, folder.path(""))
        defer { try? WriteProtection.set(false, folder.path("")) }
        let reader = try world.manager(.file(path)) { $0.isReadOnly = true }
        try await reader.start()
        #expect(try await reader.page(of: channel).messages.count == 1)
        #expect(try await reader.search(text: "tea", in: channel).count == 1)
        #expect(try await reader.check() == [])
        try WriteProtection.set(false, folder.path(""))
        let second = try world.manager(.file(path)) { $0.sendsAutomatically = false }
        _ = try await second.create(Message(text: "Cake"), in: channel)
        if hasWriterEnded {
            // The last connection moves the log to the file and removes it.
            await second.stop()
            try second.context.database.access.close()
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        }
        let error = await #expect(throws: MessageBeastError.self) { try await reader.page(of: channel) }
        #expect(error?.kind == .locked)
        await reader.stop()
        try reader.context.database.access.close()
        guard !hasWriterEnded else { return }
        await second.stop()
        try second.context.database.access.close()
    }

    @Test(
        "a database in a read-only folder whose newest changes are in its log is refused, and the error names the log"
    )
    func readingLog() async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let first = try world.manager(.file(path)) { $0.sendsAutomatically = false }
        _ = try await first.privateChannel(ofType: BeastWorld.journal)
        // A copy of both files of an open database, as a backup makes it.
        let copies = try TemporaryFolder()
        let copy = copies.path("journal.sqlite")
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix) }
        await first.stop()
        try first.context.database.access.close()
        try WriteProtection.set(true, copies.path(""))
        defer { try? WriteProtection.set(false, copies.path("")) }
        let error = #expect(throws: MessageBeastError.self) { try world.manager(.file(copy)) { $0.isReadOnly = true } }
        #expect(error?.kind == .readOnly && error?.message.contains("-wal") == true, "\(String(describing: error))")
        try WriteProtection.set(false, copies.path(""))
        let again = try world.manager(.file(copy)) { $0.isReadOnly = true }
        #expect(try await again.channels().count == 1)
        await again.stop()
        try again.context.database.access.close()
    }

    @Test("a database of version 1 in a read-only folder is refused, because reading it upgrades it")
    func readingVersion1() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let fixture = SharedDocuments.package.appendingPathComponent("Fixtures/messagebeast/version-1.sqlite")
        try FileManager.default.copyItem(atPath: fixture.path, toPath: path)
        try WriteProtection.set(true, folder.path(""))
        defer { try? WriteProtection.set(false, folder.path("")) }
        let error = #expect(throws: MessageBeastError.self) {
            try BeastDatabase.open(path, account: nil, isReadOnly: true)
        }
        #expect(error?.kind == .readOnly && error?.message.contains("version 1") == true)
    }

    @Test("a read-only folder of staged files refuses new ones, and sends those in it")
    func stagedFolder() async throws {
        let files = try await FileWorld { $0.sendsAutomatically = false }
        let kept = try await files.stage("kept")
        try await files.create("Tea", [kept])
        try WriteProtection.set(true, files.stagedFolder)
        defer { try? WriteProtection.set(false, files.stagedFolder) }
        let error = await #expect(throws: MessageBeastError.self) { try await files.stage("refused") }
        #expect(error?.kind == .readOnly)
        #expect(files.staged == [kept.id])
        #expect(try await files.manager.pendingFiles().map(\.id) == [kept.id])
        try await files.manager.sendAll(in: files.channel)
        #expect(try await files.attached() == [[files.sha1("kept")]])
        try WriteProtection.set(false, files.stagedFolder)
        let next = try await files.stage("next")
        #expect(files.staged.contains(next.id))
        await files.manager.stop()
    }
}
