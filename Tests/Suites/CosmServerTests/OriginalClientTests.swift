import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

/// Tests of each original client, as far as its requests: those that it sends, and the responses that it needs
/// (Docs/Protocols/Cosm.md §18).
@Suite("Requests of the original clients of Cosm", .timeLimit(.minutes(5)))
struct OriginalClientTests {
    /// Sends a request as LibCOSM does.
    private static func sendLibCOSM(
        _ peer: CosmPeer,
        _ method: String,
        _ path: String,
        _ body: String? = nil
    ) async throws -> RawAnswer {
        let fields = [("Accept", "application/json"), ("User-Agent", "Cosm-ObjectiveC-Lib/1.0")]
        let typed = body == nil ? fields : fields + [("Content-Type", "application/json")]
        return try await peer.send(method, path, body, fields: typed, hasKey: false)
    }

    @Test("LibCOSM's requests for feeds are accepted: the key in the query, and a slash before the query")
    func libCOSMFeeds() async throws {
        try await withCosm { peer in
            let key = "key=\(peer.key)"
            #expect(try await Self.sendLibCOSM(peer, "GET", "/feeds/?").status == 401)
            let new = #"{"title":"Shed","datastreams":[]}"#
            let created = try await Self.sendLibCOSM(peer, "POST", "/feeds/?\(key)", new)
            #expect(created.status == 201)
            #expect(created["location"]?.firstMatch(of: /feeds\/(\d+)/)?.output.1 == "1")
            let list = try await Self.sendLibCOSM(peer, "GET", "/feeds/?per_page=9&\(key)&")
            #expect(list["content-type"]?.hasPrefix("application/json") == true)
            #expect(list.document?["results"]?.arrayValue?.count == 1)
            let feed = #"{"title":"New","id":"1","datastreams":[]}"#
            #expect(try await Self.sendLibCOSM(peer, "PUT", "/feeds/1/?\(key)", feed).status == 200)
            #expect(try await Self.sendLibCOSM(peer, "DELETE", "/feeds/1/?\(key)").status == 200)
        }
    }

