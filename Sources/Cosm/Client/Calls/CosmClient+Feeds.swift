internal import HTTPTypes
public import HeliumCore
internal import HeliumKit

extension CosmClient {
    /// Reads a page of the feeds that match a query.
    ///
    /// `GET /feeds`; needs `get`. The result has public feeds, and the private feeds of the owner if the key has
    /// private access (Docs/Protocols/Cosm.md §3.1).
    ///
    /// - Parameters:
    ///   - query: The query and its page. Default: the first page of all feeds.
    ///   - format: The document's format. CSV has the values only.
    /// - Throws: ``CosmError``; `CancellationError`.
    public func feeds(_ query: FeedQuery = FeedQuery(), format: CosmFormat = .json) async throws -> FeedPage {
        try await read(.feeds, try query.parameters(), as: format)
    }

    /// Returns all feeds that match a query. Pages are fetched on demand, and each feed is delivered once.
    ///
    /// The same list page by page is `allFeeds(query).pages` (``FeedPages``, which has the rules for feeds that move).
    ///
    /// - Parameters:
    ///   - query: The query. The iteration begins at its page.
    ///   - maximum: The maximum number of pages of one iteration. Default: 10,000.
    public func allFeeds(
        _ query: FeedQuery = FeedQuery(),
        maximumPages maximum: Int = 10_000
    ) -> PageElements<FeedPages, [Feed]> {
        FeedPages(query: query, maximumPages: max(1, maximum)) { try await self.feeds($0) }.elements
    }

    /// Reads a feed. ``Feed/unreadable`` names the datastreams that cannot be read.
    ///
    /// `GET /feeds/{id}`; needs `get` on the feed (Docs/Protocols/Cosm.md §3.2).
    ///
    /// - Parameters:
    ///   - id: The feed's id.
    ///   - options: The options, for example the datastreams and a history query. Default: the current values of all
    ///     datastreams.
    ///   - format: The document's format. CSV has the values only.
    /// - Throws: ``CosmError``; `CancellationError`.
    public func feed(
        _ id: Feed.ID,
        options: ReadOptions = ReadOptions(),
        format: CosmFormat = .json
    ) async throws -> Feed {
        try await read(.feed(id), try options.parameters(now: now), as: format)
    }

    /// Creates a feed with its datastreams. The feed needs a title.
    ///
    /// `POST /feeds`; needs `post` on the whole account (Docs/Protocols/Cosm.md §3.3). Members that only the server
    /// sets are not sent.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - format: JSON or XML.
    /// - Returns: The new feed's id.
    /// - Throws: ``CosmError``, also before anything is sent if the format cannot hold all of the feed;
    ///   `CancellationError`.
    @discardableResult
    public func createFeed(_ feed: Feed, format: CosmFormat = .json) async throws -> Feed.ID {
        if format == .csv { throw CosmError.rule("feeds are not created from CSV") }
        let response = try await write(.post, feed.writable, to: .feeds, as: format)
        return Feed.ID(try CreatedLocation.id(response, after: "feeds"))
    }

    /// Changes a feed and adds values to its datastreams.
    ///
    /// Members that are `nil` stay unchanged. Datastreams that do not exist are created. Datastreams that are not named
    /// stay unchanged.
    ///
    /// `PUT /feeds/{id}`; needs `put` on the feed (Docs/Protocols/Cosm.md §3.3). Members that only the server sets are
    /// not sent. For a feed that was read before, send ``Feed/changes(since:)``, so that newer values on the server are
    /// not overwritten.
    ///
    /// - Parameters:
    ///   - id: The feed's id.
    ///   - feed: The changes.
    ///   - format: The format of the request. CSV can only carry values.
    /// - Throws: ``CosmError``, also before anything is sent if the format cannot hold all of the changes;
    ///   `CancellationError`.
    public func updateFeed(_ id: Feed.ID, _ feed: Feed, format: CosmFormat = .json) async throws {
        try await write(.put, feed.writable, to: .feed(id), as: format)
    }

    /// Deletes a feed with its datastreams and datapoints.
    ///
    /// `DELETE /feeds/{id}`; needs `delete` on the feed.
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func deleteFeed(_ id: Feed.ID) async throws { try await send(.delete, .feed(id)) }

    /// The current time of the API's clock.
    var now: Timestamp { Timestamp(microseconds: 0).advanced(by: environment.clock.wallTime) }
}
