import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Keys and users of Cosm over HTTP", .timeLimit(.minutes(5)))
struct KeyTests {
    static let sharing =
        #"{"key":{"label":"sharing key","private_access":true,"permissions":[{"access_methods":["PUT"],"#
        + #""source_ip":"128.44.98.129","resources":[{"feed_id":"504","datastream_id":0}]},{"access_methods":["get"],"resources":null}]}}"#

    @Test("a key is created with 201 and its address, and read and listed with the members that clients know")
    func creation() async throws {
        try await withCosm { peer in
            let created = try await peer.post("/keys", Self.sharing)
            #expect(created.status == 201)
            let key = try #require(created.location)
            #expect(created["location"] == "\(peer.base)/keys/\(key)")
            let expected: TestJSON = [
                "api_key": .string(key), "label": "sharing key", "private_access": true,
                "permissions": [
                    [
                        "access_methods": ["put"], "source_ip": "128.44.98.129",
                        "resources": [["feed_id": 504, "datastream_id": "0"]],
                    ], ["access_methods": ["get"]],
                ],
            ]
            #expect(try await peer.document("/keys/\(key)") == ["key": expected])
            let list = try await peer.document("/keys")["keys"]?.arrayValue
            #expect(list?.count == 2)
            #expect(list?.last == expected)
            #expect(try await peer.document("/keys?feed_id=504")["keys"] == [expected])
            #expect(try await peer.document("/keys?feed_id=7")["keys"] == [])
        }
    }

    @Test("a key reads itself, but no other key, and is not deleted with itself")
    func ownKey() async throws {
        try await withCosm { peer in
            let key = try await peer.createKey(Self.sharing)
            let own = CosmPeer(peer.running, key: key)
            #expect(try await own.get("/keys/\(key)").status == 200)
            #expect(try await own.get("/keys").status == 403)
            #expect(try await own.get("/keys/\(peer.key)").status == 403)
            #expect(try await own.delete("/keys/\(key)").status == 403)
            #expect(try await peer.delete("/keys/\(peer.key)").status == 403)
        }
    }

