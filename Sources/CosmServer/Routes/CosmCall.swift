internal import GRDB
internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// A request with its key, inside of one transaction. The routes extend it.
struct CosmCall {
    let request: CosmRequest
    let route: CosmRoute
    let format: DocumentFormat
    let key: AccessKey
    let now: ServerInstant
    let state: CosmState
    let database: Database

    var parameters: FormFields { request.parameters }
    var maxima: CosmMaxima { state.configuration.maxima }
    var feeds: FeedTable { FeedTable(database: database) }
    var datastreams: DatastreamTable { DatastreamTable(database: database) }
    var datapoints: DatapointTable { DatapointTable(database: database) }
    var triggers: TriggerTable { TriggerTable(database: database) }
    var keys: KeyTable { KeyTable(database: database) }
    var users: UserTable { UserTable(database: database) }
    var settings: SettingTable { SettingTable(database: database) }

    /// Processes the request and returns the answer.
    ///
    /// - Throws: ``CosmFailure``, or the error of the store.
    func answer() throws -> CosmResponse {
        switch (route, request.method) {
        case (.feeds, .get): return try listFeeds()
        case (.feeds, .post): return try createFeed()
        case (.feed(let id), .get): return try readFeed(id)
        case (.feed(let id), .put): return try updateFeed(id)
        case (.feed(let id), .delete): return try deleteFeed(id)
        case (.datastreams(let feed), .get): return try listDatastreams(feed)
        case (.datastreams(let feed), .post): return try createDatastreams(feed)
        case (.datastream(let feed, let id), .get): return try readDatastream(id, of: feed)
        case (.datastream(let feed, let id), .put): return try updateDatastream(id, of: feed)
        case (.datastream(let feed, let id), .delete): return try deleteDatastream(id, of: feed)
        case (.datapoints(let feed, let id), .post): return try createDatapoints(id, of: feed)
        case (.datapoints(let feed, let id), .delete): return try deleteDatapoints(id, of: feed)
        case (.datapoint(let feed, let id, let at), .get): return try readDatapoint(at, id, of: feed)
        case (.datapoint(let feed, let id, let at), .put): return try updateDatapoint(at, id, of: feed)
        case (.datapoint(let feed, let id, let at), .delete): return try deleteDatapoint(at, id, of: feed)
        case (.keys, .get): return try listKeys()
        case (.keys, .post): return try createKey()
        case (.key(let secret), .get): return try readKey(secret)
        case (.key(let secret), .put): return try updateKey(secret)
        case (.key(let secret), .delete): return try deleteKey(secret)
        case (.triggers, .get): return try listTriggers()
        case (.triggers, .post): return try createTrigger()
        case (.trigger(let id), .get): return try readTrigger(id)
        case (.trigger(let id), .put): return try updateTrigger(id)
        case (.trigger(let id), .delete): return try deleteTrigger(id)
        case (.users, .get): return try listUsers()
        case (.users, .post): return try createUser()
        case (.user(let login), .get): return try readUser(login)
        case (.user(let login), .put): return try updateUser(login)
        case (.user(let login), .delete): return try deleteUser(login)
        case (.nothing, .get), (.nothing, .put), (.nothing, .post), (.nothing, .delete): throw CosmFailure.notFound
        default: throw CosmFailure.noRoute(request)
        }
    }
}

extension CosmCall {
    private func question(_ target: AccessTarget) throws -> AccessQuestion {
        guard let method = AccessMethod(rawValue: request.method.rawValue.lowercased()) else {
            throw CosmFailure.noRoute(request)
        }
        return AccessQuestion(method: method, target: target, address: request.address, referer: request.referer)
    }

    /// Checks that the key has access to a target.
    ///
    /// - Returns: The finest resolution of history that the key may read, in seconds.
    /// - Throws: ``CosmFailure`` with 401, 403 or 404.
    @discardableResult
    func authorize(_ target: AccessTarget) throws -> Int {
        try state.rules.verdict(on: question(target), for: key, at: now).get()
    }

    /// Returns the ids of the feeds that a list may contain; `nil` for all visible feeds.
    func listedFeeds() throws -> Set<Int>? { state.rules.listedFeeds(key, try question(.account)) }

    /// Returns a feed if the key has access to it, and the finest resolution of history.
    ///
    /// - Throws: ``CosmFailure``; 404 for a feed that the key may not see.
    func authorizedFeed(_ id: Int, datastream: String? = nil) throws -> (feed: FeedRecord, minimumInterval: Int) {
        guard let feed = try feeds.feed(id) else { throw CosmFailure.notFound }
        return (feed, try authorize(.part(datastream, of: feed)))
    }

    /// Returns a writer for a feed if the key may write to it.
    ///
    /// - Throws: ``CosmFailure``; 403 if the last write to the feed was too recent (Docs/Protocols/Cosm.md §2.5).
    func writer(_ id: Int, datastream: String? = nil) throws -> FeedWriter {
        let feed = try authorizedFeed(id, datastream: datastream).feed
        if let spacing = state.configuration.rateLimit?.secondsBetweenUpdates,
            feed.updated <= now, now < feed.updated.adding(seconds: Int64(spacing))
        {
            throw CosmFailure.rateLimited
        }
        return FeedWriter(feed, database: database, maxima: maxima, now: now)
    }

    /// Reads the request body with the reader of its format.
    ///
    /// - Throws: ``CosmFailure`` with 400, or 406 if the format has no reader.
    func body<Value>(
        json: (JSONValue) throws(CosmFailure) -> Value,
        xml: ((XMLNode) throws(CosmFailure) -> Value)? = nil,
        csv: (([[String]]) throws(CosmFailure) -> Value)? = nil
    ) throws(CosmFailure) -> Value {
        switch (format, request.body) {
        case (_, .json(let value)): return try json(value)
        case (.json, .bytes(let bytes)): return try json(JSONFields.parse(bytes))
        case (.xml, .bytes(let bytes)):
            guard let xml else { throw .notAcceptable }
            return try xml(XMLNode.parse(bytes))
        case (.csv, .bytes(let bytes)):
            guard let csv else { throw .notAcceptable }
            return try csv(CSVRows.parse(bytes))
        case (.png, _): throw .notAcceptable
        }
    }

    /// - Throws: ``CosmFailure`` with 422 and all messages, if there are any.
    func require(_ violations: [String]) throws(CosmFailure) {
        if !violations.isEmpty { throw .invalid(violations) }
    }
}
