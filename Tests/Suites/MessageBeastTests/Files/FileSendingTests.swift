import AppNet
import Foundation
import HeliumConcurrency
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Sending files")
struct FileSendingTests {
    @Test("a file whose source was deleted is sent with its original bytes", .behaviour(63, 70))
    func source() async throws {
        let files = try await FileWorld()
        let source = files.folder.path("notes.pdf")
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
        try bytes.write(to: URL(fileURLWithPath: source))
        let file = try await files.manager.stage(fileAtPath: source, type: FileWorld.type)
        try FileManager.default.removeItem(atPath: source)
        try await files.create("Tea", [file])
        try await files.manager.sendAll(in: files.channel)
        let sent = try #require(try await files.files().first)
        #expect(sent.sha1 == ContentDigest.content(of: bytes).sha1)
        #expect(sent.size == bytes.count)
        #expect(sent.mimeType == "application/pdf")
        #expect(sent.name == "notes.pdf")
        #expect(sent.kind == .other)
        #expect(sent.isComplete == true)
        // Nothing of it is left here.
        try await eventually { files.staged == [] }
        #expect(try await files.manager.pendingFiles() == [])
        #expect(try await files.manager.pendingSummary().isEmpty)
        await files.manager.stop()
    }

    @Test("files are uploaded before their message, whose annotations have their order", .behaviour(64, 65))
    func order() async throws {
        let files = try await FileWorld()
        let photos = [
            try await files.manager.stage(FileWorld.image(width: 1), name: "a.gif", type: FileWorld.type),
            try await files.manager.stage(FileWorld.image(width: 2), name: "b.gif", type: FileWorld.type),
        ]
        let texts = [try await files.stage("one"), try await files.stage("two")]
        let attachments = [
            files.attachment(photos[0], isOEmbed: true), files.attachment(texts[0]),
            files.attachment(photos[1], isOEmbed: true), files.attachment(texts[1]),
        ]
        let created = try await files.manager.create(
            Message(text: "Tea"),
            in: files.channel,
            attachments: attachments,
            sendsImmediately: false
        )
        #expect(created.pendingFileAttachments == attachments)
        try await files.manager.sendAll(in: files.channel)
        let lines = files.wire.requests
        let post = try #require(lines.firstIndex { $0.contains("/messages") && $0.hasPrefix("POST") })
        #expect(lines[..<post].count { $0.hasPrefix("PUT ") } == 4)
        #expect(lines[post...].allSatisfy { !$0.contains("/files") })
        let annotations = try #require(try await files.messages().first?.annotations)
        let oembeds = annotations.ofType(MessageBeastNames.oembed)
        #expect(oembeds.map { $0.value?["width"]?.intValue } == [1, 2])
        #expect(oembeds.allSatisfy { $0.value?["type"]?.stringValue == "photo" })
        #expect(annotations.ofType(MessageBeastNames.attachments).count == 1)
        #expect(try await files.attached() == [[files.sha1("one"), files.sha1("two")]])
        #expect(try await files.manager.page(of: files.channel).messages.first?.photoOEmbeds.count == 2)
        #expect(try await files.manager.check() == [])
        await files.manager.stop()
    }

    @Test("a message without text may consist of an attachment")
    func machineOnly() async throws {
        let files = try await FileWorld()
        _ = try await files.manager.create(
            Message(isMachineOnly: true),
            in: files.channel,
            attachments: [files.attachment(try await files.stage("a"))]
        )
        try await files.manager.sendAll()
        #expect(try await files.manager.page(of: files.channel).messages.first?.state == .sent)
        #expect(try await files.files().count == 1)
        await files.manager.stop()
    }

    @Test("files of a message are sent to pnut.io")
    func pnut() async throws {
        let files = try await FileWorld(dialect: .pnut)
        try await files.create("Tea", [try await files.stage("a")])
        try await files.manager.sendAll(in: files.channel)
        #expect(try await files.manager.page(of: files.channel).messages.first?.state == .sent)
        let sent = try #require(try await files.files().first)
        #expect(sent.sha256 == ContentDigest.content(of: Data("a".utf8)).sha256)
        #expect(sent.isComplete == true)
        await files.manager.stop()
    }

    @Test("a file of messages in two channels is uploaded once", .behaviour(66))
    func shared() async throws {
        let files = try await FileWorld()
        let other = try await files.manager.privateChannel(ofType: "com.example.other").id
        let file = try await files.stage("a")
        try await files.create("Tea", [file])
        try await files.create("Coffee", [file], in: other)
        async let first: Void = files.manager.sendAll(in: files.channel)
        async let second: Void = files.manager.sendAll(in: other)
        _ = try await (first, second)
        #expect(files.requests("PUT", "/content") == 1)
        #expect(try await files.attached() == [[files.sha1("a")]])
        #expect(try await files.attached(in: other) == [[files.sha1("a")]])
        #expect(try await files.files().count == 1)
        await files.manager.stop()
    }

