internal import HeliumJSON
internal import HeliumServerKit

/// The content of a response, independent of its format. It is made of ``Granted`` objects, so that it has only what
/// its reader may see.
enum CosmDocument: Sendable {
    case feed(FeedDocument)
    case feeds(FeedListDocument)
    case datastream(DatastreamDocument, of: FeedRecord)
    case datastreams([DatastreamDocument], of: FeedRecord)
    case datapoint(Datapoint, of: Granted<DatastreamRecord>)
    case key(Granted<AccessKey>)
    case keys([Granted<AccessKey>])
    case trigger(Granted<TriggerRecord>)
    case triggers([Granted<TriggerRecord>])
    case user(Granted<UserRecord>)
    case users([Granted<UserRecord>])
}

/// A feed with the requested parts.
struct FeedDocument: Sendable {
    private(set) var feed: FeedRecord
    /// The datastreams; `nil` in summaries.
    var datastreams: [DatastreamDocument]?
    var waypoints: [Waypoint] = []
    var showsUser: Bool

    init(_ feed: Granted<FeedRecord>, showsUser: Bool = false) {
        self.feed = feed.object
        self.showsUser = showsUser
    }

    /// Removes all texts except the title, and the datastreams.
    mutating func abbreviate() {
        datastreams = nil
        feed.description = nil
        feed.website = nil
        feed.email = nil
        feed.icon = nil
        feed.tags = []
        feed.location.name = nil
        feed.location.elevation = nil
    }
}

/// A page of feeds.
struct FeedListDocument: Sendable {
    var total: Int
    var startIndex: Int
    var itemsPerPage: Int
    var feeds: [FeedDocument]
}

/// A datastream with the requested points.
struct DatastreamDocument: Sendable {
    var stream: DatastreamRecord
    /// The points; `nil` without a history query.
    var points: [Datapoint]?
    /// The name of the function that aggregated ``points``; `nil` for stored points.
    var function: String?

    init(_ stream: Granted<DatastreamRecord>, points: [Datapoint]? = nil) {
        self.stream = stream.object
        self.points = points
    }
}

/// The context of a document: URLs, time zone and time.
struct RenderContext: Sendable {
    /// The URL of the API's root, including the prefix: `http://host/v2`.
    var base: String
    /// The URL of the server's root.
    var root: String
    var zone = OutputZone.utc
    var now: ServerInstant

    func feedURL(_ id: Int) -> String { "\(base)/feeds/\(id)" }

    func datastreamURL(_ id: String, of feed: Int) -> String {
        "\(feedURL(feed))/datastreams/\(PercentEncoding.encodedSegment(id))"
    }

    func creatorURL(_ owner: String) -> String { "\(root)/users/\(owner)" }
}
