import AppNet
import ArgumentParser
import MessageBeast

/// A deletion that needs a decision, as JSON.
struct BeastDeletionRow: Encodable {
    enum Kind: String, Encodable {
        case message
        case file
    }

    let kind: Kind
    let id: String
    /// The channel of a message.
    let channel: String?
    let reason: String
    /// Whether the message can be restored.
    let canBeUndone: Bool

    enum CodingKeys: String, CodingKey {
        case kind
        case id
        case channel = "channel_id"
        case reason
        case canBeUndone = "can_be_undone"
    }

    init(_ deletion: ParkedDeletion) {
        (kind, id, channel) = (.message, deletion.messageID.text, deletion.channelID.text)
        (reason, canBeUndone) = (deletion.reason, deletion.canBeCancelled)
    }

    init(_ deletion: ParkedFileDeletion) {
        (kind, id, channel) = (.file, deletion.fileID.text, nil)
        (reason, canBeUndone) = (deletion.reason, false)
    }
}

/// The deletions that the service has not carried out.
struct BeastPendingDeletions {
    let messages: Int
    let files: Int
    /// The number of those that the service refused.
    let refused: Int

    /// Returns `nil` if there are none.
    init?(_ summary: PendingSummary) {
        guard summary.deletions > 0 else { return nil }
        (messages, files) = (summary.deletions - summary.fileDeletions, summary.fileDeletions)
        refused = summary.parkedDeletions
    }

    var text: String {
        let text = "\(messages) deletions of messages, \(files) of files"
        return refused > 0 ? "\(text), \(refused) of them refused" : text
    }

    /// The command that lists those that were refused.
    var hint: String { refused > 0 ? ": see helium beast outbox deletions" : "" }
}

extension BeastOutboxCommand {
    /// The `helium beast outbox deletions` command.
    struct Deletions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the deletions that the service refused, with the reasons. Needs no network.",
            discussion: """
                Try one again with helium beast outbox retry ID, give it up with helium beast outbox discard ID, or \
                restore the message with helium beast delete ID --undo. For files, add --file to retry and discard.
                """
        )

        @OptionGroup var options: BeastOptions

        func run() async throws {
            try await options.reading { manager in
                let messages = try await manager.parkedDeletions().map(BeastDeletionRow.init)
                let rows = messages + (try await manager.parkedFileDeletions().map(BeastDeletionRow.init))
                try options.show(rows) { BeastTables.deletions(rows) }
            }
        }
    }
}

/// A parked message, or a parked deletion of a message or of a file.
struct BeastParkedItem: ParsableArguments {
    @Argument(help: "The temporary id of the message, or the id of a message or file whose deletion is parked.")
    var id: Message.ID

    @Flag(name: .customLong("file"), help: "The id is that of a file whose deletion is parked.")
    var isFile = false

    func retry(_ manager: MessageManager) async throws {
        try await decide(manager, manager.retry, manager.retryDeletion, manager.retryFileDeletion)
    }

    func discard(_ manager: MessageManager) async throws {
        try await decide(manager, manager.discard, manager.discardDeletion, manager.discardFileDeletion)
    }

    private func decide(
        _ manager: MessageManager,
        _ message: (Message.ID) async throws -> Void,
        _ deletion: (Message.ID) async throws -> Void,
        _ fileDeletion: (File.ID) async throws -> Void
    ) async throws {
        if isFile { return try await fileDeletion(File.ID(id.text)) }
        do {
            try await message(id)
        } catch let error as MessageBeastError where error.kind == .notFound {
            guard try await manager.parkedDeletions().contains(where: { $0.messageID == id }) else { throw error }
            try await deletion(id)
        }
    }
}
