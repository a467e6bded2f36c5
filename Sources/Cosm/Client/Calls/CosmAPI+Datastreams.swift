internal import HTTPTypes
internal import HeliumKit

extension CosmAPI {
    /// A datastream.
    ///
    /// `GET /feeds/{feed}/datastreams/{id}`; needs `get` on it (§5).
    ///
    /// - Parameters:
    ///   - id: The datastream's id.
    ///   - feed: Its feed.
    ///   - options: Which datapoints. Default: the present value.
    ///   - format: The document's format. CSV has the values only.
    /// - Throws: ``CosmError``; `CancellationError`.
    public func datastream(
        _ id: String,
        in feed: Feed.ID,
        options: ReadOptions = ReadOptions(),
        format: CosmFormat = .json
    ) async throws -> Datastream {
        try await read(.datastream(feed, id), try options.parameters(now: now), as: format)
    }

    /// The datastreams of a feed, which is read for it: the service has no list of its own (§5).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func datastreams(in feed: Feed.ID, options: ReadOptions = ReadOptions()) async throws -> [Datastream] {
        try await self.feed(feed, options: options).datastreams ?? []
    }

    /// Creates datastreams, all with an id that the feed doesn't have yet. Without any, nothing is sent.
    ///
    /// `POST /feeds/{feed}/datastreams`; needs `post` on the feed (§5).
    ///
    /// - Parameters:
    ///   - datastreams: The datastreams.
    ///   - feed: The feed.
    ///   - format: JSON or XML.
    /// - Throws: ``CosmError``, before anything is sent for a format that loses something of them; `CancellationError`.
    public func createDatastreams(
        _ datastreams: [Datastream],
        in feed: Feed.ID,
        format: CosmFormat = .json
    ) async throws {
        if format == .csv { throw CosmError.rule("datastreams are not created from CSV") }
        if datastreams.isEmpty { return }
        try await write(.post, datastreams.map(\.writable), to: .datastreams(feed), as: format)
    }

    /// Changes what a datastream says, or adds a value. What is `nil` stays.
    ///
    /// `PUT /feeds/{feed}/datastreams/{id}`; needs `put` on it (§5). Of a datastream that was read, send
    /// ``Datastream/changes(since:)``, so that nothing newer is overwritten.
    ///
    /// - Parameters:
    ///   - id: The datastream's id.
    ///   - feed: Its feed.
    ///   - datastream: What is to change.
    ///   - format: The request's format. CSV takes nothing but values.
    /// - Throws: ``CosmError``, before anything is sent for a format that loses something of it; `CancellationError`.
    public func updateDatastream(
        _ id: String,
        in feed: Feed.ID,
        _ datastream: Datastream,
        format: CosmFormat = .json
    ) async throws {
        var datastream = datastream.writable
        // The path says which it is.
        datastream.id = format == .csv ? nil : datastream.id
        try await write(.put, datastream, to: .datastream(feed, id), as: format)
    }

    /// Deletes a datastream with its points.
    ///
    /// `DELETE /feeds/{feed}/datastreams/{id}`; needs `delete` on it.
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func deleteDatastream(_ id: String, in feed: Feed.ID) async throws {
        try await send(.delete, .datastream(feed, id))
    }
}
