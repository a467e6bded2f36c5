internal import HTTPTypes
internal import HeliumKit

extension CosmAPI {
    /// A page of the feeds that match.
    ///
    /// `GET /feeds`; needs `get`. The key sees public feeds, and its owner's private ones with private access (§3.1).
    ///
    /// - Parameters:
    ///   - query: Which feeds, and which page. Default: the first of all.
    ///   - format: The document's format. CSV has the values only.
    /// - Throws: ``CosmError``; `CancellationError`.
    public func feeds(_ query: FeedQuery = FeedQuery(), format: CosmFormat = .json) async throws -> FeedPage {
        try await read(.feeds, try query.parameters(), as: format)
    }

    /// All feeds that match, page by page as they are asked for.
    ///
    /// - Parameters:
    ///   - query: Which feeds; from its page on.
    ///   - maximum: The most pages of one iteration. Default: 10,000.
    public func allFeeds(_ query: FeedQuery = FeedQuery(), maximumPages maximum: Int = 10_000) -> FeedSequence {
        FeedSequence(query: query, maximumPages: max(1, maximum)) { try await self.feeds($0) }
    }

    /// A feed.
    ///
    /// `GET /feeds/{id}`; needs `get` on the feed (§3.2).
    ///
    /// - Parameters:
    ///   - id: The feed's id.
    ///   - options: Which datastreams, which datapoints. Default: the present values of all.
    ///   - format: The document's format. CSV has the values only.
    /// - Throws: ``CosmError``; `CancellationError`.
    public func feed(
        _ id: Feed.ID,
        options: ReadOptions = ReadOptions(),
        format: CosmFormat = .json
    ) async throws -> Feed {
        try await read(.feed(id), try options.parameters(now: now), as: format)
    }

    /// Creates a feed, which needs a title, with its datastreams.
    ///
    /// `POST /feeds`; needs `post` on the whole account (§3.3). Members that only the server sets are not sent.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - format: JSON or XML.
    /// - Returns: The new feed's id.
    /// - Throws: ``CosmError``, before anything is sent for a format that loses something of it; `CancellationError`.
    @discardableResult
    public func createFeed(_ feed: Feed, format: CosmFormat = .json) async throws -> Feed.ID {
        if format == .csv { throw CosmError.rule("feeds are not created from CSV") }
        let response = try await write(.post, feed.writable, to: .feeds, as: format)
        return Feed.ID(try CreatedLocation.id(response, after: "feeds"))
    }

    /// Changes what a feed says and adds values to its datastreams. What is `nil` stays; datastreams that are not there yet
    /// are created; the others stay.
    ///
    /// `PUT /feeds/{id}`; needs `put` on the feed (§3.3). Members that only the server sets are not sent. Of a feed that was
    /// read, send ``Feed/changes(since:)``, so that nothing newer is overwritten.
    ///
    /// - Parameters:
    ///   - id: The feed's id.
    ///   - feed: What is to change.
    ///   - format: The request's format. CSV takes nothing but values.
    /// - Throws: ``CosmError``, before anything is sent for a format that loses something of it; `CancellationError`.
    public func updateFeed(_ id: Feed.ID, _ feed: Feed, format: CosmFormat = .json) async throws {
        try await write(.put, feed.writable, to: .feed(id), as: format)
    }

    /// Deletes a feed with everything under it.
    ///
    /// `DELETE /feeds/{id}`; needs `delete` on the feed.
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    public func deleteFeed(_ id: Feed.ID) async throws { try await send(.delete, .feed(id)) }

    /// What "now" is.
    var now: Timestamp { Timestamp(microseconds: 0).advanced(by: environment.clock.wallTime) }
}
