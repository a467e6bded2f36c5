internal import HeliumServerKit

/// A key in the circumstances of its use: the reader of a response, or the author of a write.
///
/// It alone makes ``Granted`` objects, of which the documents of responses are made.
struct KeyUse: Sendable {
    let key: AccessKey
    let method: AccessMethod
    /// The numeric IP address of the client.
    let address: String
    /// The `Referer` field; `nil` on the socket.
    var referer: String?
    let now: ServerInstant
    let rules: AccessRules
}

/// An object to which a key has access.
///
/// Documents are made of this type only, so that a response cannot contain an object that was not checked for its
/// reader.
struct Granted<Object: Sendable>: Sendable {
    let object: Object
    /// The finest resolution of history that the key may read, in seconds.
    let minimumInterval: Int

    fileprivate init(_ object: Object, minimumInterval: Int) {
        self.object = object
        self.minimumInterval = minimumInterval
    }
}

extension Granted<FeedRecord> {
    /// Returns a datastream of the feed. A key that has access to a feed has access to all its datastreams.
    func part(_ stream: DatastreamRecord) -> Granted<DatastreamRecord>? {
        guard stream.feed == object.id else { return nil }
        return Granted<DatastreamRecord>(stream, minimumInterval: minimumInterval)
    }
}

extension KeyUse {
    /// Checks that the key has access to a target.
    ///
    /// - Returns: The finest resolution of history that the key may read, in seconds.
    /// - Throws: ``CosmFailure`` with 401, 403 or 404.
    @discardableResult
    func authorize(_ target: AccessTarget) throws(CosmFailure) -> Int {
        try rules.verdict(on: question(target), for: key, at: now).get()
    }

    private func question(_ target: AccessTarget) -> AccessQuestion {
        AccessQuestion(method: method, target: target, address: address, referer: referer)
    }

    /// Returns the same use with another method.
    func using(_ method: AccessMethod) -> Self {
        Self(key: key, method: method, address: address, referer: referer, now: now, rules: rules)
    }

    /// Returns the ids of the feeds that a list may contain; `nil` for all visible feeds.
    var listedFeeds: Set<Int>? { rules.listedFeeds(key, question(.account)) }

    func grant(_ feed: FeedRecord) throws(CosmFailure) -> Granted<FeedRecord> {
        Granted(feed, minimumInterval: try authorize(.part(nil, of: feed)))
    }

    func grant(_ stream: DatastreamRecord, of feed: FeedRecord) throws(CosmFailure) -> Granted<DatastreamRecord> {
        guard stream.feed == feed.id else { throw .notFound }
        return Granted(stream, minimumInterval: try authorize(.part(stream.id, of: feed)))
    }

    /// Grants access to a trigger. One on a private feed of its owner is hidden from keys that do not open the feed,
    /// because it names the feed and a datastream.
    ///
    /// - Parameter feed: The feed that the trigger watches; `nil` if it does not exist.
    func grant(_ trigger: TriggerRecord, on feed: FeedRecord?) throws(CosmFailure) -> Granted<TriggerRecord> {
        if let feed, feed.isPrivate, feed.owner == key.owner, !key.opensPrivate { throw .notFound }
        return Granted(trigger, minimumInterval: try authorize(trigger.target))
    }

    /// Grants access to a key of the same account that is limited at least as much. Any key can read itself.
    func grant(_ other: AccessKey) throws(CosmFailure) -> Granted<AccessKey> {
        let isItself = other.secret == key.secret
        try authorize(isItself ? .ownKey : .keys)
        guard other.owner == key.owner, isItself || KeyCoverage(key).covers(other) else { throw .notFound }
        return Granted(other, minimumInterval: 0)
    }

    /// Checks that the key may make a key, or change one to it.
    ///
    /// - Throws: ``CosmFailure`` with 403 if the new key would be limited less.
    func authorize(making new: AccessKey) throws(CosmFailure) {
        guard KeyCoverage(key).covers(new) else { throw .exceedsLimits }
    }

    func grant(_ user: UserRecord) throws(CosmFailure) -> Granted<UserRecord> {
        Granted(user, minimumInterval: try authorize(.user(user.login)))
    }
}

extension Granted<AccessKey> {
    /// Returns the key without its permissions, for a list in which they have no room. It cannot be taken for a key
    /// with all of them, because a key needs at least one.
    func withoutPermissions() -> Self {
        var key = object
        key.permissions = []
        return Self(key, minimumInterval: minimumInterval)
    }
}

extension AccessRules {
    /// Grants a trigger that was stored without its key, by an earlier version, what any key may read: public feeds.
    ///
    /// A limited key may have pointed it at a private feed of its owner, which that version did not check.
    func grantToTriggerWithoutKey(_ stream: DatastreamRecord, of feed: FeedRecord) -> Granted<DatastreamRecord>? {
        guard stream.feed == feed.id, !feed.isPrivate else { return nil }
        return Granted(stream, minimumInterval: 0)
    }

    /// Grants such a trigger the feed of its datastream.
    func grantToTriggerWithoutKey(_ feed: FeedRecord) -> Granted<FeedRecord>? {
        guard !feed.isPrivate else { return nil }
        return Granted(feed, minimumInterval: 0)
    }
}
