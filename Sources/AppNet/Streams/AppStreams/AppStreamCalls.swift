internal import HeliumCore

/// The calls that create and delete app streams; an app token (Docs/Protocols/AppNet.md §2.13).
public struct AppStreamCalls: Sendable {
    let client: AppNetClient

    /// Creates a stream. A token can have at most 5 streams.
    ///
    /// `POST streams`; an app token.
    ///
    /// - Parameter stream: The new stream. The object types, the type, `filterID` and the key, which is unique for the
    ///   token, are sent; other members are not.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func create(_ stream: AppStream) async throws -> AppStream {
        try await client.value(CallRequest(.createStream, body: .object(stream.written)))
    }

    /// Returns a stream.
    ///
    /// `GET streams/{id}`; an app token. pnut.io takes the key instead of the id.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get(_ id: AppStream.ID) async throws -> AppStream {
        try await client.value(CallRequest(.appStream, ["stream": id.text]))
    }

    /// Changes a stream.
    ///
    /// `PUT streams/{id}`; an app token. pnut.io takes the key instead of the id.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func update(_ id: AppStream.ID, _ stream: AppStream) async throws -> AppStream {
        try await client.value(CallRequest(.updateStream, ["stream": id.text], body: .object(stream.written)))
    }

    /// Deletes a stream.
    ///
    /// `DELETE streams/{id}`; an app token. pnut.io takes the key instead of the id.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func delete(_ id: AppStream.ID) async throws -> AppStream {
        try await client.value(CallRequest(.deleteStream, ["stream": id.text]))
    }

    /// Sends a test message to all connections of a stream.
    ///
    /// `POST streams/{key}/test`; an app token. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func test(_ id: AppStream.ID) async throws {
        try await client.perform(CallRequest(.testStream, ["stream": id.text]))
    }

    /// Returns the streams of the token.
    ///
    /// `GET streams`; an app token.
    ///
    /// - Parameter key: The key of the only stream to return. The default is all streams.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func all(key: String? = nil) async throws -> [AppStream] {
        try await client.value(CallRequest(.appStreams, query: ["key": key]))
    }

    /// Deletes all streams of the token.
    ///
    /// `DELETE streams`; an app token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func deleteAll() async throws -> [AppStream] { try await client.value(CallRequest(.deleteStreams)) }
}

extension AppStream {
    /// The stream as it is sent: its filter is replaced by the filter's id.
    fileprivate var written: AppStream {
        var stream = sent()
        stream.filterID = filterID ?? filter?.id
        return stream
    }
}

/// The calls that delete user streams; a user token (Docs/Protocols/AppNet.md §2.14).
///
/// A user stream of pnut.io also ends with its connection.
public struct UserStreamCalls: Sendable {
    let client: AppNetClient

    /// Deletes a stream and closes its connections.
    ///
    /// `DELETE users/me/streams/{connection_id}`; a user token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func delete(connectionID: String) async throws {
        try await client.perform(CallRequest(.deleteUserStream, ["connection": connectionID]))
    }

    /// Deletes a subscription of a stream.
    ///
    /// `DELETE users/me/streams/{connection_id}/{subscription_id}`; a user token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func delete(connectionID: String, subscriptionID: String) async throws {
        let path = ["connection": connectionID, "subscription": subscriptionID]
        try await client.perform(CallRequest(.deleteSubscription, path))
    }
}
