import AppNet
import ArgumentParser
import MessageBeast

/// The `helium beast outbox` command.
struct BeastOutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "The messages that were not sent yet, and those that need a decision.",
        subcommands: [List.self, Deletions.self, Send.self, Retry.self, Edit.self, Discard.self],
        defaultSubcommand: List.self
    )
}

/// A message of the outbox as JSON.
struct BeastOutboxRow: Encodable {
    let message: MessagePlus
    let state: String
    let attempts: Int
    let reason: String?
    /// Whether the message must be edited before it is sent again. Only encoded if `true`.
    let needsEdit: Bool

    enum CodingKeys: String, CodingKey {
        case message
        case state
        case attempts
        case reason
        case needsEdit = "needs_edit"
    }

    init(_ item: OutboxItem) {
        message = item.message
        attempts = item.message.sendAttemptsCount
        needsEdit = if case .parked(let parked) = item.state { parked.needsEdit } else { false }
        switch item.state {
        case .queued: (state, reason) = (item.isWaitingForMessage ? "waiting" : "queued", nil)
        case .uploading: (state, reason) = ("uploading", nil)
        case .sending: (state, reason) = ("sending", nil)
        case .parked(let parked): (state, reason) = ("parked", "\(parked.code): \(parked.message)")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(BeastMessage(message), forKey: .message)
        try container.encode(state, forKey: .state)
        try container.encode(attempts, forKey: .attempts)
        try container.encodeIfPresent(reason, forKey: .reason)
        if needsEdit { try container.encode(true, forKey: .needsEdit) }
    }
}

extension BeastOutboxCommand {
    /// The `helium beast outbox list` command.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the unsent messages, oldest first, with the reasons of parked ones. Needs no network."
        )

        @OptionGroup var options: BeastOptions

        func run() async throws {
            try await options.reading { manager in
                let rows = try await manager.outbox().map(BeastOutboxRow.init)
                try options.show(rows) { BeastTables.outbox(rows) }
                if let deletions = try await BeastPendingDeletions(manager.pendingSummary()) {
                    Console.current.note("helium: pending on the service: \(deletions.text)\(deletions.hint)")
                }
            }
        }
    }

    /// The `helium beast outbox send` command.
    struct Send: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Send the waiting messages now. Exits with status 1 if unsent messages remain that are not parked."
        )

        @OptionGroup var options: BeastOptions

        func run() async throws {
            try await options.online { manager, _ in
                try await manager.sendAll()
                let left = try await manager.outbox().count { if case .parked = $0.state { false } else { true } }
                if left > 0 { throw CommandFailure("\(left) messages could not be sent and remain in the outbox") }
            }
        }
    }

    /// The `helium beast outbox retry ID` command.
    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put a parked message, or a parked deletion, back into the queue, and send it.",
            discussion: "A message that must be edited first, as helium beast outbox shows, is not retried."
        )

        @OptionGroup var item: BeastParkedItem

        @OptionGroup var options: BeastOptions

        @Flag(help: "Do not send it now. Needs no network.")
        var offline = false

        func run() async throws {
            if offline { return try await options.offline { try await item.retry($0) } }
            try await options.writing(
                { try await item.retry($0) },
                send: { manager, _ in try await manager.sendAll() },
                show: { manager, _ in if !item.isFile { try await BeastShowing.show(item.id, of: manager, options) } }
            )
        }
    }

    /// The `helium beast outbox edit ID TEXT` command.
    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change the text of a message that was not sent, and send it.",
            discussion: "A message with an unknown outcome is first searched for on the service."
        )

        @Argument(help: "The temporary id of the message.")
        var message: Message.ID

        @Argument(help: "The new text, or - for standard input.")
        var text: MessageText

        @OptionGroup var options: BeastOptions

        @Flag(help: "Do not send it now. Needs no network, unless the message's outcome is unknown.")
        var offline = false

        func run() async throws {
            let text = try await self.text.read()
            if offline { return try await options.offline { _ = try await edit(text, of: $0) } }
            try await options.writing(
                asksFirst: hasUnknownOutcome,
                { try await edit(text, of: $0) },
                send: { manager, _ in try await manager.sendAll() },
                show: { try await BeastShowing.show($1, of: $0, options) }
            )
        }

        /// Whether the message is searched for on the service before it is changed.
        private func hasUnknownOutcome(_ manager: MessageManager) async throws -> Bool {
            let id = try await manager.message(id: message)?.message.id
            return try await manager.outbox().contains { item in
                guard item.message.message.id == id, case .parked(let reason) = item.state else { return false }
                return reason.code == "outcomeUnknown"
            }
        }

        private func edit(_ text: String, of manager: MessageManager) async throws -> Message.ID {
            guard var content = try await manager.message(id: message)?.message else {
                throw CommandFailure("the message \(message) is not in the database")
            }
            content.text = text
            content.entities = nil
            return try await manager.edit(message, to: content).message.id ?? message
        }
    }

    /// The `helium beast outbox discard ID` command.
    struct Discard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a parked message, or give up a parked deletion. Needs no network.",
            discussion: "To restore a message whose deletion is parked, use helium beast delete ID --undo."
        )

        @OptionGroup var item: BeastParkedItem

        @OptionGroup var options: BeastOptions

        func run() async throws { try await options.offline { try await item.discard($0) } }
    }
}
