internal import HeliumConcurrency
internal import HeliumJSON
internal import HeliumServerKit
internal import Synchronization

/// The subscriptions of all live connections, and the pushes to them (Docs/Protocols/Cosm.md §14.3).
final class SubscriptionHub: Sendable {
    /// The subscription of a connection to a resource.
    struct Subscription: Sendable {
        let connection: LiveConnection
        let feed: Int
        /// The id of the datastream; `nil` for the whole feed.
        let datastream: String?
        /// The resource in the client's spelling.
        var resource: String
        var token: String?
        var key: String
        let address: String
    }

    private struct Resource: Hashable {
        let feed: Int
        let datastream: ByteText?
    }

    private struct Name: Hashable {
        let connection: ObjectIdentifier
        let datastream: ByteText?
    }

    private struct State {
        /// The subscriptions by feed, then by connection and datastream. Subscribing again replaces a subscription.
        var feeds: [Int: [Name: Subscription]] = [:]
        /// The resources by connection, so that a closed connection does not require a search.
        var connections: [ObjectIdentifier: Set<Resource>] = [:]

        mutating func remove(_ resource: Resource, of connection: ObjectIdentifier) {
            feeds[resource.feed]?[Name(connection: connection, datastream: resource.datastream)] = nil
            if feeds[resource.feed]?.isEmpty == true { feeds[resource.feed] = nil }
            connections[connection]?.remove(resource)
            if connections[connection]?.isEmpty == true { connections[connection] = nil }
        }

        mutating func removeAll(of feed: Int, where isEnded: (Subscription) -> Bool) {
            for (name, subscription) in feeds[feed] ?? [:] where isEnded(subscription) {
                remove(Resource(feed: feed, datastream: name.datastream), of: name.connection)
            }
        }
    }

    private let state = Guarded(State())

    /// Adds a subscription. It replaces an earlier one of the same connection to the same resource.
    ///
    /// - Returns: `false` if the connection already has `maximum` other subscriptions.
    func add(_ subscription: Subscription, maximum: Int) -> Bool {
        let connection = ObjectIdentifier(subscription.connection)
        let resource = Resource(feed: subscription.feed, datastream: subscription.datastream.map { ByteText($0) })
        return state.withLock { state in
            var resources = state.connections[connection] ?? []
            guard resources.contains(resource) || resources.count < maximum else { return false }
            resources.insert(resource)
            state.connections[connection] = resources
            let name = Name(connection: connection, datastream: resource.datastream)
            state.feeds[subscription.feed, default: [:]][name] = subscription
            return true
        }
    }

    func remove(_ connection: LiveConnection, feed: Int, datastream: String?) {
        state.withLock { state in
            state.remove(
                Resource(feed: feed, datastream: datastream.map { ByteText($0) }),
                of: ObjectIdentifier(connection)
            )
        }
    }

    /// The number of subscriptions.
    var count: Int { state.withLock { state in state.connections.values.reduce(0) { $0 + $1.count } } }

    /// Removes the subscriptions of a closed connection.
    func removeAll(_ connection: LiveConnection) {
        let id = ObjectIdentifier(connection)
        state.withLock { state in
            for resource in state.connections[id] ?? [] { state.remove(resource, of: id) }
        }
    }

    /// Removes the subscriptions to a deleted resource or of a deleted key, without notifying the clients
    /// (Docs/Protocols/Cosm.md §14.3).
    func end(_ ended: [WriteEffect.Ended]) {
        if ended.isEmpty { return }
        state.withLock { state in
            var keys: Set<String> = []
            for ended in ended {
                switch ended {
                case .feed(let feed): state.removeAll(of: feed) { _ in true }
                case .datastream(let datastream, let feed):
                    state.removeAll(of: feed) { $0.datastream.map { ByteText($0) } == ByteText(datastream) }
                case .key(let key): keys.insert(key)
                }
            }
            if keys.isEmpty { return }
            for feed in state.feeds.keys { state.removeAll(of: feed) { keys.contains($0.key) } }
        }
    }

    func isWatched(_ feed: Int) -> Bool { state.withLock { $0.feeds[feed] != nil } }

    /// Pushes a write to the subscribers of the feed and of the datastreams that it changed.
    ///
    /// - Parameter document: Returns the JSON for a subscription; `nil` if its key does not give access to the resource.
    func push(to feed: Int, changed: [String], document: (Subscription) throws -> [UInt8]?) rethrows {
        let changed = Set(changed.map { ByteText($0) })
        let interested = state.withLock { state in
            (state.feeds[feed] ?? [:]).values.filter { $0.datastream.map { changed.contains(ByteText($0)) } ?? true }
        }
        for subscription in interested {
            guard let body = try document(subscription) else { continue }
            subscription.connection.push(
                LiveReply(token: subscription.token, resource: subscription.resource, body: .document(body)).object
            )
        }
    }
}
