import AppNet
import Foundation
import GRDB
import HeliumCore
import HeliumTesting
import MessageBeast

/// Lets the service answer one kind of request with one status, for hours: nothing is stuck, nothing is repeated without
/// bound, and the user can decide (Docs/Protocols/MessageBeast.md §4.9).
struct EndlessRefusal {
    static let act = Operation(name: "endlessStatus", share: 6) { scene in
        let subject = Subject.allCases[scene.random.below(Subject.allCases.count)]
        let status = 400 + scene.random.below(200)
        // With these the service says that nothing is left to delete, which is not true here.
        if subject.isDeletion, [403, 404, 410].contains(status) { return }
        try await Self(scene: scene, subject: subject, status: status).run()
    }

    private enum Subject: CaseIterable {
        case message
        /// The search for a message whose response was lost.
        case search
        /// The search for such a message that was deleted in the meantime.
        case cancelledMessage
        case deletion
        case file
        case fileContent
        case fileDeletion

        var isDeletion: Bool { self == .deletion || self == .fileDeletion }

        func isRefused(_ request: TransportRequest) -> Bool {
            let path = request.url.target.prefix { $0 != "?" }
            return switch self {
            case .message: request.method == .post && path.hasSuffix("/messages")
            case .search, .cancelledMessage: request.method == .get && path.hasSuffix("/messages")
            case .deletion: request.method == .delete && path.contains("/messages/")
            case .file: request.method == .post && path.hasSuffix("/files")
            case .fileContent: request.method == .put && path.hasSuffix("/content")
            case .fileDeletion: request.method == .delete && path.contains("/files/")
            }
        }

        /// Whether the engine waits for a time, a sign-in or room, as the service asks.
        func waits(_ status: Int) -> Bool {
            switch (self, status) {
            case (_, 401), (_, 429), (.message, 507), (.file, 507), (.fileContent, 507): true
            default: false
            }
        }
    }

    /// The subject of the user's decision.
    private enum Item {
        case message(Message.ID, text: String)
        /// The number of a deletion in the record.
        case deletion(Message.ID, Int)
        /// Nothing that the user sees.
        case nothing
    }

    let scene: Operation.Scene
    private let subject: Subject
    private let status: Int

    private init(scene: Operation.Scene, subject: Subject, status: Int) {
        (self.scene, self.subject, self.status) = (scene, subject, status)
    }

    private var manager: MessageManager { scene.manager }

    private func run() async throws {
        let (network, clock, subject) = (scene.device.network, scene.world.simulation.clock, subject)
        guard let item = try await begin() else { return network.endRefusals() }
        // Longer than all attempts take.
        try await clock.sleep(for: .seconds(3 * 3600))
        let before = network.refusalCount
        try await clock.sleep(for: .seconds(3600))
        let count = network.refusalCount - before
        let limit = subject.waits(status) && status != 401 ? 20 * scene.device.processCount : 0
        guard count <= limit else {
            throw Finding("\(subject): \(count) requests in an hour that the service answers with \(status)")
        }
        if !subject.waits(status), let stuck = try Self.unparked(scene.device.disk).first {
            throw Finding("\(subject): the service answers with \(status), and \(stuck) neither ends nor is parked")
        }
        let givesUp = scene.random.below(2) == 0
        if givesUp { try await giveUp(item) }
        network.endRefusals()
        if !givesUp { try await goOn(item) }
        // What was not given up, and the actions on a message that was restored.
        for deletion in try await manager.parkedDeletions() {
            try await manager.retryDeletion(of: deletion.messageID)
        }
        for deletion in try await manager.parkedFileDeletions() {
            try await manager.retryFileDeletion(of: deletion.fileID)
        }
        // The user has signed in, and asks for everything.
        for engine in scene.device.running { try await engine.manager.sendAll() }
    }

    // MARK: The beginning

