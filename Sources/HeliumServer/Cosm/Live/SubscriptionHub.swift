internal import HeliumConcurrency
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

    private struct Name: Hashable {
        let connection: ObjectIdentifier
        let datastream: String?
    }

    /// By feed, then by connection and resource: subscribing twice replaces.
    private let state = Guarded<[Int: [Name: Subscription]]>([:])

    /// Adds or replaces; of two subscriptions of one connection to one resource the later counts.
    func add(_ subscription: Subscription) {
        let name = Name(connection: ObjectIdentifier(subscription.connection), datastream: subscription.datastream)
        state.withLock { $0[subscription.feed, default: [:]][name] = subscription }
    }

    func remove(_ connection: LiveConnection, feed: Int, datastream: String?) {
        let name = Name(connection: ObjectIdentifier(connection), datastream: datastream)
        state.withLock { state in
            state[feed]?[name] = nil
            if state[feed]?.isEmpty == true { state[feed] = nil }
        }
    }

    /// How many subscriptions a connection has.
    func count(_ connection: LiveConnection) -> Int {
        let id = ObjectIdentifier(connection)
        return state.withLock { state in
            state.values.reduce(0) { sum, names in sum + names.keys.count { $0.connection == id } }
        }
    }

    /// How many subscriptions there are.
    var count: Int { state.withLock { state in state.values.reduce(0) { $0 + $1.count } } }

    /// Forgets a connection that has closed.
    func removeAll(_ connection: LiveConnection) {
        let id = ObjectIdentifier(connection)
        filter { name, _ in name.connection != id }
    }

    /// Forgets the subscriptions to what was deleted, without a word (§14.3).
    func end(_ ended: WriteEffect.Ended) {
        switch ended {
        case .feed(let id): state.withLock { $0[id] = nil }
        case .datastream(let datastream, let feed):
            filter { name, subscription in !(subscription.feed == feed && name.datastream == datastream) }
        case .key(let key): filter { _, subscription in subscription.key != key }
        }
    }

    func isWatched(_ feed: Int) -> Bool { state.withLock { $0[feed] != nil } }

    /// Pushes one write to the feed's subscribers and to those of the datastreams that it changed. Each document is made
    /// once, however many want it.
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
            (state[feed] ?? [:]).values.filter { $0.datastream.map(changed.contains) ?? true }
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
                LiveReply(token: subscription.token, resource: subscription.resource, body: .document(body))
            )
        }
    }

    private func filter(_ isKept: (Name, Subscription) -> Bool) {
        state.withLock { state in
            for (feed, subscriptions) in state {
                let kept = subscriptions.filter { isKept($0.key, $0.value) }
                if kept.count < subscriptions.count { state[feed] = kept.isEmpty ? nil : kept }
            }
        }
    }
}
