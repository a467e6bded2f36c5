import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("User streams of App.net", .timeLimit(.minutes(5)))
struct UserStreamTests {
    @Test("a subscription has events for new and deleted items of its list, over chunked HTTP")
    func chunked() async throws {
        try await withVisitors { alice, bob in
            let stream = try await ChunkedClient.user(alice)
            #expect(stream.status == 200 && !stream.connectionID.isEmpty)
            #expect(stream.fields["x-oauth-scopes"] == Set.all.list)
            try await Self.checkMentions(stream, stream.connectionID, alice, bob)
        }
    }

    @Test("a subscription has events for new and deleted items of its list, over a WebSocket")
    func webSocket() async throws {
        try await withVisitors { alice, bob in
            let stream = try await SocketClient.user(alice)
            try await Self.checkMentions(stream, stream.connectionID, alice, bob)
        }
    }

    private static func checkMentions(
        _ stream: some FrameReader,
        _ id: String,
        _ alice: AppNetVisitor,
        _ bob: AppNetVisitor
    ) async throws {
        let list = try await alice.get("users/me/mentions?connection_id=\(id)&subscription_id=mine")
        #expect(list.meta?["subscription_id"] == "mine" && list.meta?["subscription_ids"] == ["mine"])
        let post = try await bob.say("hi @alice")
        _ = try await bob.say("nobody")
        let created = try await stream.frame()
        let meta = try #require(created["meta"])
        #expect(meta["subscription_ids"] == ["mine"] && meta["connection_id"]?.stringValue == id)
        #expect(meta["type"] == "post" && meta["more"] == .bool(false))
        #expect(meta["min_id"]?.stringValue == post && meta["max_id"]?.stringValue == post)
        let data = try #require(created["data"]?.arrayValue?.first)
        #expect(data["id"]?.stringValue == post && data["you_starred"] == .bool(false))
        #expect(data["html"] != nil && data["annotations"] == nil)
        _ = try await bob.delete("posts/\(post)")
        let deleted = try await stream.frame()
        #expect(deleted["meta"]?["is_deleted"] == .bool(true))
        #expect(deleted["meta"]?["deleted_id"]?.stringValue == post)
        #expect(deleted["data"]?.arrayValue?.first?["is_deleted"] == .bool(true))
    }

    @Test(
        "a list is subscribed to only with bounds that miss no new item",
        arguments: [
            ("", true), ("&count=5", true), ("&count=0", true), ("&count=-5", false), ("&before_id=9", false),
            ("&since_id=1&before_id=9", false), ("&since_id=1", true), ("&since_id=1&count=1", false),
        ]
    )
    func rules(query: String, isMade: Bool) async throws {
        try await withVisitors { alice, _ in
            for number in 0..<4 { try await alice.say("number \(number)") }
            let stream = try await ChunkedClient.user(alice)
            let answer = try await alice.get("users/me/posts?connection_id=\(stream.connectionID)\(query)")
            #expect(answer.status == 200)
            #expect((answer.meta?["subscription_id"] != nil) == isMade)
            #expect(alice.running.server.appNet.subscriptionCount == (isMade ? 1 : 0))
        }
    }

    @Test("all documented lists can be subscribed to, and a subscription to an unknown stream is refused")
    func endpoints() async throws {
        try await withVisitors { alice, bob in
            let stream = try await ChunkedClient.user(alice)
            let id = stream.connectionID
            let post = try await alice.say("thread")
            let channel = try await alice.channel()
            let paths = [
                "users/me/following", "users/@alice/followers", "users/me/posts", "users/me/mentions",
                "posts/\(post)/replies", "posts/stream", "posts/stream/unified", "channels",
                "channels/\(channel)/subscribers", "channels/\(channel)/messages", "users/me/files", "token",
            ]
            for path in paths {
                let answer = try await alice.get("\(path)?connection_id=\(id)")
                #expect(answer.meta?["subscription_id"] != nil, "\(path): \(answer.text)")
            }
            #expect(alice.running.server.appNet.subscriptionCount == paths.count)
            for path in ["users/@bob/posts", "posts/stream/global", "channels?ids=1", "users/me", "config"] {
                let answer = try await alice.get("\(path)\(path.contains("?") ? "&" : "?")connection_id=\(id)")
                #expect(answer.status == 200 && answer.meta?["subscription_id"] == nil, "\(path)")
            }
            #expect(try await alice.get("posts/stream?connection_id=none").status == 400)
            #expect(try await bob.get("posts/stream?connection_id=\(id)").status == 400)
        }
    }

