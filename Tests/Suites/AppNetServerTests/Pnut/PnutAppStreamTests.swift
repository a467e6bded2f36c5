import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("App streams of pnut.io", .timeLimit(.minutes(5)))
struct PnutAppStreamTests {
    @Test("an app stream of pnut.io is created with its key, the types that pnut.io has, and an endpoint")
    func creation() async throws {
        try await withPnut { alice, _ in
            let made = try await alice.asApp.post(
                "streams",
                ["object_types": ["star", "bookmark", "poll"], "key": "mine_1"]
            )
            #expect(made.status == 200, "\(made.text)")
            #expect(made["key"] == "mine_1" && made["id"] == nil)
            #expect(made["object_types"] == ["bookmark", "poll"])
            let live = try #require(alice.running.ready.appNet.userStream.port)
            #expect(made["endpoint"]?.stringValue?.hasSuffix(":\(live)/v1/app") == true)
            #expect(try await alice.get("streams").status == 403)
        }
    }

    @Test("app streams of pnut.io are found, changed and deleted by their keys, also by one that the server chose")
    func keys() async throws {
        try await withPnut { alice, _ in
            let app = alice.asApp
            _ = try await app.post("streams", ["object_types": ["bookmark", "poll"], "key": "mine_1"])
            let numbered = try await app.post("streams", ["object_types": ["post"]])
            let number = try #require(numbered["key"]?.stringValue)
            for key in ["mine_1", number] {
                #expect(try await app.get("streams/\(key)")["key"] == .string(key))
                let all = try await app.get("streams?key=\(key)")
                #expect(all.json?["data"]?.arrayValue?.map { $0["key"] } == [.string(key)])
            }
            let changed = try await app.send("PUT", "streams/mine_1", json: ["object_types": ["follow"], "key": "x"])
            #expect(changed["object_types"] == ["follow"] && changed["key"] == "mine_1", "\(changed.text)")
            let deleted = try await app.delete("streams/mine_1")
            #expect(deleted["is_deleted"] == .bool(true) && deleted["key"] == "mine_1")
            #expect(try await app.get("streams/mine_1").status == 404)
            let rest = try await app.delete("streams")
            #expect(rest.json?["data"]?.arrayValue?.map { $0["key"] } == [.string(number)])
            #expect(try await app.get("streams").json?["data"] == [])
        }
    }

    @Test("app streams of pnut.io with unknown types or invalid or taken keys are refused, and so is a sixth stream")
    func refusals() async throws {
        try await withPnut { alice, _ in
            let app = alice.asApp
            let unknown = try await app.post("streams", ["object_types": ["nothing"]])
            #expect(unknown.status == 400)
            let message = try #require(unknown.message)
            #expect(message.contains("bookmark") && message.contains("user_presence") && !message.contains("star"))
            for key in ["a b", "a-b", "ä", "", "2", String(repeating: "k", count: 33)] {
                let refused = try await app.post("streams", ["object_types": ["post"], "key": .string(key)])
                #expect(refused.status == 400, "\(key)")
            }
            for number in 1...5 {
                let made = try await app.post("streams", ["object_types": ["post"], "key": .string("k\(number)")])
                #expect(made.status == 200)
                let again = try await app.post("streams", ["object_types": ["post"], "key": .string("k\(number)")])
                #expect(again.status == 400)
            }
            let sixth = try await app.post("streams", ["object_types": ["post"]])
            #expect(sixth.status == 400 && sixth.message?.hasSuffix("An app has at most 5 streams.") == true)
        }
    }

    @Test("an app reads at most two streams of pnut.io at a time")
    func connections() async throws {
        try await withPnut { alice, _ in
            let app = alice.asApp
            func open(_ key: String) async throws -> WebSocketClient {
                try await WebSocketClient(alice, path: "/v1/app?access_token=\(app.token ?? "")&key=\(key)")
            }
            var sockets: [WebSocketClient] = []
            for key in ["a", "b", "c"] {
                _ = try await app.post("streams", ["object_types": ["post"], "key": .string(key)])
            }
            for key in ["a", "b"] {
                sockets.append(try await open(key))
                try await eventually { alice.running.server.appNet.connectedAppStreamCount == sockets.count }
            }
            let refusal = await #expect(throws: RawConnection.Failure.self) { _ = try await open("c") }
            #expect(refusal.map { "\($0)".contains("429") } == true)
            // The same stream again takes the place of its consumer.
            sockets.append(try await open("b"))
        }
    }

