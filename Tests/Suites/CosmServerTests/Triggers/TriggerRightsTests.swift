import GRDB
import HeliumDatabase
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import ServerSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Rights of Cosm's triggers", .timeLimit(.minutes(5)))
struct TriggerRightsTests {
    private static func trigger(_ feed: Int, _ url: String, type: String = "change") -> String {
        #"{"environment_id":\#(feed),"stream_id":"temp","url":"\#(url)","trigger_type":"\#(type)"}"#
    }

    private static func key(_ methods: String, _ resources: String = "", private isPrivate: Bool = true) -> String {
        let list = resources.isEmpty ? "" : #","resources":[\#(resources)]"#
        return
            #"{"key":{"label":"k","private_access":\#(isPrivate),"permissions":[{"access_methods":[\#(methods)]\#(list)}]}}"#
    }

    /// Runs `body` with a public feed 1 and a private feed 2, and a receiver on this machine.
    private func withReceiver(_ body: (CosmPeer, FaultServer) async throws -> Void) async throws {
        try await FaultServer.run({ _ in [.answer()] }) { receiver async throws in
            try await withCosm {
                $0.allowsLocalTriggerTargets = true
            } _: { peer async throws in
                for isPrivate in [false, true] {
                    try await peer.createFeed(
                        #"{"title":"T","description":"SECRET","private":\#(isPrivate),"location":{"name":"SECRET","lat":1,"lon":2},"#
                            + #""datastreams":[{"id":"temp","current_value":"0"}]}"#
                    )
                }
                try await body(peer, receiver)
            }
        }
    }

