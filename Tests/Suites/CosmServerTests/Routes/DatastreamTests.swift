import HeliumServer
import ServerSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Datastreams and datapoints of Cosm", .timeLimit(.minutes(5)))
struct DatastreamTests {
    @Test("streams are created in a list or as a bare object, and not with an id that the feed has")
    func creation() async throws {
        try await withCosm { peer in
            let feed = try await peer.createFeed()
            let root = "/feeds/\(feed)/datastreams"
            let created = try await peer.post(root, #"{"version":"1.0.0","datastreams":[{"id":"a+b"},{"id":"ü"}]}"#)
            #expect(created.status == 201)
            #expect(created["location"] == "\(peer.base)/feeds/\(feed)/datastreams/a+b")
            let bare = try await peer.post(root, #"{"id":7,"current_value":"x"}"#)
            #expect(bare.status == 201)
            #expect(bare.location == "7")
            let taken = try await peer.post(root, #"{"datastreams":[{"id":"c"},{"id":"7"}]}"#)
            #expect(taken.status == 422)
            #expect(taken.errors == ["Stream has already been taken: 7"])
            #expect(try await peer.get("\(root)/c").status == 404)
            #expect(try await peer.document(root)["datastreams"]?.arrayValue?.map { $0["id"] } == ["a+b", "ü", "7"])
            #expect(try await peer.get("\(root)/%C3%BC").status == 200)
        }
    }

    @Test("a change of a stream sets tags and unit, and does not change its id")
    func change() async throws {
        let clock = HandClock("2013-02-01T00:00:00Z")
        try await withCosm {
            $0.clock = clock.clock
        } _: { peer in
            let feed = try await peer.createFeed()
            let root = "/feeds/\(feed)/datastreams"
            _ = try await peer.post(root, #"{"id":7,"current_value":"x"}"#)
            #expect(
                try await peer.put("\(root)/7", #"{"id":"other","tags":["t"],"unit":{"symbol":"C"}}"#).status == 200
            )
            #expect(
                try await peer.document("\(root)/7") == [
                    "id": "7", "current_value": "x", "at": "2013-02-01T00:00:00.000000Z", "tags": ["t"],
                    "unit": ["symbol": "C"], "version": "1.0.0",
                ]
            )
            #expect(try await peer.put("\(root)/none", #"{"current_value":"1"}"#).status == 404)
        }
    }

    @Test("a stream with the id of a deleted one has none of its points")
    func deletion() async throws {
        try await withCosm { peer in
            let feed = try await peer.createFeed()
            let root = "/feeds/\(feed)/datastreams"
            _ = try await peer.post(root, #"{"id":7,"current_value":"x"}"#)
            #expect(try await peer.delete("\(root)/7").status == 200)
            #expect(try await peer.get("\(root)/7").status == 404)
            #expect(try await peer.post(root, #"{"id":"7"}"#).status == 201)
            #expect(try await peer.document("\(root)/7?limit=10") == ["id": "7", "version": "1.0.0"])
        }
    }

    @Test("the newest point of a batch becomes the current value, and older ones only enter the history")
    func batch() async throws {
        let clock = HandClock("2013-02-01T00:00:00Z")
        try await withCosm {
            $0.clock = clock.clock
        } _: { peer in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"a"}]}"#)
            let root = "/feeds/1/datastreams/a"
            let stored = try await peer.post(
                root + "/datapoints",
                #"{"datapoints":[{"at":"2013-01-01T00:00:02Z","value":"0000017"},{"at":"2013-01-01T00:00:01-06","value":3},"#
                    + #"{"at":"2013-01-01T00:00:02.000000+00:00","value":"herz"}]}"#
            )
            #expect(stored.status == 200)
            #expect(stored["location"] == nil)
            var stream = try await peer.document(root + "?start=2013-01-01T00:00:00Z")
            #expect(stream["current_value"] == "3")
            #expect(stream["at"] == "2013-01-01T06:00:01.000000Z")
            #expect(
                stream["datapoints"] == [
                    ["value": "herz", "at": "2013-01-01T00:00:02.000000Z"],
                    ["value": "3", "at": "2013-01-01T06:00:01.000000Z"],
                ]
            )
            let old = #"{"datapoints":[{"at":"2012-01-01T00:00:00Z","value":"-9"}]}"#
            #expect(try await peer.post(root + "/datapoints", old).status == 200)
            stream = try await peer.document(root)
            #expect(stream["current_value"] == "3")
            #expect([stream["min_value"], stream["max_value"]] == ["-9.0", "3.0"])
            #expect(try await peer.post(root + "/datapoints", #"{"datapoints":[]}"#).status == 200)
            #expect(try await peer.post("/feeds/1/datastreams/none/datapoints", #"{"datapoints":[]}"#).status == 404)
        }
    }

