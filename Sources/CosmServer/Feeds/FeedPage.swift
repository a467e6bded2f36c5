/// The feeds of a page of a list, within ``CosmMaxima/answerBytes``.
///
/// The number of the page and the number of feeds in it determine which feeds it has (Docs/Protocols/Cosm.md §2.7), so
/// that none can be left out. Instead, feeds that are larger than their share of the page are abbreviated: they lose
/// their datastreams, and if that does not suffice their texts except the title. A read of the feed has all of them.
struct FeedPage {
    private(set) var documents: [FeedDocument] = []
    private var room: ListRoom

    /// Creates a page for a number of feeds.
    init(count: Int, maximumBytes: Int) {
        room = ListRoom(count: count, maximumBytes: maximumBytes)
        documents.reserveCapacity(count)
    }

    /// The maximum number of datastreams that the next feed can have.
    var datastreamCapacity: Int { room.largest / AnswerSize.ofDatastream }

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
        return room.take(AnswerSize.ofHead(document.feed) + streams)
    }
}
