import Testing

@testable import HeliumCurl

@Suite("Caches of connections")
struct ConnectionCacheTests {
    private func take(_ caches: inout ConnectionCaches) throws -> ConnectionCache {
        let cache = caches.take()
        return try #require(cache)
    }

    @Test("a cache has one connection at a time that is being made")
    func connecting() throws {
        var caches = ConnectionCaches(capacity: 16)
        let first = try take(&caches)
        let second = try take(&caches)
        #expect(first !== second)
        caches.didConnect(in: first)
        let third = try take(&caches)
        #expect(third === first)
        caches.release(first, wasConnecting: true)
        let fourth = try take(&caches)
        #expect(fourth === first)
        #expect(first.userCount == 2 && second.userCount == 1)
    }

    @Test("connections that are made one after the other share a cache, up to its capacity")
    func capacity() throws {
        var caches = ConnectionCaches(capacity: 16)
        let first = try take(&caches)
        caches.didConnect(in: first)
        for _ in 1..<16 {
            let last = try take(&caches)
            #expect(last === first)
            caches.didConnect(in: first)
        }
        let second = try take(&caches)
        #expect(second !== first)
        // A place that becomes free is used again.
        caches.release(first, wasConnecting: false)
        let more = try take(&caches)
        #expect(more === first)
    }

    @Test("caches of connections that were made at once are released in any order, and the others keep their room")
    func manyAtOnce() throws {
        var caches = ConnectionCaches(capacity: 16)
        let all = try (0..<50).map { _ in try take(&caches) }
        #expect(Set(all.map(ObjectIdentifier.init)).count == 50)
        for cache in all { caches.didConnect(in: cache) }
        let released = [3, 49, 0, 7, 8, 48, 20].map { all[$0] }
        for cache in released { caches.release(cache, wasConnecting: false) }
        let taken = try (0..<43).map { _ in try take(&caches) }
        let left = Set(all.map(ObjectIdentifier.init)).subtracting(released.map(ObjectIdentifier.init))
        #expect(Set(taken.map(ObjectIdentifier.init)) == left)
        let next = try take(&caches)
        #expect(!all.contains { $0 === next })
    }

    @Test("empty caches are released, except for one")
    func empty() throws {
        var caches = ConnectionCaches(capacity: 16)
        weak var last: ConnectionCache?
        weak var kept: ConnectionCache?
        do {
            let all = try (0..<10).map { _ in try take(&caches) }
            for cache in all { caches.release(cache, wasConnecting: true) }
            kept = all.first
            last = all.last
        }
        #expect(kept != nil || last != nil)
        #expect([kept, last].compactMap(\.self).count == 1)
    }

    @Test("caches of one connection, whose end closes it, are not shared and not kept")
    func alone() throws {
        var caches = ConnectionCaches(capacity: 1)
        weak var released: ConnectionCache?
        do {
            let first = try take(&caches)
            caches.didConnect(in: first)
            let second = try take(&caches)
            #expect(first !== second)
            caches.release(first, wasConnecting: false)
            let third = try take(&caches)
            #expect(third !== first)
            caches.release(second, wasConnecting: true)
            released = second
        }
        #expect(released == nil)
    }
}
