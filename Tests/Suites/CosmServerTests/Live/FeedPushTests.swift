import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Pushes of one write to Cosm")
struct FeedPushTests {
    private static let now = stamp("2013-02-01T00:00:00Z")

    /// Counts calls.
    private final class Counter {
        var keys: [String] = []
        var documents = 0
    }

    private func push(_ counter: Counter, _ keys: [String: AccessKey], mobile isMobile: Bool = false) -> FeedPush {
        var feed = FeedRecord(id: 1, owner: "ann", title: "t", created: Self.now, updated: Self.now)
        feed.isPrivate = true
        if isMobile { feed.location.disposition = "mobile" }
        let cache = CachedKeys { secret in
            counter.keys.append(secret)
            return keys[secret]
        }
        return FeedPush(feed, keys: cache, rules: AccessRules(administrator: "root"), now: Self.now) { id in
            id == "none" ? nil : DatastreamRecord(number: 1, feed: 1, id: id)
        } document: { target in
            counter.documents += 1
            return switch target {
            case .feed(let feed): Array("feed \(feed.minimumInterval)".utf8)
            case .datastream(let stream, _): Array("\(stream.object.id) \(stream.minimumInterval)".utf8)
            }
        }
    }

    @Test("a key is read once for a push, and a document is made once, however many subscriptions there are")
    func once() throws {
        let counter = Counter()
        let push = push(counter, ["K": .master("K", owner: "ann"), "L": .master("L", owner: "ann")])
        for _ in 0..<50 {
            for key in ["K", "L", "gone"] {
                for datastream in [nil, "a"] {
                    let reader = FeedPush.Reader(key: key, address: "127.0.0.1", datastream: datastream)
                    let document = try push.document(for: reader)
                    #expect((document == nil) == (key == "gone"))
                }
            }
        }
        #expect(counter.keys.sorted() == ["K", "L", "gone"])
        #expect(counter.documents == 2)
    }

    @Test("a push to a key has what the key may read, at the address where it is used")
    func rights() throws {
        let counter = Counter()
        var near = AccessKey.master("near", owner: "ann")
        near.permissions[0].sourceAddress = "10.0.0.1"
        var part = AccessKey.master("part", owner: "ann")
        part.permissions[0].resources = [AccessResource(feed: 1, datastream: "K")]
        let push = push(counter, ["near": near, "part": part])
        func text(_ key: String, _ address: String, _ datastream: String?) throws -> String? {
            try push.document(for: FeedPush.Reader(key: key, address: address, datastream: datastream))
                .map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(try text("near", "10.0.0.1", nil) == "feed 0")
        #expect(try text("near", "10.0.0.2", nil) == nil)
        #expect(try text("part", "10.0.0.2", nil) == nil)
        #expect(try text("part", "10.0.0.2", "K") == "K 0")
        #expect(try text("part", "10.0.0.2", "none") == nil)
        // The Kelvin sign is equal to K for Swift, and another datastream in the store.
        #expect(try text("part", "10.0.0.2", "\u{212A}") == nil)
    }

    @Test("keys with different limits of history share the documents that show the same", arguments: [false, true])
    func limits(isMobile: Bool) throws {
        let counter = Counter()
        // 0 is no limit, 1 to 30 are sampled every 30 seconds, and 31 to 60 every minute.
        let keys = (0...60).map { seconds in
            var key = AccessKey.master("K\(seconds)", owner: "ann")
            key.permissions[0].minimumInterval = seconds
            return (key.secret, key)
        }
        let push = push(counter, Dictionary(uniqueKeysWithValues: keys), mobile: isMobile)
        func document(_ seconds: Int, _ datastream: String?) throws -> [UInt8]? {
            try push.document(
                for: FeedPush.Reader(key: "K\(seconds)", address: "127.0.0.1", datastream: datastream)
            )
        }
        for seconds in 0...60 { #expect(try document(seconds, "a") != nil) }
        #expect(counter.documents == 1)
        for seconds in 0...60 { #expect(try document(seconds, nil) != nil) }
        #expect(counter.documents == (isMobile ? 4 : 2))
        if isMobile {
            #expect(try document(0, nil) == Array("feed 0".utf8))
            #expect(try document(30, nil) == Array("feed 1".utf8))
            #expect(try document(60, nil) == Array("feed 31".utf8))
        }
    }

    @Test("the frames of a pushed document share its bytes")
    func shared() {
        let document = Array(#"{"id":1}"#.utf8)
        let frames = ["a", "b"].map { token in
            LiveReply(token: token, resource: "/feeds/1", body: .document(document)).object
        }
        #expect(
            frames.map { String(decoding: $0.bytes, as: UTF8.self) } == [
                #"{"token":"a","resource":"/feeds/1","body":{"id":1}}"#,
                #"{"token":"b","resource":"/feeds/1","body":{"id":1}}"#,
            ]
        )
        let address = document.withUnsafeBufferPointer { $0.baseAddress }
        for frame in frames {
            #expect(frame.parts.contains { $0.withUnsafeBufferPointer { $0.baseAddress } == address })
            #expect(frame.count == frame.bytes.count)
        }
    }

    @Test("a feed that is too large for a push loses its datastreams, and its texts if that does not suffice")
    func tooLarge() async throws {
        try await withCosm { configuration in
            configuration.maxima.answerBytes = 20_000
        } _: { peer in
            let tag = String(repeating: "t", count: 200)
            let streams = (0..<60).map { #"{"id":"s\#($0)","tags":["\#(tag)\#($0)"]}"# }.joined(separator: ",")
            try await peer.createFeed(#"{"title":"T","description":"d","datastreams":[\#(streams)]}"#)
            try await peer.createFeed(#"{"title":"U","description":"d","datastreams":[{"id":"a"}]}"#)
            let client = try TCPClient(peer.running)
            for id in 1...2 {
                #expect(try await client.ask("subscribe", "/feeds/\(id)", key: peer.key)["status"] == 200)
            }
            #expect(try await peer.put("/feeds/1/datastreams/s1", #"{"current_value":"1"}"#).status == 200)
            let large = try await client.receive()
            #expect(large["body", "title"] == "T" && large["body", "description"] == "d", "\(large.text.prefix(200))")
            #expect(large["body", "datastreams"] == nil)
            #expect(try await peer.put("/feeds/2/datastreams/a", #"{"current_value":"1"}"#).status == 200)
            let small = try await client.receive()
            #expect(small["body"] == (try await peer.document("/feeds/2")))
            let text = String(repeating: "e", count: 30_000)
            #expect(try await peer.put("/feeds/2", #"{"description":"\#(text)"}"#).status == 200)
            let short = try await client.receive()
            #expect(short["body", "title"] == "U" && short["body", "description"] == nil)
        }
    }
}
