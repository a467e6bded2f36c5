import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Keys of Cosm with a limited resolution of history", .timeLimit(.minutes(5)))
struct HistoryLimitTests {
    /// Runs `body` with a datastream that has a point in each minute from 10:00 to 11:00 at 30 seconds, and with a key
    /// that may read a value for each quarter of an hour. A point's value is its minute.
    private func withLimitedKey(_ body: (_ limited: CosmPeer, _ master: CosmPeer) async throws -> Void) async throws {
        let clock = HandClock("2013-02-01T12:00:00Z")
        try await withCosm {
            $0.clock = clock.clock
        } _: { peer async throws in
            try await peer.createFeed(
                #"{"title":"T","location":{"disposition":"mobile"},"datastreams":[{"id":"a"}]}"#
            )
            let rows = (0..<60).map { "2013-02-01T10:\($0 < 10 ? "0" : "")\($0):30Z,\($0)" }
            #expect(
                try await peer.post("/feeds/1/datastreams/a/datapoints.csv", rows.joined(separator: "\n")).status == 200
            )
            let key = try await peer.createKey(
                #"{"key":{"label":"k","permissions":[{"access_methods":["get"],"minimum_interval":900}]}}"#
            )
            try await body(CosmPeer(peer.running, key: key), peer)
        }
    }

    @Test(
        "the value at a time is that of the last instant of the grid",
        arguments: [
            ("10:15:00", "14"), ("10:16:00", "14"), ("10:29:59", "14"), ("10:30:00", "29"), ("11:59:00", "59"),
        ]
    )
    func asOf(_ time: String, _ value: String) async throws {
        try await withLimitedKey { limited, master async throws in
            for path in ["/feeds/1/datastreams/a", "/feeds/1", "/feeds/1/datastreams"] {
                let document = try await limited.document("\(path)?time=2013-02-01T\(time)Z")
                let stream = path.hasSuffix("/a") ? document : document["datastreams", 0]
                #expect(stream?["current_value"]?.stringValue == value, "\(path)")
            }
            #expect(
                try await master.document("/feeds/1/datastreams/a?time=2013-02-01T10:16:45Z")["current_value"] == "16"
            )
        }
    }

    @Test("the point before the start is one that samples show")
    func previous() async throws {
        try await withLimitedKey { limited, master async throws in
            func first(_ peer: CosmPeer, _ start: String) async throws -> String? {
                let path = "/feeds/1/datastreams/a?find_previous=true&duration=1hour&start=2013-02-01T\(start)Z"
                return try await peer.document(path)["datapoints", 0, "value"]?.stringValue
            }
            for start in ["10:16:00", "10:20:00", "10:29:59"] { #expect(try await first(limited, start) == "14") }
            #expect(try await first(limited, "10:31:00") == "29")
            #expect(try await first(master, "10:20:00") == "19")
        }
    }

    @Test("a single point is read if samples show it, and is 404 if they do not")
    func singlePoints() async throws {
        try await withLimitedKey { limited, master async throws in
            for minute in ["00", "13", "15", "20", "28", "58"] {
                let path = "/feeds/1/datastreams/a/datapoints/2013-02-01T10:\(minute):30Z"
                #expect(try await limited.get(path).status == 404, "\(minute)")
                #expect(try await master.get(path).status == 200, "\(minute)")
            }
            for minute in ["14", "29", "44", "59"] {
                let path = "/feeds/1/datastreams/a/datapoints/2013-02-01T10:\(minute):30Z"
                #expect(try await limited.document(path)["value"]?.stringValue == minute)
            }
        }
    }

    @Test("averages are of whole intervals, so that windows with moving ends do not show single points")
    func averages() async throws {
        try await withLimitedKey { limited, master async throws in
            func values(_ peer: CosmPeer, _ window: String) async throws -> [String] {
                let path = "/feeds/1/datastreams/a?function=average&interval=900&\(window)"
                return try await peer.document(path)["datapoints"]?.arrayValue?.compactMap { $0["value"]?.stringValue }
                    ?? []
            }
            let moving = "start=2013-02-01T10:14:00Z&end=2013-02-01T10:31:00Z"
            #expect(try await values(limited, moving) == ["7.0", "22.0"])
            #expect(try await values(master, moving) == ["14.0", "22.0", "30.0"])
            #expect(try await values(limited, "start=2013-02-01T10:16:00Z&end=2013-02-01T10:17:00Z").isEmpty)
        }
    }

    @Test("the waypoints of a mobile feed are sampled too, in reads and in pushes")
    func waypoints() throws {
        let waypoints = (0..<60).map { minute in
            Waypoint(
                at: ServerInstant(microseconds: Int64(minute) * 60_000_000 + 30_000_000),
                latitude: Double(minute),
                longitude: 0,
                elevation: nil
            )
        }
        let end = ServerInstant(microseconds: 50 * 60_000_000)
        #expect(HistoryLimit(900).sampled(waypoints, through: end).map(\.latitude) == [14, 29, 44])
        #expect(HistoryLimit(0).sampled(waypoints, through: end).count == 60)
    }
}
