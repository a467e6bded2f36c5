internal import HeliumConcurrency
internal import HeliumCore
public import HeliumWebSocket
internal import Synchronization

/// A user stream: one connection on which the service reports changes of subscribed lists
/// (Docs/Protocols/AppNet.md §2.14).
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
/// The stream connects with the first subscription. The scheme of ``AppNetConfiguration/userStreamURL`` selects a
/// WebSocket or an endless response. The stream reconnects whenever the connection is lost. App.net then resumes the
/// stream, or the missed items are read from the lists.
///
/// The connection ends with ``close()``, or when the stream and all its subscriptions are released.
public final class UserStream: Sendable {
    let keeper: StreamKeeper

    init(client: AppNetClient, options: UserStreamOptions) {
        keeper = StreamKeeper(client: client.with(options.parameters), options: options)
    }

    deinit { keeper.abandon() }

    /// The id of the stream's connection; `nil` before the first connection.
    public var connectionID: String? { keeper.connectionID }

    /// The current state of the connection.
    ///
    /// It is `closed` after a permanent failure. All subscriptions have then failed too, and a new subscription
    /// connects again.
    public var connectionState: ConnectionState { keeper.currentState.value }

    /// The current and future states of the connection, until ``close()``.
    public var connectionStates: AsyncStream<ConnectionState> { keeper.currentState.stream }

    /// Subscribes to a list. Returns when the service has responded with the newest items of the list.
    ///
    /// - Parameters:
    ///   - topic: The list.
    ///   - options: The options of the subscription.
    /// - Throws: ``AppNetError`` if the list's call or the connection fails. It is of kind `timedOut` after
    ///   ``UserStreamOptions/subscribeTimeout``. It is of kind `invalidRequest` after ``close()``, if the stream has too
    ///   many subscriptions (more than 50; 16 on pnut.io), and if another subscription takes the id before the service has
    ///   responded. `CancellationError` if the task is cancelled.
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
            keeper.leaveSoon(id, follower)
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
            throw keeper.timeoutError(name, limit, cause: follower.failure)
        }
    }

    /// Ends all subscriptions and the connection, and deletes the stream on the service. Later subscriptions fail.
    ///
    /// Returns when the service has confirmed it, or does not respond within 10 seconds. Without a connection it does not
    /// wait for the service, which deletes the stream itself a few minutes later if the request does not arrive.
    public func close() async { await keeper.close() }
}

extension AppNetClient {
    /// Returns a new user stream. No request is sent before the first subscription (Docs/Protocols/AppNet.md §2.14).
    ///
    /// A user token. App.net allows 5 streams per token with 50 subscriptions each; pnut.io allows 16 subscriptions.
    ///
    /// - Parameter options: The options of the stream.
    public func userStream(_ options: UserStreamOptions = UserStreamOptions()) -> UserStream {
        UserStream(client: self, options: options)
    }
}

extension UserStream: CustomStringConvertible, CustomReflectable {
    /// The state of the connection, without the token.
    public var description: String { "UserStream(\(connectionState))" }

    /// An empty mirror, because the stream holds the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