    @Test("a key is changed by PUT, and opens nothing after it was deleted")
    func changeAndDeletion() async throws {
        try await withCosm { peer in
            let key = try await peer.createKey(Self.sharing)
            #expect(
                try await peer.put(
                    "/keys/\(key)",
                    #"{"key":{"label":"new","permissions":[{"access_methods":["get"]}]}}"#
                ).status == 200
            )
            #expect(try await peer.document("/keys/\(key)")["key", "label"] == "new")
            #expect(try await peer.delete("/keys/\(key)").status == 200)
            #expect(try await CosmPeer(peer.running, key: key).get("/feeds").status == 401)
            #expect(try await peer.get("/keys/\(key)").status == 404)
        }
    }

    @Test(
        "an invalid key of Cosm is refused with 422",
        arguments: [
            #"{"key":{"permissions":[{"access_methods":["get"]}]}}"#, #"{"key":{"label":"x"}}"#,
            #"{"key":{"label":"x","permissions":[{}]}}"#,
            #"{"key":{"label":"x","permissions":[{"access_methods":["peek"]}]}}"#,
            #"{"key":{"label":"x","permissions":[{"access_methods":["get"],"resources":[{"datastream_id":"a"}]}]}}"#,
            #"{"key":{"label":"x","permissions":[{"access_methods":["get"],"minimum_interval":-1}]}}"#,
        ]
    )
    func invalid(_ body: String) async throws {
        try await withCosm { peer in
            let answer = try await peer.post("/keys", body)
            #expect(answer.status == 422)
        }
    }

    private func status(_ peer: CosmPeer, _ query: String, _ fields: [(String, String)]) async throws -> Int {
        try await peer.send("GET", "/feeds/\(query)", fields: fields, hasKey: false).status
    }

    @Test("the key in a header is used before the one in the query, and a missing key is 401")
    func places() async throws {
        try await withCosm { peer async throws in
            #expect(try await status(peer, "", []) == 401)
            #expect(try await status(peer, "?key=", []) == 401)
            #expect(try await status(peer, "?key=wrong", []) == 401)
            #expect(try await status(peer, "?key=\(peer.key)", []) == 200)
            #expect(try await status(peer, "", [("X-ApiKey", peer.key)]) == 200)
            #expect(try await status(peer, "", [("X-PachubeApiKey", peer.key)]) == 200)
            #expect(try await status(peer, "?key=\(peer.key)", [("X-ApiKey", "wrong")]) == 401)
            #expect(try await status(peer, "?key=wrong", [("X-ApiKey", peer.key)]) == 200)
        }
    }

    @Test("an expired key is 401, and a key with another source address or referer 403")
    func restrictions() async throws {
        let clock = HandClock("2013-02-01T00:00:00Z")
        try await withCosm {
            $0.clock = clock.clock
        } _: { peer in
            let key = try await peer.createKey(
                #"{"key":{"label":"x","expires_at":"2013-02-01T00:01:00Z","permissions":[{"access_methods":["get"]}]}}"#
            )
            let expiring = CosmPeer(peer.running, key: key)
            #expect(try await expiring.get("/feeds").status == 200)
            #expect(try await expiring.document("/keys/\(key)")["key", "expires_at"] == "2013-02-01T00:01:00.000000Z")
            clock.advance(seconds: 60)
            #expect(try await expiring.get("/feeds").status == 401)
            let far = try await peer.createKey(
                #"{"key":{"label":"x","permissions":[{"access_methods":["get"],"source_ip":"10.0.0.1"}]}}"#
            )
            #expect(try await CosmPeer(peer.running, key: far).get("/feeds").status == 403)
            let near = try await peer.createKey(
                #"{"key":{"label":"x","permissions":[{"access_methods":["get"],"source_ip":"127.0.0.1","referer":"http://a.example"}]}}"#
            )
            let referring = CosmPeer(peer.running, key: near)
            #expect(try await referring.get("/feeds").status == 403)
            #expect(
                try await referring.send("GET", "/feeds", fields: [("Referer", "http://a.example/x")]).status == 200
            )
        }
    }

    private static let alice =
        #"{"user":{"login":"alice","email":"alice@example.com","full_name":"Alice","roles":["default"],"deliver_email":"true"}}"#

    /// Creates an account, and returns a client with its key.
    private static func createAlice(_ peer: CosmPeer) async throws -> CosmPeer {
        let created = try await peer.post("/users", alice)
        let user = try await peer.document("/users/alice")
        let secret = try #require(user["user", "api_key"]?.stringValue, "\(created.text)")
        return CosmPeer(peer.running, key: secret)
    }

    @Test("an account is created with 201 and its address, and not with a login that exists or is invalid")
    func accountCreation() async throws {
        try await withCosm { peer in
            let created = try await peer.post("/users", Self.alice)
            #expect(created.status == 201)
            #expect(created["location"] == "\(peer.base)/users/alice")
            let user = try await peer.document("/users/alice")
            #expect(user["user", "email"] == "alice@example.com")
            #expect(user["user", "deliver_email"] == true)
            #expect(user["user", "roles"] == ["default"])
            #expect(try await peer.document("/users").arrayValue?.map { $0["user", "login"] } == ["alice", "helium"])
            #expect(try await peer.post("/users", #"{"user":{"login":"alice"}}"#).status == 422)
            #expect(try await peer.post("/users", #"{"user":{"login":"not a login"}}"#).status == 422)
        }
    }

    @Test("an account reads and changes itself, and sees no other account")
    func ownAccount() async throws {
        try await withCosm { peer in
            let alice = try await Self.createAlice(peer)
            #expect(try await alice.get("/users").status == 403)
            #expect(try await alice.get("/users/helium").status == 404)
            #expect(try await alice.put("/users/alice", #"{"user":{"about":"me","email":""}}"#).status == 200)
            #expect(try await alice.document("/users/alice")["user", "about"] == "me")
            #expect(try await alice.document("/users/alice")["user", "email"] == nil)
        }
    }

    @Test("another account's public feed is read, but not changed, and its private feed is 404")
    func foreignFeeds() async throws {
        try await withCosm { peer in
            let alice = try await Self.createAlice(peer)
            let feed = try await alice.createFeed(#"{"title":"A"}"#)
            let hidden = try await alice.createFeed(#"{"title":"B","private":true}"#)
            #expect(try await peer.get("/feeds/\(feed)").status == 200)
            #expect(try await peer.put("/feeds/\(feed)", #"{"title":"C"}"#).status == 403)
            #expect(try await peer.get("/feeds/\(hidden)").status == 404)
            #expect(try await peer.document("/feeds?user=alice")["totalResults"] == 1)
        }
    }

    @Test("an account is deleted with its key and its feeds, except the server's own")
    func accountDeletion() async throws {
        try await withCosm { peer in
            let alice = try await Self.createAlice(peer)
            let feed = try await alice.createFeed(#"{"title":"A"}"#)
            #expect(try await peer.delete("/users/helium").status == 403)
            #expect(try await peer.delete("/users/alice").status == 200)
            #expect(try await alice.get("/feeds").status == 401)
            #expect(try await peer.get("/feeds/\(feed)").status == 404)
        }
    }

    @Test("a key is created, read and listed in XML")
    func keyXML() async throws {
        try await withCosm { peer in
            let key =
                "<key><label>x</label><private-access>true</private-access><permissions><permission><access-methods>"
                + "<access-method>GET</access-method></access-methods><resources><resource><feed-id>4</feed-id></resource>"
                + "</resources></permission></permissions></key>"
            let created = try await peer.post("/keys.xml", key)
            #expect(created.status == 201)
            let secret = try #require(created.location)
            let read = try XMLNode.parse(try await peer.get("/keys/\(secret).xml").body)
            #expect(read.text("api-key") == secret)
            #expect(read.text("private-access") == "true")
            let permission = try #require(read.child("permissions")?.child("permission"))
            #expect(permission.child("access-methods")?.children.map(\.text) == ["get"])
            #expect(permission.child("resources")?.child("resource")?.text("feed-id") == "4")
            #expect(try XMLNode.parse(try await peer.get("/keys.xml").body).children("key").count == 2)
        }
    }

    @Test("an account is created and listed in XML")
    func accountXML() async throws {
        try await withCosm { peer in
            let roles = "<roles><role>a</role></roles>"
            let creatable = "<creatable_roles><creatable_role>b</creatable_role></creatable_roles>"
            let user = "<user><login>ann</login>\(roles)\(creatable)</user>"
            #expect(try await peer.post("/users.xml", user).status == 201)
            let users = try XMLNode.parse(try await peer.get("/users.xml").body)
            #expect(users.attributes == ["type": "array"])
            #expect(users.children.map { $0.text("login") } == ["ann", "helium"])
            #expect(users.children[0].child("roles")?.children("role").map(\.text) == ["a"])
            #expect(users.children[0].child("creatable_roles")?.children("creatable_role").map(\.text) == ["b"])
        }
    }

    @Test("keys, accounts and triggers have no CSV", arguments: ["/keys.csv", "/users.csv", "/triggers.csv"])
    func noCSV(path: String) async throws {
        try await withCosm { peer async throws in
            #expect(try await peer.get(path).status == 406)
        }
    }
}
