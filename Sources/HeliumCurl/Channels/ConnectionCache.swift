import CLibcurl

/// A cache of libcurl's for the connections of a few channels. Used on the loop's thread.
///
/// libcurl takes a connection that it has handed over for an idle one until the first call of `curl_easy_recv` or
/// `curl_easy_send`. When it makes another connection in the same cache, it closes idle ones with unread bytes, those
/// whose peer has ended its direction, and those that are older than two minutes (`CURLOPT_MAXAGE_CONN`). So there is one
/// connection at a time that has not had that call. A cache takes 9 KB, and each call under TLS searches the cache for
/// its connection, so a cache has a few connections.
///
/// libcurl before 7.86 closes a connection that it has handed over only with its cache, so there each has its own. Before
/// 7.83 it does not find such a connection in a share. Then all are in the multi handle's own cache until it closes them.
final class ConnectionCache {
    /// The maximum number of connections.
    static let capacity = Library.version >= 0x07_56_00 ? 16 : 1
    private static let isShare = Library.version >= 0x07_53_00

    /// The share object; `nil` for the multi handle's cache.
    let share: UnsafeMutableRawPointer?
    fileprivate(set) var userCount = 0
    /// Whether a connection is being made.
    fileprivate(set) var isConnecting = false
    /// The index among the caches that have room.
    fileprivate var index: Int?

    /// Creates an empty cache. Returns `nil` if there is no memory.
    init?() {
        share = ConnectionCache.isShare ? helium_make_connection_cache() : nil
        if share == nil, ConnectionCache.isShare { return nil }
    }

    deinit {
        if let share { curl_share_cleanup(share) }
    }
}

/// The caches of a connector. Used on the loop's thread.
struct ConnectionCaches {
    private let capacity: Int
    /// The caches that have room.
    private var open: [ConnectionCache] = []

    /// Creates caches.
    ///
    /// - Parameter capacity: The maximum number of connections of each.
    init(capacity: Int = ConnectionCache.capacity) { self.capacity = capacity }

    /// Returns a cache for a connection that is about to be made, or `nil` if there is no memory.
    mutating func take() -> ConnectionCache? {
        guard let cache = open.popLast() ?? ConnectionCache() else { return nil }
        cache.index = nil
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
        // One empty cache is kept, unless its end is what closes the connection.
        if cache.userCount == 0, open.count > 1 || capacity == 1 { remove(cache) }
    }

    private mutating func remove(_ cache: ConnectionCache) {
        guard let index = cache.index, let last = open.popLast() else { return }
        cache.index = nil
        if last !== cache {
            open[index] = last
            last.index = index
        }
    }

    private mutating func change(_ cache: ConnectionCache, _ body: (ConnectionCache) -> Void) {
        let hadRoom = hasRoom(cache)
        body(cache)
        guard hasRoom(cache), !hadRoom else { return }
        cache.index = open.count
        open.append(cache)
    }

    private func hasRoom(_ cache: ConnectionCache) -> Bool { cache.userCount < capacity && !cache.isConnecting }
}
