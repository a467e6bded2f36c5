internal import HeliumConcurrency
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
        let datastream: String?
    }

    private struct Name: Hashable {
        let connection: ObjectIdentifier
        let datastream: String?
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

        mutating func removeAll(where isEnded: (Subscription) -> Bool) {
            for (feed, subscriptions) in feeds {
                for (name, subscription) in subscriptions where isEnded(subscription) {
                    remove(Resource(feed: feed, datastream: name.datastream), of: name.connection)
                }
            }
        }
    }

    private let state = Guarded(State())

    /// Adds a subscription. It replaces an earlier one of the same connection to the same resource.
    ///
    /// - Returns: `false` if the connection already has `maximum` other subscriptions.
    func add(_ subscription: Subscription, maximum: Int) -> Bool {
        let connection = ObjectIdentifier(subscription.connection)
        let resource = Resource(feed: subscription.feed, datastream: subscription.datastream)
        return state.withLock { state in
            var resources = state.connections[connection] ?? []
            guard resources.contains(resource) || resources.count < maximum else { return false }
            resources.insert(resource)
            state.connections[connection] = resources
            let name = Name(connection: connection, datastream: subscription.datastream)
            state.feeds[subscription.feed, default: [:]][name] = subscription
            return true
        }
    }

    func remove(_ connection: LiveConnection, feed: Int, datastream: String?) {
        state.withLock { state in
            state.remove(Resource(feed: feed, datastream: datastream), of: ObjectIdentifier(connection))
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
    func end(_ ended: WriteEffect.Ended) {
        state.withLock { state in
            switch ended {
            case .feed(let feed): state.removeAll { $0.feed == feed }
            case .datastream(let datastream, let feed):
                state.removeAll { $0.feed == feed && $0.datastream == datastream }
            case .key(let key): state.removeAll { $0.key == key }
            }
        }
    }

    func isWatched(_ feed: Int) -> Bool { state.withLock { $0.feeds[feed] != nil } }

    /// Pushes a write to the subscribers of the feed and of the datastreams that it changed. Each document is made
    /// once, however many subscriptions need it.
    ///
    /// - Parameters:
    ///   - isAllowed: Returns whether a subscription's key still gives access to its resource.
    ///   - document: Returns the JSON of a datastream, or of the feed for `nil`. Returns `nil` if it no longer exists.
    func push(
        to feed: Int,
        changed: [String],
        isAllowed: (Subscription) -> Bool,
        document: (String?) throws -> [UInt8]?
    ) rethrows {
        let changed = Set(changed)
        let interested = state.withLock { state in
            (state.feeds[feed] ?? [:]).values.filter { $0.datastream.map(changed.contains) ?? true }
        }
        var documents: [String?: [UInt8]?] = [:]
        for subscription in interested where isAllowed(subscription) {
            let body: [UInt8]?
            if let made = documents[subscription.datastream] {
                body = made
            } else {
                body = try document(subscription.datastream)
                documents[subscription.datastream] = .some(body)
            }
            guard let body else { continue }
            subscription.connection.push(
                LiveReply(token: subscription.token, resource: subscription.resource, body: .document(body)).bytes
            )
        }
    }
}
