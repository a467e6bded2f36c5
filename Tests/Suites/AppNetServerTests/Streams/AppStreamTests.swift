import GRDB
import HeliumJSON
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Synchronization
import TestSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("App streams of App.net", .timeLimit(.minutes(5)))
struct AppStreamTests {
    @Test("an app stream is created with its types, key, kind and endpoint, and found by its key")
    func creation() async throws {
        try await withVisitors { alice, _ in
            let app = alice.asApp
            let made = try await app.post(
                "streams",
                ["object_types": ["post", "star", "post"], "type": "long_poll", "key": "a"]
            )
            let id = try #require(made["id"]?.stringValue, "\(made.text)")
            #expect(made["object_types"] == ["post", "star"] && made["key"] == "a" && made["type"] == "long_poll")
            #expect(made["endpoint"]?.stringValue?.hasPrefix(app.root) == true && made["filter"] == nil)
            #expect(try await app.get("streams?key=a").ids == [id])
            #expect(try await app.get("streams?key=b").ids.isEmpty)
            #expect(try await alice.get("streams").status == 403)
        }
    }

    @Test("an app stream is changed and deleted by its id, and deleted with all others of its app")
    func changes() async throws {
        try await withVisitors { alice, _ in
            let app = alice.asApp
            let made = try await app.post("streams", ["object_types": ["post"], "key": "a"])
            let id = try #require(made["id"]?.stringValue, "\(made.text)")
            let changed = try await app.send("PUT", "streams/\(id)", json: ["object_types": ["message"]])
            #expect(changed["object_types"] == ["message"] && changed["key"] == nil)
            for _ in 0..<4 { _ = try await app.post("streams", ["object_types": ["post"]]) }
            #expect(try await app.delete("streams/\(id)")["id"]?.stringValue == id)
            #expect(try await app.get("streams/\(id)").status == 404)
            #expect(try await app.delete("streams").ids.count == 4)
            #expect(try await app.get("streams").ids.isEmpty)
        }
    }

    @Test("an app stream with a used key or an invalid type or filter is refused, and so is a sixth one")
    func refusals() async throws {
        try await withVisitors { alice, _ in
            let app = alice.asApp
            _ = try await app.post("streams", ["object_types": ["post"], "key": "a"])
            #expect(try await app.post("streams", ["object_types": ["post"], "key": "a"]).status == 400)
            for body: TestJSON in [
                [:], ["object_types": []], ["object_types": ["toast"]], ["object_types": ["post"], "type": "push"],
            ] {
                #expect(try await app.post("streams", body).status == 400, "\(body.text)")
            }
            for _ in 0..<4 { _ = try await app.post("streams", ["object_types": ["post"]]) }
            #expect(try await app.post("streams", ["object_types": ["post"]]).status == 400)
        }
    }

    /// A stream of every type of event that App.net has.
    private struct EveryEvent {
        let stream: ChunkedClient

        init(_ visitor: AppNetVisitor) async throws {
            let kinds = AppNetEvent.Kind.allCases.filter { !PnutNames.ownEvents.contains($0) }
            let types = kinds.map { TestJSON.string($0.rawValue) }
            stream = try await AppStreamTests.open(visitor, ["object_types": .array(types)])
        }

        /// Returns the next event, which must have this type and nothing personal.
        func next(_ type: String, isDeleted: Bool = false) async throws -> TestJSON {
            let frame = try await stream.frame()
            #expect(frame["meta"]?["type"]?.stringValue == type, "\(frame["meta"]?.text ?? "")")
            #expect((frame["meta"]?["is_deleted"] == .bool(true)) == isDeleted)
            #expect(frame["meta"]?["id"]?.stringValue != nil)
            #expect((frame["meta"]?["timestamp"]?.integerValue ?? 0) > 100_000_000_000)
            #expect(!frame.text.contains("\"you_"), "\(frame.text)")
            return frame
        }

        /// Returns the types of the next events.
        func types(_ count: Int) async throws -> Set<String> {
            var types: Set<String> = []
            for _ in 0..<count {
                if let type = try await stream.frame()["meta"]?["type"]?.stringValue { types.insert(type) }
            }
            return types
        }
    }

    @Test("an app stream has an event for each post, star and unstar")
    func posts() async throws {
        try await withVisitors { alice, bob in
            let events = try await EveryEvent(alice)
            let post = try await bob.say("public")
            #expect(try await events.next("post")["data"]?["id"]?.stringValue == post)
            _ = try await alice.post("posts/\(post)/star", [:])
            #expect(try await events.next("star")["data"]?["post"]?["id"]?.stringValue == post)
            _ = try await alice.delete("posts/\(post)/star")
            #expect(try await events.next("star", isDeleted: true)["data"]?["user"]?["username"] == "alice")
        }
    }

