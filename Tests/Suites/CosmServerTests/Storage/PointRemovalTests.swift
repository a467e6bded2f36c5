import Foundation
import GRDB
import HeliumDatabase
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Synchronization
import TestSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Deletion of many points from Cosm", .timeLimit(.minutes(5)))
struct PointRemovalTests {
    /// The number of points of a datastream, more than one write deletes.
    private static let count = 2 * PointRemoval.portion + 10

    private static func points(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM cosm_datapoint") ?? 0
    }

    /// Creates a feed with datastreams of many points, one in each second of 1970.
    private static func fill(_ peer: CosmPeer, streams: Int = 1) async throws -> Int {
        let documents = (0..<streams).map { #"{"id":"s\#($0)","current_value":"0"}"# }.joined(separator: ",")
        let feed = try await peer.createFeed(#"{"title":"T","datastreams":[\#(documents)]}"#)
        _ = try await peer.running.cosm.state.store.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE second(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM second WHERE number < ?)
                    INSERT INTO cosm_datapoint SELECT cosm_datastream.number, second.number * 1000000, '1'
                    FROM cosm_datastream, second WHERE feed = ?
                    """,
                arguments: [count, feed]
            )
            try database.execute(
                sql: "UPDATE cosm_datastream SET points = points + ? WHERE feed = ?",
                arguments: [count, feed]
            )
        } publish: { _, _ in
        }
        return feed
    }

    /// The deletions of everything that has the points.
    enum Deletion: String, CaseIterable, CustomTestStringConvertible {
        case datastream = "/feeds/1/datastreams/s0"
        case feed = "/feeds/1"
        case points = "/feeds/1/datastreams/s0/datapoints?start=1970-01-01T00:00:00Z&end=2100-01-01T00:00:00Z"

        var testDescription: String { rawValue }
    }

    @Test("many points are deleted, in several writes", arguments: Deletion.allCases)
    func deletion(deletion: Deletion) async throws {
        try await withCosm { peer in
            let store = peer.running.cosm.state.store
            _ = try await Self.fill(peer)
            #expect(try await store.read(Self.points) == Self.count + 1)
            let largest = LargestWrite()
            try await store.access.database.writeWithoutTransaction { largest.start($0) }
            #expect(try await peer.delete(deletion.rawValue).status == 200)
            if deletion != .points {
                #expect(try await peer.get(deletion.rawValue).status == 404)
                try await eventually {
                    try await store.read { try Self.points($0) + Self.rows("cosm_removal", $0) } == 0
                }
            } else {
                let stream = try await peer.document("/feeds/1/datastreams/s0")
                #expect(stream["current_value"]?.stringValue == "0")
                #expect(try await store.read(Self.points) == 0)
                let left = try await store.read {
                    try DatastreamTable(database: $0).datastream("s0", of: 1)?.pointCount
                }
                #expect(left == 0)
            }
            try await store.access.database.writeWithoutTransaction { database in largest.stop(database) }
            #expect(largest.rows <= max(PointRemoval.portion, CosmCall.pointsPerTransaction) + 20, "\(largest.rows)")
        }
    }

    @Test("a range that is only a duration ends when the request arrives, also if several writes delete it")
    func duration() async throws {
        // The points are one in each second. The half second keeps the current value from the instant of another point.
        let clock = HandClock("1970-01-01T02:13:20.5Z")
        try await withCosm {
            // Time passes between all steps of a request.
            $0.clock = .microseconds {
                clock.advance(seconds: 1)
                return clock.clock.microseconds()
            }
        } _: { peer in
            let store = peer.running.cosm.state.store
            _ = try await Self.fill(peer)
            #expect(try await peer.delete("/feeds/1/datastreams/s0/datapoints?duration=2hours").status == 200)
            // Two hours of points, and the current value.
            let left = try await store.read(Self.points)
            #expect(left == Self.count - 2 * 3600)
            #expect(clock.clock.microseconds() < Int64(Self.count) * 1_000_000)
        }
    }

    private static func rows(_ table: String, _ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(table)") ?? 0
    }

    @Test("an account with many feeds is deleted with all of them, in several writes")
    func account() async throws {
        try await withCosm { peer in
            #expect(try await peer.post("/users", #"{"user":{"login":"ann"}}"#).status == 201)
            let secret = try #require(try await peer.document("/users/ann")["user", "api_key"]?.stringValue)
            let ann = CosmPeer(peer.running, key: secret)
            for _ in 0..<25 { try await ann.createFeed(#"{"title":"T","datastreams":[{"id":"a"}]}"#) }
            try await peer.createFeed()
            #expect(try await peer.delete("/users/ann").status == 200)
            #expect(try await ann.get("/feeds").status == 401)
            #expect(try await peer.get("/users/ann").status == 404)
            #expect(try await peer.document("/feeds")["totalResults"] == 1)
        }
    }

    @Test("the waypoints of deleted feeds are deleted in several writes, a portion in each", arguments: [false, true])
    func waypoints(ofAccount: Bool) async throws {
        try await withCosm { peer in
            let store = peer.running.cosm.state.store
            #expect(try await peer.post("/users", #"{"user":{"login":"ann"}}"#).status == 201)
            let secret = try #require(try await peer.document("/users/ann")["user", "api_key"]?.stringValue)
            let ann = CosmPeer(peer.running, key: secret)
            for _ in 0..<(ofAccount ? 12 : 1) {
                try await ann.createFeed(
                    #"{"title":"T","location":{"disposition":"mobile","lat":1,"lon":2},"datastreams":[{"id":"a"}]}"#
                )
            }
            _ = try await store.write { database in
                try database.execute(
                    sql: """
                        WITH RECURSIVE second(number) AS
                        (SELECT 1 UNION ALL SELECT number + 1 FROM second WHERE number < ?)
                        INSERT INTO cosm_waypoint (feed, at, latitude, longitude)
                        SELECT cosm_feed.id, second.number * 1000000, 1, 2 FROM cosm_feed, second
                        """,
                    arguments: [Self.count]
                )
            } publish: { _, _ in
            }
            let largest = LargestWrite()
            try await store.access.database.writeWithoutTransaction { largest.start($0) }
            let deletion = try await ofAccount ? peer.delete("/users/ann") : ann.delete("/feeds/1")
            #expect(deletion.status == 200)
            try await eventually {
                try await store.read { try Self.rows("cosm_waypoint", $0) + Self.rows("cosm_feed_removal", $0) } == 0
            }
            try await store.access.database.writeWithoutTransaction { largest.stop($0) }
            #expect(largest.rows <= PointRemoval.portion + 100, "\(largest.rows)")
            // The ids of deleted feeds are not used again.
            #expect(try await peer.createFeed() == (ofAccount ? 13 : 2))
        }
    }

    @Test("the points of deleted datastreams that a restart left are deleted by the next server")
    func restart() async throws {
        try await withTemporaryFolder { folder in
            var configuration = EmbeddedServerConfiguration()
            configuration.store = folder.appendingPathComponent("server.sqlite").path
            try await withEmbeddedServer(configuration) { running async throws in
                let peer = CosmPeer(running)
                _ = try await Self.fill(peer, streams: 3)
                // As if the server had ended right after the commit.
                let leavesPoints = try await running.cosm.state.store.write { database in
                    try DatastreamTable(database: database).deleteAll(of: 1)
                    return try PointRemoval(database: database).proceed()
                } publish: { _, _ in
                }
                #expect(leavesPoints)
            }
            try await withEmbeddedServer(configuration) { running async throws in
                let store = running.cosm.state.store
                try await eventually {
                    try await store.read { try Self.points($0) + Self.rows("cosm_removal", $0) } == 0
                }
            }
        }
    }
}

/// Finds the write that deletes the most rows.
private final class LargestWrite: TransactionObserver, Sendable {
    private struct State {
        var current = 0
        var largest = 0
    }

    private let state = Mutex(State())

    var rows: Int { state.withLock { $0.largest } }

    func start(_ database: Database) {
        state.withLock { $0.current = database.totalChangesCount }
        database.add(transactionObserver: self)
    }

    func stop(_ database: Database) { database.remove(transactionObserver: self) }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) {
        let total = database.totalChangesCount
        state.withLock { state in
            state.largest = max(state.largest, total - state.current)
            state.current = total
        }
    }
    func databaseDidRollback(_ database: Database) {}
}