    /// A user stream whose subscriptions have the id `s`.
    private struct SubscribedStream {
        let visitor: AppNetVisitor
        let stream: ChunkedClient

        init(_ visitor: AppNetVisitor) async throws {
            self.visitor = visitor
            stream = try await ChunkedClient.user(visitor, "include_message_annotations=1&include_html=0")
        }

        func subscribe(_ path: String) async throws {
            let mark = path.contains("?") ? "&" : "?"
            let list = "\(path)\(mark)connection_id=\(stream.connectionID)&subscription_id=s"
            let answer = try await visitor.get(list)
            #expect(answer.meta?["subscription_id"] == "s", "\(answer.text)")
        }

        func frame() async throws -> TestJSON { try await stream.frame() }
    }

    @Test("a subscription to followers has an event for a follow and for its end")
    func followers() async throws {
        try await withVisitors { alice, bob in
            let bobID = try await bob.myID()
            let stream = try await SubscribedStream(alice)
            try await stream.subscribe("users/me/followers")
            _ = try await bob.post("users/@alice/follow", [:])
            let frame = try await stream.frame()
            #expect(frame["meta"]?["type"] == "user_follow" && frame["meta"]?["max_id"] != nil)
            #expect(frame["data"]?.arrayValue?.first?["id"]?.stringValue == bobID)
            _ = try await bob.delete("users/@alice/follow")
            #expect(try await stream.frame()["meta"]?["deleted_id"]?.stringValue == bobID)
        }
    }

    @Test("a subscription to a channel's subscribers has an event for a new one")
    func subscribers() async throws {
        try await withVisitors { alice, bob in
            let bobID = try await bob.myID()
            let channel = try await alice.channel()
            let stream = try await SubscribedStream(alice)
            try await stream.subscribe("channels/\(channel)/subscribers")
            _ = try await bob.post("channels/\(channel)/subscribe", [:])
            #expect(try await stream.frame()["data"]?.arrayValue?.first?["id"]?.stringValue == bobID)
        }
    }

    @Test("a subscription to a channel's messages has an event for a new and for a deleted message")
    func messages() async throws {
        try await withVisitors { alice, bob in
            let channel = try await alice.channel()
            let stream = try await SubscribedStream(alice)
            try await stream.subscribe("channels/\(channel)/messages")
            let message: TestJSON = [
                "text": "hello", "annotations": [["type": "com.example.a", "value": ["b": "c"]]],
            ]
            let sent = try await bob.post("channels/\(channel)/messages", message)
            let id = try #require(sent["id"]?.stringValue, "\(sent.text)")
            var frame = try await stream.frame()
            #expect(frame["meta"]?["channel_id"]?.stringValue == channel && frame["meta"]?["type"] == "message")
            let shown = try #require(frame["data"]?.arrayValue?.first)
            #expect(shown["annotations"]?.arrayValue?.count == 1 && shown["html"] == nil)
            _ = try await bob.delete("channels/\(channel)/messages/\(id)")
            frame = try await stream.frame()
            #expect(frame["meta"]?["deleted_id"]?.stringValue == id)
        }
    }

    @Test("a subscription to channels of a type has an event for a message in one of them, and in no other")
    func channels() async throws {
        try await withVisitors { alice, bob in
            let bobID = try await bob.myID()
            let channel = try await alice.channel()
            let stream = try await SubscribedStream(alice)
            try await stream.subscribe("channels?channel_types=com.example.room")
            _ = try await bob.post("channels/\(channel)/messages", ["text": "again"])
            let frame = try await stream.frame()
            #expect(frame["meta"]?["type"] == "channel" && frame["meta"]?["max_id"] != nil)
            #expect(frame["data"]?.arrayValue?.first?["recent_message"]?["text"] == "again")
            // The subscription of the same id replaces the first one.
            try await stream.subscribe("channels?channel_types=com.example.other")
            _ = try await bob.post("channels/\(channel)/messages", ["text": "unseen"])
            try await stream.subscribe("users/me/followers")
            _ = try await bob.post("users/@alice/follow", [:])
            #expect(try await stream.frame()["data"]?.arrayValue?.first?["id"]?.stringValue == bobID)
        }
    }