    @Test("an app stream has an event for each follow and mute, and for those that a block ends")
    func relations() async throws {
        try await withVisitors { alice, bob in
            let events = try await EveryEvent(alice)
            _ = try await alice.post("users/@bob/follow", [:])
            #expect(try await events.next("user_follow")["data"]?["follows_user"]?["username"] == "bob")
            _ = try await alice.post("users/@bob/mute", [:])
            #expect(try await events.next("mute")["data"]?["muted_user"]?["username"] == "bob")
            _ = try await alice.delete("users/@bob/mute")
            _ = try await events.next("mute", isDeleted: true)
            _ = try await alice.post("users/@bob/block", [:])
            #expect(try await events.types(3) == ["block", "user_follow", "mute"])
        }
    }

    @Test("an app stream has an event for each channel, subscription, message and marker")
    func channels() async throws {
        try await withVisitors { alice, bob in
            let events = try await EveryEvent(alice)
            let channel = try await alice.channel()
            #expect(try await events.types(2) == ["channel", "channel_subscription"])
            let message = try await bob.post("channels/\(channel)/messages", ["text": "hello"])
            let told = try await events.next("message")
            #expect(told["meta"]?["channel_type"] == "com.example.room")
            #expect(told["meta"]?["subscribed_user_ids"] == [.string(try await alice.myID())])
            #expect(told["data"]?["text"] == "hello")
            _ = try await alice.post(
                "posts/marker",
                ["name": .string("channel:\(channel)"), "id": try #require(message["id"])]
            )
            let marker = try await events.next("stream_marker")
            #expect(marker["meta"]?["channel_id"]?.stringValue == channel && marker["meta"]?["user_id"] != nil)
        }
    }

    @Test("an app stream has an event for each file, changed user and deleted token")
    func accounts() async throws {
        try await withVisitors { alice, bob in
            let events = try await EveryEvent(alice)
            let file = try await alice.post("files", ["type": "com.example.a", "kind": "other"])
            let fileFrame = try await events.next("file")
            #expect(fileFrame["data"]?["id"] == file["id"] && fileFrame["data"]?["file_token"] == nil)
            _ = try await alice.send("PATCH", "users/me", json: ["name": "New"])
            #expect(try await events.next("user")["data"]?["name"] == "New")
            _ = try await bob.delete("token")
            let token = try await events.next("token", isDeleted: true)
            #expect(token["data"] == nil && token["meta"]?["user_id"] != nil)
        }
    }

    @Test("an app stream has no event for a channel that no user of the app may read")
    func privacy() async throws {
        let accounts = AppNetAccounts(
            users: [
                AppNetAccounts.User(name: "alice", scopes: ["basic", "public_messages", "write_post"]),
                AppNetAccounts.User(name: "bob", scopes: ["basic", "public_messages", "write_post"]),
            ],
            apps: [AppNetAccounts.App(clientID: "helium")]
        )
        try await withVisitors({ $0.accounts = accounts }) { alice, bob in
            let stream = try await Self.open(alice, ["object_types": ["message", "file", "post"]])
            let made = try await alice.post("channels", ["type": "com.example.room"])
            let secret = try #require(made["id"]?.stringValue)
            _ = try await alice.post("channels/\(secret)/messages", ["text": "secret"])
            let open = try await alice.channel()
            _ = try await bob.post("channels/\(open)/messages", ["text": "open"])
            #expect(try await stream.frame()["data"]?["text"] == "open")
        }
    }

    @Test("an app stream with a filter has events for matching posts only")
    func filter() async throws {
        try await withVisitors { alice, _ in
            let clause: TestJSON = [
                "object_type": "post", "field": "/data/entities/hashtags/*/name", "operator": "matches",
                "value": "roll",
            ]
            let filter = try await alice.post("filters", ["match_policy": "include_any", "clauses": [clause]])
            let id = try #require(filter["id"])
            let stream = try await Self.open(alice, ["object_types": ["post"], "filter_id": id])
            _ = try await alice.say("a #swift post")
            let wanted = try await alice.say("a #rollout post")
            #expect(try await stream.frame()["data"]?["id"]?.stringValue == wanted)
        }
    }

    @Test("an app stream uses the filters of the app's users only, and other filters do not exist for it")
    func foreignFilter() async throws {
        var other = AppNetAccounts.App(clientID: "other")
        other.tokens = ["token-of-another-app"]
        let accounts = AppNetAccounts(
            users: AppNetAccounts.standard.users,
            apps: AppNetAccounts.standard.apps + [other]
        )
        try await withVisitors({ $0.accounts = accounts }) { alice, _ in
            let clause: TestJSON = [
                "object_type": "post", "field": "/data/text", "operator": "matches", "value": "a-secret",
            ]
            let filter = try await alice.post("filters", ["match_policy": "include_any", "clauses": [clause]])
            let id = try #require(filter["id"])
            var stranger = alice
            stranger.token = "token-of-another-app"
            let own = try await stranger.post("streams", ["object_types": ["post"]])
            let stream = try #require(own["id"]?.stringValue)
            for id in [id, "77", true, [id]] {
                let body: TestJSON = ["object_types": ["post"], "filter_id": id]
                let made = try await stranger.post("streams", body)
                #expect(made.status == 404 && !made.text.contains("a-secret"), "\(made.text)")
                #expect(try await stranger.send("PUT", "streams/\(stream)", json: body).status == 404)
            }
            // The app loses the filter with the tokens of its owner.
            let used = try await alice.asApp.post("streams", ["object_types": ["post"], "filter_id": id])
            #expect(used["filter"]?["id"] == id)
            let path = "streams/\(used["id"]?.stringValue ?? "")"
            #expect(try await alice.delete("token").status == 200)
            let left = try await alice.asApp.get(path)
            #expect(left.status == 200 && left["filter"] == nil, "\(left.text)")
        }
    }

    @Test("an app stream ends when its token is revoked, and nothing of it remains")
    func revokedToken() async throws {
        try await withVisitors { alice, bob in
            let control = alice.running.server.appNet
            let stream = try await Self.open(alice, ["object_types": ["post", "message"]])
            try await eventually { control.connectedAppStreamCount == 1 }
            try await control.setToken(alice.asApp.token ?? "", .revoked)
            #expect(try await stream.isEnded())
            #expect(control.connectedAppStreamCount == 0)
            #expect(try await control.state.store.read { try AppStreamRecord.fetchAll($0) }.isEmpty)
            try await control.setToken(alice.asApp.token ?? "", .active)
            #expect(try await alice.asApp.get("streams").ids.isEmpty)
            let again = try await Self.open(alice, ["object_types": ["post"]])
            let post = try await bob.say("after the return")
            #expect(try await again.frame()["data"]?["id"]?.stringValue == post)
        }
    }

    @Test("an app stream goes on if its deletion cannot be committed")
    func failedDeletion() async throws {
        try await withVisitors { alice, bob in
            let stream = try await Self.open(alice, ["object_types": ["post"]])
            let id = try #require(try await alice.asApp.get("streams").ids.first)
            // The deletion itself succeeds. SQLite checks the reference at the end of the transaction.
            try await alice.running.server.appNet.state.store.write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE target (id INTEGER PRIMARY KEY);
                        CREATE TABLE source (id INTEGER REFERENCES target DEFERRABLE INITIALLY DEFERRED);
                        CREATE TRIGGER broken AFTER DELETE ON appnet_stream BEGIN
                        INSERT INTO source (id) VALUES (1);
                        END;
                        """
                )
            } publish: { _, _ in
            }
            #expect(try await alice.asApp.delete("streams/\(id)").status == 500)
            let post = try await bob.say("still there")
            #expect(try await stream.frame()["data"]?["id"]?.stringValue == post)
            #expect(try await alice.asApp.get("streams").ids == [id])
        }
    }

    @Test("an app has a limited number of streams, however many tokens it has")
    func ceilingOfApp() async throws {
        try await withVisitors { alice, _ in
            let control = alice.running.server.appNet
            _ = try await control.state.store.write { database in
                let client = control.state.store.credentials.clientID
                for number in 0..<AppStreamTable.maximumOfApp {
                    let record = AppStreamRecord(id: 0, token: 1_000 + Int64(number), client: client, objectTypes: [])
                    _ = try AppStreamTable(database: database).insert(record)
                }
            } publish: { _, _ in
            }
            #expect(try await alice.asApp.post("streams", ["object_types": ["post"]]).status == 400)
        }
    }

    @Test("HEAD does not open a stream and does not subscribe to one")
    func head() async throws {
        try await withVisitors { alice, _ in
            let control = alice.running.server.appNet
            let made = try await alice.asApp.post("streams", ["object_types": ["post"]])
            let id = try #require(made["id"]?.stringValue)
            for (visitor, target) in [(alice, "/stream/user"), (alice.asApp, "/stream/app/\(id)")] {
                let answer = try await visitor.request("HEAD", target: target)
                #expect(answer.status == 405 && answer.raw["allow"] == "GET", "\(target)")
            }
            #expect(control.userStreamCount == 0 && control.connectedAppStreamCount == 0)
            let stream = try await ChunkedClient.user(alice)
            let path = "/stream/0/posts/stream?connection_id=\(stream.connectionID)"
            #expect(try await alice.request("HEAD", target: path).status == 200)
            #expect(control.subscriptionCount == 0)
            #expect(try await alice.request("GET", target: path).status == 200)
            #expect(control.subscriptionCount == 1)
        }
    }

    @Test("an app stream queues events until a consumer connects, and drops them if it purges")
    func queue() async throws {
        try await withVisitors { alice, _ in
            let made = try await alice.asApp.post("streams", ["object_types": ["post"]])
            let id = try #require(made["id"]?.stringValue)
            let early = try await alice.say("early")
            let first = try await ChunkedClient(alice.asApp, "/stream/app/\(id)")
            #expect(try await first.frame()["data"]?["id"]?.stringValue == early)
            let second = try await ChunkedClient(alice.asApp, "/stream/app/\(id)?purge=1")
            #expect(try await first.isEnded())
            let late = try await alice.say("late")
            #expect(try await second.frame()["data"]?["id"]?.stringValue == late)
            #expect(try await ChunkedClient(alice, "/stream/app/\(id)").status == 403)
            #expect(try await ChunkedClient(alice.asApp, "/stream/app/99").status == 404)
            #expect(try await alice.asApp.delete("streams/\(id)").status == 200)
            #expect(try await second.isEnded())
        }
    }

    @Test("an app stream with auto_delete is deleted when its connection ends")
    func autoDelete() async throws {
        try await withVisitors { alice, _ in
            let made = try await alice.asApp.post("streams", ["object_types": ["post"]])
            let id = try #require(made["id"]?.stringValue)
            let stream = try await ChunkedClient(alice.asApp, "/stream/app/\(id)?auto_delete=1")
            alice.running.server.appNet.dropStreams()
            #expect(try await stream.isEnded())
            try await eventually { try await alice.asApp.get("streams/\(id)").status == 404 }
        }
    }

    @Test("an app stream sends a warning when the consumer's buffer fills")
    func buffer() async throws {
        let sink = StuckSink(capacity: 8)
        let faults = StreamFaults()
        let streams = AppStreams(faults: faults)
        let record = AppStreamRecord(id: 1, token: 1, client: "c", objectTypes: [])
        let display = GeneralParameters()
        try streams.connect(record, sink, token: 1, purges: false, deletesItself: false, display: display, at: 0)
        for number in 0..<10 { streams.send(.count(number), to: record, number: 1, at: 0) }
        let texts = sink.frames.map { String(decoding: $0, as: UTF8.self) }
        let controls = texts.filter { $0.contains("\"control\"") }
        #expect(controls.count == 1 && texts.first == "0")
    }

    @Test("an app stream of pnut.io is served over a WebSocket")
    func pnut() async throws {
        try await withVisitors { alice, _ in
            _ = try await alice.asApp.post("streams", ["object_types": ["post"], "key": "mine"])
            let token = alice.asApp.token ?? ""
            let socket = try await WebSocketClient(alice, path: "/v1/app?access_token=\(token)&key=mine")
            try await eventually { alice.running.server.appNet.connectedAppStreamCount == 1 }
            let post = try await alice.say("over there")
            let frame = try #require(TestJSON.parse(try await socket.frame().text))
            let data = try #require(frame["data"]?.arrayValue?.first)
            #expect(data["id"]?.stringValue == post && data["content"]?["text"] == "over there")
        }
    }

    /// Creates an app stream and connects to its endpoint.
    static func open(_ visitor: AppNetVisitor, _ body: TestJSON) async throws -> ChunkedClient {
        let made = try await visitor.asApp.post("streams", body)
        guard let endpoint = made["endpoint"]?.stringValue, endpoint.hasPrefix(visitor.root) else {
            throw RawConnection.Failure.malformed(made.text)
        }
        return try await ChunkedClient(visitor.asApp, String(endpoint.dropFirst(visitor.root.count)))
    }
}

/// A consumer that takes frames and sends none of them on.
private final class StuckSink: FrameSink {
    let number = 1
    private let taken = Mutex<[[UInt8]]>([])
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    var frames: [[UInt8]] { taken.withLock { $0 } }
    func send(_ frame: [UInt8]) { taken.withLock { $0.append(frame) } }
    func end() {}
    func cut(in frame: [UInt8]) {}
    var fill: Double { Double(frames.count) / Double(capacity) }
}
