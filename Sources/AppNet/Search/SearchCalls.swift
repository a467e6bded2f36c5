/// The search calls (Docs/Protocols/AppNet.md §2.12). Users are searched with ``UserCalls/search(_:count:parameters:)``.
///
/// Access lists and scopes apply. Without the scope `messages`, only public channels are searched.
public struct SearchCalls: Sendable {
    let client: AppNetClient

    /// Searches for posts.
    ///
    /// `GET posts/search`; any token.
    ///
    /// - Parameters:
    ///   - search: The search. It needs at least a query or a filter.
    ///   - parameters: The optional members of the response.
    public func posts(
        _ search: ContentSearch,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Post> {
        client.list(CallRequest(.searchPosts, query: search.query(in: client.dialect), parameters))
    }

    /// Searches for messages.
    ///
    /// `GET channels/messages/search`; any token.
    ///
    /// - Parameters:
    ///   - search: The search.
    ///   - scope: The channels to search.
    ///   - parameters: The optional members of the response.
    public func messages(
        _ search: ContentSearch,
        in scope: MessageSearchScope,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Message> {
        var query = search.query(in: client.dialect)
        query["channel_ids"] = .single(scope.text(in: client.dialect))
        return client.list(CallRequest(.searchMessages, query: query, parameters))
    }

    /// Searches for channels.
    ///
    /// `GET channels/search`; a user token.
    ///
    /// - Parameters:
    ///   - search: The search.
    ///   - parameters: The optional members of the response.
    public func channels(
        _ search: ChannelSearch,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<AppNetChannel> {
        client.list(CallRequest(.searchChannels, query: search.query(in: client.dialect), parameters))
    }
}

/// The channels in which messages are searched.
public struct MessageSearchScope: Hashable, Sendable {
    private let words: [String]

    /// Returns a scope with the given channels.
    public static func channels(_ ids: [AppNetChannel.ID]) -> Self { Self(words: ids.map(\.text)) }

    /// All channels of private messages.
    public static let privateMessages = Self(words: ["pm"])

    /// All broadcast channels; App.net only.
    public static let broadcasts = Self(words: ["broadcast"])

    /// Returns the query representation. Values are separated by spaces on App.net and by commas on pnut.io.
    func text(in dialect: AppNetDialect) -> String { words.joined(separator: dialect.listSeparator) }
}

extension AppNetDialect {
    /// The separator of values in a search parameter (Docs/Protocols/AppNet.md §2.12, §6.2).
    var listSeparator: String {
        switch self {
        case .appNet: " "
        case .pnut: ","
        }
    }
}
