import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Members and parameters that only pnut.io has", .timeLimit(.minutes(5)))
struct PnutMemberTests {
    /// A room of alice's with two messages of bob's.
    private struct Room {
        let id: String
        let messages: [String]

        init(_ alice: AppNetVisitor, _ bob: AppNetVisitor) async throws {
            let id = try await alice.room()
            let first = try await bob.write("one", in: id)
            let second = try await bob.write("two", in: id)
            self.id = id
            messages = [first, second]
        }
    }

    @Test("a channel of pnut.io without messages has no recent one, and one with messages the latest")
    func recentMessage() async throws {
        try await withPnut { alice, bob in
            let new = try await alice.room()
            let none = try await alice.get("channels/\(new)?include_recent_message=1")
            #expect(none["recent_message_id"] == nil && none["recent_deleted_message_id"] == nil)
            let room = try await Room(alice, bob)
            _ = try await alice.send("PUT", "channels/\(room.id)/messages/\(room.messages[0])/sticky", json: [:])
            let found = try await alice.get("channels/\(room.id)?include_recent_message=1")
            #expect(found["recent_message_id"] == .string(room.messages[1]))
            #expect(found["recent_deleted_message_id"] == nil)
            #expect(found["recent_message", "is_sticky"] == .bool(false))
        }
    }

    @Test("a deleted recent message of pnut.io has a member of its own beside the latest that is left")
    func recentDeletedMessage() async throws {
        try await withPnut { alice, bob in
            let room = try await Room(alice, bob)
            let (first, second) = (room.messages[0], room.messages[1])
            _ = try await alice.send("PUT", "channels/\(room.id)/messages/\(first)/sticky", json: [:])
            _ = try await alice.delete("channels/\(room.id)/messages/\(second)")
            let plain = try await alice.get("channels/\(room.id)")
            #expect(plain["recent_message_id"] == .string(first), "\(plain.text)")
            #expect(plain["recent_deleted_message_id"] == .string(second))
            #expect(plain["recent_message"] == nil && plain["recent_deleted_message"] == nil)
            let whole = try await alice.get("channels/\(room.id)?include_recent_message=1")
            #expect(whole["recent_message", "is_sticky"] == .bool(true))
            #expect(whole["recent_message", "content", "text"] == "one")
            #expect(whole["recent_deleted_message", "deleted_by"] == "1")
            #expect(whole["recent_deleted_message", "content"] == nil)
        }
    }

    @Test("a channel whose messages are all deleted has the latest deleted one on pnut.io, and a recent one on App.net")
    func recentMessageOfAppNet() async throws {
        try await withPnut { alice, bob in
            let room = try await Room(alice, bob)
            for message in room.messages.reversed() {
                _ = try await bob.delete("channels/\(room.id)/messages/\(message)")
            }
            let empty = try await alice.get("channels/\(room.id)")
            #expect(empty["recent_message_id"] == nil)
            #expect(empty["recent_deleted_message_id"] == .string(room.messages[1]))
            // App.net's form is as it was.
            let appNet = try await alice.onAppNet.get("channels/\(room.id)")
            #expect(appNet["recent_message_id"] == .string(room.messages[1]))
            for name in ["recent_deleted_message_id", "created_at", "has_sticky_messages"] {
                #expect(appNet[name] == nil)
            }
        }
    }

    @Test("exclude_channel_types leaves channels out of pnut.io's lists and searches")
    func excludedTypes() async throws {
        try await withPnut { alice, bob in
            let room = try await alice.room()
            let chat = try await alice.room("io.pnut.core.chat")
            _ = try await alice.post("channels/pm/messages", ["text": "hi", "destinations": ["@bob"]])
            let without = "exclude_channel_types=io.pnut.core.chat,io.pnut.core.pm"
            for path in ["users/me/channels", "users/me/channels/subscribed", "channels/search"] {
                #expect(try await alice.get("\(path)?\(without)").ids == [room], "\(path)")
                let named = try await alice.get("\(path)?channel_types=com.example.room,io.pnut.core.chat&\(without)")
                #expect(Set(named.ids) == [room, chat], "\(path)")
            }
            _ = try await bob.send("PUT", "channels/\(chat)/mute", json: [:])
            #expect(try await bob.get("users/me/channels/muted").ids == [chat])
            #expect(try await bob.get("users/me/channels/muted?\(without)").ids == [])
            let appNet = try await alice.onAppNet.get("users/me/channels?exclude_channel_types=com.example.room")
            #expect(appNet.ids.contains(room))
        }
    }

    @Test("ACLs of pnut.io have users if include_limited_users asks for them")
    func limitedUsers() async throws {
        try await withPnut { alice, bob in
            let acl: TestJSON = ["write": ["user_ids": ["@bob"]]]
            let made = try await alice.post("channels?include_limited_users=1", ["type": "com.example.a", "acl": acl])
            let writer = try #require(made["acl", "write", "users"]?.arrayValue?.first, "\(made.text)")
            #expect(writer["id"] == "2" && writer["username"] == "bob")
            #expect(writer["avatar_image"]?["url"] != nil && writer["counts"] == nil)
            #expect(made["acl", "full", "users"] == [] && made["acl", "read", "users"] == [])
            let id = try #require(made["id"]?.stringValue)
            #expect(try await alice.get("channels/\(id)")["acl", "write", "users"] == nil)
            _ = try await alice.post("channels/pm/messages", ["text": "hi", "destinations": ["@bob"]])
            let found = try await bob.get("users/me/channels/existing_pm?ids=@alice&include_limited_users=1")
            let names = found["acl", "write", "users"]?.arrayValue?.map { $0["username"] }
            #expect(names == ["alice", "bob"])
        }
    }

