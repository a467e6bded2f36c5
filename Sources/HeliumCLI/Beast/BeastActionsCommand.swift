import AppNet
import ArgumentParser
import MessageBeast

/// The `helium beast actions` command.
struct BeastActionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "actions",
        abstract: "Marks on messages that all of the user's devices share, for example favorites.",
        discussion: "Add each type of action once with helium beast init --action TYPE.",
        subcommands: [List.self, Add.self, Remove.self],
        defaultSubcommand: List.self
    )
}

/// The channel of the actions that a command uses.
struct BeastActionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The type of the action. Default: the only one.", valueName: "type")
    )
    var type: String?

    func channel(of manager: MessageManager) async throws -> AppNetChannel.ID {
        let types = try await manager.channels().compactMap { channel -> (type: String, id: AppNetChannel.ID)? in
            guard case .actions(let type, _) = channel.role else { return nil }
            return (type, channel.id)
        }
        let wanted = types.filter { type == nil || $0.type == type }
        guard let only = wanted.first, wanted.count == 1 else {
            if let type, wanted.isEmpty {
                throw CommandFailure("the database has no actions of the type \(type): add it with init --action")
            }
            throw CommandFailure("the database has actions of \(wanted.count) types: give --type, or add one with init")
        }
        return only.id
    }
}

extension BeastActionsCommand {
    /// The `helium beast actions list` command.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the messages that an action is on, newest first. Needs no network."
        )

        @OptionGroup var action: BeastActionOptions
        @OptionGroup var options: BeastOptions

        @Option(help: "The maximum number of results; 0 for all.")
        var limit = 20

        func validate() throws {
            if limit < 0 { throw ValidationError("invalid --limit \(limit): use 0 for all, or a positive number") }
        }

        func run() async throws {
            try await options.reading { manager in
                let channel = try await action.channel(of: manager)
                let messages = try await manager.actions.actionedMessages(in: channel, limit: limit == 0 ? nil : limit)
                try options.show(messages.map(BeastMessage.init)) { BeastTables.messages(messages) }
            }
        }
    }

    /// The `helium beast actions add ID…` command.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Put an action on messages, sent or not.")

        @Argument(help: "The ids of the messages.")
        var messages: [Message.ID]

        @OptionGroup var action: BeastActionOptions
        @OptionGroup var options: BeastOptions

        @Flag(help: "Only store it. The next sync, or outbox send, sends it to the service. Needs no network.")
        var offline = false

        func run() async throws {
            try await BeastActionsCommand.change(options, offline: offline) { manager in
                _ = try await manager.actions.apply(try await action.channel(of: manager), to: messages)
            }
        }
    }

    /// The `helium beast actions remove ID…` command.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take an action off messages.")

        @Argument(help: "The ids of the messages.")
        var messages: [Message.ID]

        @OptionGroup var action: BeastActionOptions
        @OptionGroup var options: BeastOptions

        @Flag(help: "Only store it. The next sync, or outbox send, sends it to the service. Needs no network.")
        var offline = false

        func run() async throws {
            try await BeastActionsCommand.change(options, offline: offline) { manager in
                _ = try await manager.actions.remove(try await action.channel(of: manager), from: messages)
            }
        }
    }

    /// Changes actions, and sends queued changes unless `offline` is set. An action may have to wait for its message.
    private static func change(
        _ options: BeastOptions,
        offline: Bool,
        _ change: (MessageManager) async throws -> Void
    ) async throws {
        guard !offline else { return try await options.offline(change) }
        try await options.writing(change, send: { manager, _ in try await manager.sendAll() })
    }
}
