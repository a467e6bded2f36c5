internal import HeliumCore

/// The calls that make and delete app streams (§2.13). An app token.
public struct AppStreamCalls: Sendable {
    let client: AppNetClient

    /// Creates a stream; a token has at most 5.
    ///
    /// `POST streams`; an app token.
    ///
    /// - Parameter stream: Its object types, type, `filterID` and key, which is unique for the token; the rest is not
    ///   sent.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func create(_ stream: AppStream) async throws -> AppStream {
        try await client.value(CallRequest(.createStream, body: .object(stream.written)))
    }

    /// A stream.
    ///
    /// `GET streams/{id}`; an app token. pnut.io takes the key for the id.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(_ id: AppStream.ID) async throws -> AppStream {
        try await client.value(CallRequest(.appStream, ["stream": id.text]))
    }

    /// Changes a stream.
    ///
    /// `PUT streams/{id}`; an app token. pnut.io takes the key for the id.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func update(_ id: AppStream.ID, _ stream: AppStream) async throws -> AppStream {
        try await client.value(CallRequest(.updateStream, ["stream": id.text], body: .object(stream.written)))
    }

    /// Deletes a stream.
    ///
    /// `DELETE streams/{id}`; an app token. pnut.io takes the key for the id.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func delete(_ id: AppStream.ID) async throws -> AppStream {
        try await client.value(CallRequest(.deleteStream, ["stream": id.text]))
    }

    /// Sends a test message to all connections of a stream.
    ///
    /// `POST streams/{key}/test`; an app token. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func test(_ id: AppStream.ID) async throws {
        try await client.perform(CallRequest(.testStream, ["stream": id.text]))
    }

    /// The token's streams.
    ///
    /// `GET streams`; an app token.
    ///
    /// - Parameter key: Only the one of that key.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func all(key: String? = nil) async throws -> [AppStream] {
        try await client.value(CallRequest(.appStreams, query: ["key": key]))
    }

    /// Deletes the token's streams.
    ///
    /// `DELETE streams`; an app token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func deleteAll() async throws -> [AppStream] { try await client.value(CallRequest(.deleteStreams)) }
}

extension AppStream {
    /// What is sent of a stream: of its filter, the id.
    fileprivate var written: AppStream {
        var stream = sent()
        stream.filterID = filterID ?? filter?.id
        return stream
    }
}

/// The calls that delete user streams (AppNet.md §2.14). A user token.
///
/// A user stream of pnut.io also ends with its connection.
public struct UserStreamCalls: Sendable {
    let client: AppNetClient

    /// Ends a stream; its connections are closed.
    ///
    /// `DELETE users/me/streams/{connection_id}`; a user token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func delete(connectionID: String) async throws {
        try await client.perform(CallRequest(.deleteUserStream, ["connection": connectionID]))
    }

    /// Ends a stream's subscription.
    ///
    /// `DELETE users/me/streams/{connection_id}/{subscription_id}`; a user token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func delete(connectionID: String, subscriptionID: String) async throws {
        let path = ["connection": connectionID, "subscription": subscriptionID]
        try await client.perform(CallRequest(.deleteSubscription, path))
    }
}
