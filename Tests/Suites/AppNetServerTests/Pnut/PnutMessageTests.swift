import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Messages of pnut.io", .timeLimit(.minutes(5)))
struct PnutMessageTests {
    @Test("a message of pnut.io is created with 201, with its content, entities and raw data")
    func creation() async throws {
        try await withPnut { alice, bob in
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
        }
    }

    @Test("the thread of a pnut.io message has the message and its replies, newest first")
    func thread() async throws {
        try await withPnut { alice, bob in
            let id = try await alice.room()
            let first = try await bob.write("hello", in: id)
            let reply = try await alice.post("channels/\(id)/messages", ["text": "yes", "reply_to": .string(first)])
            let second = try #require(reply["id"]?.stringValue)
            _ = try await alice.write("other", in: id)
            #expect(try await bob.get("channels/\(id)/messages/\(second)/thread").ids == [second, first])
        }
    }

    @Test("a sticky message of pnut.io is pinned and released by the channel's owner only")
    func sticky() async throws {
        try await withPnut { alice, bob in
            let id = try await alice.room()
            let message = try await bob.write("hello", in: id)
            #expect(try await bob.send("PUT", "channels/\(id)/messages/\(message)/sticky", json: [:]).status == 403)
            let sticky = try await alice.send("PUT", "channels/\(id)/messages/\(message)/sticky", json: [:])
            #expect(sticky["is_sticky"] == .bool(true))
            #expect(try await bob.get("channels/\(id)/sticky_messages").ids == [message])
            #expect(try await bob.get("channels/\(id)")["has_sticky_messages"] == .bool(true))
            #expect(
                try await alice.delete("channels/\(id)/messages/\(message)/sticky")["is_sticky"] == .bool(false)
            )
        }
    }

    @Test("a page of pnut.io messages has the channel's marker, which update_marker moves to a new message")
    func markers() async throws {
        try await withPnut { alice, bob in
            let id = try await alice.room()
            for text in ["one", "two", "three"] { _ = try await alice.write(text, in: id) }
            let page = try await bob.get("channels/\(id)/messages?count=2")
            #expect(page.meta?["more"] == .bool(true))
            #expect(page.meta?["marker"]?["name"] == .string("channel:\(id)"))
            let marked = try await bob.post("channels/\(id)/messages?update_marker=1", ["text": "read"])
            let after = try await bob.get("channels/\(id)/messages?count=1")
            #expect(after.meta?["marker"]?["last_read_id"] == marked["id"])
        }
    }

    @Test("reporting a pnut.io message returns the message")
    func report() async throws {
        try await withPnut { alice, bob in
            let id = try await alice.room()
            let message = try await alice.write("yes", in: id)
            let reported = try await bob.send("POST", "channels/\(id)/messages/\(message)/report", json: [:])
            #expect(reported["id"] == .string(message))
        }
    }

    @Test("a message of pnut.io is deleted by its author or the channel's owner, who is named in deleted_by")
    func deletion() async throws {
        try await withPnut { alice, bob in
            let id = try await alice.room()
            let own = try await bob.write("hello", in: id)
            let other = try await bob.write("read", in: id)
            let foreign = try await alice.write("yes", in: id)
            #expect(try await bob.delete("channels/\(id)/messages/\(foreign)").status == 403)
            let removed = try await alice.delete("channels/\(id)/messages/\(other)")
            #expect(removed["is_deleted"] == .bool(true))
            #expect(removed["deleted_by"] == "1")
            let deleted = try await bob.delete("channels/\(id)/messages/\(own)")
            #expect(deleted["is_deleted"] == .bool(true))
            #expect(deleted["content"] == nil)
            #expect(deleted["deleted_by"] == nil)
        }
    }
}
