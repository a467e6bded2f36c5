import AppNet
import ArgumentParser
import MessageBeast

/// The channel, and whether the message is sent now.
struct BeastSendingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The channel. Default: the only one with messages.", valueName: "id"))
    var channel: AppNetChannel.ID?

    @Flag(help: "Only store it. It is sent by the next sync, or by outbox send. Needs no network.")
    var offline = false

    /// Creates a message in the channel with `create`, sends the channel's queue unless `offline` is set, and shows the
    /// message.
    func perform(
        _ options: BeastOptions,
        _ create: (MessageManager, AppNetChannel.ID) async throws -> MessagePlus
    ) async throws {
        func store(_ manager: MessageManager) async throws -> MessagePlus {
            try await create(manager, try await manager.channel(channel))
        }
        func show(_ manager: MessageManager, _ created: MessagePlus) async throws {
            if let id = created.message.id { try await BeastShowing.show(id, of: manager, options) }
        }
        guard !offline else { return try await options.offline { try await show($0, try await store($0)) } }
        try await options.writing(store, send: { try await $0.sendAll(in: $1.channelID) }, show: show)
    }
}

/// The `helium beast send TEXT` command.
struct BeastSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Write a message: store it, and send it.",
        discussion: """
            A message that cannot be sent now remains stored, and is sent once by the next sync, or by outbox send. \
            With - as the text, it is read from standard input.
            """
    )

    @Argument(help: "The text, or - for standard input.")
    var text: MessageText

    @OptionGroup var options: BeastOptions
    @OptionGroup var sending: BeastSendingOptions

    @Option(help: ArgumentHelp("The message that it replies to, sent or not.", valueName: "id"))
    var replyTo: Message.ID?

    func validate() throws {
        if text.isEmpty { throw ValidationError("the text is empty") }
    }

    func run() async throws {
        let message = Message(text: try await text.read(), replyTo: replyTo)
        try await sending.perform(options) { try await $0.create(message, in: $1) }
    }
}

/// The `helium beast delete ID` command.
struct BeastDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a message locally, and on the service as soon as it can be reached."
    )

    @Argument(help: "The message's id, or the temporary one of an unsent message.")
    var message: Message.ID

    @OptionGroup var options: BeastOptions

    @Flag(help: "Only record it. The next sync, or outbox send, sends it to the service. Needs no network.")
    var offline = false

    @Flag(help: "Restore a message whose deletion was not sent to the service yet, or refused. Needs no network.")
    var undo = false

    func validate() throws {
        if undo, offline { throw ValidationError("--undo and --offline exclude each other: --undo needs no network") }
    }

    func run() async throws {
        if undo {
            return try await options.offline { manager in
                guard try await manager.cancelDeletion(of: message) else {
                    throw CommandFailure(
                        "nothing to undo: \(message) was not deleted, or its deletion was already sent to the service"
                    )
                }
                try await BeastShowing.show(message, of: manager, options)
            }
        }
        if offline { return try await options.offline { try await $0.delete(message) } }
        try await options.writing(
            { try await $0.delete(message) },
            send: { manager, _ in
                try await manager.sendAll()
                if try await manager.parkedDeletions().contains(where: { $0.messageID == message }) {
                    Console.current.note(
                        "helium: the message is deleted here, and the service refuses to delete it: "
                            + "see helium beast outbox deletions"
                    )
                }
            }
        )
    }
}

/// Prints a stored message.
enum BeastShowing {
    static func show(_ id: Message.ID, of manager: MessageManager, _ options: BeastOptions) async throws {
        guard let found = try await manager.message(id: id) else { return }
        if found.isUnsent {
            let isParked = try await manager.parkedMessages().contains { $0.message.id == found.id }
            let state = isParked ? "needs a decision: see helium beast outbox" : "was not sent yet"
            Console.current.note("helium: the message is stored, and \(state)")
        }
        try options.show(BeastMessage(found)) { BeastTables.messages([found]) }
    }
}