    @Test("exclude leaves actions out of pnut.io's interactions")
    func excludedActions() async throws {
        try await withPnut { alice, bob in
            let post = try await alice.post("posts", ["text": "one"])["id"]?.stringValue ?? ""
            _ = try await bob.send("PUT", "posts/\(post)/bookmark", json: [:])
            _ = try await bob.post("posts", ["text": "two", "reply_to": .string(post)])
            _ = try await bob.send("PUT", "users/1/follow", json: [:])
            func actions(_ path: String) async throws -> [String]? {
                try await alice.get(path).json?["data"]?.arrayValue?.compactMap { $0["action"]?.stringValue }
            }
            #expect(try await actions("users/me/interactions") == ["follow", "reply", "bookmark"])
            #expect(try await actions("users/me/interactions?exclude=bookmark,follow") == ["reply"])
            #expect(try await actions("posts/\(post)/interactions?exclude=reply") == ["bookmark"])
            #expect(try await actions("users/me/interactions?exclude=bookmark,follow,poll_response,reply,repost") == [])
        }
    }

    @Test("searches of pnut.io are limited by created_after and created_before")
    func dates() async throws {
        try await withPnut { alice, _ in
            let room = try await alice.room()
            func date(_ answer: VisitorAnswer) throws -> String { try #require(answer["created_at"]?.stringValue) }
            let first = try await alice.post("channels/\(room)/messages", ["text": "tea"])
            let post = try await alice.post("posts", ["text": "tea"])
            alice.running.appNet.setClockOffset(.seconds(3600))
            let second = try await alice.post("channels/\(room)/messages", ["text": "tea"])
            let later = try await alice.post("posts", ["text": "tea"])
            for (path, old, new) in [
                ("channels/messages/search?channel_ids=\(room)&q=tea", first, second),
                ("channels/messages/search?channel_ids=\(room)", first, second),
                ("posts/search?q=tea", post, later),
            ] {
                let (before, after) = (try date(old), try date(new))
                let ids = [old, new].compactMap { $0["id"]?.stringValue }
                #expect(try await alice.get("\(path)&created_after=\(after)").ids == [ids[1]], "\(path)")
                #expect(try await alice.get("\(path)&created_before=\(before)").ids == [ids[0]], "\(path)")
                let between = try await alice.get("\(path)&created_after=\(before)&created_before=\(after)")
                #expect(Set(between.ids) == Set(ids))
            }
            let refused = try await alice.get("posts/search?q=tea&created_after=soon")
            #expect(refused.status == 400 && refused.message?.hasSuffix("created_after must be a date.") == true)
            let appNet = try await alice.onAppNet.get("posts/search?query=tea&created_after=soon")
            #expect(appNet.ids.count == 2)
        }
    }

    @Test("pnut.io takes links of ftp and gopher, and keeps the spelling of mentions")
    func texts() async throws {
        try await withPnut { alice, _ in
            let room = try await alice.room()
            let text = "@Bob ftp://example.com/a gopher://example.com/b [c](ftp://example.com/c) @bob"
            let sent = try await alice.post("channels/\(room)/messages", ["text": .string(text)])
            let links = sent["content", "entities", "links"]?.arrayValue?.compactMap { $0["url"]?.stringValue }
            let all = ["ftp://example.com/a", "gopher://example.com/b", "ftp://example.com/c"]
            #expect(links == all, "\(sent.text)")
            let plain = try await alice.post("posts", ["text": "see ftp://example.com/a, gopher://example.com/b"])
            let found = plain["content", "entities", "links"]?.arrayValue?.compactMap { $0["url"]?.stringValue }
            #expect(found == ["ftp://example.com/a", "gopher://example.com/b"], "\(plain.text)")
            let mentions = sent["content", "entities", "mentions"]?.arrayValue?.map { $0["text"] }
            #expect(mentions == ["Bob", "bob"], "\(sent.text)")
            let appNet = try await alice.onAppNet.post("posts", ["text": .string("@Bob ftp://example.com/a")])
            #expect(appNet["entities", "links"] == [])
            #expect(appNet["entities", "mentions"]?.arrayValue?.first?["name"] == "bob")
        }
    }

    @Test("files attached on pnut.io have the members of pnut.io")
    func attachments() async throws {
        try await withPnut { alice, _ in
            let parts = [
                FormPart("type", "a.b"), FormPart("content", "x", file: "x.txt", type: "text/plain"),
            ]
            let file = try await alice.multipart("POST", "files", parts)
            let (id, token) = (file["id"] ?? .null, file["file_token"] ?? .null)
            let room = try await alice.room()
            let value: TestJSON = [
                "+io.pnut.core.file": ["file_id": id, "file_token": token, "format": "metadata"]
            ]
            let sent = try await alice.post(
                "channels/\(room)/messages?include_raw=1",
                ["text": "see", "raw": ["io.pnut.core.attachments": [value]]]
            )
            let shown = try #require(sent["raw", "io.pnut.core.attachments"]?.arrayValue?.first, "\(sent.text)")
            #expect(shown["file_id"] == id)
            #expect(shown["is_complete"] == .bool(true) && shown["is_public"] == .bool(false), "\(shown.text)")
            #expect(shown["url_expires_at"] != nil && shown["sha256"] != nil)
            for name in ["complete", "public", "sha1", "url_expires", "url_permanent"] { #expect(shown[name] == nil) }
        }
    }
}
