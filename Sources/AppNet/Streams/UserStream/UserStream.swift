internal import HeliumConcurrency
internal import HeliumCore
public import HeliumWebSocket
internal import Synchronization

/// A user stream (§2.14): one connection on which the service tells what happens in lists that are subscribed to.
///
/// ```swift
/// let stream = client.userStream()
/// let messages = try await stream.subscribe(to: .messages(in: "12"))
/// for try await update in messages {
///     if case .added(let message) = update.change { print(message.text ?? "") }
/// }
/// await stream.close()
/// ```
///
/// It connects with the first subscription, over a WebSocket or as an endless answer by the URL's scheme
/// (``AppNetConfiguration/userStreamURL``), and connects again whenever the connection breaks: App.net then goes on
/// where it was, or the lists are read. The connection ends with ``close()``, or when nobody has the stream or a
/// subscription of it any more.
public final class UserStream: Sendable {
    let keeper: StreamKeeper

    init(client: AppNetClient, options: UserStreamOptions) {
        keeper = StreamKeeper(client: client.with(options.parameters), options: options)
    }

    deinit { keeper.abandon() }

    /// The name that the service has for the stream; `nil` before the first connection.
    public var connectionID: String? { keeper.connectionID }

    /// What the connection does now. After a failure that no other attempt could change it is
    /// `closed`: all subscriptions have failed with it then, and a new one tries again.
    public var connectionState: ConnectionState { keeper.currentState.value }

    /// What the connection does now and from now on, until ``close()``.
    public var connectionStates: AsyncStream<ConnectionState> { keeper.currentState.stream }

    /// Subscribes to a list, and returns when the service has answered with its newest items.
    ///
    /// - Parameters:
    ///   - topic: The list.
    ///   - options: How the subscription is kept.
    /// - Throws: ``AppNetError``: what the service answers to the list's call, or to the connection; `timedOut` after
    ///   ``UserStreamOptions/subscribeTimeout``; `invalidRequest` for more subscriptions than a stream may have (50; 16
    ///   on pnut.io), and after ``close()``. `CancellationError`.
    public func subscribe<Value: StreamValue>(
        to topic: StreamTopic<Value>,
        options: StreamSubscriptionOptions = StreamSubscriptionOptions()
    ) async throws -> StreamSubscription<Value> {
        let follower = StreamFollower(
            topic,
            client: keeper.client,
            options: options,
            backoff: keeper.options.connection.backoff
        )
        let id = options.subscriptionID ?? keeper.randomID()
        try keeper.join(id, follower)
        do {
            let initial = try await firstPage(of: follower, topic.name)
            return StreamSubscription(follower, id: id, initial: initial, on: self)
        } catch {
            follower.ended(error)
            keeper.leaveSoon(id)
            throw keeper.endpoint.failure(error)
        }
    }

    private func firstPage<Value: StreamValue>(
        of follower: StreamFollower<Value>,
        _ name: String
    ) async throws -> Page<Value> {
        let limit = keeper.options.subscribeTimeout
        do {
            return try await Deadline(after: limit, clock: keeper.endpoint.clock).race {
                try await follower.initial.value()
            }
        } catch is DeadlineExceeded {
            throw keeper.notInTime(name, limit)
        }
    }

    /// Ends all subscriptions and the connection, and has the service forget the stream. Later subscriptions fail.
    public func close() async { await keeper.close() }
}

extension AppNetClient {
    /// A user stream (§2.14). Nothing is sent before the first subscription.
    ///
    /// A user token. App.net allows 5 streams per token, with 50 subscriptions each; pnut.io 16 subscriptions.
    ///
    /// - Parameter options: How it is kept.
    public func userStream(_ options: UserStreamOptions = UserStreamOptions()) -> UserStream {
        UserStream(client: self, options: options)
    }
}

extension UserStream: CustomStringConvertible, CustomReflectable {
    /// What it does; not the token.
    public var description: String { "UserStream(\(connectionState))" }

    /// Nothing: it holds the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
