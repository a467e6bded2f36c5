import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Feeds of Cosm", .timeLimit(.minutes(5)))
struct FeedTests {
    private static let shed =
        #"{"title":"Shed","tags":["Wood","garden"],"location":{"domain":"physical","lat":"51.2","lon":-0.4,"ele":80},"#
        + #""datastreams":[{"id":"temp","current_value":20.50,"max_value":"31","unit":{"label":"Celsius"}}]}"#

    @Test("a feed is created with 201 and its address, and read with all its members")
    func creation() async throws {
        let clock = HandClock("2013-02-01T09:00:02.412Z")
        try await withCosm {
            $0.clock = clock.clock
            $0.firstFeedID = 91
            $0.owner = "ann"
        } _: { peer in
            let created = try await peer.post("/feeds", Self.shed)
            #expect(created.status == 201)
            #expect(created["location"] == "\(peer.base)/feeds/91")
            #expect(created.body.isEmpty)
            let read = try await peer.get("/feeds/91")
            #expect(read["content-type"] == "application/json; charset=utf-8")
            let expected = try TestJSON(
                parsing: """
                    {"id":91,"title":"Shed","private":"false","version":"1.0.0","status":"live",
                    "feed":"\(peer.base)/feeds/91.json","creator":"http://127.0.0.1:\(peer.port)/users/ann",
                    "created":"2013-02-01T09:00:02.412000Z","updated":"2013-02-01T09:00:02.412000Z",
                    "tags":["garden","Wood"],"location":{"domain":"physical","lat":51.2,"lon":-0.4,"ele":"80"},
                    "datastreams":[{"id":"temp","current_value":"20.5","at":"2013-02-01T09:00:02.412000Z",
                    "max_value":"31.0","min_value":"20.5","unit":{"label":"Celsius"}}]}
                    """
            )
            #expect(read.document == expected)
        }
    }

    @Test("a change of a feed keeps the members that it does not name, adds streams, and sets the time of the update")
    func change() async throws {
        let clock = HandClock("2013-02-01T09:00:02.412Z")
        try await withCosm {
            $0.clock = clock.clock
        } _: { peer in
            let id = try await peer.createFeed(Self.shed)
            clock.advance(seconds: 60)
            let changed = try await peer.put(
                "/feeds/\(id)",
                #"{"description":"new","tags":"","datastreams":[{"id":"hum"}]}"#
            )
            #expect(changed.status == 200)
            #expect(changed.body.isEmpty)
            let document = try await peer.document("/feeds/\(id)")
            #expect(document["title"] == "Shed")
            #expect(document["description"] == "new")
            #expect(document["tags"] == nil)
            #expect(document["updated"] == "2013-02-01T09:01:02.412000Z")
            #expect(document["created"] == "2013-02-01T09:00:02.412000Z")
            #expect(document["datastreams"]?.arrayValue?.map { $0["id"] } == ["temp", "hum"])
            #expect(document["datastreams"]?[1] == ["id": "hum"])
        }
    }

    @Test("a deleted feed is 404, and its id is not used again")
    func deletion() async throws {
        try await withCosm {
            $0.firstFeedID = 91
        } _: { peer in
            try await peer.createFeed()
            #expect(try await peer.delete("/feeds/91").status == 200)
            #expect(try await peer.get("/feeds/91").status == 404)
            #expect(try await peer.delete("/feeds/91").status == 404)
            #expect(try await peer.createFeed() == 92)
        }
    }

