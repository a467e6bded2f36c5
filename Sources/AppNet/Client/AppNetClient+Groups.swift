// The calls, grouped by subject.
extension AppNetClient {
    /// The calls for channels (Docs/Protocols/AppNet.md §2.1).
    public var channels: ChannelCalls { ChannelCalls(client: self) }

    /// The calls for messages (Docs/Protocols/AppNet.md §2.2).
    public var messages: MessageCalls { MessageCalls(client: self) }

    /// The calls for stream markers (Docs/Protocols/AppNet.md §2.3).
    public var streamMarkers: StreamMarkerCalls { StreamMarkerCalls(client: self) }

    /// The calls for files (Docs/Protocols/AppNet.md §2.4).
    public var files: FileCalls { FileCalls(client: self) }

    /// The calls for users (Docs/Protocols/AppNet.md §2.5).
    public var users: UserCalls { UserCalls(client: self) }

    /// The calls for the token (Docs/Protocols/AppNet.md §2.6).
    public var token: TokenCalls { TokenCalls(client: self) }

    /// The calls for the service's configuration (Docs/Protocols/AppNet.md §2.6).
    public var configuration: ConfigurationCalls { ConfigurationCalls(client: self) }

    /// The calls for text processing (Docs/Protocols/AppNet.md §2.6).
    public var text: TextCalls { TextCalls(client: self) }

    /// The calls for posts (Docs/Protocols/AppNet.md §2.7).
    public var posts: PostCalls { PostCalls(client: self) }

    /// The calls for places (Docs/Protocols/AppNet.md §2.8).
    public var places: PlaceCalls { PlaceCalls(client: self) }

    /// The calls for interactions (Docs/Protocols/AppNet.md §2.9).
    public var interactions: InteractionCalls { InteractionCalls(client: self) }

    /// The calls for explore streams (Docs/Protocols/AppNet.md §2.10).
    public var explore: ExploreCalls { ExploreCalls(client: self) }

    /// The calls for filters of app streams (Docs/Protocols/AppNet.md §2.11).
    public var filters: FilterCalls { FilterCalls(client: self) }

    /// The search calls (Docs/Protocols/AppNet.md §2.12).
    public var search: SearchCalls { SearchCalls(client: self) }

    /// The calls that create and delete app streams (Docs/Protocols/AppNet.md §2.13).
    public var appStreams: AppStreamCalls { AppStreamCalls(client: self) }

    /// The calls that delete user streams (Docs/Protocols/AppNet.md §2.14).
    public var userStreams: UserStreamCalls { UserStreamCalls(client: self) }

    /// The calls for polls; pnut.io only (Docs/Protocols/AppNet.md §6.2).
    public var polls: PollCalls { PollCalls(client: self) }

    /// The calls for registered apps; pnut.io only (Docs/Protocols/AppNet.md §6.2).
    public var clients: ClientCalls { ClientCalls(client: self) }

    /// The calls for embeddable descriptions of pages; pnut.io only (Docs/Protocols/AppNet.md §6.2).
    public var embedding: EmbeddingCalls { EmbeddingCalls(client: self) }
}
