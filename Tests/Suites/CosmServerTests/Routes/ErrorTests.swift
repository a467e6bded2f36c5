import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Errors, limits and faults of Cosm", .timeLimit(.minutes(5)))
struct CosmErrorTests {
    struct Case: CustomTestStringConvertible {
        let method: String
        let path: String
        var body: String?
        let status: Int
        let title: String
        var testDescription: String { "\(method) \(path) \(body ?? "")" }

        init(_ method: String, _ path: String, _ body: String? = nil, _ status: Int, _ title: String) {
            self.method = method
            self.path = path
            self.body = body
            self.status = status
            self.title = title
        }
    }

    @Test(
        "errors of Cosm have the status and the title of their kind",
        arguments: [
            Case("POST", "/feeds", "{", 400, "JSON Parser Error"),
            Case("POST", "/feeds", "[1]", 400, "JSON Parser Error"),
            Case("POST", "/feeds", "", 400, "JSON Parser Error"),
            Case("POST", "/feeds.xml", "<rss/>", 400, "XML Parser Error"),
            Case("PUT", "/feeds/1.csv", "a\"b", 400, "CSV Parser Error"),
            Case("PUT", "/feeds/1", #"{"datastreams":{"id":"x"}}"#, 400, "JSON Parser Error"),
            Case("PUT", "/feeds/1", #"{"datastreams":[7]}"#, 400, "JSON Parser Error"),
            Case(
                "PUT",
                "/feeds/1",
                #"{"datastreams":[{"id":"a","current_value":"1","at":7}]}"#,
                400,
                "JSON Parser Error"
            ),
            Case("GET", "/feeds/1?start=x", nil, 400, "JSON Parser Error"),
            Case("GET", "/feeds/1?limit=x", nil, 400, "Bad request"),
            Case("GET", "/feeds/%zz", nil, 400, "Bad request"),
            Case("GET", "/feeds/99", nil, 404, "Not found"), Case("GET", "/feeds/abc", nil, 404, "Not found"),
            Case("GET", "/feeds/99999999999999999999", nil, 404, "Not found"),
            Case("GET", "/feeds/-1", nil, 404, "Not found"),
            Case("GET", "/nothing", nil, 404, "Not found"), Case("GET", "", nil, 404, "Not found"),
            Case("POST", "/feeds/1.csv", "a,1", 404, "Not found"), Case("PUT", "/feeds", "{}", 404, "Not found"),
            Case("PATCH", "/feeds/1", "{}", 404, "Not found"), Case("DELETE", "/triggers", nil, 404, "Not found"),
            Case("GET", "/feeds/1/datastreams/a/datapoints", nil, 404, "Not found"),
            Case("GET", "/feeds/1.png", nil, 406, "Not Acceptable"),
            Case("POST", "/feeds.csv", "a,1", 406, "Not Acceptable"),
            Case("POST", "/keys.csv", "a,1", 406, "Not Acceptable"),
            Case("POST", "/feeds", "{}", 422, "Unprocessable Entity"),
            Case("PUT", "/feeds/1", #"{"title":""}"#, 422, "Unprocessable Entity"),
            Case("PUT", "/feeds/1", #"{"datastreams":[{"id":"a"},{"id":"a"}]}"#, 422, "Unprocessable Entity"),
            Case("PUT", "/feeds/1", #"{"private":"perhaps"}"#, 422, "Unprocessable Entity"),
            Case(
                "PUT",
                "/feeds/1.xml",
                "<eeml><environment><private>perhaps</private></environment></eeml>",
                422,
                "Unprocessable Entity"
            ),
            Case("PUT", "/feeds/1", #"{"location":{"lat":"north"}}"#, 422, "Unprocessable Entity"),
            Case("POST", "/feeds/1/datastreams", #"{"datastreams":[]}"#, 422, "Unprocessable Entity"),
        ]
    )
    func refusals(_ test: Case) async throws {
        try await withCosm { peer in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"a"}]}"#)
            let answer = try await peer.send(test.method, test.path, test.body)
            #expect(answer.status == test.status)
            if test.path.contains(".xml") {
                let node = try XMLNode.parse(answer.body)
                #expect(node.name == "errors")
                #expect(node.text("title") == test.title)
                #expect(node.text("error") != nil)
            } else {
                #expect(answer["content-type"] == "application/json; charset=utf-8")
                #expect(answer.document?["title"]?.stringValue == test.title)
                #expect(!answer.errors.isEmpty)
            }
        }
    }

    @Test("errors of Cosm do not repeat a key in the path")
    func maskedKeys() async throws {
        try await withCosm { peer in
            for path in ["/keys/SECRET/foo", "/keys//SECRET", "/%6beys/SECRET", "/keys.json/SECRET"] {
                let answer = try await peer.post(path, "{}")
                #expect(answer.status == 404 && !answer.text.contains("SECRET"), "\(path): \(answer.text)")
            }
            #expect(peer.running.server.requests.entries.allSatisfy { !$0.path.contains("SECRET") })
            #expect(
                try await peer.post("/keys/SECRET", "{}").errors == [#"No route matches [POST] "/api/v2/keys/:key""#]
            )
        }
    }

    @Test("errors of Cosm have the messages of the service where they are known")
    func words() async throws {
        try await withCosm { peer in
            try await peer.createFeed()
            #expect(
                try await peer.post("/feeds/1.csv", "x").errors == [#"No route matches [POST] "/api/v2/feeds/1.csv""#]
            )
            #expect(
                try await peer.put("/feeds/1.csv", "x").errors == ["a row has 1 cell instead of 2 or 3"]
            )
            #expect(try await peer.post("/feeds", "[]").errors == ["JSON doesn't appear to be a hash"])
            let reader = try await peer.createKey(#"{"key":{"label":"r","permissions":[{"access_methods":["get"]}]}}"#)
            let forbidden = try await CosmPeer(peer.running, key: reader).put("/feeds/1", "{}")
            #expect(forbidden.status == 403)
            #expect(forbidden.document?["title"] == "Forbidden")
            #expect(forbidden.errors == ["You do not have the necessary permissions to access this resource"])
            let two = try await peer.put("/feeds/1", #"{"datastreams":[{"id":"a b"},{"id":""}]}"#)
            #expect(two.document?["errors"]?.arrayValue?.count == 2)
        }
    }

    @Test("a key of Cosm with too many requests is refused with 403 until the window ends")
    func rateLimit() async throws {
        let clock = HandClock("2013-02-01T00:00:00Z")
        try await withCosm {
            $0.clock = clock.clock
            $0.rateLimit = CosmRateLimit(requests: 3, minutes: 3)
        } _: { peer in
            let other = try await peer.createKey(#"{"key":{"label":"r","permissions":[{"access_methods":["get"]}]}}"#)
            for _ in 0..<2 { #expect(try await peer.get("/feeds").status == 200) }
            let refused = try await peer.get("/feeds")
            #expect(refused.status == 403)
            #expect(refused.errors == ["Rate limit exceeded"])
            #expect(refused["retry-after"] == nil)
            #expect(try await CosmPeer(peer.running, key: other).get("/feeds").status == 200)
            clock.advance(seconds: 180)
            #expect(try await peer.get("/feeds").status == 200)
        }
    }

    @Test("requests that are refused before their body is read count against the limit of their key")
    func refusedRequestsCount() async throws {
        let clock = HandClock("2013-02-01T00:00:00Z")
        try await withCosm {
            $0.clock = clock.clock
            $0.rateLimit = CosmRateLimit(requests: 2, minutes: 3)
        } _: { peer in
            for _ in 0..<2 {
                let refused = try await peer.put("/feeds/999", #"{"title":"a"}"#)
                #expect(refused.status == 404)
            }
            #expect(try await peer.put("/feeds/999", #"{"title":"a"}"#).errors == ["Rate limit exceeded"])
            #expect(try await peer.get("/feeds").errors == ["Rate limit exceeded"])
            clock.advance(seconds: 180)
            peer.running.cosm.setRateLimitExhausted(true)
            #expect(try await peer.put("/feeds/999", #"{"title":"a"}"#).errors == ["Rate limit exceeded"])
            peer.running.cosm.setRateLimitExhausted(false)
            // An accepted request is counted once.
            #expect(try await peer.post("/feeds", #"{"title":"a"}"#).status == 201)
            #expect(try await peer.put("/feeds/999", #"{"title":"a"}"#).status == 404)
            #expect(try await peer.get("/feeds").errors == ["Rate limit exceeded"])
        }
    }

    @Test("a feed of Cosm is written no more often than its limit")
    func updateLimit() async throws {
        let clock = HandClock("2013-02-01T00:00:00Z")
        try await withCosm {
            $0.clock = clock.clock
            $0.rateLimit = CosmRateLimit(requests: 1_000, minutes: 3, secondsBetweenUpdates: 5)
        } _: { peer in
            let feed = try await peer.createFeed()
            clock.advance(seconds: 4)
            #expect(try await peer.put("/feeds/\(feed)", #"{"title":"a"}"#).errors == ["Rate limit exceeded"])
            #expect(try await peer.get("/feeds/\(feed)").status == 200)
            clock.advance(seconds: 1)
            #expect(try await peer.put("/feeds/\(feed)", #"{"title":"a"}"#).status == 200)
        }
    }

    @Test("the control exhausts Cosm's limits, and faults force responses")
    func hooks() async throws {
        try await withCosm { peer in
            peer.running.cosm.setRateLimitExhausted(true)
            #expect(try await peer.get("/feeds").errors == ["Rate limit exceeded"])
            peer.running.cosm.setRateLimitExhausted(false)
            for (fault, status) in [
                (ServerFault.status(422), 422), (.busy, 503), (.payloadTooLarge, 413), (.status(7), 500),
            ] {
                peer.running.faults.inject(fault, .next(1))
                let answer = try await peer.get("/feeds")
                #expect(answer.status == status)
                #expect(answer.document?["title"] != nil)
                #expect(try await peer.get("/feeds").status == 200)
            }
            peer.running.cosm.setClockOffset(.seconds(-3600))
            let feed = try await peer.createFeed()
            let created = try await peer.document("/feeds/\(feed)")["created"]?.stringValue.flatMap {
                ServerInstant($0)
            }
            let behind = peer.running.cosm.state.configuration.clock.microseconds() - (created?.microseconds ?? 0)
            #expect(behind > 3_590_000_000 && behind < 3_700_000_000)
        }
    }

    @Test("a body beyond the limit is refused in Cosm's form, and a fault sends a proxy's page")
    func transportRefusals() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.bodyBytes = 1_000
        try await withEmbeddedServer(configuration) { running in
            let peer = CosmPeer(running)
            let answer = try await peer.post("/feeds", String(repeating: " ", count: 2_000))
            #expect(answer.status == 413)
            #expect(answer.errors == ["The body is too long"])
            running.faults.inject(.unauthorizedHTML, .next(1))
            let page = try await peer.get("/feeds")
            #expect(page.status == 401)
            #expect(page["content-type"] == "text/html; charset=utf-8")
        }
    }

    @Test("a compressed body is decompressed up to the limit")
    func packed() async throws {
        try await withCosm { peer in
            func post(_ bytes: [UInt8]) async throws -> RawAnswer {
                let connection = try RawConnection(port: peer.port)
                let fields = [("X-ApiKey", peer.key), ("Content-Encoding", "gzip")]
                let request = Peer.bytes("POST", "/v2/feeds", host: "h", fields: fields, body: bytes)
                try await connection.send(request)
                return try await connection.answer()
            }
            let created = try await post(ContentCoding.gzip(Array(#"{"title":"T"}"#.utf8)))
            #expect(created.status == 201)
            let broken = try await post([1, 2, 3])
            #expect(broken.status == 400)
            let bomb = try await post(ContentCoding.gzip([UInt8](repeating: 32, count: 20_000_000)))
            #expect(bomb.status == 400)
        }
    }

    @Test("pages of any origin may call Cosm")
    func crossOrigin() async throws {
        try await withCosm { peer in
            let preflight = try await peer.send("OPTIONS", "/feeds/1.json", hasKey: false)
            #expect(200...299 ~= preflight.status)
            #expect(preflight["access-control-allow-origin"] == "*")
            #expect(preflight["access-control-allow-headers"]?.contains("X-ApiKey") == true)
            #expect(preflight["access-control-allow-methods"]?.contains("DELETE") == true)
            #expect(try await peer.get("/feeds")["access-control-allow-origin"] == "*")
            #expect(try await peer.get("/feeds/77")["access-control-allow-origin"] == "*")
        }
    }

    @Test("the request log of Cosm shows no key")
    func log() async throws {
        try await withCosm { peer in
            _ = try await peer.get("/keys/\(peer.key)?key=\(peer.key)")
            _ = try await peer.get("/keys")
            #expect(peer.running.requests.count("GET", "/v2/keys/:key") == 1)
            #expect(!"\(peer.running.requests.entries)".contains(peer.key))
        }
    }

    @Test("feeds, keys, triggers and users of Cosm are limited")
    func ceilings() async throws {
        try await withCosm {
            $0.maxima.feeds = 1
            $0.maxima.keys = 1
            $0.maxima.triggers = 1
            $0.maxima.users = 1
        } _: { peer in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"a"}]}"#)
            #expect(try await peer.post("/feeds", #"{"title":"U"}"#).errors == ["No more feeds can be stored"])
            #expect(try await peer.post("/keys", KeyTests.sharing).errors == ["No more keys can be stored"])
            #expect(try await peer.post("/users", #"{"user":{"login":"a"}}"#).errors == ["No more users can be stored"])
            let trigger = #"{"environment_id":1,"stream_id":"a","url":"http://h/","trigger_type":"change"}"#
            #expect(try await peer.post("/triggers", trigger).status == 201)
            #expect(try await peer.post("/triggers", trigger).errors == ["No more triggers can be stored"])
        }
    }

    @Test("an account of Cosm that has all its feeds, keys and triggers leaves room for the others, up to a total")
    func ceilingsOfAccounts() async throws {
        try await withCosm {
            $0.maxima.feeds = 3
            $0.maxima.feedsPerUser = 2
            $0.maxima.keys = 4
            $0.maxima.keysPerUser = 2
            $0.maxima.triggers = 3
            $0.maxima.triggersPerUser = 2
        } _: { peer in
            var clients = [peer]
            for login in ["ann", "bob", "cam"] {
                #expect(try await peer.post("/users", #"{"user":{"login":"\#(login)"}}"#).status == 201)
                let user = try await peer.document("/users/\(login)")
                let key = try #require(user["user", "api_key"]?.stringValue)
                clients.append(CosmPeer(peer.running, key: key))
            }
            let feed = #"{"title":"T","datastreams":[{"id":"a"}]}"#
            let trigger = #"{"environment_id":1,"stream_id":"a","url":"http://h.example/","trigger_type":"change"}"#
            let bodies = [("feeds", feed), ("triggers", trigger)]
            for (what, body) in bodies {
                for _ in 0..<2 { #expect(try await clients[1].post("/\(what)", body).status == 201) }
                let own = try await clients[1].post("/\(what)", body)
                #expect(own.status == 403)
                #expect(own.errors == ["No more \(what) of this account can be stored"])
                #expect(try await clients[2].post("/\(what)", body).status == 201)
                #expect(try await clients[2].post("/\(what)", body).errors == ["No more \(what) can be stored"])
            }
            // Each of the four accounts has the key that it was created with. That is all the keys there may be.
            #expect(try await clients[1].post("/keys", KeyTests.sharing).errors == ["No more keys can be stored"])
            #expect(try await peer.delete("/users/cam").status == 200)
            #expect(try await clients[1].post("/keys", KeyTests.sharing).status == 201)
            let own = try await clients[1].post("/keys", KeyTests.sharing)
            #expect(own.errors == ["No more keys of this account can be stored"])
            // A new account gets its key also beyond the limit.
            #expect(try await peer.post("/users", #"{"user":{"login":"dan"}}"#).status == 201)
        }
    }
}

/// Sends the documents of `Fixtures/cosm` to the server, and those of the real service where the machine has them.
@Suite("Sample documents of Cosm, sent to the server", .timeLimit(.minutes(5)))
struct CosmSharedDocumentTests {
    static func documents(_ folder: String, _ prefixes: [String]) -> [SharedDocuments.Document] {
        SharedDocuments.all("cosm/\(folder)").filter { document in prefixes.contains { document.name.hasPrefix($0) } }
    }

    @Test(
        "a feed is updated by a sample document in JSON",
        arguments: documents("json", ["feed-create", "feed-read", "feed-update", "feed-history", "feed-v1"])
    )
    func jsonFeeds(_ document: SharedDocuments.Document) async throws {
        try await withCosm { peer in
            try await peer.createFeed()
            let answer = try await peer.put("/feeds/1", String(decoding: document.contents, as: UTF8.self))
            #expect(
                answer.status == 200
                    || answer.errors == ["Unit type is not one of \(FeedRules.unitTypes.joined(separator: ", "))"],
                "\(answer.text)"
            )
        }
    }

    @Test(
        "a feed is updated by a sample document in XML, also of version 1",
        arguments: documents("xml", ["feed-", "v1-feed"])
    )
    func xmlFeeds(_ document: SharedDocuments.Document) async throws {
        try await withCosm { peer in
            try await peer.createFeed()
            let answer = try await peer.put("/feeds/1.xml", String(decoding: document.contents, as: UTF8.self))
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test(
        "a datastream is updated by a sample document in XML, also of version 1",
        arguments: documents("xml", ["datastream-", "v1-datastream"])
    )
    func xmlStreams(_ document: SharedDocuments.Document) async throws {
        try await withCosm { peer in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"a"}]}"#)
            let answer = try await peer.put(
                "/feeds/1/datastreams/a.xml",
                String(decoding: document.contents, as: UTF8.self)
            )
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test("a feed is updated by a sample document in CSV", arguments: documents("csv", ["feed-"]))
    func csvFeeds(_ document: SharedDocuments.Document) async throws {
        try await withCosm { peer in
            try await peer.createFeed()
            let answer = try await peer.put("/feeds/1.csv", String(decoding: document.contents, as: UTF8.self))
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test(
        "a key or a trigger is created by a sample document",
        arguments: documents("json", ["key-create", "trigger-create"]) + documents("xml", ["key.xml", "trigger.xml"])
    )
    func records(_ document: SharedDocuments.Document) async throws {
        try await withCosm {
            $0.firstFeedID = 424
        } _: { peer in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"1"},{"id":"0"}]}"#)
            let kind = document.name.hasPrefix("key") ? "/keys" : "/triggers"
            let path = document.name.hasSuffix(".xml") ? "\(kind).xml" : kind
            let answer = try await peer.post(path, String(decoding: document.contents, as: UTF8.self))
            // Of a feed that this server lacks, and with a stamp that is none.
            if answer.status == 422 {
                #expect(answer.text.contains("Environment does not exist"))
            } else if document.name == "key.xml" {
                #expect([201, 400].contains(answer.status), "\(answer.text)")
            } else {
                #expect(answer.status == 201, "\(answer.text)")
            }
        }
    }

    @Test("an invalid sample document is refused with 400")
    func invalid() async throws {
        try await withCosm { peer in
            try await peer.createFeed()
            for (document, suffix) in Self.documents("json", ["INVALID"]).map({ ($0, "") })
                + Self.documents("xml", ["INVALID-feed"]).map({ ($0, ".xml") })
                + Self.documents("csv", ["INVALID-feed"]).map({ ($0, ".csv") })
            {
                let answer = try await peer.put("/feeds/1\(suffix)", String(decoding: document.contents, as: UTF8.self))
                #expect(answer.status == 400, "\(document)")
            }
        }
    }
}