    @Test("LibCOSM's requests for datapoints are accepted: streams by PUT of a feed, an empty batch, values as text")
    func libCOSMDatapoints() async throws {
        try await withCosm { peer in
            let key = "key=\(peer.key)"
            func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> RawAnswer {
                try await Self.sendLibCOSM(peer, method, path, body)
            }
            try await peer.createFeed()
            let stream = #"{"datastreams":[{"id":"test","unit":{},"current_value":null}]}"#
            #expect(try await send("PUT", "/feeds/1/?\(key)", stream).status == 200)
            let path = "/feeds/1/datastreams/test"
            #expect(
                try await send("PUT", "\(path)/?\(key)", #"{"id":"test","tags":["a","b"],"unit":{}}"#).status == 200
            )
            #expect(try await send("POST", "\(path)/datapoints/?\(key)", #"{"datapoints":[]}"#).status == 200)
            let point = #"{"datapoints":[{"at":"2010-05-20T11:01:46.000000Z","value":"1"}]}"#
            #expect(try await send("POST", "\(path)/datapoints/?\(key)", point).status == 200)
            let again = point.replacing("\"1\"", with: "2")
            #expect(try await send("POST", "\(path)/datapoints/?\(key)", again).status == 200)
            let read = try await send("GET", "\(path)/datapoints/2010-05-20T11:01:46.000000Z?\(key)&")
            #expect(read.document?["value"] == .string("2"))
            #expect(try await send("DELETE", "\(path)/datapoints/2010-05-20T11:01:46.000000Z/?\(key)").status == 200)
            let missing = try await send("POST", "\(path)/datapoints/?\(key)", #"{"datapoints":[{"value":"1"}]}"#)
            #expect(missing.status == 400)
            #expect(missing.document?["errors"] == "Invalid timestamp")
        }
    }

    @Test("LibCOSM's subscription gets its numeric token back")
    func libCOSMSocket() async throws {
        try await withCosm { peer in
            try await peer.createFeed()
            let socket = try await WebSocketClient(peer.running)
            let reply = try await socket.ask("subscribe", "/feeds/1", key: peer.key, token: "1804289383")
            #expect(reply["token"] == "1804289383")
            #expect(reply["status"] == 200)
        }
    }

    /// The members that xively-python's constructors take.
    private static let pythonFeed: Set = [
        "title", "description", "website", "email", "tags", "location", "private", "datastreams", "id", "feed",
        "status",
        "creator", "created", "updated", "version", "auto_feed_url", "product_id", "device_serial",
    ]
    private static let pythonStream: Set = [
        "id", "tags", "unit", "min_value", "max_value", "current_value", "datapoints", "at", "version",
    ]
    private static let pythonLocation: Set = [
        "name", "domain", "exposure", "disposition", "lat", "lon", "ele", "waypoints",
    ]

    private func names(_ value: TestJSON?) -> Set<String> { Set(value?.names ?? []) }

    /// Creates feed 1 as xively-python does.
    private static func createPythonFeed(_ peer: CosmPeer) async throws {
        let id = try await peer.createFeed(
            #"{"title":"T","website":"w","description":"d","tags":["t"],"private":false,"location":{"name":"n","domain":"physical","#
                + #""exposure":"indoor","disposition":"mobile","lat":1.5,"lon":2.5,"ele":"3"},"datastreams":["#
                + #"{"id":"a","current_value":"1","min_value":"0","max_value":"2","tags":["x"],"unit":{"label":"l","symbol":"s","type":"basicSI"}}]}"#
        )
        #expect(id == 1)
    }

    @Test("a feed has only the members that xively-python knows, and dates with six digits")
    func pythonFeedMembers() async throws {
        try await withCosm { peer in
            try await Self.createPythonFeed(peer)
            let feed = try await peer.document("/feeds/1?find_previous=True&duration=3600&show_user=False")
            #expect(names(feed).isSubset(of: Self.pythonFeed))
            #expect(names(feed["location"]).isSubset(of: Self.pythonLocation))
            #expect(names(feed["location", "waypoints", 0]).isSubset(of: ["at", "lat", "lon", "ele"]))
            #expect(names(feed["datastreams", 0]).isSubset(of: Self.pythonStream))
            #expect(names(feed["datastreams", 0, "datapoints", 0]) == ["at", "value"])
            for stamp in [feed["created"], feed["updated"], feed["datastreams", 0, "at"]] {
                #expect(stamp?.stringValue?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/) != nil)
            }
        }
    }

    @Test("a feed that xively-python writes back as it read it is accepted, with its read-only members")
    func pythonEcho() async throws {
        try await withCosm { peer in
            try await Self.createPythonFeed(peer)
            let feed = try await peer.document("/feeds/1?find_previous=True&duration=3600&show_user=False")
            #expect(try await peer.put("/feeds/1", feed.text).status == 200)
            let echoed = try await peer.document("/feeds/1")
            #expect(echoed["title"] == "T")
            #expect(echoed["location", "name"] == "n")
            #expect(try await peer.put("/feeds/1", #"{"title":"U","location":{}}"#).status == 200)
            let list = try await peer.document("/feeds")
            #expect(names(list["results", 0]).isSubset(of: Self.pythonFeed))
            #expect(list["results", 0, "title"] == "U")
        }
    }

    @Test("xively-python lists a feed's streams with a slash at the end, and does not delete points without a range")
    func pythonStreams() async throws {
        try await withCosm { peer in
            try await Self.createPythonFeed(peer)
            #expect(try await peer.document("/feeds/1/datastreams/")["datastreams"]?.arrayValue?.count == 1)
            #expect(try await peer.delete("/feeds/1/datastreams/a/datapoints").status == 400)
        }
    }

    @Test("a key has only the members that xively-python knows")
    func pythonKey() async throws {
        try await withCosm { peer in
            let key = try await peer.post("/keys", KeyTests.sharing)
            let read = try #require(try await peer.document("/keys/\(key.location ?? "")")["key"])
            #expect(names(read).isSubset(of: ["label", "permissions", "expires_at", "private_access", "api_key"]))
            #expect(
                names(read["permissions", 0]).isSubset(
                    of: ["access_methods", "source_ip", "referer", "minimum_interval", "label", "resources"]
                )
            )
            #expect(names(read["permissions", 0, "resources", 0]) == ["feed_id", "datastream_id"])
        }
    }