    /// Brings the subject into its state, and begins to refuse.
    ///
    /// - Returns: `nil` if there is nothing to begin with.
    private func begin() async throws -> Item? {
        let (network, subject) = (scene.device.network, subject)
        func refuse() { network.refuse(status) { subject.isRefused($0) } }
        switch subject {
        case .message, .file, .fileContent:
            refuse()
            return try await create(hasFile: subject != .message)
        case .search, .cancelledMessage:
            refuse()
            network.plan([.responseLost])
            let item = try await create(hasFile: false)
            guard subject == .cancelledMessage, case .message(let id, let text) = item else { return item }
            try await scene.world.simulation.clock.sleep(for: .seconds(1))
            try await delete(id, text)
            return .nothing
        case .deletion:
            guard let message = try await scene.message(), message.state == .sent, let id = message.message.id,
                let text = message.message.text
            else { return nil }
            refuse()
            return .deletion(id, try await delete(id, text))
        case .fileDeletion:
            guard case .message(let id, let text) = try await create(hasFile: true),
                case .sent = try await manager.outcome(of: id)
            else { return nil }
            refuse()
            try await delete(id, text, deletingFiles: true)
            return .nothing
        }
    }

    private func create(hasFile: Bool) async throws -> Item {
        let (record, device) = (scene.record, scene.device.name)
        var (file, attachments): (String?, [PendingFileAttachment]) = (nil, [])
        if hasFile {
            let content = "The file of \(record.newText(by: device))"
            let staged = try await manager.stage(
                Data(content.utf8),
                name: "\(content.utf8.count).bin",
                type: "com.example.file"
            )
            (file, attachments) = (content, [PendingFileAttachment(pendingFileID: staged.id, isOEmbed: false)])
        }
        let text = record.newText(by: device)
        record.beginCreation(of: text, by: device, in: scene.channel, file: file)
        let created = try await manager.create(Message(text: text), in: scene.channel, attachments: attachments)
        record.endCreation(of: text)
        guard let id = created.message.id else { throw Finding("a message has no id") }
        return .message(id, text: text)
    }

    @discardableResult
    private func delete(_ id: Message.ID, _ text: String, deletingFiles: Bool = false) async throws -> Int {
        let number = scene.record.beginDeletion(of: text, id: id, by: scene.device.name)
        try await manager.delete(id, deletingFiles: deletingFiles)
        scene.record.setDeletion(number, .acknowledged)
        return number
    }

    // MARK: The user's decision

    /// Gives the subject up, while the service still refuses.
    private func giveUp(_ item: Item) async throws {
        for deletion in try await manager.parkedFileDeletions() {
            try await manager.discardFileDeletion(of: deletion.fileID)
        }
        switch item {
        case .message(let id, let text):
            let isParked = try await manager.parkedMessages().contains { $0.message.message.id == id }
            guard isParked else {
                try await delete(id, text)
                return
            }
            let number = scene.record.beginDeletion(of: text, id: id, by: scene.device.name)
            try await manager.discard(id)
            scene.record.setDeletion(number, .acknowledged)
        case .deletion(let id, let number):
            guard try await manager.parkedDeletions().contains(where: { $0.messageID == id && $0.canBeCancelled })
            else {
                return
            }
            guard try await manager.cancelDeletion(of: id) else { throw Finding("a parked deletion is not undone") }
            scene.record.setDeletion(number, .cancelled)
        case .nothing: break
        }
    }

    /// Has the engine try again, after the service has begun to answer.
    private func goOn(_ item: Item) async throws {
        guard case .message(let id, let text) = item,
            try await manager.parkedMessages().contains(where: { $0.message.message.id == id })
        else { return }
        scene.record.noteRetry(text)
        try await manager.retry(id)
    }

    /// The rows that wait neither for the user nor for a message that does.
    private static func unparked(_ disk: DatabaseQueue) throws -> [String] {
        try Oracle.leftovers(disk, withParked: false)
    }
}