    @Test("an empty text clears a feed's member, and null, absence and an empty location change nothing")
    func clearing() async throws {
        try await withCosm { peer in
            let id = try await peer.createFeed(
                #"{"title":"T","description":"d","website":"w","private":true,"location":{"name":"n","lat":1,"lon":2}}"#
            )
            let body = #"{"description":"","website":null,"location":{},"status":"x","id":7,"created":"then","user":5}"#
            #expect(try await peer.put("/feeds/\(id)", body).status == 200)
            var document = try await peer.document("/feeds/\(id)")
            #expect(document["description"] == nil)
            #expect(document["website"] == "w")
            #expect(document["private"] == "true")
            #expect(document["location"] == ["name": "n", "lat": 1.0, "lon": 2.0])
            #expect(document["id"] == .count(id))
            #expect(try await peer.put("/feeds/\(id)", #"{"private":"False","location":{"lat":""}}"#).status == 200)
            document = try await peer.document("/feeds/\(id)")
            #expect(document["private"] == "false")
            #expect(document["location"] == ["name": "n", "lon": 2.0])
        }
    }

    @Test("a write of a feed is applied as a whole or not at all")
    func atomic() async throws {
        try await withCosm { peer in
            let id = try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"a","current_value":"1"}]}"#)
            let before = try await peer.document("/feeds/\(id)")
            for body in [
                #"{"title":"U","datastreams":[{"id":"a","current_value":"2"},{"id":"a"}]}"#,
                #"{"title":"U","datastreams":[{"id":"a","current_value":"2"},{"id":"red hat"}]}"#,
                #"{"title":"U","datastreams":[{"id":"b","current_value":"2","at":"soon"}]}"#,
            ] {
                #expect(try await peer.put("/feeds/\(id)", body).status >= 400)
                #expect(try await peer.document("/feeds/\(id)") == before)
            }
            try await withCosm {
                $0.maxima.datastreams = 2
            } _: { small in
                let id = try await small.createFeed()
                let before = try await small.document("/feeds/\(id)")
                let refused = try await small.put(
                    "/feeds/\(id)",
                    #"{"datastreams":[{"id":"a"},{"id":"b"},{"id":"c"}]}"#
                )
                #expect(refused.status == 403)
                #expect(refused.errors == ["No more datastreams can be stored"])
                #expect(try await small.document("/feeds/\(id)") == before)
            }
        }
    }

    @Test("a feed is frozen fifteen minutes after its last write, and live again after the next")
    func status() async throws {
        let clock = HandClock("2013-02-01T09:00:00Z")
        try await withCosm {
            $0.clock = clock.clock
        } _: { peer in
            let id = try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"a"}]}"#)
            clock.advance(seconds: 900)
            #expect(try await peer.document("/feeds/\(id)")["status"] == "live")
            clock.advance(seconds: 1)
            #expect(try await peer.document("/feeds/\(id)")["status"] == "frozen")
            #expect(try await peer.document("/feeds?status=frozen")["totalResults"] == 1)
            #expect(try await peer.document("/feeds?status=live")["totalResults"] == 0)
            let body = #"{"datapoints":[{"at":"2001-01-01T00:00:00Z","value":"1"}]}"#
            #expect(try await peer.post("/feeds/\(id)/datastreams/a/datapoints", body).status == 200)
            #expect(try await peer.document("/feeds/\(id)")["status"] == "live")
            #expect(try await peer.document("/feeds?status=live")["totalResults"] == 1)
        }
    }

    @Test("a mobile feed has its locations of the last day, or of the history")
    func waypoints() async throws {
        let clock = HandClock("2013-02-01T00:00:00Z")
        try await withCosm {
            $0.clock = clock.clock
            $0.maxima.waypoints = 3
        } _: { peer in
            let id = try await peer.createFeed(
                #"{"title":"T","location":{"disposition":"mobile","lat":1,"lon":1},"datastreams":[{"id":"a"}]}"#
            )
            for hour in 1...4 {
                clock.advance(seconds: 10 * 3600)
                let body = #"{"location":{"lat":\#(hour + 1).5,"lon":2,"ele":"9"}}"#
                #expect(try await peer.put("/feeds/\(id)", body).status == 200)
            }
            #expect(try await peer.put("/feeds/\(id)", #"{"location":{"name":"here"}}"#).status == 200)
            let day = try await peer.document("/feeds/\(id)")["location", "waypoints"]?.arrayValue
            #expect(day?.map { $0["lat"]?.doubleValue } == [3.5, 4.5, 5.5])
            #expect(day?.last == ["at": "2013-02-02T16:00:00.000000Z", "lat": 5.5, "lon": 2.0, "ele": "9"])
            let hours = try await peer.document("/feeds/\(id)?duration=12hours")["location", "waypoints"]?.arrayValue
            #expect(hours?.count == 2)
        }
    }

    @Test("a feed is read with the requested streams only, and with its user on request")
    func readParameters() async throws {
        try await withCosm {
            $0.owner = "ann"
        } _: { peer in
            let id = try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"a"},{"id":"b"},{"id":"c"}]}"#)
            let some = try await peer.document("/feeds/\(id)?datastreams=c,a,zzz")
            #expect(some["datastreams"]?.arrayValue?.map { $0["id"] } == ["a", "c"])
            #expect(some["user"] == nil)
            #expect(try await peer.document("/feeds/\(id)?show_user=True")["user"] == ["login": "ann"])
            let shifted = try await peer.document("/feeds/\(id)?timezone=+3.5")
            #expect(shifted["updated"]?.stringValue?.hasSuffix("+03:30") == true)
        }
    }

    @Test("a feed that is read and written back in any format is unchanged", arguments: ["json", "xml"])
    func formats(_ suffix: String) async throws {
        try await withCosm { peer in
            try await peer.createFeed(
                #"{"title":"<Shed> & \"co\"","description":"d","website":"http://w/","email":"e@example.com","icon":"http://i/","#
                    + #""tags":["b","A"],"private":true,"location":{"name":"n","domain":"physical","exposure":"outdoor","#
                    + #""disposition":"fixed","lat":51.25,"lon":-0.5,"ele":"80"},"datastreams":[{"id":"üö","current_value":"<20>","#
                    + #""at":"2013-01-01T00:00:00.5Z","tags":["t"],"min_value":1,"max_value":2.5,"#
                    + #""unit":{"label":"Celsius","symbol":"C","type":"derivedSI"}},{"id":"empty"}]}"#
            )
            let text = try await peer.get("/feeds/1.\(suffix)").text
            let created = try await peer.post("/feeds.\(suffix)", text)
            #expect(created.status == 201)
            let (first, second) = (try await peer.document("/feeds/1"), try await peer.document("/feeds/2"))
            for name in [
                "title", "description", "website", "email", "icon", "tags", "private", "location", "datastreams",
            ] {
                #expect(second[name] != nil, "\(name)")
                #expect(first[name] == second[name], "\(name)")
            }
        }
    }

    @Test("JSONP calls a function with the document, and refuses an invalid name")
    func padded() async throws {
        try await withCosm { peer in
            let id = try await peer.createFeed()
            let padded = try await peer.get("/feeds/\(id).json?callback=jQuery.fn_1&_=123")
            #expect(padded.text.hasPrefix("jQuery.fn_1({") && padded.text.hasSuffix("});"))
            #expect(padded["content-type"] == "text/javascript; charset=utf-8")
            #expect(try await peer.get("/feeds/\(id)?callback=alert(1)").status == 400)
        }
    }
}

