internal import GRDB
internal import HTTPTypes
internal import HeliumServerKit

/// A call with its key, inside of one transaction. The routes extend it. It has no access to the request's body.
struct CosmCall {
    let request: CosmRequest
    /// The key of the request, which decides what the call may read and write.
    let use: KeyUse
    let state: CosmState
    let database: Database
    /// The format of the response, on which its size depends.
    var format = DocumentFormat.json
    /// Whether a transaction before this one has done a part of the call.
    var isContinued = false

    var key: AccessKey { use.key }
    var now: ServerInstant { use.now }
    var parameters: FormFields { request.parameters }
    var maxima: CosmMaxima { state.configuration.maxima }
    var feeds: FeedTable { FeedTable(database: database) }
    var datastreams: DatastreamTable { DatastreamTable(database: database) }
    var datapoints: DatapointTable { DatapointTable(database: database) }
    var triggers: TriggerTable { TriggerTable(database: database) }
    var keys: KeyTable { KeyTable(database: database) }
    var keyWriter: KeyWriter { KeyWriter(database: database, cache: state.store.keyCache) }
    var users: UserTable { UserTable(database: database) }
    var settings: SettingTable { SettingTable(database: database) }

    /// Processes the call and returns the answer.
    ///
    /// - Throws: ``CosmFailure``, or the error of the store.
    func answer(_ operation: CosmOperation) throws -> CosmResponse {
        switch operation {
        case .listFeeds: try listFeeds()
        case .createFeed(let input): try createFeed(input)
        case .readFeed(let id): try readFeed(id)
        case .updateFeed(let id, let input): try updateFeed(id, input)
        case .deleteFeed(let id): try deleteFeed(id)
        case .listDatastreams(let feed): try listDatastreams(feed)
        case .createDatastreams(let feed, let inputs): try createDatastreams(feed, inputs)
        case .readDatastream(let feed, let id): try readDatastream(id, of: feed)
        case .updateDatastream(let feed, let id, let input): try updateDatastream(id, of: feed, input)
        case .deleteDatastream(let feed, let id): try deleteDatastream(id, of: feed)
        case .createDatapoints(let feed, let id, let points): try createDatapoints(id, of: feed, points)
        case .deleteDatapoints(let feed, let id, let window): try deleteDatapoints(window, id, of: feed)
        case .readDatapoint(let feed, let id, let at): try readDatapoint(at, id, of: feed)
        case .updateDatapoint(let feed, let id, let point): try updateDatapoint(point, id, of: feed)
        case .deleteDatapoint(let feed, let id, let at): try deleteDatapoint(at, id, of: feed)
        case .listKeys: try listKeys()
        case .createKey(let input): try createKey(input)
        case .readKey(let secret): try readKey(secret)
        case .updateKey(let secret, let input): try updateKey(secret, input)
        case .deleteKey(let secret): try deleteKey(secret)
        case .listTriggers: try listTriggers()
        case .createTrigger(let input): try createTrigger(input)
        case .readTrigger(let id): try readTrigger(id)
        case .updateTrigger(let id, let input): try updateTrigger(id, input)
        case .deleteTrigger(let id): try deleteTrigger(id)
        case .listUsers: try listUsers()
        case .createUser(let input): try createUser(input)
        case .readUser(let login): try readUser(login)
        case .updateUser(let login, let input): try updateUser(login, input)
        case .deleteUser(let login): try deleteUser(login)
        }
    }

    /// Checks the rights that a write needs whatever its body is, before the body is parsed. The call checks them
    /// again, because they can change in between.
    ///
    /// - Throws: ``CosmFailure`` with 403 or 404.
    func admit(_ route: CosmRoute) throws {
        switch route {
        case .feeds: try use.authorize(.newFeed)
        case .feed(let id): _ = try writer(id)
        case .datastreams(let feed): _ = try writer(feed)
        case .datastream(let feed, let id), .datapoints(let feed, let id), .datapoint(let feed, let id, _):
            _ = try writableDatastream(id, of: feed)
        case .keys: try use.authorize(.keys)
        case .key(let secret): _ = try changeableKey(secret)
        case .triggers: try use.authorize(.account)
        case .trigger(let id): _ = try grantedTrigger(id)
        case .users: try use.authorize(.users)
        case .user(let login): _ = try grantedUser(login)
        case .nothing: throw CosmFailure.notFound
        }
    }
}

extension CosmCall {
    /// Returns a feed if the key has access to it.
    ///
    /// - Throws: ``CosmFailure``; 404 for a feed that the key may not see.
    func grantedFeed(_ id: Int) throws -> Granted<FeedRecord> {
        guard let feed = try feeds.feed(id) else { throw CosmFailure.notFound }
        return try use.grant(feed)
    }

    /// Returns a writer for a feed if the key may write to it, or to one of its datastreams.
    ///
    /// - Throws: ``CosmFailure``; 403 if the last write to the feed was too recent (Docs/Protocols/Cosm.md §2.5).
    func writer(_ id: Int, datastream: String? = nil) throws -> FeedWriter {
        guard let feed = try feeds.feed(id) else { throw CosmFailure.notFound }
        try use.authorize(.part(datastream, of: feed))
        if let spacing = state.configuration.rateLimit?.secondsBetweenUpdates,
            feed.updated <= now, now < feed.updated.adding(seconds: Int64(spacing))
        {
            throw CosmFailure.rateLimited
        }
        return writer(of: feed)
    }

    /// Returns a writer for a feed that the key may write to.
    func writer(of feed: FeedRecord) -> FeedWriter {
        FeedWriter(
            feed,
            database: database,
            maxima: maxima,
            rules: state.rules,
            keys: CachedKeys(database, state.store.keyCache),
            now: now
        )
    }

    /// Returns a datastream, and a writer for its feed, if the key may write to the datastream.
    func writableDatastream(_ id: String, of feed: Int) throws -> (writer: FeedWriter, stream: DatastreamRecord) {
        let writer = try writer(feed, datastream: id)
        guard let stream = try datastreams.datastream(id, of: feed) else { throw CosmFailure.notFound }
        return (writer, stream)
    }

    /// Checks that the account of the key may store a further object, and the server too.
    ///
    /// - Parameters:
    ///   - what: The objects in the message, such as `feeds`.
    ///   - own: The number of those of the account.
    ///   - all: The number of those of all accounts.
    /// - Throws: ``CosmFailure`` with 403 if one of the limits is reached.
    func requireRoom(for what: String, own: Int, of ownMaximum: Int, all: Int, of maximum: Int) throws(CosmFailure) {
        if own >= ownMaximum { throw .fullForAccount(what) }
        if all >= maximum { throw .full(what) }
    }

    /// - Throws: ``CosmFailure`` with 422 and all messages, if there are any.
    func require(_ violations: [String]) throws(CosmFailure) {
        if !violations.isEmpty { throw .invalid(violations) }
    }
}
