import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Channels of pnut.io", .timeLimit(.minutes(5)))
struct PnutChannelTests {
    @Test("a channel of pnut.io has the members of pnut.io, and none of App.net's")
    func members() async throws {
        try await withPnut { alice, _ in
            let id = try await alice.room()
            let found = try await alice.get("channels/\(id)?include_raw=1")
            #expect(found["user", "username"] == "alice")
            #expect(found["acl", "write", "any_user"] == .bool(true))
            #expect(found["acl", "write", "public"] == nil)
            #expect(found["created_at"]?.stringValue?.hasSuffix("Z") == true)
            #expect(found["has_sticky_messages"] == .bool(false))
            #expect(found["marker"] == nil)
            for name in ["owner", "readers", "you_can_edit", "is_inactive"] { #expect(found[name] == nil) }
        }
    }

    @Test("raw data of pnut.io's channels is set by PATCH, and removed by an empty list")
    func raw() async throws {
        try await withPnut { alice, _ async throws in
            let id = try await alice.room()
            let raw: TestJSON = ["raw": ["io.pnut.core.language": [["language": "en"]]]]
            #expect(try await alice.send("PATCH", "channels/\(id)", json: raw).status == 200)
            let described = try await alice.get("channels/\(id)?include_channel_raw=1")
            #expect(described["raw"] == ["io.pnut.core.language": [["language": "en"]]])
            let cleared: TestJSON = ["raw": ["io.pnut.core.language": []]]
            #expect(try await alice.send("PUT", "channels/\(id)?include_raw=1", json: cleared)["raw"] == nil)
        }
    }

    @Test("channels of pnut.io are subscribed to and muted by PUT, and listed with their markers")
    func subscriptions() async throws {
        try await withPnut { alice, bob in
            let id = try await alice.room()
            #expect(try await bob.send("PUT", "channels/\(id)/subscribe", json: [:])["you_subscribed"] == .bool(true))
            let inbox = try await bob.get("users/me/channels/subscribed")
            #expect(inbox.ids == [id])
            #expect(inbox.json?["data"]?.arrayValue?.first?["marker"]?["name"] == .string("channel:\(id)"))
            #expect(inbox.meta?["unread_counts"] == nil)
            #expect(try await bob.send("PUT", "channels/\(id)/mute", json: [:])["you_muted"] == .bool(true))
            #expect(try await bob.delete("channels/\(id)/mute")["you_muted"] == .bool(false))
        }
    }

    @Test("the list of pnut.io's channels needs ids")
    func list() async throws {
        try await withPnut { alice, bob in
            let id = try await alice.room()
            #expect(try await bob.get("channels").status == 400)
            #expect(try await bob.get("channels?ids=\(id)").ids == [id])
        }
    }

    @Test("only the owner of a pnut.io channel gives it to another user")
    func owner() async throws {
        try await withPnut { alice, bob in
            let id = try await alice.room()
            #expect(try await bob.send("PUT", "channels/\(id)/owner", json: ["id": "@bob"]).status == 403)
            let given = try await alice.send("PUT", "channels/\(id)/owner", json: ["id": "@bob"])
            #expect(given.status == 200)
            #expect(given["user", "username"] == "bob")
            #expect(given["acl", "full", "user_ids"]?.arrayValue?.count == 1)
        }
    }

    @Test("a private conversation of pnut.io is found by its members, and has no owner")
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
        }
    }

    @Test("unread channels of pnut.io are counted by type, and marked as read by DELETE")
    func unreadCounts() async throws {
        try await withPnut { alice, bob in
            _ = try await alice.post("channels/pm/messages", ["text": "hi", "destinations": ["@bob"]])
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
}
