/// What somebody wants to do, and from where.
struct AccessQuestion: Hashable, Sendable {
    var method: AccessMethod
    var target: AccessTarget
    /// The client's address in numbers.
    var address: String
    /// The `Referer` field; nil on the socket, where keys that demand one fail (§7).
    var referer: String?
}

/// What a key is asked to open.
enum AccessTarget: Hashable, Sendable {
    /// Lists of what the account holds and may see.
    case account
    /// A feed that is not there yet.
    case newFeed
    case feed(FeedTarget)
    case datastream(FeedTarget, String)
    case trigger(id: Int, owner: String, feed: Int, datastream: String)
    /// The keys, for reading, making and deleting them.
    case keys
    /// The key that is asked itself.
    case ownKey
    /// The accounts, or one of them.
    case users
    case user(String)

    /// A feed, or one of its datastreams.
    static func part(_ datastream: String?, of feed: FeedRecord) -> Self {
        let target = FeedTarget(feed)
        return datastream.map { .datastream(target, $0) } ?? .feed(target)
    }

    /// What matters of a feed.
    struct FeedTarget: Hashable, Sendable {
        let id: Int
        let owner: String
        let isPrivate: Bool

        init(_ feed: FeedRecord) {
            id = feed.id
            owner = feed.owner
            isPrivate = feed.isPrivate
        }

        init(id: Int, owner: String, isPrivate: Bool) {
            self.id = id
            self.owner = owner
            self.isPrivate = isPrivate
        }
    }
}

/// The answer to an ``AccessQuestion``.
enum AccessVerdict: Hashable, Sendable {
    /// Yes; history no finer than so many seconds.
    case granted(minimumInterval: Int)
    /// 401: the key has expired.
    case expired
    /// 403.
    case forbidden
    /// 404: the key may not even know that it exists.
    case hidden

    /// The finest interval of history, in seconds.
    ///
    /// - Throws: ``CosmFailure`` with 401, 403 or 404 if access is not granted.
    func get() throws(CosmFailure) -> Int {
        switch self {
        case .granted(let minimumInterval): return minimumInterval
        case .expired: throw .unauthorized
        case .forbidden: throw .forbidden
        case .hidden: throw .notFound
        }
    }

    var isGranted: Bool { (try? get()) != nil }
}
