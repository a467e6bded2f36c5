// The calls, by what they are of.
extension AppNetClient {
    /// Channels (§2.1).
    public var channels: ChannelCalls { ChannelCalls(client: self) }

    /// Messages (§2.2).
    public var messages: MessageCalls { MessageCalls(client: self) }

    /// Stream markers (§2.3).
    public var streamMarkers: StreamMarkerCalls { StreamMarkerCalls(client: self) }

    /// Files (§2.4).
    public var files: FileCalls { FileCalls(client: self) }

    /// Users (§2.5).
    public var users: UserCalls { UserCalls(client: self) }

    /// The token (§2.6).
    public var token: TokenCalls { TokenCalls(client: self) }

    /// The service's configuration (§2.6).
    public var configuration: ConfigurationCalls { ConfigurationCalls(client: self) }

    /// Text processing (§2.6).
    public var text: TextCalls { TextCalls(client: self) }

    /// Posts (§2.7).
    public var posts: PostCalls { PostCalls(client: self) }

    /// Places (§2.8).
    public var places: PlaceCalls { PlaceCalls(client: self) }

    /// Interactions (§2.9).
    public var interactions: InteractionCalls { InteractionCalls(client: self) }

    /// Explore streams (§2.10).
    public var explore: ExploreCalls { ExploreCalls(client: self) }

    /// Filters of app streams (§2.11).
    public var filters: FilterCalls { FilterCalls(client: self) }

    /// Search (§2.12).
    public var search: SearchCalls { SearchCalls(client: self) }

    /// App streams (§2.13): to make and to delete them.
    public var appStreams: AppStreamCalls { AppStreamCalls(client: self) }

    /// User streams (§2.14): to delete them.
    public var userStreams: UserStreamCalls { UserStreamCalls(client: self) }

    /// Polls; pnut.io only (§6.2).
    public var polls: PollCalls { PollCalls(client: self) }

    /// Registered apps; pnut.io only (AppNet.md §6.2).
    public var clients: ClientCalls { ClientCalls(client: self) }

    /// Descriptions of pages for embedding; pnut.io only (AppNet.md §6.2).
    public var embedding: EmbeddingCalls { EmbeddingCalls(client: self) }
}