    @Test("a file is kept while another message uses it", .behaviour(67))
    func sharedAndDeleted() async throws {
        let files = try await FileWorld()
        let file = try await files.stage("a")
        let first = try await files.create("Tea", [file])
        try await files.create("Coffee", [file])
        try await files.manager.delete(first)
        try await files.manager.sendAll(in: files.channel)
        #expect(try await files.attached() == [[files.sha1("a")]])
        #expect(files.requests("DELETE", "/files") == 0)
        await files.manager.stop()
    }

    @Test("a message is listed and waits while its file is uploaded", .behaviour(68))
    func waiting() async throws {
        let files = try await FileWorld()
        let log = EventLog(files.manager)
        let gate = Signal<Void>()
        let file = try await files.stage("a")
        files.wire.set { FileWorld.isPut($0) ? .hold(gate) : .pass }
        let id = try await files.create("Tea", [file], sendsImmediately: true)
        try await eventually { files.requests("PUT", "/content") == 1 }
        #expect(try await files.manager.message(id: id)?.state == .unsent)
        #expect(try await files.manager.message(id: id)?.pendingFileAttachments == [files.attachment(file)])
        #expect(try await files.manager.pendingFile(id: file.id)?.state == .created)
        let rows = try await files.manager.context.read { try PendingFileTable(database: $0).waiting(for: file.id) }
        #expect(rows.map(\.state) == [.uploading])
        gate.settle()
        try await eventually { try await files.manager.pendingSummary().isEmpty }
        #expect(try await files.attached() == [[files.sha1("a")]])
        try await eventually { log.events.contains { if case .fileUploaded(file.id, _) = $0 { true } else { false } } }
        await files.manager.stop()
    }

    @Test("each failed attempt to upload a file makes an event, and the next delay is longer", .behaviour(68))
    func backOff() async throws {
        let files = try await FileWorld()
        let log = EventLog(files.manager)
        let file = try await files.stage("a")
        files.wire.fail("/content", times: 3, delivery: .maybeSent)
        try await files.create("Tea", [file])
        let before = files.world.clock.requestedSleeps.count
        try await files.manager.sendAll(in: files.channel)
        try await eventually { try await files.manager.pendingSummary().isEmpty }
        func attempts() -> [Int] {
            log.events.compactMap { if case .fileFailed(file.id, _, let attempts) = $0 { attempts } else { nil } }
        }
        try await eventually { attempts().count >= 3 }
        #expect(attempts() == [1, 2, 3])
        let sleeps = files.world.clock.requestedSleeps.dropFirst(before)
        for seconds in [1.0, 2, 4] {
            #expect(sleeps.contains { $0 >= .seconds(seconds * 0.79) && $0 <= .seconds(seconds * 1.2) })
        }
        #expect(files.requests("PUT", "/content") == 4)
        // Every time it was asked for first whether the content is there.
        #expect(files.requests("GET", "/files/") == 3)
        await files.manager.stop()
    }

    @Test("a file whose bytes are missing is parked with its message, and others are sent", .behaviour(69))
    func missing() async throws {
        let files = try await FileWorld()
        let log = EventLog(files.manager)
        let file = try await files.stage("a")
        let id = try await files.create("Tea", [file])
        try await files.create("Coffee", [])
        let path = "\(files.stagedFolder)/\(file.id)"
        try FileManager.default.removeItem(atPath: path)
        try await files.manager.sendAll(in: files.channel)
        #expect(try await files.messages().map(\.text) == ["Coffee"])
        #expect(try await files.files() == [])
        let parked = try await files.manager.parkedMessages()
        #expect(parked.map(\.message.message.id) == [id])
        #expect(parked.first?.reason.code == "fileMissing")
        let stored = try #require(try await files.manager.pendingFile(id: file.id))
        #expect(stored.state == .parked)
        #expect(stored.lastFailure?.code == "fileMissing")
        try await eventually { log.events.contains { if case .parked(_, id, _) = $0 { true } else { false } } }
        // Other bytes in its place are noticed as well.
        try Data("b".utf8).write(to: URL(fileURLWithPath: path))
        try await files.manager.retry(id)
        try await eventually { try await files.manager.parkedMessages().count == 1 }
        try Data("a".utf8).write(to: URL(fileURLWithPath: path))
        try await files.manager.retryFile(id: file.id)
        try await files.manager.sendAll(in: files.channel)
        #expect(try await files.attached() == [[], [files.sha1("a")]])
        await files.manager.stop()
    }

