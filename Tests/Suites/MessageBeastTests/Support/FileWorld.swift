import AppNet
import Foundation
import HeliumConcurrency
import HeliumCore
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import MessageBeast

/// A world with an engine on a file, for tests of pending files.
struct FileWorld: Sendable {
    let world: BeastWorld
    let folder: TemporaryFolder
    let manager: MessageManager
    let channel: AppNetChannel.ID

    static let type = "com.example.photo"

    init(
        dialect: AppNetDialect = .appNet,
        _ configure: (inout MessageManager.Options) -> Void = { _ in }
    ) async throws {
        world = try await BeastWorld(dialect: dialect)
        folder = try TemporaryFolder()
        manager = try world.manager(.file(folder.path("journal.sqlite")), configure)
        channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        world.wire.forget()
    }

    var wire: Wire { world.wire }
    var stagedFolder: String { folder.path("journal.sqlite-files") }

    /// The names of the staged files.
    var staged: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: stagedFolder)) ?? []).sorted()
    }

    /// The smallest image that has a size.
    static func image(width: UInt8 = 1) -> Data { Data("GIF89a".utf8) + [width, 0, 1, 0, 0, 0, 0] }

    @discardableResult
    func stage(_ text: String, by manager: MessageManager? = nil) async throws -> PendingFile {
        try await (manager ?? self.manager).stage(Data(text.utf8), name: "\(text).txt", type: Self.type)
    }

    func attachment(_ file: PendingFile, isOEmbed: Bool = false) -> PendingFileAttachment {
        PendingFileAttachment(pendingFileID: file.id, isOEmbed: isOEmbed)
    }

    /// Creates a message with files, which is not sent yet.
    @discardableResult
    func create(
        _ text: String,
        _ files: [PendingFile],
        in other: AppNetChannel.ID? = nil,
        sendsImmediately: Bool = false
    ) async throws -> Message.ID {
        let created = try await manager.create(
            Message(text: text),
            in: other ?? channel,
            attachments: files.map { attachment($0) },
            sendsImmediately: sendsImmediately
        )
        return try #require(created.message.id)
    }

    /// Ends an engine as SIGKILL does, and opens another one on its file.
    func kill() throws -> MessageManager {
        manager.context.life.stop()
        manager.outbox.abandon()
        wire.set(nil)
        return try world.manager(.file(folder.path("journal.sqlite")))
    }

    func requests(_ method: String, _ part: String) -> Int {
        wire.requests.count { $0.hasPrefix("\(method) ") && $0.contains(part) }
    }

    /// The live messages of a channel on the service, oldest first.
    func messages(in other: AppNetChannel.ID? = nil) async throws -> [Message] {
        let parameters = GeneralParameters(includesAnnotations: true, includesDeleted: false)
        return try await world.client.messages.list(in: other ?? channel, parameters: parameters).page(
            PageBounds(count: 200)
        )
        .elements.reversed()
    }

    /// The files on the service, oldest first.
    func files() async throws -> [File] {
        try await world.client.files.own().page(PageBounds(count: 200)).elements.reversed()
    }

    /// The SHA-1 sums of the files that the attachments of the messages of the channel show.
    func attached(in other: AppNetChannel.ID? = nil) async throws -> [[String]] {
        try await messages(in: other).map { message in
            (message.annotations ?? []).ofType(MessageBeastNames.attachments).flatMap { annotation in
                (annotation.value?[MessageBeastNames.fileList]?.arrayValue ?? []).compactMap { $0["sha1"]?.stringValue }
            }
        }
    }

    func sha1(_ text: String) -> String { ContentDigest.content(of: Data(text.utf8)).sha1 }

    static func isPut(_ request: TransportRequest) -> Bool { request.method == .put }

    static func isCreation(_ request: TransportRequest) -> Bool {
        request.method == .post && Wire.line(request).hasSuffix("/files")
    }

    static func isPost(_ request: TransportRequest) -> Bool { isPost(line: Wire.line(request)) }

    static func isPost(line: String) -> Bool { line.hasPrefix("POST ") && line.contains("/messages") }
}

extension TransportResponse {
    static func failure(_ status: Int) -> Self {
        .json(#"{"meta": {"code": \#(status), "error_message": "no"}}"#, status: status)
    }
}

/// The events of an engine so far.
final class EventLog: Sendable {
    private let seen = Guarded<[MessageManager.Event]>([])
    private let task = Guarded<Task<Void, Never>?>(nil)

    init(_ manager: MessageManager) {
        let events = manager.events
        let task = Task { [weak self] in
            for await event in events { self?.seen.withLock { $0.append(event) } }
        }
        self.task.withLock { $0 = task }
    }

    deinit { task.withLock { $0?.cancel() } }

    var events: [MessageManager.Event] { seen.withLock { $0 } }
}