    @Test("500 points in a batch are stored, 501 are refused, and an invalid batch stores none")
    func limits() async throws {
        try await withCosm {
            $0.maxima.datapoints = 600
        } _: { peer in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"a"}]}"#)
            let path = "/feeds/1/datastreams/a/datapoints"
            func batch(_ count: Int, from first: Int = 0, extra: String = "") -> String {
                let points = (first..<(first + count)).map {
                    #"{"at":"\#(stamp("2013-01-01T00:00:00Z").adding(seconds: Int64($0)).text())","value":"\#($0)"}"#
                }
                return #"{"datapoints":[\#(points.joined(separator: ","))\#(extra)]}"#
            }
            let tooMany = try await peer.post(path, batch(501))
            #expect(tooMany.status == 400)
            for extra in [
                #",{"at":"never","value":"1"}"#, #",{"value":"1"}"#, #",{"at":"2013-01-01T00:00:00Z"}"#, ",7",
            ] {
                let refused = try await peer.post(path, batch(3, extra: extra))
                #expect(refused.status == 400)
                #expect(refused.document?["title"] == "JSON Parser Error")
            }
            #expect(try await peer.post(path, batch(2, extra: #",{"value":"1"}"#)).errors == ["Invalid timestamp"])
            #expect(try await peer.get(path + "/2013-01-01T00:00:00Z").status == 404)
            #expect(try await peer.post(path, batch(500)).status == 200)
            #expect(
                try await peer.document("/feeds/1/datastreams/a?limit=1000")["datapoints"]?.arrayValue?.count == 500
            )
            // Overwriting adds none.
            #expect(try await peer.post(path, batch(500)).status == 200)
            let full = try await peer.post(path, batch(101, from: 500))
            #expect(full.status == 403)
            #expect(try await peer.post(path, batch(100, from: 500)).status == 200)
        }
    }

    @Test("a point is read, changed and deleted by its instant, in any spelling of it")
    func single() async throws {
        try await withCosm { peer in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"a"}]}"#)
            let path = "/feeds/1/datastreams/a/datapoints"
            let body = #"{"datapoints":[{"at":"2010-05-20T11:01:46.000000Z","value":"294"}]}"#
            #expect(try await peer.post(path, body).status == 200)
            for spelling in [
                "2010-05-20T11:01:46Z", "2010-05-20T11:01:46.000000Z", "2010-05-20T12:01:46+01:00",
                "2010-05-20T11:01:46.000000Z.json", "2010-05-20T11%3A01%3A46Z",
            ] {
                #expect(
                    try await peer.document("\(path)/\(spelling)") == [
                        "value": "294", "at": "2010-05-20T11:01:46.000000Z",
                    ]
                )
            }
            #expect(try await peer.put(path + "/2010-05-20T11:01:46Z", #"{"value":297}"#).status == 200)
            #expect(try await peer.document(path + "/2010-05-20T11:01:46Z")["value"] == "297")
            // It is the current value's own point.
            #expect(try await peer.document("/feeds/1/datastreams/a")["current_value"] == "297")
            #expect(try await peer.put(path + "/2010-05-20T11:01:47Z", #"{"value":"1"}"#).status == 404)
            #expect(try await peer.get(path + "/yesterday").status == 400)
            #expect(try await peer.delete(path + "/2010-05-20T11:01:46Z").status == 200)
            #expect(try await peer.delete(path + "/2010-05-20T11:01:46Z").status == 404)
            #expect(try await peer.document("/feeds/1/datastreams/a")["current_value"] == "297")
        }
    }

    @Test(
        "a range of points is deleted with both its ends",
        arguments: [
            ("start=2013-01-01T00:00:03Z", "12"), ("end=2013-01-01T00:00:03Z", "45"),
            ("start=2013-01-01T00:00:02Z&end=2013-01-01T00:00:04Z", "15"),
            ("start=2013-01-01T00:00:02Z&duration=1second", "145"), ("end=2013-01-01T00:00:02Z&duration=1", "345"),
        ]
    )
    func ranges(_ query: String, _ left: String) async throws {
        try await withCosm { peer in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"a"}]}"#)
            let points = (1...5).map { #"{"at":"2013-01-01T00:00:0\#($0)Z","value":"\#($0)"}"# }
            let path = "/feeds/1/datastreams/a/datapoints"
            #expect(try await peer.post(path, #"{"datapoints":[\#(points.joined(separator: ","))]}"#).status == 200)
            #expect(try await peer.delete(path + "?" + query).status == 200)
            let kept = try await peer.document("/feeds/1/datastreams/a?limit=10")["datapoints"]?.arrayValue ?? []
            #expect(kept.compactMap { $0["value"]?.stringValue }.joined() == left)
            #expect(try await peer.delete(path).status == 400)
        }
    }
}

