internal import HeliumServerKit

/// The number of bytes that the documents of a response may still have.
///
/// A response is bounded by what its documents contain, not by how many there are: a feed can have a megabyte, and a
/// list of feeds a thousand feeds.
struct AnswerBudget {
    private var left: Int

    /// Creates the budget of ``CosmMaxima/answerBytes``.
    init(_ maximum: Int) { left = maximum }

    /// - Throws: ``CosmFailure`` with 400 if the response would be too large.
    mutating func spend(_ bytes: Int) throws(CosmFailure) {
        guard bytes <= left else {
            throw .badParameter("the response would be too large: use a smaller limit, or name fewer datastreams")
        }
        left -= bytes
    }
}

/// The sizes of documents in bytes, as upper bounds of what JSON and XML need for them.
enum AnswerSize {
    /// The names of the members and the numbers of a feed.
    private static let ofFeed = 1_000
    static let ofDatastream = 400
    private static let ofPoint = 100

    /// Returns the size of a text: a character that must be escaped takes up to six bytes.
    static func of(_ text: String?) -> Int {
        guard let text else { return 0 }
        return text.utf8.reduce(0) { size, byte in
            switch byte {
            case ..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "<"),
                UInt8(ascii: ">"), UInt8(ascii: "'"), 0x7F:
                size + 6
            default: size + 1
            }
        }
    }

    static func of(_ texts: [String]) -> Int { texts.reduce(0) { $0 + of($1) + 16 } }

    static func of(_ document: DatastreamDocument) -> Int {
        let stream = document.stream
        let texts = [stream.id, stream.currentValue, stream.unit.label, stream.unit.symbol, stream.unit.type]
        let points = (document.points ?? []).reduce(0) { $0 + ofPoint + of($1.value) }
        return ofDatastream + texts.reduce(0) { $0 + of($1) } + of(stream.tags) + points
    }

    static func of(_ waypoints: [Waypoint]) -> Int { waypoints.reduce(0) { $0 + 2 * ofPoint + of($1.elevation) } }

    /// Returns the size of a feed without its datastreams.
    static func ofHead(_ feed: FeedRecord) -> Int {
        let texts = [
            feed.title, feed.description, feed.website, feed.email, feed.icon, feed.location.name,
            feed.location.elevation,
        ]
        return ofFeed + texts.reduce(0) { $0 + of($1) } + of(feed.tags)
    }
}
