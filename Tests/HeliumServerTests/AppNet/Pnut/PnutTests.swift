import HTTPTypes
import HeliumServer
import HeliumServerTesting
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("pnut.io's API at /v1 (§6)", .timeLimit(.minutes(5)))
struct PnutTests {
    @Test("knows a chat room's settings, and names types as they were sent (§6.3)")
    func chatSettings() async throws {
        try await withPnut { alice, _ in
            func create(_ type: String, _ value: TestJSON) async throws -> VisitorAnswer {
                let raw = TestJSON.object([type: [value]])
                return try await alice.post("channels", ["type": "io.pnut.core.chat", "raw": raw])
            }
            let settings: TestJSON = ["name": "Tea", "description": ["text": "All of it"], "categories": ["lifestyle"]]
            let made = try await create("io.pnut.core.chat-settings", settings)
            #expect(made.status == 201 && made["type"] == "io.pnut.core.chat", "\(made.text)")
            let id = try #require(made["id"]?.stringValue)
            let read = try await alice.get("channels/\(id)?include_raw=1")
            #expect(read["raw", "io.pnut.core.chat-settings"] == [settings])
            for value: TestJSON in [
                [:], ["name": "a", "categories": "x"], ["name": "a", "description": "no object"],
            ] {
                let refused = try await create("io.pnut.core.chat-settings", value)
                #expect(refused.status == 400)
                #expect(refused.message?.hasPrefix("Bad Request: io.pnut.core.chat-settings needs") == true)
            }
            let unknown = try await create("io.pnut.core.nothing", ["a": "b"])
            #expect(unknown.message == "Bad Request: io.pnut.core.nothing is not a known annotation type.")
        }
    }

    @Test("replaces {object_id} in links (§6.3)")
    func templates() async throws {
        try await withPnut { alice, _ in
            let room = try await alice.room()
            for path in ["channels/\(room)/messages", "posts"] {
                let sent = try await alice.post(path, ["text": "see http://example.com/{object_id} and {object_id}"])
                let id = try #require(sent["id"]?.stringValue, "\(sent.text)")
                let links = sent["content", "entities", "links"]?.arrayValue
                #expect(links?.map { $0["url"] } == [.string("http://example.com/\(id)")], "\(sent.text)")
            }
        }
    }

    @Test("tells kinds of files and their longest, and changes them by PATCH alone (§6.2, §6.3)")
    func fileKinds() async throws {
        try await withPnut { alice, _ in
            let configuration = try await alice.get("sys/config")
            #expect(configuration["file", "max_size_bytes"] == .count(AppNetMaxima().uploadBytes))
            for (type, kind) in [("audio/mpeg", "audio"), ("video/mp4", "video"), ("text/plain", "other")] {
                let parts = [FormPart("type", "a.b"), FormPart("content", "x", file: "x", type: type)]
                let made = try await alice.multipart("POST", "files", parts)
                #expect(made.status == 201 && made["kind"] == .string(kind), "\(made.text)")
                let id = try #require(made["id"]?.stringValue)
                #expect(try await alice.send("PUT", "files/\(id)", json: ["name": "n"]).status == 405)
                #expect(try await alice.send("PATCH", "files/\(id)", json: ["name": "n"]).status == 200)
            }
        }
    }

    @Test("every call of the table leads to a call of the server")
    func table() throws {
        let routes = AppNetRoutes()
        for route in PnutRoutes.all {
            let names = [
                "hashtag", "id", "key", "mid", "slug", "user", "uuid", "channel", "badge", "client", "connection",
                "subscription", "position",
            ]
            let values = names.map { ($0, "1") }
            for method in route.methods {
                let request = AppNetRequest(
                    method: route.method ?? method,
                    area: route.area,
                    segments: route.segments(Dictionary(uniqueKeysWithValues: values)),
                    parameters: FormFields(),
                    fields: [:],
                    body: .none,
                    address: "",
                    root: ""
                )
                #expect(throws: Never.self, "\(method) \(route.pattern)") { try routes.match(request) }
            }
        }
    }