@Suite("History of Cosm over HTTP", .timeLimit(.minutes(5)))
struct HistoryTests {
    private func withPoints(_ body: (CosmPeer) async throws -> Void) async throws {
        let clock = HandClock("2013-01-10T15:00:00Z")
        try await withCosm {
            $0.clock = clock.clock
        } _: { peer in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"a"},{"id":"none"}]}"#)
            let points = (0..<120).map { minute in
                let at = stamp("2013-01-10T13:00:55Z").adding(seconds: Int64(minute) * 60)
                return #"{"at":"\#(at.text())","value":"\#(minute)"}"#
            }
            let path = "/feeds/1/datastreams/a/datapoints"
            #expect(try await peer.post(path, #"{"datapoints":[\#(points.joined(separator: ","))]}"#).status == 200)
            try await body(peer)
        }
    }

    private func values(_ stream: TestJSON?) -> [String] {
        stream?["datapoints"]?.arrayValue?.compactMap { $0["value"]?.stringValue } ?? []
    }

    @Test(
        "a history has the points of its window, limited or sampled",
        arguments: [
            ("start=2013-01-10T14:00:00Z&end=2013-01-10T15:00:00Z&interval=900", "74,89,104,119"),
            ("limit=3", "117,118,119"), ("limit=3&page=2", "114,115,116"),
            ("start=2013-01-10T13:00:00Z&limit=3", "0,1,2"), ("start=2013-01-10T13:00:00Z&limit=3&page=2", "3,4,5"),
            ("start=2013-01-10T13:10:00Z&duration=2minutes", "10,11"),
            ("start=2013-01-10T13:10:00Z&duration=2minutes&find_previous=True", "9,10,11"),
            ("start=2013-01-10T13:10:00Z&duration=2minutes&find_previous=1&limit=2", "9,10"),
            ("start=2013-01-10T13:10:00Z&duration=2minutes&find_previous=1&limit=2&page=2", "11"),
            ("start=2013-01-10T13:00:00Z&duration=1hour&interval=1800&function=average", "14.5,44.5"),
            ("start=2013-01-10T14:00:00Z&duration=1hour&interval=1800&interval_type=discrete", "59,89,119"),
            ("start=2020-01-01T00:00:00Z", ""),
        ]
    )
    func windows(_ query: String, _ expected: String) async throws {
        try await withPoints { peer in
            let stream = try await peer.document("/feeds/1/datastreams/a?\(query)")
            #expect(values(stream).joined(separator: ",") == expected)
            let feed = try await peer.document("/feeds/1?\(query)")
            #expect(values(feed["datastreams", 0]).joined(separator: ",") == expected)
            // The current value stays the present one, and a stream without points has no such member.
            #expect(feed["datastreams", 0, "current_value"] == "119")
            #expect(feed["datastreams", 1] == ["id": "none"])
            #expect(stream["datapoints_function"] == (query.contains("average") ? "average" : nil))
        }
    }

    @Test("paging by the last timestamp reads the whole window, with the point at the border twice")
    func paging() async throws {
        try await withPoints { peer in
            var start = "2013-01-10T13:00:00Z"
            var seen: [String] = []
            while true {
                let stream = try await peer.document(
                    "/feeds/1/datastreams/a?start=\(start)&end=2013-01-10T15:00:00Z&interval=0&limit=50"
                )
                let page = values(stream)
                seen += seen.last == page.first ? Array(page.dropFirst()) : page
                if page.count < 50 { break }
                start = try #require(stream["datapoints"]?.arrayValue?.last?["at"]?.stringValue)
            }
            #expect(seen == (0..<120).map { String($0) })
        }
    }

    @Test("a feed as of an instant has the values of that time, and no stream without one")
    func asOf() async throws {
        try await withPoints { peer in
            let feed = try await peer.document("/feeds/1?time=2013-01-10T13:30:00Z")
            #expect(feed["datastreams"]?.arrayValue?.count == 1)
            #expect(feed["datastreams", 0, "current_value"] == "29")
            #expect(feed["datastreams", 0, "at"] == "2013-01-10T13:29:55.000000Z")
            #expect(try await peer.get("/feeds/1/datastreams/a?time=2001-01-01T00:00:00Z").status == 404)
            #expect(try await peer.get("/feeds/1?time=then").status == 400)
        }
    }

    @Test("invalid history parameters are 400 for feeds and streams, and all formats have the points")
    func formats() async throws {
        try await withPoints { peer in
            for path in ["/feeds/1", "/feeds/1/datastreams/a"] {
                #expect(try await peer.get("\(path)?duration=7hours&interval=0").status == 400)
            }
            let query = "?start=2013-01-10T13:10:00Z&duration=2minutes"
            #expect(
                try await peer.get("/feeds/1.csv\(query)").text
                    == "a,2013-01-10T13:10:55.000000Z,10\na,2013-01-10T13:11:55.000000Z,11"
            )
            #expect(
                try await peer.get("/feeds/1/datastreams/a.csv\(query)").text
                    == "2013-01-10T13:10:55.000000Z,10\n2013-01-10T13:11:55.000000Z,11"
            )
            let xml = try XMLNode.parse(try await peer.get("/feeds/1/datastreams/a.xml\(query)&function=average").body)
            let points = xml.child("environment")?.child("data")?.child("datapoints")
            #expect(points?.attributes == ["function": "average"])
            #expect(points?.children.map(\.text) == ["10", "11"])
            #expect(try await peer.get("/feeds/1/datastreams/a.png\(query)").status == 406)
        }
    }

    @Test("the minimum interval of a key makes the history that it reads coarser")
    func minimumInterval() async throws {
        try await withPoints { peer in
            let key = try await peer.createKey(
                #"{"key":{"label":"slow","permissions":[{"access_methods":["get"],"minimum_interval":900}]}}"#
            )
            let stream = try await CosmPeer(peer.running, key: key)
                .document("/feeds/1/datastreams/a?start=2013-01-10T13:00:00Z&duration=1hour")
            #expect(values(stream) == ["14", "29", "44", "59"])
        }
    }
}
