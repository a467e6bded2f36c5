import AppNet
import ArgumentParser

/// The `helium appnet channels` command.
struct AppNetChannelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channels",
        abstract: "List the subscribed channels, those with the newest messages first."
    )

    @OptionGroup var options: AppNetOptions

    @Option(name: .customLong("type"), help: "Only channels of this type. Repeatable.")
    var types: [String] = []

    @Option(help: "The maximum number of results; 0 for all.")
    var limit = 20

    func validate() throws {
        if limit < 0 { throw ValidationError("invalid --limit \(limit): use 0 for all, or a positive number") }
    }

    func run() async throws {
        try await options.perform { client in
            let parameters = GeneralParameters(channelTypes: types.isEmpty ? nil : types)
            try await client.channels.subscribed(parameters: parameters).first(limit) { channels in
                try options.show(channels) { AppNetTables.channels(channels) }
            }
        }
    }
}

/// The `helium appnet channel` command.
struct AppNetChannelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel",
        abstract: "Create channels.",
        subcommands: [AppNetChannelCreateCommand.self]
    )
}

/// The `helium appnet channel create` command.
struct AppNetChannelCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a channel and print its id.",
        discussion: "Users are ids or @names. Users who can write can also read."
    )

    @OptionGroup var options: AppNetOptions

    @Option(help: "The type of the channel: a reverse domain name, such as com.example.chat.")
    var type: String

    @Option(name: .customLong("reader"), help: "A user who can read the channel. Repeatable.")
    var readers: [AppNetUser.ID] = []

    @Option(name: .customLong("writer"), help: "A user who can write to the channel. Repeatable.")
    var writers: [AppNetUser.ID] = []

    @Option(name: .customLong("editor"), help: "A user who can change the channel. Repeatable.")
    var editors: [AppNetUser.ID] = []

    @Flag(name: .customLong("public"), help: "Let anyone read the channel.")
    var isPublic = false

    @Flag(name: .customLong("any-writer"), help: "Let every user write to the channel.")
    var hasAnyWriter = false

    @Option(
        name: .customLong("annotation"),
        help: ArgumentHelp("An annotation: {\"type\": …, \"value\": {…}}. Repeatable.", valueName: "json")
    )
    var annotations: [AnnotationArgument] = []

    func validate() throws {
        if isPublic, !readers.isEmpty { throw ValidationError("give --public or --reader, not both") }
        if hasAnyWriter, !writers.isEmpty { throw ValidationError("give --any-writer or --writer, not both") }
    }

    func run() async throws {
        try await options.perform { client in
            let draft = AppNetChannel(
                type: AppNetChannel.Kind(rawValue: type),
                readers: ChannelAccess.readers(isPublic ? .public : readers.isEmpty ? .nobody : .users(readers)),
                writers: ChannelAccess.writers(hasAnyWriter ? .anyUser : writers.isEmpty ? .nobody : .users(writers)),
                editors: editors.isEmpty ? nil : ChannelAccess.editors(.users(editors)),
                annotations: annotations.isEmpty ? nil : annotations.map(\.annotation)
            )
            let channel = try await client.channels.create(draft)
            try options.show(channel) { "\(channel.id?.text ?? "-")" }
        }
    }
}

extension PagedList {
    /// Shows the newest items, at most `limit`; all items if `limit` is 0. Items that cannot be decoded are reported.
    ///
    /// - Throws: The error of a page, after the items of the pages before it have been shown.
    func first(_ limit: Int, _ show: ([Element]) throws -> Void) async throws {
        let pages = before(pageSize: limit == 0 ? 200 : Swift.min(limit, 200)).pages
        try await pages.show(limit, { $0.elements }, show)
    }

    /// Shows the items after the reading position, oldest first, at most `limit`; all items if `limit` is 0. Items that
    /// cannot be decoded are reported.
    ///
    /// - Throws: The error of a page, after the items of the pages before it have been shown.
    func unread(_ limit: Int, _ show: ([Element]) throws -> Void) async throws {
        try await after(.lastRead).pages.show(limit, { $0.elements.reversed() }, show)
    }
}

extension ListPages {
    /// - Parameter order: Returns the items of a page in the order of the pages.
    fileprivate func show(
        _ limit: Int,
        _ order: (Page<Item>) -> [Item],
        _ show: ([Item]) throws -> Void
    ) async throws {
        var items: [Item] = []
        var unreadable = UnreadableItems()
        var failure: (any Error)?
        do {
            for try await page in self {
                items += order(page)
                unreadable.add(page.unreadable)
                if limit > 0, items.count >= limit { break }
            }
        } catch {
            // A page that cannot be read does not discard those before it.
            guard !(error is CancellationError), !items.isEmpty || !unreadable.isEmpty else { throw error }
            failure = error
        }
        try show(limit == 0 ? items : Array(items.prefix(limit)))
        unreadable.report()
        if let failure { throw failure }
    }
}