    @Test("a subscription to complete files has an event for a complete and for a deleted file, without the token")
    func files() async throws {
        try await withVisitors { alice, _ in
            let stream = try await SubscribedStream(alice)
            try await stream.subscribe("users/me/files?include_incomplete=0")
            _ = try await alice.post("files", ["type": "com.example.a", "kind": "other"])
            let content = FormPart("content", "bytes", file: "a.txt", type: "text/plain")
            let file = try await alice.multipart("POST", "files", [FormPart("type", "com.example.a"), content])
            let id = try #require(file["id"]?.stringValue, "\(file.text)")
            let told = try #require(try await stream.frame()["data"]?.arrayValue?.first)
            #expect(told["id"]?.stringValue == id && told["file_token"] == nil)
            _ = try await alice.delete("files/\(id)")
            #expect(try await stream.frame()["meta"]?["deleted_id"]?.stringValue == id)
        }
    }

    @Test("a subscription to the token has an event for a change of its user")
    func token() async throws {
        try await withVisitors { alice, _ in
            let stream = try await SubscribedStream(alice)
            try await stream.subscribe("token")
            _ = try await alice.send("PATCH", "users/me", json: ["name": "Alice the Second"])
            #expect(try await stream.frame()["data"]?["user"]?["name"] == "Alice the Second")
        }
    }

    @Test("subscriptions to the same list share an event, each with its own filter")
    func filters() async throws {
        try await withVisitors { alice, bob in
            let stream = try await ChunkedClient.user(alice)
            let id = stream.connectionID
            let path = "users/me/mentions?connection_id=\(id)"
            _ = try await alice.get("\(path)&subscription_id=all")
            _ = try await alice.get("\(path)&subscription_id=kept&include_deleted=0")
            let again = try await alice.get("\(path)&include_deleted=0")
            #expect(again.meta?["subscription_id"] == "kept", "the same wish is the same subscription")
            let post = try await bob.say("@alice")
            #expect(try await stream.frame()["meta"]?["subscription_ids"] == ["all", "kept"])
            _ = try await bob.delete("posts/\(post)")
            #expect(try await stream.frame()["meta"]?["subscription_ids"] == ["all"])
            _ = try await alice.post("users/@bob/mute", [:])
            _ = try await bob.say("@alice unseen")
            _ = try await alice.delete("users/@bob/mute")
            let seen = try await bob.say("@alice seen")
            #expect(try await stream.frame()["meta"]?["max_id"]?.stringValue == seen)
        }
    }

    @Test("a user stream is resumed under its id, and gets a new id if it cannot be resumed")
    func resume() async throws {
        try await withVisitors { alice, bob in
            let first = try await ChunkedClient.user(alice)
            _ = try await alice.get("users/me/mentions?connection_id=\(first.connectionID)")
            alice.running.server.appNet.dropStreams()
            #expect(try await first.isEnded())
            let missed = try await bob.say("@alice while away")
            let second = try await SocketClient.user(alice, "connection_id=\(first.connectionID)")
            #expect(second.connectionID == first.connectionID)
            #expect(try await second.frame()["meta"]?["max_id"]?.stringValue == missed)
            let stranger = try await ChunkedClient.user(bob, "connection_id=\(first.connectionID)")
            #expect(stranger.connectionID != first.connectionID)
            alice.running.server.appNet.expireUserStreams()
            let third = try await ChunkedClient.user(alice, "connection_id=\(first.connectionID)")
            #expect(!third.connectionID.isEmpty && third.connectionID != first.connectionID)
            let chosen = try await ChunkedClient.user(alice, "connection_id=my-own.id")
            #expect(chosen.connectionID == "my-own.id")
            let odd = try await ChunkedClient.user(alice, "connection_id=%2F%20")
            #expect(odd.connectionID.hasPrefix("us-"))
        }
    }

