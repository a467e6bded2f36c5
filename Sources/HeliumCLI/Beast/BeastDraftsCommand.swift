import AppNet
import ArgumentParser
import MessageBeast

/// The `helium beast drafts` command.
struct BeastDraftsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drafts",
        abstract: "Drafts of messages: list, write, change, remove and send them.",
        subcommands: [List.self, Create.self, Edit.self, Delete.self, Send.self],
        defaultSubcommand: List.self
    )
}

extension BeastDraftsCommand {
    /// The `helium beast drafts list` command.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the drafts, newest first. Needs no network.")

        @OptionGroup var options: BeastOptions

        func run() async throws {
            try await options.reading { manager in
                let drafts = try await manager.drafts()
                try options.show(drafts.map(BeastMessage.init)) { BeastTables.messages(drafts) }
            }
        }
    }

    /// The `helium beast drafts create TEXT` command.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Store a draft. Needs no network.")

        @Argument(help: "The text, or - for standard input.")
        var text: MessageText

        @OptionGroup var options: BeastOptions

        @Option(help: ArgumentHelp("The channel. Default: the only one with messages.", valueName: "id"))
        var channel: AppNetChannel.ID?

        func run() async throws {
            let message = Message(text: try await text.read())
            try await options.offline { manager in
                let draft = try await manager.createDraft(message, in: try await manager.channel(channel))
                try options.show(BeastMessage(draft)) { BeastTables.messages([draft]) }
            }
        }
    }

    /// The `helium beast drafts edit ID TEXT` command.
    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change the text of a draft. Needs no network.")

        @Argument(help: "The draft's id.")
        var draft: Message.ID

        @Argument(help: "The new text, or - for standard input.")
        var text: MessageText

        @OptionGroup var options: BeastOptions

        func run() async throws {
            let text = try await self.text.read()
            try await options.offline { manager in
                guard var content = try await manager.draft(draft)?.message else {
                    throw CommandFailure("there is no draft \(draft) in the database")
                }
                content.text = text
                content.entities = nil
                let draft = try await manager.updateDraft(draft, to: content)
                try options.show(BeastMessage(draft)) { BeastTables.messages([draft]) }
            }
        }
    }

    /// The `helium beast drafts delete ID` command.
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove a draft. Needs no network.")

        @Argument(help: "The draft's id.")
        var draft: Message.ID

        @OptionGroup var options: BeastOptions

        func run() async throws { try await options.offline { try await $0.deleteDraft(draft) } }
    }

    /// The `helium beast drafts send ID` command.
    struct Send: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Turn a draft into a message and send it.")

        @Argument(help: "The draft's id.")
        var draft: Message.ID

        @OptionGroup var options: BeastOptions

        @Flag(help: "Do not send it now. Needs no network.")
        var offline = false

        func run() async throws {
            if offline {
                return try await options.offline { manager in
                    _ = try await manager.promoteDraft(draft)
                    try await BeastShowing.show(draft, of: manager, options)
                }
            }
            try await options.writing(
                { try await $0.promoteDraft(draft) },
                send: { try await $0.sendAll(in: $1.channelID) },
                show: { manager, _ in try await BeastShowing.show(draft, of: manager, options) }
            )
        }
    }
}
