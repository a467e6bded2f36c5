import AppNet
import ArgumentParser
import MessageBeast

/// The channel and the maximum number of results.
struct BeastListOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The channel. Default: the only one with messages.", valueName: "id"))
    var channel: AppNetChannel.ID?

    @Option(help: "The maximum number of results; 0 for all.")
    var limit = 20

    func validate() throws {
        if limit < 0 { throw ValidationError("invalid --limit \(limit): use 0 for all, or a positive number") }
    }

    var maximum: Int? { limit == 0 ? nil : limit }
}

/// The `helium beast list` command.
struct BeastListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the stored messages with the newest display dates. Needs no network."
    )

    @OptionGroup var options: BeastOptions
    @OptionGroup var list: BeastListOptions

    func run() async throws {
        try await options.reading { manager in
            let channel = try await manager.channel(list.channel)
            let messages = try await manager.page(of: channel, limit: list.maximum).messages
            try options.show(messages.map(BeastMessage.init)) { BeastTables.messages(messages) }
        }
    }
}

/// The `helium beast show ID` command.
struct BeastShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a stored message with its annotations. Needs no network."
    )

    @Argument(help: "The message's id, or the temporary one of an unsent message.")
    var message: Message.ID

    @OptionGroup var options: BeastOptions

    func run() async throws {
        try await options.reading { manager in
            guard let found = try await manager.message(id: message) else {
                throw CommandFailure("the message \(message) is not in the database")
            }
            try options.show(BeastMessage(found)) { AppNetTables.message(found.message) }
        }
    }
}

/// The `helium beast search TEXT` command.
struct BeastSearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search the texts of stored messages. Needs no network.",
        discussion: """
            All words must occur; the last may be the beginning of a word. Case, accents and width are ignored. A word \
            is a run of letters and digits: emoji and other signs separate words and are not found. With --pattern, the \
            text is a full-text pattern of SQLite: "tea OR coffee", "NEAR(tea milk)".
            """
    )

    @Argument(help: "The words.")
    var text: String

    @OptionGroup var options: BeastOptions
    @OptionGroup var list: BeastListOptions

    @Flag(help: "Sort by the best match instead of the newest message.")
    var rank = false

    @Flag(help: "The text is a pattern of SQLite's FTS5.")
    var pattern = false

    func run() async throws {
        guard MessageManager.hasSearchableWords(text) else {
            throw CommandFailure("the text has no letters or digits: emoji and other signs cannot be searched for")
        }
        try await options.reading { manager in
            let channel = try await manager.channel(list.channel)
            let order = rank ? SearchOrder.rank : .newestFirst
            let hits =
                pattern
                ? try await manager.search(pattern: text, in: channel, order: order, limit: list.maximum)
                : try await manager.search(text: text, in: channel, order: order, limit: list.maximum)
            try options.show(hits.map { BeastMessage($0.message) }) { BeastTables.hits(hits) }
        }
    }
}
