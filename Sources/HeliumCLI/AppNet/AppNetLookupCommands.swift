import AppNet
import ArgumentParser

/// The `helium appnet search QUERY` command.
struct AppNetSearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search posts, messages, channels or users."
    )

    /// The kind of objects to search.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case posts, messages, channels, users
    }

    @Argument(help: "The query: words, \"phrases\", +with -without, this OR that.")
    var query: String

    @OptionGroup var options: AppNetOptions

    @Option(
        name: .customLong("in"),
        help: "posts, messages, channels or users. Default: messages with --channel, otherwise posts."
    )
    var kind: Kind?

    @Option(
        name: .customLong("channel"),
        help: "A channel whose messages are searched. Repeatable. Default: all private channels."
    )
    var channels: [AppNetChannel.ID] = []

    @Option(help: "The maximum number of results; 0 for all.")
    var limit = 20

    func validate() throws {
        if limit < 0 { throw ValidationError("invalid --limit \(limit): use 0 for all, or a positive number") }
        if query.isEmpty { throw ValidationError("no query: give at least one word") }
        if let kind, kind != .messages, !channels.isEmpty { throw ValidationError("--channel is for messages only") }
    }

    func run() async throws {
        try await options.perform { client in
            switch kind ?? (channels.isEmpty ? .posts : .messages) {
            case .posts:
                try await client.search.posts(ContentSearch(query)).first(limit) { posts in
                    try options.show(posts) { AppNetTables.posts(posts) }
                }
            case .messages:
                let scope = channels.isEmpty ? MessageSearchScope.privateMessages : .channels(channels)
                try await client.search.messages(ContentSearch(query), in: scope).first(limit) { messages in
                    try options.show(messages) { AppNetTables.messages(messages) }
                }
            case .channels:
                try await client.search.channels(ChannelSearch(query)).first(limit) { found in
                    try options.show(found) { AppNetTables.channels(found) }
                }
            case .users:
                let users = try await client.users.search(query, count: limit == 0 ? nil : limit)
                try options.show(users) { AppNetTables.users(users) }
            }
        }
    }
}

/// The `helium appnet user NAME` command.
struct AppNetUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "user", abstract: "Show a user.")

    @Argument(help: "The user: a name with or without @, an id, or me.")
    var name: String

    @OptionGroup var options: AppNetOptions

    func validate() throws {
        if AppNetUser.ID(argument: name) == nil {
            throw ValidationError("invalid user \"\(name)\": use a name, an id, or me")
        }
    }

    func run() async throws {
        try await options.perform { client in
            let isID = name == "me" || name.hasPrefix("@") || name.allSatisfy { $0.isASCII && $0.isNumber }
            let user = try await client.users.get(AppNetUser.ID(isID ? name : "@\(name)"))
            try options.show(user) { AppNetTables.user(user) }
        }
    }
}