    @Test("a key for one trigger cannot point it at a datastream that the key does not read, or at another URL")
    func updateNeedsGet() async throws {
        try await withReceiver { peer, receiver async throws in
            #expect(try await peer.post("/triggers", Self.trigger(1, receiver.url)).status == 201)
            let key = try await peer.createKey(Self.key(#""put""#, #"{"datastream_trigger_id":1}"#))
            let limited = CosmPeer(peer.running, key: key)
            for body in [Self.trigger(2, receiver.url), #"{"url":"http://other.example/"}"#] {
                #expect(try await limited.put("/triggers/1", body).status == 403)
            }
            #expect(try await peer.document("/triggers/1")["environment_id"] == 1)
            #expect(try await peer.document("/triggers/1")["url"]?.stringValue == receiver.url)
            let reader = try await peer.createKey(Self.key(#""put","get""#, #"{"feed_id":1}"#))
            let reading = CosmPeer(peer.running, key: reader)
            #expect(try await reading.put("/triggers/1", #"{"trigger_type":"live"}"#).status == 200)
        }
    }

    @Test("a key that may not read creates no trigger")
    func creationNeedsGet() async throws {
        try await withReceiver { peer, receiver async throws in
            let posting = CosmPeer(peer.running, key: try await peer.createKey(Self.key(#""post""#)))
            #expect(try await posting.post("/triggers", Self.trigger(1, receiver.url)).status == 403)
            let open = CosmPeer(peer.running, key: try await peer.createKey(Self.key(#""post","get""#, private: false)))
            #expect(try await open.post("/triggers", Self.trigger(1, receiver.url)).status == 201)
            #expect(try await open.post("/triggers", Self.trigger(2, receiver.url)).status == 422)
        }
    }

    @Test(
        "a trigger does not fire after its key was deleted, changed or has expired",
        arguments: ["delete", "change", "expire"]
    )
    func firesWithItsKey(_ end: String) async throws {
        try await withReceiver { peer, receiver async throws in
            let expiry = end == "expire" ? #""expires_at":"2100-01-01T00:00:00Z","# : ""
            let key = try await peer.createKey(
                #"{"key":{\#(expiry)"label":"k","private_access":true,"permissions":[{"access_methods":["post","get"]}]}}"#
            )
            let limited = CosmPeer(peer.running, key: key)
            #expect(try await limited.post("/triggers", Self.trigger(2, receiver.url + "/limited")).status == 201)
            #expect(try await peer.post("/triggers", Self.trigger(2, receiver.url + "/master")).status == 201)
            #expect(try await peer.put("/feeds/2.csv", "temp,1").status == 200)
            #expect(await receiver.wait { $0.requestCount == 2 })
            switch end {
            case "delete": #expect(try await peer.delete("/keys/\(key)").status == 200)
            case "change":
                let body = Self.key(#""post","get""#, private: false)
                #expect(try await peer.put("/keys/\(key)", body).status == 200)
            default: peer.running.cosm.setClockOffset(.seconds(100 * 366 * 86_400))
            }
            if end != "expire" { peer.running.cosm.setClockOffset(.seconds(10)) }
            #expect(try await peer.put("/feeds/2.csv", "temp,2").status == 200)
            // Notifications of a write are queued together, so the first one would have arrived too.
            #expect(await receiver.wait { $0.requests.count { $0.path == "/master" } == 2 })
            #expect(await receiver.wait { _ in peer.running.cosm.deliveredNotifications == 3 })
            #expect(receiver.requests.count { $0.path == "/limited" } == 1)
        }
    }

    @Test("a notification has the texts and the place of the feed only if the trigger's key may read the feed")
    func notificationOfPart() async throws {
        try await withReceiver { peer, receiver async throws in
            let key = try await peer.createKey(
                Self.key(#""post","get""#, #"{"feed_id":2,"datastream_id":"temp"}"#)
            )
            let limited = CosmPeer(peer.running, key: key)
            #expect(try await limited.post("/triggers", Self.trigger(2, receiver.url)).status == 201)
            #expect(try await peer.put("/feeds/2.csv", "temp,1").status == 200)
            #expect(await receiver.wait { $0.requestCount == 1 })
            let form = String(decoding: try #require(receiver.requests.first).body, as: UTF8.self)
            let document = try TestJSON(parsing: PercentEncoding.decodedFormText(form.dropFirst(5)))
            #expect(!document.text.contains("SECRET"))
            #expect(document["environment", "id"] == 2)
            #expect(document["environment", "title"] == "")
            #expect(document["environment", "location"] == [:])
            #expect(document["triggering_datastream", "value", "value"]?.doubleValue == 1)
        }
    }

    @Test("triggers of a replaced master key go on with the new one")
    func replacedMasterKey() throws {
        let database = try DatabaseQueue()
        try CosmSchema.migrate(database)
        var configuration = CosmConfiguration()
        configuration.masterKey = "old-master-key"
        _ = try CosmStore(DatabaseAccess(database), configuration: configuration)
        try database.write { database in
            for (id, key) in [(1, "old-master-key"), (2, "other-key")] {
                var trigger = TriggerRecord.blank
                trigger.id = id
                trigger.author.key = key
                try TriggerTable(database: database).insert(trigger)
            }
        }
        configuration.masterKey = "new-master-key"
        _ = try CosmStore(DatabaseAccess(database), configuration: configuration)
        let keys = try database.read { database in
            try [1, 2].map { try TriggerTable(database: database).trigger($0)?.author.key }
        }
        #expect(keys == ["new-master-key", "other-key"])
    }

    @Test("triggers in a store of an earlier version are kept, without a key")
    func migration() throws {
        let database = try DatabaseQueue()
        try CosmSchema.migrator.migrate(database, upTo: "cosm-1")
        try database.write {
            try $0.execute(
                sql: """
                    INSERT INTO cosm_trigger (id, owner, feed, datastream, url, type, is_spent)
                    VALUES (1, 'ann', 1, 'a', 'http://h/', 'change', 0)
                    """
            )
        }
        try CosmSchema.migrate(database)
        let trigger = try #require(try database.read { try TriggerTable(database: $0).trigger(1) })
        #expect(trigger.author == TriggerAuthor())
        #expect(trigger.url == "http://h/")
    }

    @Test(
        "a trigger of an earlier version, without a key, fires for public feeds only, until a key that may read changes it"
    )
    func withoutKey() async throws {
        try await withReceiver { peer, receiver async throws in
            for feed in [1, 2] {
                #expect(try await peer.post("/triggers", Self.trigger(feed, receiver.url)).status == 201)
            }
            try await peer.running.cosm.state.store.write {
                try $0.execute(sql: "UPDATE cosm_trigger SET key = NULL, address = NULL, referer = NULL")
            } publish: { _, _ in
            }
            #expect(try peer.running.cosm.state.store.mutedTriggers() == [2])
            for feed in [2, 1] { #expect(try await peer.put("/feeds/\(feed).csv", "temp,1").status == 200) }
            #expect(await receiver.wait { _ in peer.running.cosm.deliveredNotifications == 1 })
            #expect(receiver.requestCount == 1)
            #expect(try await peer.put("/triggers/2", "{}").status == 200)
            #expect(try peer.running.cosm.state.store.mutedTriggers() == [])
            #expect(try await peer.put("/feeds/2.csv", "temp,2").status == 200)
            #expect(await receiver.wait { _ in peer.running.cosm.deliveredNotifications == 2 })
        }
    }

    @Test(
        "a URL with a local address is refused with 422, unless the configuration allows it",
        arguments: [
            "http://127.0.0.1:9/", "http://localhost/", "http://LOCALHOST:80/", "http://a.localhost/",
            "http://10.1.2.3/", "http://172.16.0.1/", "http://192.168.1.1/", "http://169.254.169.254/latest/",
            "http://0.0.0.0/", "http://[::1]/", "http://[::]/", "http://[fe80::1]/", "http://[fd00::1]/",
            "http://[::ffff:127.0.0.1]/", "http://[::ffff:a01:203]/", "http://[64:ff9b::7f00:1]/",
        ]
    )
    func localTargets(_ url: String) {
        for allows in [false, true] {
            var trigger = TriggerRecord.blank
            trigger.feed = 1
            trigger.datastream = "temp"
            trigger.url = url
            let messages = TriggerRules.violations(of: trigger, allowsLocalTargets: allows)
            #expect(messages == (allows ? [] : ["Url is a local address"]))
        }
    }

    @Test("a local address is refused when a trigger is created and when it is changed")
    func localTargetsOverHTTP() async throws {
        try await withCosm { peer async throws in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"temp"}]}"#)
            let refused = try await peer.post("/triggers", Self.trigger(1, "http://127.0.0.1:9/"))
            #expect(refused.status == 422)
            #expect(refused.errors == ["Url is a local address"])
            #expect(try await peer.post("/triggers", Self.trigger(1, "http://receiver.example/")).status == 201)
            #expect(try await peer.put("/triggers/1", #"{"url":"http://[::1]/"}"#).status == 422)
        }
    }

    @Test(
        "no connection is opened to a local address, however the URL writes it",
        arguments: ["127.1", "2130706433", "0x7f000001", "127.0.0.1", "localhost"]
    )
    func noConnection(_ host: String) async throws {
        try await FaultServer.run({ _ in [.answer()] }) { receiver async throws in
            let port = try #require(receiver.url.split(separator: ":").last)
            try await withCosm { peer async throws in
                try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"temp","current_value":"0"}]}"#)
                #expect(try await peer.post("/triggers", Self.trigger(1, "http://receiver.example/")).status == 201)
                // As a name would have it that resolves to this address after the trigger was created.
                try await peer.running.cosm.state.store.write {
                    try $0.execute(sql: "UPDATE cosm_trigger SET url = ?", arguments: ["http://\(host):\(port)/"])
                } publish: { _, _ in
                }
                #expect(try await peer.put("/feeds/1.csv", "temp,1").status == 200)
                #expect(await receiver.wait { _ in peer.running.cosm.failedNotifications == 1 })
                #expect(receiver.requestCount == 0)
            }
        }
    }

    @Test("a redirect of a receiver is not followed")
    func redirect() async throws {
        let script: FaultServer.Script = { request in
            request.path == "/start"
                ? [.send("HTTP/1.1 307 Temporary Redirect\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n")]
                : [.answer()]
        }
        try await FaultServer.run(script) { receiver async throws in
            try await withCosm {
                $0.allowsLocalTriggerTargets = true
            } _: { peer async throws in
                try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"temp","current_value":"0"}]}"#)
                #expect(try await peer.post("/triggers", Self.trigger(1, receiver.url + "/start")).status == 201)
                #expect(try await peer.put("/feeds/1.csv", "temp,1").status == 200)
                #expect(await receiver.wait { _ in peer.running.cosm.failedNotifications == 1 })
                #expect(receiver.requests.map(\.path) == ["/start"])
            }
        }
    }
}
