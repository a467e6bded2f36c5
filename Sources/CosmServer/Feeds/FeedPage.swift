/// The feeds of a page of a list, within ``CosmMaxima/answerBytes``.
///
/// The number of the page and the number of feeds in it determine which feeds it has (Docs/Protocols/Cosm.md §2.7), so
/// that none can be left out. Instead, feeds that are larger than their share of the page are abbreviated: they lose
/// their datastreams, and if that does not suffice their texts except the title. A read of the feed has all of them.
struct FeedPage {
    private(set) var documents: [FeedDocument] = []
    /// The number of bytes that are reserved for each feed of the page.
    private let share: Int
    /// The number of bytes beyond the shares of all feeds that are still free.
    private var free: Int

    /// Creates a page for a number of feeds.
    init(count: Int, maximumBytes: Int) {
        share = min(maximumBytes / 2 / max(1, count), 64 * 1024)
        free = maximumBytes - share * count
        documents.reserveCapacity(count)
    }

    /// The maximum number of datastreams that the next feed can have.
    var datastreamCapacity: Int { (free + share) / AnswerSize.ofDatastream }

    mutating func append(_ document: FeedDocument) {
        var document = document
        if !take(document) {
            document.datastreams = nil
            if !take(document) { document.abbreviate() }
        }
        documents.append(document)
    }

    private mutating func take(_ document: FeedDocument) -> Bool {
        let streams = (document.datastreams ?? []).reduce(0) { $0 + AnswerSize.of($1) }
        let excess = max(0, AnswerSize.ofHead(document.feed) + streams - share)
        guard excess <= free else { return false }
        free -= excess
        return true
    }
}
