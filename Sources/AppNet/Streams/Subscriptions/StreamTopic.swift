/// A list or object that a user stream can subscribe to (Docs/Protocols/AppNet.md §2.14).
///
/// ```swift
/// let subscription = try await stream.subscribe(to: .messages(in: "12"))
/// ```
public struct StreamTopic<Value: StreamValue>: Sendable {
    /// A function that reads a page and subscribes.
    typealias Read = @Sendable (AppNetClient, PageBounds, StreamSubscriptionParameters?) async throws -> Page<Value>

    /// The name of the underlying call in errors, such as `messages.inChannel`.
    public let name: String

    let read: Read

    /// A function that decodes the values of an event.
    typealias EventReader = @Sendable (EventFrame) throws -> SubscriptionEvent<Value>

    let event: EventReader

    /// The facts about the values.
    let traits: StreamItemTraits<Value>

    init(name: String, event: @escaping EventReader = { try $0.event(of: Value.self) }, read: @escaping Read)
    where Value: AppNetObject & StreamItem {
        self.name = name
        self.read = read
        self.event = event
        traits = StreamItemTraits()
    }

    /// Creates the topic of a list.
    private init(_ request: CallRequest, event: @escaping EventReader = { try $0.event(of: Value.self) })
    where Value: AppNetObject & StreamItem {
        self.init(name: request.call.name, event: event) { client, bounds, subscription in
            try await client.list(request, of: Value.self).page(bounds, subscription: subscription)
        }
    }
}

extension StreamTopic where Value == Message {
    /// Returns the topic of the messages in a channel (`channels/{id}/messages`).
    ///
    /// - Parameters:
    ///   - channel: The id of the channel.
    ///   - parameters: The selection of messages: deleted, machine only, and of muted users. The stream's options
    ///     decide the optional members.
    public static func messages(in channel: AppNetChannel.ID, parameters: GeneralParameters = GeneralParameters())
        -> Self
    {
        Self(CallRequest(.messagesInChannel, ["channel": channel.text], parameters)) { frame in
            let event = try frame.event(of: Message.self)
            // An id that is used again may still have events of the other channel.
            let own = event.values.filter { $0.channelID.map { $0 == channel } ?? true }
            if own.isEmpty, !event.values.isEmpty { return SubscriptionEvent(meta: ResponseMeta()) }
            return SubscriptionEvent(values: own, meta: event.meta)
        }
    }
}

extension StreamTopic where Value == AppNetChannel {
    /// Returns the topic of the subscribed channels, with an update whenever something happens in one (`channels`).
    ///
    /// - Parameter parameters: The selection of channels: types, and channels without unread messages.
    public static func channels(parameters: GeneralParameters = GeneralParameters()) -> Self {
        Self(CallRequest(.subscribedChannels, parameters))
    }
}

extension StreamTopic where Value == Post {
    /// Returns the topic of the personal stream: the posts of the user and of followed users (`posts/stream`).
    public static func personalStream(parameters: GeneralParameters = GeneralParameters()) -> Self {
        Self(CallRequest(.personalStream, parameters))
    }

    /// Returns the topic of the personal stream together with mentions (`posts/stream/unified`).
    public static func unifiedStream(parameters: GeneralParameters = GeneralParameters()) -> Self {
        Self(CallRequest(.unifiedStream, parameters))
    }

    /// Returns the topic of the posts of the token's user (`users/me/posts`).
    public static func ownPosts(parameters: GeneralParameters = GeneralParameters()) -> Self {
        Self(CallRequest(.postsOfUser, ["user": "me"], parameters))
    }

    /// Returns the topic of the posts that mention the token's user (`users/me/mentions`).
    public static func mentions(parameters: GeneralParameters = GeneralParameters()) -> Self {
        Self(CallRequest(.mentions, ["user": "me"], parameters))
    }

    /// Returns the topic of the replies to a post (`posts/{id}/replies`).
    public static func replies(to post: Post.ID, parameters: GeneralParameters = GeneralParameters()) -> Self {
        Self(CallRequest(.replies, ["post": post.text], parameters))
    }
}

extension StreamTopic where Value == AppNetUser {
    /// Returns the topic of the users that the token's user follows (`users/me/following`).
    public static func following(parameters: GeneralParameters = GeneralParameters()) -> Self {
        Self(CallRequest(.following, ["user": "me"], parameters))
    }

    /// Returns the topic of the users who follow the token's user (`users/me/followers`).
    public static func followers(parameters: GeneralParameters = GeneralParameters()) -> Self {
        Self(CallRequest(.followers, ["user": "me"], parameters))
    }

    /// Returns the topic of the subscribers of a channel (`channels/{id}/subscribers`).
    public static func subscribers(
        of channel: AppNetChannel.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) -> Self {
        Self(CallRequest(.subscribers, ["channel": channel.text], parameters))
    }
}

extension StreamTopic where Value == File {
    /// Returns the topic of the files of the token's user (`users/me/files`).
    ///
    /// - Parameter parameters: The selection of files: types, incomplete and private files.
    public static func files(parameters: GeneralParameters = GeneralParameters()) -> Self {
        Self(CallRequest(.ownFiles, parameters))
    }
}

extension StreamTopic where Value == TokenInfo {
    /// The topic of the token's description and its user (`token`).
    public static var token: Self {
        Self(name: CallSpecification.token.name) { client, bounds, subscription in
            let answer = try await client.token.currentAnswer(subscription: subscription)
            return Page(elements: [answer.token], meta: answer.meta, bounds: bounds)
        }
    }
}
