/// Adds up the size of a list of feeds, so that a list is refused before it fills the memory.
///
/// Cosm's lists have positions, not ids, so a list with fewer feeds than requested would lose feeds for clients that read
/// pages by number. A list that is too long is therefore an error.
struct FeedListSize {
    /// The maximum size of the feeds of a list in bytes.
    static let maximum = 8 * 1024 * 1024

    private var bytes = 0

    /// Counts a feed with the datastreams that are shown.
    ///
    /// - Throws: ``CosmFailure`` with 400 if the list exceeds ``maximum``.
    mutating func count(_ feed: FeedRecord, _ streams: [DatastreamRecord]) throws(CosmFailure) {
        // Members of bounded length, names and punctuation.
        let fixed = 512 + 512 * streams.count
        let texts = [feed.website, feed.email, feed.icon].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        bytes += fixed + texts + FeedMatch.searchedBytes(feed, streams)
        guard bytes <= Self.maximum else {
            throw .badParameter("the response would be too long: use a smaller per_page, or content=summary")
        }
    }
}