    @Test("a trigger of xively-python is created, and has only the members that the library knows")
    func pythonTrigger() async throws {
        try await withCosm { peer in
            try await Self.createPythonFeed(peer)
            let trigger =
                #"{"environment_id":"1","stream_id":"a","url":"http://h/","trigger_type":"gt","threshold_value":"15.0"}"#
            #expect(try await peer.post("/triggers", trigger).location == "1")
            #expect(
                names(try await peer.document("/triggers/1")) == [
                    "threshold_value", "user", "notified_at", "url", "trigger_type", "id", "environment_id",
                    "stream_id",
                ]
            )
        }
    }

    @Test("txPachube's requests are accepted: suffixes, and JSON with the media type of a form")
    func txPachube() async throws {
        try await withCosm { peer in
            let form = [("Content-Type", "application/x-www-form-urlencoded"), ("X-PachubeApiKey", peer.key)]
            func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> RawAnswer {
                try await peer.send(method, path, body, fields: form, hasKey: false)
            }
            let created = try await send("POST", "/feeds.json", #"{"title":"T","version":"1.0.0"}"#)
            #expect(created.status == 201)
            #expect(created.location == "1")
            #expect(
                try await send("POST", "/feeds/1/datastreams.json", #"{"version":"1.0.0","datastreams":[{"id":"a"}]}"#)
                    .status == 201
            )
            #expect(try await send("PUT", "/feeds/1.json", #"{"title":"U"}"#).status == 200)
            let points = #"{"datapoints":[{"at":"2010-05-20T11:01:43Z","value":"294"}]}"#
            #expect(try await send("POST", "/feeds/1/datastreams/a/datapoints.json", points).status == 200)
            #expect(try await send("GET", "/feeds/1/datastreams/a/datapoints/2010-05-20T11:01:43Z.xml").status == 200)
            #expect(
                try await send("PUT", "/feeds/1.xml", "<eeml><environment><title>X</title></environment></eeml>").status
                    == 200
            )
            #expect(try await send("GET", "/feeds/1.json").document?["title"] == "X")
            let missing = try await send("GET", "/feeds/404.json")
            #expect(missing.status == 404)
            #expect(missing.text.contains("Not found"))
        }
    }

    @Test("xively-js's requests are accepted, with CORS, and its pushes have the resource without a token")
    func xivelyJS() async throws {
        try await withCosm { peer in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"a"}]}"#)
            let read = try await peer.get("/feeds/1.json?_=1361234567890")
            #expect(read.status == 200)
            #expect(read["access-control-allow-origin"] == "*")
            let socket = try await WebSocketClient(peer.running)
            // It sends no token, and wraps nothing.
            let resource = "/feeds/1/datastreams/a"
            #expect(
                try await socket.ask("subscribe", resource, key: peer.key) == [
                    "status": 200, "resource": .string(resource),
                ]
            )
            #expect(try await peer.put(resource, #"{"current_value":"5"}"#).status == 200)
            let push = try await socket.receive()
            #expect(names(push) == ["resource", "body"])
            #expect(push["resource"]?.stringValue == resource)
            #expect(push["body", "current_value"] == "5")
        }
    }

    @Test("requests of pachube-stream and xively-cli over TCP get a response on a line each, with their token")
    func tcpClients() async throws {
        try await withCosm { peer in
            try await peer.createFeed()
            let client = try TCPClient(peer.running)
            let token = "subscribe:C3C2170D-E61E-4CDC-B4B5-9E5D91F564C2"
            // Compact without a line feed, as the Ruby client sends it.
            try await client.send(TCPClient.frame("subscribe", "/feeds/1", key: peer.key, token: token))
            #expect(try await client.connection.line() == #"{"token":"\#(token)","status":200,"resource":"/feeds/1"}"#)
            // Its misspelt method.
            try await client.send(TCPClient.frame("unsubsribe", "/feeds/1", key: peer.key, token: token))
            #expect(try await client.connection.line().contains(#""status":400"#))
            // Lines over lines and a blank one, as xively-cli sends it, and no token.
            let pretty =
                "{\n  \"method\": \"subscribe\",\n  \"resource\": \"/feeds/1\",\n  \"headers\": {\n"
                + "    \"X-ApiKey\": \"nonsense\"\n  }\n}\n\n"
            try await client.send(pretty)
            #expect(try await client.connection.line().contains(#""status":401"#))
            #expect(try await peer.put("/feeds/1", #"{"title":"N"}"#).status == 200)
            let push = try await client.receive()
            #expect(push["token"]?.stringValue == token)
            #expect(push["status"] == nil)
        }
    }

    @Test("Xively4J's requests are accepted: suffixes, numbers instead of text, and distance_unit")
    func xively4J() async throws {
        try await withCosm { peer in
            let created = try await peer.post("/feeds.json", #"{"title":"T","location":{"lat":1,"lon":1,"ele":23.0}}"#)
            #expect(created.status < 300)
            #expect(try await peer.document("/feeds/1.json")["location", "ele"] == "23.0")
            let streams = try await peer.post("/feeds/1/datastreams.json", #"{"datastreams":[{"id":"a"},{"id":"b"}]}"#)
            #expect(streams.status < 300)
            #expect(try await peer.document("/feeds/1/datastreams/b.json")["id"] == "b")
            let trigger =
                #"{"environment_id":1,"stream_id":"a","url":"http://h/","trigger_type":"gt","threshold_value":0.0}"#
            #expect(try await peer.post("/triggers.json", trigger).status < 300)
            #expect(try await peer.document("/triggers/1.json")["threshold_value"] == "0.0")
            let near = try await peer.document("/feeds.json?lat=1&lon=1&distance=10&distance_unit=kms")
            #expect(near["totalResults"] == 1)
        }
    }
}
