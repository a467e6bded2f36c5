import AppNet
import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumJSON
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Deleting files of messages")
struct FileDeletionTests {
    /// A complete file, made by another device.
    private func makeFile(_ data: Data, in files: FileWorld) async throws -> FileReference {
        let file = try await files.world.client.files.create(
            File(type: FileWorld.type),
            content: .data(data, name: "a.gif")
        )
        return try #require(file.reference)
    }

    /// A message with two OEmbeds of one photo, one of another, and two lists of attachments, as this engine has fetched it.
    private func message(in files: FileWorld) async throws -> (id: Message.ID, files: [FileReference]) {
        var made: [FileReference] = []
        for width in 1...2 { made.append(try await makeFile(FileWorld.image(width: UInt8(width)), in: files)) }
        for text in ["a", "b", "c"] { made.append(try await makeFile(Data(text.utf8), in: files)) }
        var draft = Message(text: "Tea")
        draft.annotations = [
            .oembed(made[0]), .oembed(made[1]), .oembed(made[0]), .attachments([made[2], made[3]]),
            .attachments([made[4], made[2]]),
        ]
        let sent = try await files.world.client.messages.create(draft, in: files.channel)
        _ = try await files.manager.fetchNewest(in: files.channel)
        files.wire.forget()
        return (try #require(sent.id), made)
    }

    @Test("every file of a message is deleted once, and 403 counts as done", .behaviour(78))
    func all() async throws {
        let files = try await FileWorld()
        let (id, made) = try await message(in: files)
        let refused = "/files/\(made[3].id.text)"
        files.wire.set { Wire.line($0).contains(refused) ? .respond(.failure(403)) : .pass }
        try await files.manager.delete(id, deletingFiles: true)
        try await files.manager.sendAll()
        try await eventually { try await files.manager.pendingSummary().isEmpty }
        for file in made { #expect(files.requests("DELETE", "/files/\(file.id.text)") == 1) }
        #expect(files.requests("DELETE", "/messages/\(id.text)") == 1)
        files.wire.set(nil)
        #expect(try await files.files().map(\.id) == [made[3].id])
        await files.manager.stop()
    }

    @Test("a file of two messages is kept if one was sent and the other is deleted before")
    func usedBySent() async throws {
        let files = try await FileWorld()
        let file = try await files.stage("shared")
        let first = try await files.create("Tea", [file])
        try await files.manager.sendAll(in: files.channel)
        // The second was written meanwhile: the row of the file is there until its first message is sent.
        #expect(try await files.manager.message(id: first)?.state == .sent)
        let shared = try await files.stage("other")
        let (one, two) = (try await files.create("Coffee", [shared]), try await files.create("Juice", [shared]))
        let isFirst = Guarded(true)
        files.wire.set { request in
            guard request.method == .post, Wire.line(request).contains("/messages") else { return .pass }
            let passes = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return passes
                ? .pass : .fail(TransportFailure(.connectionFailed, delivery: .notSent, message: "no network"))
        }
        _ = try? await files.manager.sendAll(in: files.channel)
        #expect(try await files.manager.message(id: one)?.state == .sent)
        files.wire.set(nil)
        try await files.manager.delete(two)
        try await files.manager.sendAll()
        try await eventually { try await files.manager.pendingSummary().isEmpty }
        #expect(try await files.files().count == 2)
        #expect(files.requests("DELETE", "/files/") == 0)
        await files.manager.stop()
    }

    @Test("files of a deleted message are kept unless their deletion is requested")
    func kept() async throws {
        let files = try await FileWorld()
        let (id, made) = try await message(in: files)
        try await files.manager.delete(id)
        try await files.manager.sendAll()
        #expect(try await files.files().count == made.count)
        #expect(try await files.manager.pendingSummary().isEmpty)
        await files.manager.stop()
    }

    @Test("a failed deletion of a file is repeated by the next engine", .behaviour(79))
    func restart() async throws {
        let files = try await FileWorld()
        let (id, _) = try await message(in: files)
        files.wire.fail("DELETE ")
        try await files.manager.delete(id, deletingFiles: true)
        try await files.manager.sendAll()
        #expect(files.requests("DELETE", "/files") > 0)
        #expect(try await files.manager.pendingSummary().deletions == 6)
        await files.manager.stop()
        files.wire.set(nil)
        let second = try files.world.manager(.file(files.folder.path("journal.sqlite")))
        try await second.start()
        try await eventually { try await second.pendingSummary().isEmpty }
        #expect(try await files.files() == [])
        await second.stop()
    }

    @Test("the uploaded file of an unsent message is deleted with it", .behaviour(72))
    func uploaded() async throws {
        let files = try await FileWorld()
        files.wire.set { FileWorld.isPost($0) ? .respond(.failure(400)) : .pass }
        let id = try await files.create("Tea", [try await files.stage("a")])
        try await files.manager.sendAll(in: files.channel)
        #expect(try await files.manager.pendingFiles().map(\.state) == [.uploaded])
        try await files.manager.delete(id)
        #expect(try await files.manager.pendingFiles() == [])
        try await files.manager.sendAll()
        #expect(try await files.files() == [])
        #expect(try await files.manager.pendingSummary().isEmpty)
        try await eventually { files.staged == [] }
        await files.manager.stop()
    }

    @Test("deleting an unsent message deletes its files without a request", .behaviour(73))
    func unsent() async throws {
        let files = try await FileWorld()
        let id = try await files.create("Tea", [try await files.stage("a"), try await files.stage("b")])
        #expect(try await files.manager.pendingSummary().files == 2)
        try await files.manager.delete(id)
        try await files.manager.sendAll()
        #expect(try await files.manager.pendingSummary().isEmpty)
        #expect(try await files.manager.pendingFiles() == [])
        #expect(files.wire.requests == [])
        try await eventually { files.staged == [] }
        #expect(try await files.manager.check() == [])
        await files.manager.stop()
    }

    @Test("undoing a deletion keeps the message's files")
    func undone() async throws {
        let files = try await FileWorld()
        let (id, made) = try await message(in: files)
        files.wire.fail("DELETE ")
        await files.manager.stop()
        let offline = try files.world.manager(.file(files.folder.path("journal.sqlite"))) {
            $0.sendsAutomatically = false
        }
        try await offline.context.write(try offline.context.life.term()) { database in
            let localID = try #require(try MessageTable(database: database).localID(of: id))
            try FileDeletionTable(database: database).insertFiles(of: localID)
            let snapshot = try MessageSnapshot(of: localID, in: database).text()
            let channel = files.channel.text
            try PendingDeletionTable(database: database).insert(id.text, channel: channel, snapshot: snapshot)
            try MessageRemoval(database: database).remove([localID])
        }
        #expect(try await offline.pendingSummary().deletions == 6)
        #expect(try await offline.cancelDeletion(of: id))
        #expect(try await offline.pendingSummary().isEmpty)
        files.wire.set(nil)
        try await offline.sendAll()
        #expect(try await files.files().count == made.count)
        await offline.stop()
    }

    @Test("a deletion for which the token has no scope is kept and reported, and made when the token has it")
    func missingScope() async throws {
        let files = try await FileWorld { $0.sendsAutomatically = false }
        let events = EventLog(files.manager)
        let (id, made) = try await message(in: files)
        let scopes = try #require(HTTPField.Name("X-OAuth-Scopes"))
        files.wire.set { request in
            guard Wire.line(request).hasPrefix("DELETE "), Wire.line(request).contains("/files/") else { return .pass }
            let text = #"{"meta": {"code": 403, "error_message": "no"}}"#
            return .respond(.json(text, status: 403, fields: [scopes: "basic,messages"]))
        }
        try await files.manager.delete(id, deletingFiles: true)
        try await files.manager.sendAll()
        let parked = try await files.manager.parkedFileDeletions()
        let ids = Set(made.map(\.id))
        #expect(Set(parked.map(\.fileID)) == ids && parked.count == ids.count)
        #expect(parked.allSatisfy { $0.reason.contains("files") }, "\(parked)")
        try await eventually {
            events.events.count { if case .fileDeletionParked = $0 { true } else { false } } == ids.count
        }
        // Messages do not need the scope.
        try await files.create("Coffee", [])
        try await files.manager.sendAll()
        #expect(try await files.manager.outbox() == [])
        #expect(files.requests("DELETE", "/files/") == ids.count)
        files.wire.set(nil)
        #expect(try await files.files().count == ids.count)
        for deletion in parked { try await files.manager.retryFileDeletion(of: deletion.fileID) }
        try await files.manager.sendAll()
        #expect(try await files.files() == [])
        #expect(try await files.manager.pendingSummary().isEmpty)
        let error = await #expect(throws: MessageBeastError.self) {
            try await files.manager.retryFileDeletion(of: made[0].id)
        }
        #expect(error?.kind == .notFound)
        await files.manager.stop()
    }
}