    @Test("a refused file parks its messages; a message that is created later is parked too")
    func refused() async throws {
        let files = try await FileWorld()
        let file = try await files.stage("a")
        files.wire.set { FileWorld.isCreation($0) ? .respond(.failure(400)) : .pass }
        let first = try await files.create("Tea", [file])
        try await files.manager.sendAll(in: files.channel)
        let second = try await files.create("Coffee", [file])
        try await files.manager.sendAll(in: files.channel)
        let parked = try await files.manager.parkedMessages()
        #expect(parked.map(\.message.message.id) == [first, second])
        #expect(parked.map(\.reason.code) == ["fileParked", "fileParked"])
        #expect(try await files.manager.pendingFile(id: file.id)?.lastFailure?.code == "badRequest")
        let error = await #expect(throws: MessageBeastError.self) {
            try await files.manager.discardFile(id: file.id)
        }
        #expect(error?.kind == .invalidArgument)
        try await files.manager.discard(first)
        #expect(try await files.manager.pendingFiles().count == 1)
        try await files.manager.discard(second)
        #expect(try await files.manager.pendingFiles() == [])
        try await eventually { files.staged == [] }
        await files.manager.stop()
    }

    @Test("a file whose content the service refuses is parked, and sent after a retry")
    func contentRefused() async throws {
        let files = try await FileWorld()
        let file = try await files.stage("a")
        files.wire.set { FileWorld.isPut($0) ? .respond(.failure(400)) : .pass }
        try await files.create("Tea", [file])
        try await files.manager.sendAll(in: files.channel)
        #expect(try await files.manager.pendingFile(id: file.id)?.state == .parked)
        #expect(files.requests("PUT", "/content") == 1)
        files.wire.set(nil)
        try await files.manager.retryFile(id: file.id)
        try await files.manager.sendAll(in: files.channel)
        #expect(try await files.attached() == [[files.sha1("a")]])
        #expect(try await files.files().count == 1)
        await files.manager.stop()
    }

    @Test("two files are uploaded at a time, and only the messages behind their own files wait")
    func parallel() async throws {
        let files = try await FileWorld()
        let other = try await files.manager.privateChannel(ofType: "com.example.other").id
        let gate = Signal<Void>()
        files.wire.set { FileWorld.isPut($0) ? .hold(gate) : .pass }
        var staged: [PendingFile] = []
        for text in ["a", "b", "c"] { staged.append(try await files.stage(text)) }
        try await files.create("Tea", staged, sendsImmediately: true)
        try await files.create("Coffee", [], sendsImmediately: true)
        try await eventually { files.requests("PUT", "/content") == 2 }
        try await files.create("Milk", [], in: other, sendsImmediately: true)
        try await eventually { try await files.messages(in: other).count == 1 }
        // Nor does a fetch wait for uploads.
        let outcome = try await files.manager.fetchNewest(in: files.channel)
        #expect(outcome.summary == nil)
        #expect(try await files.messages() == [])
        #expect(files.requests("PUT", "/content") == 2)
        gate.settle()
        try await eventually { try await files.manager.pendingSummary().isEmpty }
        #expect(try await files.messages().map(\.text) == ["Tea", "Coffee"])
        #expect(files.requests("PUT", "/content") == 3)
        await files.manager.stop()
    }

    @Test("messages without files are sent while the service has no room for files")
    func quota() async throws {
        let files = try await FileWorld()
        let other = try await files.manager.privateChannel(ofType: "com.example.other").id
        files.wire.set { FileWorld.isCreation($0) ? .respond(.failure(507)) : .pass }
        let file = try await files.stage("a")
        try await files.create("Tea", [file])
        try await files.create("Milk", [], in: other)
        try await files.manager.sendAll()
        #expect(try await files.messages(in: other).map(\.text) == ["Milk"])
        #expect(try await files.manager.parkedMessages() == [])
        #expect(files.requests("POST", "/files") == 1)
        #expect(try await files.manager.pendingFile(id: file.id)?.lastFailure?.code == "quotaExceeded")
        files.wire.set(nil)
        try await files.manager.sendAll()
        #expect(try await files.messages().map(\.text) == ["Tea"])
        await files.manager.stop()
    }

    @Test("a rejected token stops uploads until an explicit call")
    func signIn() async throws {
        let files = try await FileWorld()
        let log = EventLog(files.manager)
        files.wire.set { FileWorld.isCreation($0) ? .respond(.failure(401)) : .pass }
        let file = try await files.stage("a")
        try await files.create("Tea", [file])
        try await files.manager.sendAll(in: files.channel)
        #expect(files.requests("POST", "/files") == 1)
        #expect(try await files.manager.pendingFile(id: file.id)?.state == .waiting)
        try await eventually { log.events.contains(.authenticationRequired) }
        files.wire.set(nil)
        try await files.manager.sendAll(in: files.channel)
        #expect(try await files.attached() == [[files.sha1("a")]])
        await files.manager.stop()
    }

    @Test("the progress of an upload is reported up to the size of the file")
    func progress() async throws {
        let files = try await FileWorld()
        let log = EventLog(files.manager)
        let file = try await files.stage("abc")
        try await files.create("Tea", [file])
        try await files.manager.sendAll(in: files.channel)
        await files.manager.stop()
        try await eventually { log.events.contains { if case .sent = $0 { true } else { false } } }
        #expect(log.events.contains(.fileProgress(file.id, sentBytes: 3, totalBytes: 3)))
        let kinds = log.events.compactMap { event -> String? in
            switch event {
            case .fileUploaded: "uploaded"
            case .sent: "sent"
            default: nil
            }
        }
        #expect(kinds == ["uploaded", "sent"])
    }
}