    @Test("a second consumer of a user stream ends the connection of the first")
    func second() async throws {
        try await withVisitors { alice, bob in
            let first = try await ChunkedClient.user(alice)
            _ = try await alice.get("users/me/mentions?connection_id=\(first.connectionID)")
            let second = try await ChunkedClient.user(alice, "connection_id=\(first.connectionID)")
            #expect(second.connectionID == first.connectionID)
            #expect(try await first.isEnded())
            let post = try await bob.say("@alice")
            #expect(try await second.frame()["meta"]?["max_id"]?.stringValue == post)
            #expect(alice.running.server.appNet.connectedUserStreamCount == 1)
        }
    }

    @Test("a user stream with auto_delete is deleted when its connection ends")
    func autoDelete() async throws {
        try await withVisitors { alice, _ in
            let passing = try await ChunkedClient.user(alice, "auto_delete=1")
            alice.running.server.appNet.dropStreams()
            #expect(try await passing.isEnded())
            try await eventually { alice.running.server.appNet.userStreamCount == 0 }
        }
    }

    @Test("a user stream and its subscriptions are deleted by their user only")
    func deletion() async throws {
        try await withVisitors { alice, bob in
            let stream = try await ChunkedClient.user(alice)
            let id = stream.connectionID
            _ = try await alice.get("users/me/mentions?connection_id=\(id)&subscription_id=a")
            #expect(try await bob.delete("users/me/streams/\(id)/a").status == 404)
            #expect(try await alice.delete("users/me/streams/\(id)/a").status == 204)
            #expect(try await alice.delete("users/me/streams/\(id)/a").status == 404)
            #expect(try await bob.delete("users/me/streams/\(id)").status == 404)
            #expect(try await alice.delete("users/me/streams/\(id)").status == 204)
            #expect(try await stream.isEnded())
            #expect(try await alice.delete("users/me/streams/\(id)").status == 404)
        }
    }

    @Test("a user stream ends when its token is deleted")
    func deletedToken() async throws {
        try await withVisitors { alice, _ in
            let stream = try await SocketClient.user(alice)
            #expect(try await alice.delete("token").status == 200)
            await #expect(throws: (any Error).self) { while true { _ = try await stream.frame() } }
            #expect(alice.running.server.appNet.userStreamCount == 0)
        }
    }

    @Test("a sixth user stream of a token is refused with 429 over both transports")
    func streamLimit() async throws {
        try await withVisitors { alice, _ in
            var open: [ChunkedClient] = []
            for _ in 0..<5 { open.append(try await ChunkedClient.user(alice)) }
            #expect(try await ChunkedClient.user(alice).status == 429)
            let refused = try await alice.request("GET", target: "/stream/user")
            #expect(refused.status == 429 && refused.raw["retry-after"] == "60")
            do {
                _ = try await SocketClient.user(alice)
                Issue.record("a sixth stream was opened")
            } catch RawConnection.Failure.malformed(let line) {
                #expect(line.hasPrefix("HTTP/1.1 429"))
            }
            #expect(open.allSatisfy { $0.status == 200 })
        }
    }

    @Test("the fifty-first subscription of a user stream is refused, and the others may be made again")
    func subscriptionLimit() async throws {
        try await withVisitors { alice, _ in
            let stream = try await ChunkedClient.user(alice)
            for number in 0..<50 {
                let path = "posts/stream?connection_id=\(stream.connectionID)&subscription_id=\(number)"
                #expect(try await alice.get(path).status == 200)
            }
            let path = "posts/stream?connection_id=\(stream.connectionID)"
            #expect(try await alice.get("\(path)&subscription_id=50").status == 400)
            #expect(try await alice.get("\(path)&subscription_id=49").status == 200)
        }
    }

    @Test("a user stream without a valid token is refused with a status, over both transports")
    func refusals() async throws {
        try await withVisitors { alice, _ in
            var nobody = alice
            nobody.token = "wrong"
            #expect(try await ChunkedClient.user(nobody).status == 401)
            #expect(try await ChunkedClient.user(alice.asApp).status == 403)
            for (path, status) in [
                ("/stream/user", "401"), ("/stream/user?access_token=wrong", "401"), ("/other", "404"),
                ("/stream/user?access_token=\(alice.asApp.token ?? "")", "403"),
            ] {
                do {
                    _ = try await WebSocketClient(alice, path: path)
                    Issue.record("\(path) was accepted")
                } catch RawConnection.Failure.malformed(let line) {
                    #expect(line.hasPrefix("HTTP/1.1 \(status)"), "\(path): \(line)")
                }
            }
        }
    }