    @Test("unknown paths are 404 and other methods 405, without slugs and numbers of errors")
    func errors() async throws {
        try await withPnut { alice, _ async throws in
            for path in ["places/search", "filters", "channels/1/subscribers/ids", "feed/rss/posts/search"] {
                #expect(try await alice.get(path).status == 404, "\(path)")
            }
            let wrong = try await alice.post("channels/1/subscribe", [:])
            #expect(wrong.status == 405)
            #expect(wrong.raw["allow"] == "PUT,DELETE")
            var stranger = alice
            stranger.token = "nobody's"
            let refused = try await stranger.get("token")
            #expect(refused.status == 401)
            #expect(refused.meta?["code"] == .integer(401))
            #expect(refused.meta?["error_message"] != nil)
            #expect(refused.meta?["error_slug"] == nil)
            #expect(refused.meta?["error_id"] == nil)
            alice.running.appNet.setRateLimitExhausted(true)
            let limited = try await alice.get("token")
            #expect(limited.status == 429)
            #expect(limited.meta?["retry_in"] == .integer(1))
        }
    }

    @Test("channels: 201, acl, PUT for the verbs, the subscribed list, a new owner")
    func channels() async throws {
        try await withPnut { alice, bob async throws in
            let id = try await alice.room()
            let found = try await alice.get("channels/\(id)?include_raw=1")
            #expect(found["user", "username"] == "alice")
            #expect(found["acl", "write", "any_user"] == .bool(true))
            #expect(found["acl", "write", "public"] == nil)
            #expect(found["created_at"]?.stringValue?.hasSuffix("Z") == true)
            #expect(found["has_sticky_messages"] == .bool(false))
            #expect(found["marker"] == nil)
            for name in ["owner", "readers", "you_can_edit", "is_inactive"] { #expect(found[name] == nil) }
            let raw: TestJSON = ["raw": ["io.pnut.core.language": [["language": "en"]]]]
            #expect(try await alice.send("PATCH", "channels/\(id)", json: raw).status == 200)
            let described = try await alice.get("channels/\(id)?include_channel_raw=1")
            #expect(described["raw"] == ["io.pnut.core.language": [["language": "en"]]])
            let cleared: TestJSON = ["raw": ["io.pnut.core.language": []]]
            #expect(try await alice.send("PUT", "channels/\(id)?include_raw=1", json: cleared)["raw"] == nil)
            #expect(try await bob.send("PUT", "channels/\(id)/subscribe", json: [:])["you_subscribed"] == .bool(true))
            let inbox = try await bob.get("users/me/channels/subscribed")
            #expect(inbox.ids == [id])
            #expect(inbox.json?["data"]?.arrayValue?.first?["marker"]?["name"] == .string("channel:\(id)"))
            #expect(inbox.meta?["unread_counts"] == nil)
            #expect(try await bob.get("channels").status == 400)
            #expect(try await bob.get("channels?ids=\(id)").ids == [id])
            #expect(try await bob.send("PUT", "channels/\(id)/mute", json: [:])["you_muted"] == .bool(true))
            #expect(try await bob.delete("channels/\(id)/mute")["you_muted"] == .bool(false))
            #expect(try await bob.send("PUT", "channels/\(id)/owner", json: ["id": "@bob"]).status == 403)
            let given = try await alice.send("PUT", "channels/\(id)/owner", json: ["id": "@bob"])
            #expect(given.status == 200)
            #expect(given["user", "username"] == "bob")
            #expect(given["acl", "full", "user_ids"]?.arrayValue?.count == 1)
        }
    }

    @Test("messages: content, raw, sticky, thread, report")
    func messages() async throws {
        try await withPnut { alice, bob async throws in
            let id = try await alice.room()
            let created = try await bob.post(
                "channels/\(id)/messages?include_raw=1",
                [
                    "text": "Hello [you](https://example.com/) #Tag @alice",
                    "raw": ["com.example.a": [["b": .integer(1)], ["b": .integer(2)]]],
                ]
            )
            #expect(created.status == 201)
            #expect(created.meta?["code"] == .integer(201))
            #expect(created["content", "text"]?.stringValue?.hasPrefix("Hello you") == true)
            #expect(created["content", "entities", "tags"]?.arrayValue?.first?["text"] == "Tag")
            #expect(created["content", "entities", "links"]?.arrayValue?.count == 1)
            #expect(created["content", "entities", "mentions"]?.arrayValue?.first?["text"] == "alice")
            #expect(created["raw"] == ["com.example.a": [["b": .integer(1)], ["b": .integer(2)]]])
            #expect(created["is_sticky"] == .bool(false))
            #expect(created["counts", "replies"] == .integer(0))
            let first = try #require(created["id"]?.stringValue)
            let reply = try await alice.post("channels/\(id)/messages", ["text": "yes", "reply_to": .string(first)])
            let second = try #require(reply["id"]?.stringValue)
            _ = try await alice.post("channels/\(id)/messages", ["text": "other"])
            #expect(try await bob.get("channels/\(id)/messages/\(second)/thread").ids == [second, first])
            #expect(try await bob.send("PUT", "channels/\(id)/messages/\(first)/sticky", json: [:]).status == 403)
            let sticky = try await alice.send("PUT", "channels/\(id)/messages/\(first)/sticky", json: [:])
            #expect(sticky["is_sticky"] == .bool(true))
            #expect(try await bob.get("channels/\(id)/sticky_messages").ids == [first])
            #expect(try await bob.get("channels/\(id)")["has_sticky_messages"] == .bool(true))
            let page = try await bob.get("channels/\(id)/messages?count=2")
            #expect(page.meta?["more"] == .bool(true))
            #expect(page.meta?["marker"]?["name"] == .string("channel:\(id)"))
            #expect(try await alice.delete("channels/\(id)/messages/\(first)/sticky")["is_sticky"] == .bool(false))
            #expect(
                try await bob.send("POST", "channels/\(id)/messages/\(second)/report", json: [:])["id"]
                    == .string(second)
            )
            let marked = try await bob.post("channels/\(id)/messages?update_marker=1", ["text": "read"])
            let after = try await bob.get("channels/\(id)/messages?count=1")
            #expect(after.meta?["marker"]?["last_read_id"] == marked["id"])
            #expect(try await bob.delete("channels/\(id)/messages/\(second)").status == 403)
            let removed = try await alice.delete("channels/\(id)/messages/\(marked["id"]?.stringValue ?? "")")
            #expect(removed["is_deleted"] == .bool(true))
            #expect(removed["deleted_by"] == "1")
            let deleted = try await bob.delete("channels/\(id)/messages/\(first)")
            #expect(deleted["is_deleted"] == .bool(true))
            #expect(deleted["content"] == nil)
            #expect(deleted["deleted_by"] == nil)
        }
    }

