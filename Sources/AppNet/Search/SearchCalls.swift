/// The calls that search (§2.12). Access lists and scopes hold: without `messages` only public channels are searched.
public struct SearchCalls: Sendable {
    let client: AppNetClient

    /// Posts.
    ///
    /// `GET posts/search`; any token.
    ///
    /// - Parameters:
    ///   - search: What to look for: a query or a filter at least.
    ///   - parameters: What the answer is to have.
    public func posts(
        _ search: ContentSearch,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Post> {
        client.list(CallRequest(.searchPosts, query: search.query(in: client.dialect), parameters))
    }

    /// Messages of channels.
    ///
    /// `GET channels/messages/search`; any token.
    ///
    /// - Parameters:
    ///   - search: What to look for.
    ///   - scope: Where to look.
    ///   - parameters: What the answer is to have.
    public func messages(
        _ search: ContentSearch,
        in scope: MessageSearchScope,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Message> {
        var query = search.query(in: client.dialect)
        query["channel_ids"] = .single(scope.text(in: client.dialect))
        return client.list(CallRequest(.searchMessages, query: query, parameters))
    }

    /// Channels.
    ///
    /// `GET channels/search`; a user token.
    ///
    /// - Parameters:
    ///   - search: What to look for.
    ///   - parameters: What the answer is to have.
    public func channels(
        _ search: ChannelSearch,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<AppNetChannel> {
        client.list(CallRequest(.searchChannels, query: search.query(in: client.dialect), parameters))
    }

    /// Users: ``UserCalls/search(_:count:_:)``.
    public func users(
        _ text: String,
        count: Int? = nil,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> [AppNetUser] {
        try await client.users.search(text, count: count, parameters)
    }
}

/// The channels in which messages are looked for.
public struct MessageSearchScope: Hashable, Sendable {
    private let words: [String]

    /// These channels.
    public static func channels(_ ids: [AppNetChannel.ID]) -> Self { Self(words: ids.map(\.text)) }

    /// All private messages.
    public static let privateMessages = Self(words: ["pm"])

    /// All broadcasts; App.net only.
    public static let broadcasts = Self(words: ["broadcast"])

    /// Lists inside of a parameter are separated by blanks on App.net, by commas on pnut.io.
    func text(in dialect: AppNetDialect) -> String { words.joined(separator: dialect.listSeparator) }
}

extension AppNetDialect {
    /// What stands between a search's words (§2.12, §6.2).
    var listSeparator: String {
        switch self {
        case .appNet: " "
        case .pnut: ","
        }
    }
}