    @Test("a user stream sends empty frames while nothing happens")
    func keepAlive() async throws {
        try await withVisitors({ $0.keepAlive = .milliseconds(20) }) { alice, _ in
            let stream = try await ChunkedClient.user(alice)
            for _ in 0..<3 { #expect(try await stream.rawFrame().isEmpty) }
        }
    }

    @Test("a user stream is not closed by the timeout of idle connections")
    func idle() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.idle = .seconds(1)
        configuration.appNet.keepAlive = .milliseconds(100)
        try await withEmbeddedServer(configuration) { running in
            let alice = AppNetVisitor(running: running, token: running.ready.appNet.users[0].token)
            let stream = try await ChunkedClient.user(alice)
            for _ in 0..<14 { #expect(try await stream.rawFrame().isEmpty) }
            _ = try await alice.get("users/me/posts?connection_id=\(stream.connectionID)")
            let post = try await alice.say("still there")
            #expect(try await stream.frame()["meta"]?["max_id"]?.stringValue == post)
        }
    }

    @Test("user streams end when the server stops")
    func shutdown() async throws {
        var open: (any FrameReader)?
        var chunked: ChunkedClient?
        try await withVisitors { alice, _ in
            open = try await SocketClient.user(alice)
            chunked = try await ChunkedClient.user(alice)
        }
        #expect(try await #require(chunked).isEnded())
        let socket = try #require(open)
        await #expect(throws: (any Error).self) { _ = try await socket.frame() }
    }

    @Test("faults repeat a frame of a user stream, and cut one in the middle")
    func faults() async throws {
        try await withVisitors { alice, bob in
            let stream = try await ChunkedClient.user(alice)
            _ = try await alice.get("users/me/mentions?connection_id=\(stream.connectionID)")
            alice.running.server.appNet.duplicateNextFrames()
            let doubled = try await bob.say("@alice twice")
            for _ in 1...2 { #expect(try await stream.frame()["meta"]?["max_id"]?.stringValue == doubled) }
            alice.running.server.appNet.cutNextFrames()
            let broken = try await bob.say("@alice broken")
            await #expect(throws: RawConnection.Failure.self) { _ = try await stream.frame() }
            let next = try await ChunkedClient.user(alice, "connection_id=\(stream.connectionID)")
            var found = false
            while !found { found = try await next.frame()["meta"]?["max_id"]?.stringValue == broken }
        }
    }
}

extension AppNetVisitor {
    /// Makes a channel that every user reads and writes, and gives its id.
    func channel() async throws -> String {
        let body: TestJSON = ["type": "com.example.room", "writers": ["any_user": .bool(true)]]
        let answer = try await post("channels", body)
        guard let id = answer["id"]?.stringValue else { throw RawConnection.Failure.malformed(answer.text) }
        return id
    }
}

@Suite("User streams of pnut.io", .timeLimit(.minutes(5)))
struct PnutStreamTests {
    @Test("events of a pnut.io user stream have the names and members of pnut.io")
    func members() async throws {
        try await withVisitors { alice, bob in
            let path = "/v1/user?access_token=\(alice.token ?? "")"
            let socket = SocketClient(socket: try await WebSocketClient(alice, path: path), connectionID: "")
            let id = try #require(try await socket.frame()["meta"]?["connection_id"]?.stringValue)
            _ = try await alice.get("users/me/mentions?connection_id=\(id)&subscription_id=a")
            _ = try await alice.get("users/me/followers?connection_id=\(id)&subscription_id=b")
            _ = try await bob.say("@alice hello")
            let post = try await socket.frame()
            #expect(post["data"]?.arrayValue?.first?["content"]?["text"] == "@alice hello")
            #expect(post["data"]?.arrayValue?.first?["text"] == nil)
            _ = try await bob.post("users/@alice/follow", [:])
            let follow = try await socket.frame()
            #expect(follow["meta"]?["type"] == "follow" && follow["data"]?.arrayValue?.first?["username"] == "bob")
        }
    }
}
