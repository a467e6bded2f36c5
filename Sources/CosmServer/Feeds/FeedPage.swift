/// The feeds of a page of a list, within ``CosmMaxima/answerBytes``.
///
/// The number of the page and the number of feeds in it determine which feeds it has (Docs/Protocols/Cosm.md §2.7), so
/// that none can be left out. Instead, feeds that are larger than their share of the page are abbreviated: they lose
/// their datastreams, and if that does not suffice their texts except the title. A read of the feed has all of them.
struct FeedPage {
    private(set) var documents: [FeedDocument] = []
    private var room: ListRoom
    /// The number of bytes that may still be read, also of texts and datastreams that then have no room.
    private var readable: Int

    /// Creates a page for a number of feeds.
    init(count: Int, maximumBytes: Int) {
        room = ListRoom(count: count, maximumBytes: maximumBytes)
        readable = 2 * min(maximumBytes, 1 << 61)
        documents.reserveCapacity(count)
    }

    /// Whether the texts of the next feed may be read.
    var readsTexts: Bool { readable > 0 }

    /// The maximum number of datastreams that the next feed can have.
    var datastreamCapacity: Int { max(0, min(room.largest, readable)) / AnswerSize.ofDatastream }

    /// Appends a feed with the datastreams that were read.
    ///
    /// - Parameter isComplete: Whether these are all datastreams of the feed. If not, it loses them.
    mutating func append(_ document: FeedDocument, isComplete: Bool = true) {
        var document = document
        let head = AnswerSize.ofHead(document.feed)
        let streams = (document.datastreams ?? []).reduce(0) { $0 + AnswerSize.of($1) }
        readable -= head + streams
        if !isComplete || !room.take(head + streams) {
            document.datastreams = nil
            if !room.take(head) { document.abbreviate() }
        }
        documents.append(document)
    }
}