    @Test("private conversations: found again, without an owner, counted by type")
    func privateMessages() async throws {
        try await withPnut { alice, bob async throws in
            #expect(try await alice.get("users/me/channels/existing_pm?ids=@bob").status == 404)
            let sent = try await alice.post("channels/pm/messages", ["text": "hi", "destinations": ["@bob"]])
            #expect(sent.status == 201)
            let channel = try #require(sent["channel_id"]?.stringValue)
            let found = try await bob.get("users/me/channels/existing_pm?ids=@alice")
            #expect(found["id"] == .string(channel))
            #expect(found["type"] == "io.pnut.core.pm")
            #expect(found["user"] == nil)
            #expect(found["acl", "write", "user_ids"] == ["1", "2"])
            let counts = try await bob.get("users/me/channels/num_unread")
            #expect(counts.json?["data"] == ["io.pnut.core.pm": .integer(1)])
            let types = "channel_types=io.pnut.core.pm,com.example.none"
            let some = try await bob.get("users/me/channels/num_unread?\(types)")
            #expect(some.json?["data"] == ["io.pnut.core.pm": .integer(1), "com.example.none": .integer(0)])
            #expect(try await bob.get("users/me/channels/num_unread?channel_types=a.b,b.c,c.d,d.e,e.f").status == 400)
            #expect(try await bob.delete("users/me/channels/num_unread?\(types)").status == 200)
            let read = try await bob.get("users/me/channels/num_unread")
            #expect(read.json?["data"] == ["io.pnut.core.pm": .integer(0)])
        }
    }

