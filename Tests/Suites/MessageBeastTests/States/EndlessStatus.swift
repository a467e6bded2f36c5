import AppNet
import Foundation
import GRDB
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

/// The requests that a service answers with one status for ever.
enum Subject: String, CaseIterable, Sendable {
    case message
    /// The search for a message whose response was lost.
    case search
    /// The search for such a message that was deleted in the meantime.
    case cancelledMessage
    case deletion
    case file
    case fileContent
    case fileDeletion

    /// The state of a subject after many requests with one status.
    enum End: Sendable, Equatable {
        /// Nothing is left to do.
        case done
        /// The user decides. No request is made until then.
        case parked
        /// The service asks to wait for a time, a sign-in or room. The user can delete the subject.
        case waits
    }

    /// The table of Docs/Protocols/MessageBeast.md §4.9.
    func end(_ status: Int) -> End {
        switch (self, status) {
        case (_, 401), (_, 429), (.message, 507), (.file, 507), (.fileContent, 507): .waits
        case (.deletion, 404), (.deletion, 410): .done
        case (.fileDeletion, 403), (.fileDeletion, 404), (.fileDeletion, 410): .done
        case (.cancelledMessage, _): .done
        default: .parked
        }
    }

    /// Returns whether a request is answered with the status.
    func isRefused(_ request: TransportRequest) -> Bool {
        let line = Wire.line(request)
        return switch self {
        case .message: FileWorld.isPost(request)
        case .search, .cancelledMessage: line.hasPrefix("GET ") && line.contains("/messages?")
        case .deletion: line.hasPrefix("DELETE ") && line.contains("/messages/")
        case .file: FileWorld.isCreation(request)
        case .fileContent: FileWorld.isPut(request)
        case .fileDeletion: line.hasPrefix("DELETE ") && line.contains("/files/")
        }
    }
}

/// One subject, and the service that refuses it.
struct EndlessStatus {
    let world: BeastWorld
    let manager: MessageManager
    let channel: AppNetChannel.ID
    let subject: Subject
    /// The attempts after which a subject is parked, and the calls that ask for one.
    static let (attempts, calls) = (3, 4)

    /// The requests that were answered with the status.
    private let refusals = Counter()

    init(_ subject: Subject) async throws {
        self.subject = subject
        world = try await BeastWorld()
        manager = try world.manager {
            $0.sendsAutomatically = false
            $0.maximumSendAttempts = Self.attempts
        }
        channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
    }

    var refusalCount: Int { refusals.count }

    /// Brings the subject into its state.
    ///
    /// - Returns: The text of its message, and the id.
    func begin(_ status: Int) async throws -> (text: String, id: Message.ID) {
        world.wire.set(nil)
        let text = "\(subject.rawValue) \(status)"
        switch subject {
        case .message: return (text, try await create(text))
        case .search, .cancelledMessage:
            let id = try await create(text)
            world.wire.loseResponses(times: 1)
            _ = try await manager.outbox.drain(channel, isExplicit: true)
            #expect(try await manager.outbox(of: channel).map(\.state) == [.sending])
            if subject == .cancelledMessage { try await manager.delete(id) }
            return (text, id)
        case .deletion:
            let id = try await create(text)
            try await manager.sendAll(in: channel)
            try await manager.delete(id)
            return (text, id)
        case .file, .fileContent:
            let file = try await manager.stage(Data(text.utf8), name: "a.txt", type: FileWorld.type)
            return (text, try await create(text, [PendingFileAttachment(pendingFileID: file.id, isOEmbed: false)]))
        case .fileDeletion:
            try await manager.writer.write { try FileDeletionTable(database: $0).insert(File.ID("\(status)")) }
            return (text, Message.ID("\(status)"))
        }
    }

    private func create(_ text: String, _ files: [PendingFileAttachment] = []) async throws -> Message.ID {
        let message = Message(text: text)
        let created = try await manager.create(message, in: channel, attachments: files, sendsImmediately: false)
        return try #require(created.message.id)
    }

    /// Asks for attempts until the subject has ended, at most ``calls`` times.
    func send(_ status: Int, _ id: Message.ID) async throws -> Subject.End {
        let (subject, refusals) = (subject, refusals)
        world.wire.set { request in
            guard subject.isRefused(request) else { return .pass }
            _ = refusals.increment()
            return .respond(.failure(status))
        }
        for _ in 0..<Self.calls {
            try await manager.sendAll(in: channel)
            if let end = try await end(id) { return end }
        }
        return .waits
    }

    /// Returns how the subject has ended; `nil` while it waits.
    private func end(_ id: Message.ID) async throws -> Subject.End? {
        switch subject {
        case .message, .search, .file, .fileContent:
            return try await manager.parkedMessages().isEmpty ? nil : .parked
        case .cancelledMessage:
            let count = try await manager.writer.read { try OutboxTable(database: $0).count() }
            return count == 0 ? .done : nil
        case .deletion:
            if try await !manager.parkedDeletions().isEmpty { return .parked }
            return try await manager.pendingSummary().isEmpty ? .done : nil
        case .fileDeletion:
            if try await !manager.parkedFileDeletions().isEmpty { return .parked }
            return try await manager.pendingSummary().isEmpty ? .done : nil
        }
    }

    /// Takes the way out that a user has while the service still answers with the status.
    func giveUp(_ end: Subject.End, _ id: Message.ID) async throws {
        switch (subject, end) {
        case (.deletion, .parked):
            #expect(try await manager.parkedDeletions().map(\.canBeCancelled) == [true])
            #expect(try await manager.cancelDeletion(of: id))
        case (.fileDeletion, .parked): try await manager.discardFileDeletion(of: File.ID(id.text))
        case (_, .parked): try await manager.discard(id)
        case (.message, .waits), (.file, .waits), (.fileContent, .waits): try await manager.delete(id)
        // What must still be found out, or deleted on the service, is not shown any more and waits for the service.
        case (.search, .waits): try await manager.delete(id)
        case (.cancelledMessage, _), (.deletion, _), (.fileDeletion, _), (_, .done): break
        }
        #expect(try await manager.outbox() == [])
        #expect(try await manager.parkedDeletions() == [])
        #expect(try await manager.parkedFileDeletions() == [])
    }

    /// The texts of the live messages on the service.
    func live() async throws -> [String] {
        world.wire.set(nil)
        let parameters = GeneralParameters(includesDeleted: false)
        return try await world.client.messages.list(in: channel, parameters: parameters).page(PageBounds(count: 200))
            .elements.compactMap(\.text)
    }
}
