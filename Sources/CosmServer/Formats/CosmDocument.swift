internal import HeliumJSON
internal import HeliumServerKit

/// What an answer says, before a format is chosen for it.
enum CosmDocument: Sendable {
    case feed(FeedDocument)
    case feeds(FeedListDocument)
    case datastream(DatastreamDocument, of: FeedRecord)
    case datastreams([DatastreamDocument], of: FeedRecord)
    case datapoint(Datapoint)
    case key(AccessKey)
    case keys([AccessKey])
    case trigger(TriggerRecord)
    case triggers([TriggerRecord])
    case user(UserRecord)
    case users([UserRecord])
}

/// A feed with what was asked for of it.
struct FeedDocument: Sendable {
    var feed: FeedRecord
    /// Nil in summaries.
    var datastreams: [DatastreamDocument]?
    var waypoints: [Waypoint] = []
    var showsUser = false
}

/// A page of feeds.
struct FeedListDocument: Sendable {
    var total: Int
    var startIndex: Int
    var itemsPerPage: Int
    var feeds: [FeedDocument]
}

/// A datastream with the points that were asked for.
struct DatastreamDocument: Sendable {
    var stream: DatastreamRecord
    /// Nil where no history was asked for.
    var points: [Datapoint]?
    /// The name of the aggregate that ``points`` are; nil where they are what was stored.
    var function: String?
}

/// What a document needs to know of the request that it answers.
struct RenderContext: Sendable {
    /// The URL of the API's root, prefix included: `http://host/v2`.
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