    @Test("events of app streams have the members of pnut.io")
    func frames() async throws {
        try await withPnut { alice, bob in
            let app = alice.asApp
            _ = try await app.post("streams", ["object_types": ["channel", "message", "bookmark"], "key": "mine"])
            let path = "/v1/app?access_token=\(app.token ?? "")&key=mine&include_raw=1"
            let socket = SocketClient(socket: try await WebSocketClient(alice, path: path), connectionID: "")
            try await eventually { alice.running.server.appNet.connectedAppStreamCount == 1 }
            let raw: TestJSON = ["io.pnut.core.chat-settings": [["name": "Tea"]]]
            let made = try await alice.post(
                "channels",
                ["type": "io.pnut.core.chat", "acl": ["write": ["any_user": .bool(true)]], "raw": raw]
            )
            let room = try #require(made["id"]?.stringValue)
            var frame = try await socket.frame(of: "channel")
            #expect(frame["data"]?["created_at"]?.stringValue?.hasSuffix("Z") == true, "\(frame.text)")
            #expect(frame["data"]?["has_sticky_messages"] == .bool(false))
            #expect(frame["data"]?["raw"] == raw)
            let message = try await bob.write("hello", in: room)
            frame = try await socket.frame(of: "message")
            #expect(frame["meta"]?["channel_type"] == "io.pnut.core.chat" && frame["meta"]?["channel_name"] == "Tea")
            #expect(frame["data"]?.arrayValue?.first?["is_sticky"] == .bool(false))
            _ = try await alice.delete("channels/\(room)/messages/\(message)")
            frame = try await socket.frame(of: "message")
            #expect(frame["meta"]?["is_deleted"] == .bool(true))
            #expect(frame["data"]?.arrayValue?.first?["deleted_by"] == "1", "\(frame.text)")
            let post = try await alice.post("posts", ["text": "one"])["id"]?.stringValue ?? ""
            _ = try await bob.send("PUT", "posts/\(post)/bookmark", json: [:])
            frame = try await socket.frame(of: "bookmark")
            #expect(frame["data"]?["post"]?["id"] == .string(post))
        }
    }

    @Test("events of user streams have the members of pnut.io, and exclude_channel_types leaves channels out")
    func userStream() async throws {
        try await withPnut { alice, bob in
            let path = "/v1/user?access_token=\(alice.token ?? "")&include_raw=1"
            let socket = SocketClient(socket: try await WebSocketClient(alice, path: path), connectionID: "")
            let id = try #require(try await socket.frame()["meta"]?["connection_id"]?.stringValue)
            let room = try await alice.room("io.pnut.core.chat")
            let other = try await alice.room()
            let raw: TestJSON = ["com.example.a": [["b": "c"]]]
            _ = try await alice.get(
                "users/me/channels/subscribed?connection_id=\(id)&exclude_channel_types=com.example.room"
            )
            _ = try await alice.get("channels/\(other)/messages?connection_id=\(id)")
            _ = try await bob.post("channels/\(other)/messages", ["text": "hello", "raw": raw])
            // The excluded channel comes no other way than with its message.
            var frame = try await socket.frame()
            #expect(frame["meta"]?["type"] == "message", "\(frame.text)")
            #expect(frame["data"]?.arrayValue?.first?["raw"] == raw)
            #expect(frame["data"]?.arrayValue?.first?["is_sticky"] == .bool(false))
            _ = try await bob.write("there", in: room)
            frame = try await socket.frame()
            #expect(frame["meta"]?["type"] == "channel" && frame["meta"]?["channel_type"] == "io.pnut.core.chat")
            let channel = try #require(frame["data"]?.arrayValue?.first)
            #expect(channel["has_sticky_messages"] == .bool(false) && channel["created_at"] != nil)
            #expect(channel["recent_message"]?["is_sticky"] == .bool(false))
        }
    }

    @Test("a user stream of pnut.io has at most 16 subscriptions")
    func subscriptions() async throws {
        try await withPnut { alice, _ in
            let path = "/v1/user?access_token=\(alice.token ?? "")"
            let socket = SocketClient(socket: try await WebSocketClient(alice, path: path), connectionID: "")
            let id = try #require(try await socket.frame()["meta"]?["connection_id"]?.stringValue)
            for number in 1...16 {
                let told = try await alice.get("posts/streams/me?connection_id=\(id)&subscription_id=\(number)")
                #expect(told.status == 200, "\(told.text)")
            }
            let refused = try await alice.get("posts/streams/me?connection_id=\(id)&subscription_id=17")
            #expect(refused.status == 400 && refused.message?.hasSuffix("at most 16 subscriptions.") == true)
        }
    }
}

extension SocketClient {
    /// The next frame of a type; others are read over.
    fileprivate func frame(of type: String) async throws -> TestJSON {
        while true {
            let frame = try await frame()
            if frame["meta"]?["type"] == .string(type) { return frame }
        }
    }
}