    @Test("files: created with 201, content by PUT of a form, changed by PATCH, deleted many at a time")
    func files() async throws {
        try await withPnut { alice, bob async throws in
            let created = try await alice.post(
                "files",
                ["type": "com.example.a", "kind": "image", "is_public": .bool(true), "raw": ["com.example.b": [[:]]]]
            )
            #expect(created.status == 201)
            #expect(created["is_complete"] == .bool(false))
            #expect(created["is_public"] == .bool(true))
            #expect(created["upload_parameters", "method"] == "PUT")
            let url = try #require(created["upload_parameters", "url"]?.stringValue)
            let id = try #require(created["id"]?.stringValue)
            #expect(url == "\(alice.root)/v1/files/\(id)/content")
            let put = try await alice.multipart(
                "PUT",
                "files/\(id)/content",
                [FormPart("content", "abc", file: "a.txt", type: "text/plain")]
            )
            #expect(put.status == 204)
            let found = try await bob.get("files/\(id)?include_file_raw=1")
            #expect(found["is_complete"] == .bool(true))
            #expect(found["sha256"] == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
            #expect(found["sha1"] == nil)
            #expect(found["url_permanent"] == nil)
            #expect(found["url_short"] != nil)
            #expect(found["raw"] == ["com.example.b": [[:]]])
            #expect(try await alice.follow(found["url"]?.stringValue).text == "abc")
            let changed = try await alice.send("PATCH", "files/\(id)", json: ["is_public": .bool(false), "name": "n"])
            #expect(changed["is_public"] == .bool(false))
            let token = try #require(changed["file_token"]?.stringValue)
            #expect(try await bob.get("files/\(id)?file_token_read=\(token)").status == 404)
            let whole = try await alice.multipart(
                "POST",
                "files",
                [
                    FormPart("metadata", #"{"type":"a.b","is_public":true}"#, type: "application/json"),
                    FormPart("content", "x", file: "x.txt", type: "text/plain"),
                ]
            )
            #expect(whole.status == 201)
            #expect(whole["is_public"] == .bool(true))
            let second = try #require(whole["id"]?.stringValue)
            let removed = try await alice.delete("files?ids=\(id),\(second),99")
            #expect(removed.status == 202)
            #expect(removed.json?["data"] == nil)
            let status = try #require(removed.meta?["status_url"]?.stringValue)
            #expect(status.hasPrefix("\(alice.root)/v1/sys/ops/"))
            let operation = try await alice.get(String(status.dropFirst("\(alice.root)/v1/".count)))
            #expect(operation["is_complete"] == .bool(true))
            #expect(operation["total"] == .integer(2))
            #expect(try await bob.get(String(status.dropFirst("\(alice.root)/v1/".count))).status == 404)
            #expect(try await alice.get("users/me/files").ids == [])
        }
    }

    @Test("posts: bookmarks, interactions, streams under their own names")
    func posts() async throws {
        try await withPnut { alice, bob async throws in
            let created = try await alice.post("posts", ["text": "one"])
            #expect(created.status == 201)
            let id = try #require(created["id"]?.stringValue)
            let marked = try await bob.send("PUT", "posts/\(id)/bookmark", json: [:])
            #expect(marked["you_bookmarked"] == .bool(true))
            #expect(marked["counts", "bookmarks"] == .integer(1))
            #expect(try await bob.get("users/me/bookmarks").ids == [id])
            _ = try await bob.post("posts", ["text": "two", "reply_to": .string(id)])
            let all = try await alice.get("posts/\(id)/interactions")
            let actions = all.json?["data"]?.arrayValue?.compactMap { $0["action"]?.stringValue }
            #expect(actions == ["reply", "bookmark"])
            let some = try await alice.get("posts/\(id)/interactions?filters=bookmark")
            #expect(some.json?["data"]?.arrayValue?.count == 1)
            #expect(try await alice.get("posts/\(id)/thread").ids.count == 2)
            #expect(try await alice.get("posts/streams/me").ids == [id])
            #expect(try await alice.get("posts/streams/global").ids.count == 2)
            #expect(try await alice.post("posts/\(id)", ["text": "new"]).status == 405)
        }
    }

    @Test("markers, users, presence, configuration and tokens")
    func others() async throws {
        try await withPnut { alice, bob async throws in
            let id = try await alice.room()
            let message = try await alice.post("channels/\(id)/messages", ["text": "a"])
            let mid = try #require(message["id"]?.stringValue)
            let marked = try await alice.send(
                "POST",
                "markers",
                json: [
                    ["name": .string("channel:\(id)"), "id": .string(mid), "percentage": "40"],
                    ["name": "personal", "id": "7"], ["name": "mentions", "id": "8"],
                ]
            )
            #expect(marked.status == 200)
            let names = marked.json?["data"]?.arrayValue?.compactMap { $0["name"]?.stringValue }
            #expect(names == ["channel:\(id)", "personal", "mentions"])
            #expect(marked.json?["data"]?.arrayValue?.first?["percentage"] == .integer(40))
            #expect(try await alice.post("markers", ["name": "personal", "id": "7"]).status == 400)
            let eleven = TestJSON.array((0..<11).map { _ in ["name": "global", "id": "1"] })
            #expect(try await alice.send("POST", "markers", json: eleven).status == 400)

            let user = try await alice.get("users/@bob")
            #expect(user["content", "avatar_image", "url"] != nil)
            #expect(user["counts", "bookmarks"] == .integer(0))
            #expect(try await alice.get("users/suggested").ids == ["2"])
            #expect(try await alice.send("PUT", "users/2/follow", json: [:])["you_follow"] == .bool(true))
            #expect(try await alice.get("users/suggested").ids == [])
            let profile = try await alice.send("PATCH", "users/me", json: ["content": ["text": "#hi"]])
            #expect(profile["content", "entities", "tags"]?.arrayValue?.count == 1)
            #expect(try await alice.delete("users/me/avatar").status == 200)

            #expect(try await alice.get("users/me/presence")["presence"] == "offline")
            let set = try await alice.send("PUT", "users/me/presence", json: ["presence": "in a train"])
            #expect(set["presence"] == "in a train")
            #expect(set["id"] == "1")
            #expect(try await bob.get("presence").ids == ["1"])
            #expect(try await alice.send("PUT", "users/me/presence", json: ["presence": .bool(false)]).status == 200)
            #expect(try await bob.get("presence").ids == [])
            let long = TestJSON.string(String(repeating: "x", count: 101))
            #expect(try await alice.send("PUT", "users/me/presence", json: ["presence": long]).status == 400)

            let configuration = try await alice.get("sys/config")
            #expect(configuration["message", "max_length"] == .integer(2048))
            #expect(try await alice.get("sys/stats")["counts", "users"] == .integer(2))
            let token = try await alice.get("token")
            #expect(token["app", "id"] == "helium")
            #expect(token["storage", "total"] == .integer(500 * 1024 * 1024))
            let granted = try await bob.form(
                "/v1/oauth/access_token",
                [
                    ("grant_type", "password"), ("client_id", "helium"), ("username", "alice"),
                    ("password_grant_secret", "helium-password-grant"), ("password", "alice-password"),
                    ("scope", "basic,files"),
                ]
            )
            #expect(granted.json?["username"] == "alice")
            #expect(granted.json?["user_id"] == "1")
            #expect(granted.json?["token"]?["app"]?["id"] == "helium")
            let processed = try await alice.send("POST", "text/process", json: ["text": "[a](https://example.com)"])
            #expect(processed["content", "text"]?.stringValue?.hasPrefix("a") == true)
            let copied = try await alice.send("POST", "text/process", json: ["text": "@alice /@bob"])
            let mentions = try #require(copied["content", "entities", "mentions"]?.arrayValue, "\(copied.text)")
            #expect(mentions.map { $0["is_copy"] } == [nil, .bool(true)])
            let pretty = try await alice.get("token", [("X-Pretty-Json", "1")])
            #expect(pretty.text.hasPrefix("{\n"))
        }
    }
}

/// Runs `body` with two users of pnut's dialect.
func withPnut(_ body: (_ alice: AppNetVisitor, _ bob: AppNetVisitor) async throws -> Void) async throws {
    try await withVisitors { alice, bob async throws in
        var (alice, bob) = (alice, bob)
        alice.base = "/v1"
        bob.base = "/v1"
        try await body(alice, bob)
    }
}

extension AppNetVisitor {
    /// Creates a channel in pnut's dialect that any user may write to, and returns its id.
    func room(_ type: String = "com.example.room") async throws -> String {
        let body: TestJSON = ["type": .string(type), "acl": ["write": ["any_user": .bool(true)]]]
        let created = try await post("channels", body)
        guard created.status == 201, let id = created["id"]?.stringValue else {
            throw RawConnection.Failure.malformed(created.text)
        }
        return id
    }

    /// Writes a message in pnut's dialect and gives its id.
    func write(_ text: String, in channel: String) async throws -> String {
        let created = try await post("channels/\(channel)/messages", ["text": .string(text)])
        guard created.status == 201, let id = created["id"]?.stringValue else {
            throw RawConnection.Failure.malformed(created.text)
        }
        return id
    }

    /// The same visitor with App.net's dialect.
    var onAppNet: AppNetVisitor {
        var visitor = self
        visitor.base = "/stream/0"
        return visitor
    }
}
