internal import HTTPTypes
internal import HeliumServerKit

/// A call with its content, which was parsed, checked and bounded before a transaction begins.
///
/// Handlers run inside of transactions and get this value instead of a body, so that the only writer never parses.
enum CosmOperation: Sendable {
    case listFeeds
    case createFeed(FeedInput)
    case readFeed(Int)
    case updateFeed(Int, FeedInput)
    case deleteFeed(Int)
    case listDatastreams(feed: Int)
    case createDatastreams(feed: Int, [DatastreamInput])
    case readDatastream(feed: Int, String)
    case updateDatastream(feed: Int, String, DatastreamInput)
    case deleteDatastream(feed: Int, String)
    case createDatapoints(feed: Int, String, [Datapoint])
    case deleteDatapoints(feed: Int, String, HistoryWindow)
    case readDatapoint(feed: Int, String, at: ServerInstant)
    case updateDatapoint(feed: Int, String, Datapoint)
    case deleteDatapoint(feed: Int, String, at: ServerInstant)
    case listKeys
    case createKey(KeyInput)
    case readKey(String)
    case updateKey(String, KeyInput)
    case deleteKey(String)
    case listTriggers
    case createTrigger(TriggerInput)
    case readTrigger(Int)
    case updateTrigger(Int, TriggerInput)
    case deleteTrigger(Int)
    case listUsers
    case createUser(UserInput)
    case readUser(String)
    case updateUser(String, UserInput)
    case deleteUser(String)
}

extension CosmOperation {
    /// Parses the body of a request, outside of transactions.
    ///
    /// - Parameter now: The time for a duration without a start and an end. It is the same in all transactions of the
    ///   call, which otherwise would also delete points that arrive meanwhile.
    /// - Throws: ``CosmFailure``: 404 for a call that does not exist, 400, 406 and 422 for its content.
    init(
        _ request: CosmRequest,
        _ route: CosmRoute,
        _ content: CosmContent,
        now: ServerInstant
    ) throws(CosmFailure) {
        switch (route, request.method) {
        case (.feeds, .get): self = .listFeeds
        case (.feeds, .post): self = .createFeed(try content.newFeed())
        case (.feed(let id), .get): self = .readFeed(id)
        case (.feed(let id), .put): self = .updateFeed(id, try content.feed())
        case (.feed(let id), .delete): self = .deleteFeed(id)
        case (.datastreams(let feed), .get): self = .listDatastreams(feed: feed)
        case (.datastreams(let feed), .post): self = .createDatastreams(feed: feed, try content.newDatastreams())
        case (.datastream(let feed, let id), .get): self = .readDatastream(feed: feed, id)
        case (.datastream(let feed, let id), .put):
            self = .updateDatastream(feed: feed, id, try content.datastream(id))
        case (.datastream(let feed, let id), .delete): self = .deleteDatastream(feed: feed, id)
        case (.datapoints(let feed, let id), .post): self = .createDatapoints(feed: feed, id, try content.datapoints())
        case (.datapoints(let feed, let id), .delete):
            self = .deleteDatapoints(feed: feed, id, try Self.deletedWindow(request, now: now))
        case (.datapoint(let feed, let id, let at), .get):
            self = .readDatapoint(feed: feed, id, at: try Self.instant(at))
        case (.datapoint(let feed, let id, let at), .put):
            self = .updateDatapoint(feed: feed, id, try content.datapoint(at: try Self.instant(at)))
        case (.datapoint(let feed, let id, let at), .delete):
            self = .deleteDatapoint(feed: feed, id, at: try Self.instant(at))
        case (.keys, .get): self = .listKeys
        case (.keys, .post): self = .createKey(try content.key())
        case (.key(let secret), .get): self = .readKey(secret)
        case (.key(let secret), .put): self = .updateKey(secret, try content.key())
        case (.key(let secret), .delete): self = .deleteKey(secret)
        case (.triggers, .get): self = .listTriggers
        case (.triggers, .post): self = .createTrigger(try content.trigger())
        case (.trigger(let id), .get): self = .readTrigger(id)
        case (.trigger(let id), .put): self = .updateTrigger(id, try content.trigger())
        case (.trigger(let id), .delete): self = .deleteTrigger(id)
        case (.users, .get): self = .listUsers
        case (.users, .post): self = .createUser(try content.user())
        case (.user(let login), .get): self = .readUser(login)
        case (.user(let login), .put): self = .updateUser(login, try content.user())
        case (.user(let login), .delete): self = .deleteUser(login)
        case (.nothing, .get), (.nothing, .put), (.nothing, .post), (.nothing, .delete): throw .notFound
        default: throw .noRoute(request)
        }
    }

    private static func deletedWindow(
        _ request: CosmRequest,
        now: ServerInstant
    ) throws(CosmFailure) -> HistoryWindow {
        let window = try HistoryWindow(request.parameters, now: now)
        guard window.start != nil || window.end != nil else {
            throw .badParameter("start, end or duration is needed to delete datapoints")
        }
        return window
    }

    private static func instant(_ text: String) throws(CosmFailure) -> ServerInstant {
        guard let instant = ServerInstant(text) else { throw .invalidStamp(.json) }
        return instant
    }
}
