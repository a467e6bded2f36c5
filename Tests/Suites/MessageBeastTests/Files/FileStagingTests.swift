import AppNet
import Foundation
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Staging files")
struct FileStagingTests {
    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    @Test("a staged file is copied for its owner only, and described by its extension")
    func copied() async throws {
        let files = try await FileWorld()
        let source = files.folder.path("holiday.png")
        try Data("bytes".utf8).write(to: URL(fileURLWithPath: source))
        let file = try await files.manager.stage(fileAtPath: source, type: FileWorld.type)
        #expect(file.name == "holiday.png")
        #expect(file.mimeType == "image/png")
        #expect(file.kind == .image)
        #expect(!file.isPublic)
        #expect(file.byteCount == 5)
        #expect(file.sha256 == ContentDigest.content(of: Data("bytes".utf8)).sha256)
        #expect(file.state == .waiting)
        #expect(files.staged == [file.id])
        #expect(try mode(files.stagedFolder) == 0o700)
        #expect(try mode("\(files.stagedFolder)/\(file.id)") == 0o600)
        #expect(try await files.manager.pendingFile(id: file.id) == file)
        #expect(try await files.manager.pendingFiles() == [file])
        #expect(files.wire.requests == [])
        await files.manager.stop()
    }

    @Test(
        "a file that cannot be staged is refused, and leaves no copy",
        arguments: ["missing", "folder", "link to nothing", "type", "empty type", "name"]
    )
    func refused(_ fault: String) async throws {
        let files = try await FileWorld()
        let source = files.folder.path("source.txt")
        switch fault {
        case "missing": break
        case "folder": try FileManager.default.createDirectory(atPath: source, withIntermediateDirectories: false)
        case "link to nothing":
            try FileManager.default.createSymbolicLink(atPath: source, withDestinationPath: "nowhere")
        default: try Data("bytes".utf8).write(to: URL(fileURLWithPath: source))
        }
        let type = ["type": "photo", "empty type": "com..photo"][fault] ?? FileWorld.type
        let name = fault == "name" ? String(repeating: "a", count: 256) : nil
        let error = await #expect(throws: MessageBeastError.self) {
            try await files.manager.stage(fileAtPath: source, type: type, name: name)
        }
        let isMissing = ["missing", "link to nothing"].contains(fault)
        #expect(error?.kind == (isMissing ? .notFound : .invalidArgument))
        #expect(files.staged == [])
        #expect(try await files.manager.pendingFiles() == [])
        await files.manager.stop()
    }

    @Test("a file beyond the limit of staged bytes is refused, and nothing of it is staged", arguments: [true, false])
    func ceiling(isInMemory: Bool) async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let store: MessageManager.Store = isInMemory ? .memory : .file(folder.path("journal.sqlite"))
        let manager = try world.manager(store) { $0.maximumStagedBytes = 10 }
        let source = folder.path("large")
        try Data(repeating: 1, count: 5).write(to: URL(fileURLWithPath: source))
        let first = try await manager.stage(Data(repeating: 1, count: 6), name: "a", type: FileWorld.type)
        for _ in 0..<2 {
            let error = await #expect(throws: MessageBeastError.self) {
                try await manager.stage(fileAtPath: source, type: FileWorld.type)
            }
            #expect(error?.kind == .stagingFull)
        }
        #expect(manager.context.staged.names() == [first.id])
        #expect(try await manager.pendingFiles() == [first])
        _ = try await manager.stage(Data(repeating: 1, count: 4), name: "b", type: FileWorld.type)
        #expect(try await manager.pendingFiles().count == 2)
        await manager.stop()
    }

    @Test(
        "staged files that were never used are deleted with their engine, but not those of a running one",
        .behaviour(62)
    )
    func forsaken() async throws {
        let files = try await FileWorld()
        let unused = try await files.stage("unused")
        let used = try await files.stage("used")
        try await files.create("Tea", [used])
        // Half a copy, of an engine that was killed meanwhile.
        let half = "\(files.stagedFolder)/\(UUID().uuidString.lowercased()).\(UUID().uuidString.lowercased())"
        try Data("half".utf8).write(to: URL(fileURLWithPath: half))
        files.wire.fail()
        let other = try files.world.manager(.file(files.folder.path("journal.sqlite")))
        try await other.start()
        try await eventually { !FileManager.default.fileExists(atPath: half) }
        #expect(try await other.pendingFiles().map(\.id) == [unused.id, used.id])
        await other.stop()
        let second = try files.kill()
        files.wire.fail()
        try await second.start()
        try await eventually { files.staged == [used.id] }
        #expect(try await second.pendingFiles().map(\.id) == [used.id])
        await second.stop()
    }

    @Test("a wipe deletes the staged files", .behaviour(130))
    func wipe() async throws {
        let files = try await FileWorld()
        try await files.create("Tea", [try await files.stage("a")])
        try await files.manager.wipe()
        #expect(files.staged == [])
        #expect(try await files.manager.pendingFiles() == [])
        await files.manager.stop()
    }

    @Test("a message refers to staged files only, each once, and has room for their annotations")
    func checked() async throws {
        let files = try await FileWorld()
        let file = try await files.stage("a")
        for (attachments, kind) in [
            ([PendingFileAttachment(pendingFileID: "none", isOEmbed: false)], MessageBeastError.Kind.notFound),
            ([files.attachment(file), files.attachment(file, isOEmbed: true)], .invalidArgument),
        ] {
            let error = await #expect(throws: MessageBeastError.self) {
                try await files.manager.create(Message(text: "Tea"), in: files.channel, attachments: attachments)
            }
            #expect(error?.kind == kind)
        }
        var large = Message(text: "Tea")
        let value: String = String(repeating: "a", count: 7900)
        large.annotations = [Annotation(type: "com.example.note", value: ["text": .string(value)])]
        let message = large
        await #expect(throws: AppNetError.self) {
            try await files.manager.create(message, in: files.channel, attachments: [files.attachment(file)])
        }
        #expect(try await files.manager.page(of: files.channel).messages == [])
        _ = try await files.manager.create(message, in: files.channel, sendsImmediately: false)
        await files.manager.stop()
    }
}
