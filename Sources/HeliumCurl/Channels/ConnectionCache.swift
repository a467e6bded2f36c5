import CLibcurl

/// A cache of libcurl's for the connections of a few channels. Used on the loop's thread.
///
/// libcurl takes a connection that it has handed over for an idle one until the first call of `curl_easy_recv` or
/// `curl_easy_send`. When it makes another connection in the same cache, it closes idle ones with unread bytes, those
/// whose peer has ended its direction, and those that are older than two minutes (`CURLOPT_MAXAGE_CONN`). So there is one
/// connection at a time that has not had that call. A cache takes 9 KB, and each call under TLS searches the cache for
/// its connection, so a cache has a few connections.
final class ConnectionCache {
    static let capacity = 16

    let share: UnsafeMutableRawPointer
    fileprivate(set) var userCount = 0
    /// Whether a connection is being made.
    fileprivate(set) var isConnecting = false

    /// Creates an empty cache. Returns `nil` if there is no memory.
    init?() {
        guard let share = helium_make_connection_cache() else { return nil }
        self.share = share
    }

    deinit { curl_share_cleanup(share) }

    fileprivate var hasRoom: Bool { userCount < ConnectionCache.capacity && !isConnecting }
}

/// The caches of a connector. Used on the loop's thread.
struct ConnectionCaches {
    /// The caches that have room.
    private var open: [ConnectionCache] = []

    /// Returns a cache for a connection that is about to be made, or `nil` if there is no memory.
    mutating func take() -> ConnectionCache? {
        guard let cache = open.popLast() ?? ConnectionCache() else { return nil }
        cache.userCount += 1
        cache.isConnecting = true
        return cache
    }

    /// Called when the first call has been made on the connection.
    mutating func didConnect(in cache: ConnectionCache) { change(cache) { $0.isConnecting = false } }

    /// Called when a connection has ended.
    mutating func release(_ cache: ConnectionCache, wasConnecting: Bool) {
        change(cache) { cache in
            cache.userCount -= 1
            if wasConnecting { cache.isConnecting = false }
        }
        // One empty cache is kept.
        if cache.userCount == 0, open.count > 1 { open.removeAll { $0 === cache } }
    }

    private mutating func change(_ cache: ConnectionCache, _ body: (ConnectionCache) -> Void) {
        let hadRoom = cache.hasRoom
        body(cache)
        if cache.hasRoom, !hadRoom { open.append(cache) }
    }
}
