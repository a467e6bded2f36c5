internal import HTTPTypes
internal import HeliumKit

extension CosmClient {
    /// Reads a datastream. ``Datastream/unreadable`` has the points that cannot be read.
    ///
    /// `GET /feeds/{feed}/datastreams/{id}`; needs `get` on the datastream (Docs/Protocols/Cosm.md §5).
    ///
    /// - Parameters:
    ///   - id: The datastream's id.
    ///   - feed: The feed of the datastream.
    ///   - options: The options, for example a history query. Default: the current value only.
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

    /// Reads the datastreams of a feed. It reads the feed, because the service has no list of datastreams
    /// (Docs/Protocols/Cosm.md §5).
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func datastreams(in feed: Feed.ID, options: ReadOptions = ReadOptions()) async throws
        -> CosmList<Datastream>
    {
        let feed = try await self.feed(feed, options: options)
        return CosmList(feed.datastreams ?? [], unreadable: feed.unreadable)
    }

    /// Creates datastreams with ids that are new in the feed. Nothing is sent if there are none.
    ///
    /// `POST /feeds/{feed}/datastreams`; needs `post` on the feed (Docs/Protocols/Cosm.md §5).
    ///
    /// - Parameters:
    ///   - datastreams: The datastreams.
    ///   - feed: The feed.
    ///   - format: JSON or XML.
    /// - Throws: ``CosmError``, also before anything is sent if the format cannot hold all of the datastreams;
    ///   `CancellationError`.
    public func createDatastreams(
        _ datastreams: [Datastream],
        in feed: Feed.ID,
        format: CosmFormat = .json
    ) async throws {
        if format == .csv { throw CosmError.rule("datastreams are not created from CSV") }
        if datastreams.isEmpty { return }
        try await write(.post, datastreams.map(\.writable), to: .datastreams(feed), as: format)
    }

    /// Changes a datastream or adds a value to it. Members that are `nil` stay unchanged.
    ///
    /// `PUT /feeds/{feed}/datastreams/{id}`; needs `put` on the datastream (Docs/Protocols/Cosm.md §5). For a
    /// datastream that was read before, send ``Datastream/changes(since:)``, so that newer values on the server are not
    /// overwritten.
    ///
    /// - Parameters:
    ///   - id: The datastream's id.
    ///   - feed: The feed of the datastream.
    ///   - datastream: The changes.
    ///   - format: The format of the request. CSV can only carry values.
    /// - Throws: ``CosmError``, also before anything is sent if the format cannot hold all of the changes;
    ///   `CancellationError`.
    public func updateDatastream(
        _ id: String,
        in feed: Feed.ID,
        _ datastream: Datastream,
        format: CosmFormat = .json
    ) async throws {
        var datastream = datastream.writable
        // CSV has no id: the path names the datastream.
        datastream.id = format == .csv ? nil : datastream.id
        try await write(.put, datastream, to: .datastream(feed, id), as: format)
    }

    /// Deletes a datastream and its datapoints.
    ///
    /// `DELETE /feeds/{feed}/datastreams/{id}`; needs `delete` on the datastream.
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func deleteDatastream(_ id: String, in feed: Feed.ID) async throws {
        try await send(.delete, .datastream(feed, id))
    }
}
