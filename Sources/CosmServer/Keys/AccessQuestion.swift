/// An access that a client requests.
struct AccessQuestion: Hashable, Sendable {
    var method: AccessMethod
    var target: AccessTarget
    /// The numeric IP address of the client.
    var address: String
    /// The `Referer` field; `nil` on the socket, where keys that require one fail (Docs/Protocols/Cosm.md §7).
    var referer: String?
}

/// The target of an access.
enum AccessTarget: Hashable, Sendable {
    /// The lists of the account's resources and of the feeds that it can see.
    case account
    /// A feed to create.
    case newFeed
    case feed(FeedTarget)
    case datastream(FeedTarget, String)
    case trigger(id: Int, owner: String, feed: Int, datastream: String)
    /// The keys, to list, read, create and delete them. ``KeyCoverage`` decides which of them.
    case keys
    /// The key that makes the request.
    case ownKey
    /// The accounts. They are shown with their keys, so that only keys without limits have access.
    case users
    case user(String)

    /// Returns the target for a feed, or for one of its datastreams.
    static func part(_ datastream: String?, of feed: FeedRecord) -> Self {
        let target = FeedTarget(feed)
        return datastream.map { .datastream(target, $0) } ?? .feed(target)
    }

    /// The members of a feed that determine access.
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

/// The result of an ``AccessQuestion``.
enum AccessVerdict: Hashable, Sendable {
    /// Access is granted. History has at most the resolution of that many seconds.
    case granted(minimumInterval: Int)
    /// 401: the key has expired.
    case expired
    /// 403: the key lacks the permission.
    case forbidden
    /// 404: the key may not see that the resource exists.
    case hidden

    /// Returns the finest resolution of history, in seconds.
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
