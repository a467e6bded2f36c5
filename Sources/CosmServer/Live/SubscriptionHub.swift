internal import HeliumConcurrency
internal import HeliumServerKit
internal import Synchronization

/// Who gets told of which changes (§14.3).
final class SubscriptionHub: Sendable {
    /// One connection's wish to hear of one resource.
    struct Subscription: Sendable {
        let connection: LiveConnection
        let feed: Int
        /// Nil: the feed as a whole.
        let datastream: String?
        /// As the client spelt it.
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
        /// By feed, then by connection and datastream: subscribing twice replaces.
        var feeds: [Int: [Name: Subscription]] = [:]
        /// The same by connection, so that one that ends need not be searched for.
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

    /// Adds or replaces; of two subscriptions of one connection to one resource the later counts.
    ///
    /// - Returns: false where the connection has `maximum` others already.
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

    /// How many subscriptions there are.
    var count: Int { state.withLock { state in state.connections.values.reduce(0) { $0 + $1.count } } }

    /// Forgets a connection that has closed.
    func removeAll(_ connection: LiveConnection) {
        let id = ObjectIdentifier(connection)
        state.withLock { state in
            for resource in state.connections[id] ?? [] { state.remove(resource, of: id) }
        }
    }

    /// Forgets the subscriptions to what was deleted, without a word (§14.3).
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

    /// Pushes one write to the feed's subscribers and to those of the datastreams that it changed. Each document is
    /// made once, however many want it.
    ///
    /// - Parameters:
    ///   - isAllowed: whether a subscription's key still opens its resource
    ///   - document: the JSON of a datastream, or of the feed for nil; nil where it is gone
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
