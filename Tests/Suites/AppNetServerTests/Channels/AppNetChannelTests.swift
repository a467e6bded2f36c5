import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Channels of App.net", .timeLimit(.minutes(5)))
struct AppNetChannelTests {
    @Test("a new channel is subscribed to by its owner, and shows the rights of the caller")
    func creation() async throws {
        try await withAppNet { alice in
            let body = #"{"type":"com.example.notes","writers":{"user_ids":["@bob","@alice"]}}"#
            let channel = try await alice.post("channels", body)
            #expect(channel["writers"]?["user_ids"] == ["2"] && channel["you_subscribed"] == .bool(true))
            #expect(channel["owner"]?["username"] == "alice" && channel["has_unread"] == .bool(false))
            let id = channel["id"]?.stringValue ?? ""
            let seen = try await alice.user(1).get("channels/\(id)")
            #expect(seen["writers"]?["you"] == .bool(true) && seen["editors"]?["you"] == .bool(false))
            #expect(seen["counts"]?["subscribers"] == nil && seen["you_subscribed"] == .bool(false))
            #expect(try await alice.user(2).send("GET", "channels/\(id)").status == 404)
            #expect(try await alice.anonymous.send("GET", "channels/\(id)").status == 404)
        }
    }

    @Test(
        "a channel with an invalid type, or an access that its type does not allow, is refused",
        arguments: [
            "{}", #"{"type":"net.app.core.pm"}"#, #"{"type":"nodots"}"#, #"{"type":"a..b"}"#, #"{"type":7}"#,
            #"{"type":"net.app.core.broadcast","writers":{"user_ids":["@bob"]}}"#,
            #"{"type":"net.app.core.broadcast","editors":{"immutable":true}}"#,
        ]
    )
    func types(_ body: String) async throws {
        try await withAppNet { alice async throws in
            #expect(try await alice.send("POST", "channels", body).status == 400)
        }
    }