@Suite("Lists of Cosm's feeds", .timeLimit(.minutes(5)))
struct FeedListTests {
    private func ids(_ document: TestJSON) -> [Int] {
        document["results"]?.arrayValue?.compactMap { $0["id"]?.intValue } ?? []
    }

    @Test("a list of feeds is in pages, the last written first")
    func pages() async throws {
        let clock = HandClock("2013-02-01T00:00:00Z")
        try await withCosm {
            $0.clock = clock.clock
        } _: { peer in
            for number in 1...12 {
                try await peer.createFeed(#"{"title":"F\#(number)","datastreams":[{"id":"a"}]}"#)
                clock.advance(seconds: 1)
            }
            let first = try await peer.document("/feeds/?per_page=9")
            #expect(ids(first) == [12, 11, 10, 9, 8, 7, 6, 5, 4])
            #expect([first["totalResults"], first["startIndex"], first["itemsPerPage"]] == [12, 0, 9])
            let second = try await peer.document("/feeds?per_page=9&page=2")
            #expect(ids(second) == [3, 2, 1])
            #expect(second["startIndex"] == 9)
            #expect(ids(try await peer.document("/feeds?page=5")).isEmpty)
            #expect(try await peer.put("/feeds/3", #"{"title":"again"}"#).status == 200)
            #expect(ids(try await peer.document("/feeds?per_page=2")) == [3, 12])
            #expect(ids(try await peer.document("/feeds?per_page=2&order=created_at")) == [12, 11])
            let summary = try await peer.document("/feeds?per_page=1&content=summary&show_user=1")
            #expect(summary["results", 0, "datastreams"] == nil)
            #expect(summary["results", 0, "user"] == ["login": "helium"])
            #expect(summary["results", 0, "title"] == "again")
        }
    }

    @Test("a search for feeds returns the nearest or best match first")
    func search() async throws {
        try await withCosm { peer in
            for (title, latitude, tag) in [("Far oak", "10", "wood"), ("Near", "1", "Oak"), ("Middle", "5", "stone")] {
                try await peer.createFeed(
                    #"{"title":"\#(title)","location":{"lat":\#(latitude),"lon":0},"datastreams":"#
                        + #"[{"id":"a","tags":["\#(tag)"],"unit":{"symbol":"C"}}]}"#
                )
            }
            try await peer.createFeed(#"{"title":"Nowhere"}"#)
            #expect(ids(try await peer.document("/feeds?lat=0&lon=0")) == [2, 3, 1])
            #expect(ids(try await peer.document("/feeds?lat=0&lon=0&distance=600")) == [2, 3])
            #expect(ids(try await peer.document("/feeds?lat=0&lon=0&distance=100&distance_units=miles")) == [2])
            #expect(ids(try await peer.document("/feeds?q=oak")) == [1, 2])
            #expect(ids(try await peer.document("/feeds?tag=OAK")) == [2])
            #expect(ids(try await peer.document("/feeds?units=c&per_page=2")).count == 2)
            #expect(ids(try await peer.document("/feeds?user=helium")).count == 4)
            #expect(ids(try await peer.document("/feeds?user=nobody")).isEmpty)
            #expect(try await peer.get("/feeds?lat=0").status == 400)
        }
    }

    @Test("a search for feeds that reads too many bytes is 400")
    func searchLimit() async throws {
        try await withCosm {
            // Two feeds with 64 bytes each, and ten for each word.
            $0.maxima.searchedBytes = 150
        } _: { peer in
            for _ in 0..<2 { try await peer.createFeed(#"{"title":"ten bytes "}"#) }
            #expect(try await peer.get("/feeds?q=ten").status == 200)
            #expect(try await peer.get("/feeds?q=ten+bytes").status == 400)
        }
    }

    @Test("a list of feeds has only those that the key reads")
    func visibility() async throws {
        try await withCosm { peer in
            try await peer.createFeed(#"{"title":"open"}"#)
            try await peer.createFeed(#"{"title":"closed","private":"true"}"#)
            #expect(ids(try await peer.document("/feeds")).sorted() == [1, 2])
            let reader = try await peer.createKey(#"{"key":{"label":"r","permissions":[{"access_methods":["get"]}]}}"#)
            let reading = CosmPeer(peer.running, key: reader)
            #expect(ids(try await reading.document("/feeds")) == [1])
            #expect(try await reading.get("/feeds/2").status == 404)
            let one = try await peer.createKey(
                #"{"key":{"label":"1","private_access":true,"permissions":[{"access_methods":["GET"],"resources":[{"feed_id":"2"}]}]}}"#
            )
            let restricted = CosmPeer(peer.running, key: one)
            #expect(ids(try await restricted.document("/feeds")) == [2])
            #expect(try await restricted.get("/feeds/2").status == 200)
            #expect(try await restricted.get("/feeds/1").status == 403)
        }
    }
}
