import GRDB
import HeliumJSON
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import ServerSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Decoded keys of Cosm")
struct KeyCacheTests {
    /// A key of an account with a number of resources.
    private static func key(_ secret: String, resources: Int = 1, owner: String = "ann") -> AccessKey {
        var key = AccessKey.master(secret, owner: owner)
        key.permissions[0].resources = (1...resources).map { AccessResource(feed: $0) }
        return key
    }

    /// The number of keys that a pass over `secrets` reads, of keys with 100 resources.
    private func reads(_ cache: KeyCache, _ secrets: [String]) throws -> Int {
        var count = 0
        let keys = CachedKeys(cache: cache) { secret in
            count += 1
            return Self.key(secret, resources: 100)
        }
        for secret in secrets { #expect(try keys.key(secret)?.secret == secret) }
        return count
    }

    @Test("keys are decoded once for many writes, within a number of bytes")
    func bounded() throws {
        let secrets = (0..<50).map { "K\($0)" }
        let cache = KeyCache()
        #expect(try reads(cache, secrets) == 50)
        #expect(try reads(cache, secrets) == 0)
        let small = KeyCache(maximumBytes: 10 * Self.key("K10", resources: 100).memoryBytes)
        #expect(try reads(small, secrets) == 50)
        // The keys that fitted are found again, although the others did not fit.
        #expect(try reads(small, secrets) == 40)
        // Keys that a pass does not use make room for those that it uses.
        #expect(try reads(small, ["L10", "L11"]) == 2)
        #expect(try reads(small, ["L10", "L11"]) == 0)
        #expect(small.bytes <= 10 * Self.key("K10", resources: 100).memoryBytes)
        #expect(try reads(KeyCache(maximumBytes: 10), ["K1", "K1"]) == 1)
    }

    private enum RolledBack: Error {
        case always
    }

    @Test("a key that was changed, deleted or created is read again, and one that was rolled back is not kept")
    func changes() throws {
        let database = try DatabaseQueue()
        try CosmSchema.migrate(database)
        let cache = KeyCache()
        func resources(_ secret: String) throws -> Int? {
            try database.read { try CachedKeys($0, cache).key(secret)?.permissions[0].resources.count }
        }
        /// Changes the table and reads the key inside of the transaction, then commits or rolls back.
        func write(commits: Bool, _ secret: String, _ body: (KeyWriter) throws -> Void) throws {
            do {
                try database.write { database in
                    try body(KeyWriter(database: database, cache: cache))
                    _ = try CachedKeys(database, cache).key(secret)
                    if !commits { throw RolledBack.always }
                }
            } catch is RolledBack {}
        }
        #expect(try resources("K") == nil)
        try write(commits: false, "K") { try $0.insert(Self.key("K")) }
        #expect(try resources("K") == nil)
        try write(commits: true, "K") { try $0.insert(Self.key("K")) }
        #expect(try resources("K") == 1)
        try write(commits: false, "K") { try $0.update(Self.key("K", resources: 2)) }
        #expect(try resources("K") == 1)
        try write(commits: true, "K") { try $0.update(Self.key("K", resources: 3)) }
        #expect(try resources("K") == 3)
        try write(commits: false, "K") { try $0.delete("K") }
        #expect(try resources("K") == 3)
        try write(commits: true, "K") { try $0.delete("K") }
        #expect(try resources("K") == nil)
        try write(commits: true, "L") { try $0.insert(Self.key("L")) }
        #expect(try resources("L") == 1)
        try write(commits: true, "L") { try $0.deleteAll(of: "ann") }
        #expect(try resources("L") == nil)
        #expect(cache.bytes == 0)
    }

    @Test("the key of a trigger that fired stays decoded for the next write")
    func overWrites() async throws {
        try await FaultServer.run({ _ in [.answer()] }) { receiver async throws in
            try await withCosm {
                $0.allowsLocalTriggerTargets = true
            } _: { peer async throws in
                try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"temp","current_value":"0"}]}"#)
                let body =
                    #"{"environment_id":1,"stream_id":"temp","url":"\#(receiver.url)","trigger_type":"change"}"#
                #expect(try await peer.post("/triggers", body).status == 201)
                let cache = peer.running.cosm.state.store.keyCache
                #expect(cache.bytes == 0)
                #expect(try await peer.put("/feeds/1.csv", "temp,1").status == 200)
                #expect(cache.key(ByteText(peer.key), in: cache.beginPass())?.secret == peer.key)
            }
        }
    }
}