    @Test("a channel is visible to tokens as far as their kind and scopes allow")
    func visibility() async throws {
        let narrow = AppNetAccounts.User(name: "narrow", scopes: ["public_messages"], tokens: ["narrow"])
        try await withAppNet { configuration in
            configuration.accounts.users.append(narrow)
            configuration.accounts.apps.append(AppNetAccounts.App(clientID: "other"))
            configuration.accounts.apps[1].tokens = ["other-app"]
        } _: { alice in
            let reader = alice.with("narrow")
            func create(_ readers: String) async throws -> String {
                try await alice.createChannel(#"{"type":"com.example.notes","readers":\#(readers)}"#)
            }
            let everybody = try await create(#"{"public":true}"#)
            let users = try await create(#"{"any_user":true}"#)
            let named = try await create(#"{"user_ids":["@narrow"]}"#)
            func statuses(_ peer: AppNetPeer) async throws -> [Int] {
                var statuses: [Int] = []
                for id in [everybody, users, named] {
                    statuses.append(try await peer.send("GET", "channels/\(id)").status)
                }
                return statuses
            }
            #expect(try await statuses(alice.anonymous) == [200, 404, 404])
            // Nothing tells a hidden channel from one that is not there.
            for path in ["", "/messages", "/subscribers"] {
                let hidden = try await alice.anonymous.send("GET", "channels/\(users)\(path)")
                let unknown = try await alice.anonymous.send("GET", "channels/999\(path)")
                #expect(hidden.status == unknown.status && hidden.message == unknown.message, "\(path)")
            }
            #expect(try await statuses(reader) == [200, 200, 403])
            #expect(try await statuses(alice.user(1)) == [200, 200, 404])
            // Alice gave her app `messages`. No user gave the other app anything.
            #expect(try await statuses(alice.app) == [200, 200, 200])
            #expect(try await statuses(alice.with("other-app")) == [200, 404, 404])
            let ids = [everybody, users, named, "999"].joined(separator: ",")
            #expect(try await reader.send("GET", "channels?ids=\(ids)").ids == [everybody, users])
        }
    }

    /// Creates a channel that bob edits and carol reads, and returns its id.
    private static func createEditable(_ alice: AppNetPeer) async throws -> String {
        let body =
            #"{"type":"com.example.notes","editors":{"user_ids":["@bob"]},"readers":{"user_ids":["@carol"]}}"#
        return try await alice.createChannel(body)
    }

    @Test("a channel is changed by its editors, and keeps its id and type")
    func change() async throws {
        try await withAppNet { alice in
            let id = try await Self.createEditable(alice)
            let update = #"{"readers":{"any_user":true},"id":7,"type":"ignored.type"}"#
            let changed = try await alice.user(1).data("PUT", "channels/\(id)", update)
            #expect(changed["readers"]?["any_user"] == .bool(true) && changed["type"] == "com.example.notes")
            #expect(try await alice.user(2).send("PATCH", "channels/\(id)", update).status == 403)
        }
    }

    @Test("a channel that its owner deactivates has no subscribers, and takes no messages and subscriptions")
    func deactivation() async throws {
        try await withAppNet { alice in
            let bob = alice.user(1)
            let id = try await Self.createEditable(alice)
            try await bob.post("channels/\(id)/subscribe")
            try await alice.createMessage("last", in: id)
            #expect(try await bob.send("DELETE", "channels/\(id)").status == 403)
            let closed = try await alice.data("DELETE", "channels/\(id)")
            #expect(closed["is_inactive"] == .bool(true) && closed["you_subscribed"] == .bool(false))
            #expect(try await bob.get("channels").arrayValue?.isEmpty == true)
            #expect(try await alice.get("users/me/channels").arrayValue?.isEmpty == true)
            #expect(try await alice.send("GET", "users/me/channels?include_inactive=1").ids == [id])
            #expect(try await bob.get("channels/\(id)/messages").arrayValue?.count == 1)
            #expect(try await alice.send("POST", "channels/\(id)/messages", #"{"text":"x"}"#).status == 400)
            #expect(try await bob.send("POST", "channels/\(id)/subscribe").status == 400)
        }
    }

    @Test("subscribing to a channel ends its muting, and muting ends the subscription")
    func subscriptions() async throws {
        try await withAppNet { alice in
            let bob = alice.user(1)
            let id = try await alice.createChannel(#"{"type":"com.example.notes","readers":{"any_user":true}}"#)
            #expect(try await bob.post("channels/\(id)/subscribe")["you_subscribed"] == .bool(true))
            #expect(try await alice.send("GET", "channels/\(id)/subscribers").ids == ["2", "1"])
            #expect(try await bob.get("channels/\(id)/subscribers/ids") == ["1", "2"])
            #expect(try await bob.get("channels/subscribers/ids?ids=\(id),99").names == [id])
            let muted = try await bob.post("channels/\(id)/mute")
            #expect(muted["you_muted"] == .bool(true) && muted["you_subscribed"] == .bool(false))
            #expect(try await bob.send("GET", "users/me/channels/muted").ids == [id])
            #expect(try await bob.data("DELETE", "channels/\(id)/mute")["you_subscribed"] == .bool(false))
            try await bob.post("channels/\(id)/mute")
            #expect(try await bob.post("channels/\(id)/subscribe")["you_muted"] == .bool(false))
            #expect(try await bob.data("DELETE", "channels/\(id)/subscribe")["you_subscribed"] == .bool(false))
        }
    }

    @Test("auto_subscribe subscribes the users of a channel's access lists, except those who muted it")
    func autoSubscribe() async throws {
        try await withAppNet { alice in
            let body = #"{"type":"com.example.notes","writers":{"user_ids":[2,3]}}"#
            let id = try await alice.createChannel(body)
            try await alice.user(2).post("channels/\(id)/mute")
            try await alice.data("PUT", "channels/\(id)", #"{"auto_subscribe":true}"#)
            #expect(try await alice.get("channels/\(id)/subscribers/ids") == ["1", "2"])
        }
    }

    @Test("counts of unread channels are returned only to tokens that read all channels")
    func unreadCounts() async throws {
        let dave = AppNetAccounts.User(name: "dave", scopes: ["public_messages"], tokens: ["public-only"])
        try await withAppNet {
            $0.accounts.users.append(dave)
        } _: { alice in
            let inbox = try await alice.with("public-only").send("GET", "channels")
            #expect(inbox.status == 200 && inbox.meta["unread_counts"] == nil)
            #expect(try await alice.send("GET", "channels").meta["unread_counts"] != nil)
        }
    }

    /// A broadcast channel and another one of alice's, to which bob has subscribed in this order.
    private static func subscribed(_ alice: AppNetPeer) async throws -> (broadcast: String, notes: String) {
        let readers = #""readers":{"any_user":true}"#
        let broadcast = try await alice.createChannel("{\"type\":\"net.app.core.broadcast\",\(readers)}")
        let notes = try await alice.createChannel("{\"type\":\"com.example.notes\",\(readers)}")
        for id in [broadcast, notes] { try await alice.user(1).post("channels/\(id)/subscribe") }
        return (broadcast, notes)
    }

    @Test("the inbox is ordered by the latest message, and filtered by type and by unread messages")
    func inbox() async throws {
        try await withAppNet { alice in
            let bob = alice.user(1)
            let (broadcast, notes) = try await Self.subscribed(alice)
            #expect(try await bob.send("GET", "channels").ids == [notes, broadcast])
            try await alice.createMessage("news", in: broadcast)
            #expect(try await bob.send("GET", "channels").ids == [broadcast, notes])
            #expect(try await bob.send("GET", "channels?include_read=0").ids == [broadcast])
            #expect(try await bob.send("GET", "channels?channel_types=com.example.notes").ids == [notes])
        }
    }

    @Test("unread broadcast channels are counted, and marked as read by DELETE of the count")
    func unreadBroadcasts() async throws {
        try await withAppNet { alice in
            let bob = alice.user(1)
            let channel = try await Self.subscribed(alice).broadcast
            let message = try await alice.createMessage("news", in: channel)
            let counts: TestJSON = ["net.app.core.pm": .integer(0), "net.app.core.broadcast": .integer(1)]
            #expect(try await bob.send("GET", "channels").meta["unread_counts"] == counts)
            #expect(try await bob.get("channels/\(channel)")["has_unread"] == .bool(true))
            #expect(try await bob.get("users/me/channels/broadcast/num_unread") == .integer(1))
            #expect(try await bob.data("DELETE", "users/me/channels/broadcast/num_unread") == .integer(0))
            let read = try await bob.get("channels/\(channel)?include_marker=1&include_recent_message=1")
            #expect(read["has_unread"] == .bool(false) && read["marker"]?["last_read_id"]?.stringValue == message)
            #expect(read["recent_message"]?["text"] == "news" && read["recent_message_id"]?.stringValue == message)
        }
    }

    @Test("a private conversation is found again for the same users, whoever writes")
    func privateMessages() async throws {
        try await withAppNet { alice in
            let bob = alice.user(1)
            func send(_ peer: AppNetPeer, _ destinations: String) async throws -> String {
                let body = #"{"text":"psst","destinations":\#(destinations)}"#
                return try await peer.post("channels/pm/messages", body)["channel_id"]?.stringValue ?? ""
            }
            let pair = try await send(alice, #"["@bob"]"#)
            #expect(try await send(bob, "[1]") == pair)
            #expect(try await send(alice, #"["2","@alice",2]"#) == pair)
            #expect(try await send(alice, "[2,3]") != pair)
            let channel = try await bob.get("channels/\(pair)")
            #expect(channel["type"] == "net.app.core.pm" && channel["you_subscribed"] == .bool(true))
            #expect(channel["writers"]?["immutable"] == .bool(true) && channel["writers"]?["user_ids"] == ["2"])
            #expect(try await bob.get("users/me/channels/pm/num_unread") == .integer(2))
            #expect(try await alice.user(2).send("GET", "channels/\(pair)").status == 404)
            #expect(try await alice.send("DELETE", "channels/\(pair)").status == 400)
            for destinations in ["[]", "[1]", #"["@nobody"]"#, "7"] {
                let body = #"{"text":"x","destinations":\#(destinations)}"#
                #expect(try await alice.send("POST", "channels/pm/messages", body).status == 400, "\(destinations)")
            }
        }
    }

    @Test("a private conversation is not opened with a user who blocks the writer, and by a bot only with followers")
    func unwanted() async throws {
        try await withAppNet { configuration in
            configuration.accounts.users[2].type = "bot"
        } _: { alice in
            let bot = alice.user(2)
            let body = #"{"text":"@bob","destinations":["@bob"]}"#
            #expect(try await bot.send("POST", "channels/pm/messages", body).status == 403)
            #expect(try await bot.send("POST", "users/2/follow").status == 403)
            let process = #"{"text":"@bob"}"#
            #expect(try await bot.post("text/process", process)["entities"]?["mentions"]?.arrayValue?.isEmpty == true)
            try await alice.user(1).post("users/3/follow")
            #expect(try await bot.send("POST", "channels/pm/messages", body).status == 200)
            #expect(try await bot.send("POST", "users/2/follow").status == 200)
            #expect(try await alice.send("POST", "channels/pm/messages", body).status == 200)
            try await alice.user(1).post("users/1/block")
            #expect(try await alice.send("POST", "channels/pm/messages", body).status == 403)
        }
    }
}
