import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Messages of App.net", .timeLimit(.minutes(5)))
struct AppNetMessageTests {
    @Test(
        "a message has 1 to 2,048 code points",
        arguments: [("", 400), (String(repeating: "é", count: 2048), 200), (String(repeating: "👍", count: 2049), 400)]
    )
    func length(_ text: String, _ status: Int) async throws {
        try await withAppNet { alice in
            let id = try await alice.createChannel()
            let body = TestJSON.object(["text": .string(text)]).text
            #expect(try await alice.send("POST", "channels/\(id)/messages", body).status == status)
        }
    }

    @Test("a machine-only message is refused with a text, without annotations, and in a private channel")
    func refusedMachineOnly() async throws {
        try await withAppNet { alice in
            let id = try await alice.createChannel()
            let note = #""annotations":[{"type":"com.example.n","value":{}}]"#
            func status(_ body: String, _ channel: String) async throws -> Int {
                try await alice.send("POST", "channels/\(channel)/messages", body).status
            }
            #expect(try await status(#"{"machine_only":true,"text":"x",\#(note)}"#, id) == 400)
            #expect(try await status(#"{"machine_only":true}"#, id) == 400)
            #expect(try await status(#"{"machine_only":true,\#(note),"destinations":[2]}"#, "pm") == 400)
        }
    }

    @Test("a machine-only message is listed if include_machine asks for it, without a text")
    func machineOnly() async throws {
        try await withAppNet { alice in
            let id = try await alice.createChannel()
            let body = #"{"machine_only":1,"annotations":[{"type":"com.example.n","value":{}}]}"#
            #expect(try await alice.send("POST", "channels/\(id)/messages", body).status == 200)
            #expect(try await alice.get("channels/\(id)/messages").arrayValue?.isEmpty == true)
            let listed = try await alice.get("channels/\(id)/messages?include_machine=1&include_annotations=1")
            let message = try #require(listed.arrayValue?.first)
            #expect(message["text"] == nil && message["html"] == nil && message["annotations"] != nil)
            #expect(message["machine_only"] == .bool(true) && message["is_deleted"] == nil)
        }
    }

    @Test("a reply joins the thread of its message, which must be in the same channel")
    func threads() async throws {
        try await withAppNet { alice in
            let id = try await alice.createChannel()
            let first = try await alice.createMessage("a", in: id)
            let reply = try await alice.post("channels/\(id)/messages", #"{"text":"b","reply_to":\#(first)}"#)
            #expect(reply["thread_id"]?.stringValue == first && reply["reply_to"]?.stringValue == first)
            let body = #"{"text":"c","reply_to":"\#(reply["id"]?.stringValue ?? "")"}"#
            #expect(try await alice.post("channels/\(id)/messages", body)["thread_id"]?.stringValue == first)
            #expect(try await alice.get("channels/\(id)/messages/\(first)")["num_replies"] == .integer(1))
            let other = try await alice.createChannel()
            let wrong = #"{"text":"d","reply_to":"\#(first)"}"#
            #expect(try await alice.send("POST", "channels/\(other)/messages", wrong).status == 400)
        }
    }

    @Test("a message is deleted by its author only, also after the author lost access to the channel")
    func author() async throws {
        try await withAppNet { alice in
            let bob = alice.user(1)
            let id = try await alice.createChannel(#"{"type":"com.example.notes","writers":{"any_user":true}}"#)
            let message = try await bob.createMessage("secret #tag", in: id)
            #expect(try await alice.send("DELETE", "channels/\(id)/messages/\(message)").status == 403)
            try await alice.data("PUT", "channels/\(id)", #"{"writers":{"any_user":false}}"#)
            #expect(try await bob.send("GET", "channels/\(id)").status == 404)
            #expect(try await bob.get("channels/\(id)/messages/\(message)")["text"] == "secret #tag")
            #expect(try await bob.data("DELETE", "channels/\(id)/messages/\(message)")["is_deleted"] == .bool(true))
        }
    }

    @Test("a deleted message stays in lists without its text, unless include_deleted=0, and is not counted")
    func deletion() async throws {
        try await withAppNet { alice in
            let bob = alice.user(1)
            let id = try await alice.createChannel(#"{"type":"com.example.notes","writers":{"any_user":true}}"#)
            let message = try await bob.createMessage("secret #tag", in: id)
            let deleted = try await bob.data("DELETE", "channels/\(id)/messages/\(message)")
            #expect(deleted["is_deleted"] == .bool(true) && deleted["text"] == nil && deleted["html"] == nil)
            #expect(deleted["entities"] == ["mentions": [], "hashtags": [], "links": []])
            #expect(deleted["user"]?["username"] == "bob" && deleted["source"]?["client_id"] == "helium")
            let listed = try await alice.get("channels/\(id)/messages")
            #expect(listed.arrayValue?.count == 1 && !listed.text.contains("secret"))
            #expect(try await alice.get("channels/\(id)/messages?include_deleted=0").arrayValue?.isEmpty == true)
            #expect(try await alice.get("channels/\(id)")["counts"]?["messages"] == .integer(0))
        }
    }

    @Test("a user's own messages, and messages by ids, are listed across channels as far as the caller reads them")
    func lists() async throws {
        try await withAppNet { alice in
            let bob = alice.user(1)
            let open = try await alice.createChannel(#"{"type":"com.example.notes","writers":{"any_user":true}}"#)
            let closed = try await alice.createChannel()
            let mine = try await alice.createMessage("a", in: closed)
            let theirs = try await bob.createMessage("b", in: open)
            #expect(try await alice.send("GET", "users/me/messages").ids == [mine])
            let ids = "channels/messages?ids=\(mine),+\(theirs),77"
            #expect(try await alice.send("GET", ids).ids == [mine, theirs])
            #expect(try await bob.send("GET", ids).ids == [theirs])
            #expect(try await alice.send("GET", "channels/\(closed)/messages/\(theirs)").status == 404)
        }
    }

    @Test("messages of muted users are listed if include_muted asks for them")
    func muted() async throws {
        try await withAppNet { alice in
            let id = try await alice.createChannel(#"{"type":"com.example.notes","writers":{"any_user":true}}"#)
            let message = try await alice.user(1).createMessage("b", in: id)
            try await alice.post("users/2/mute")
            #expect(try await alice.send("GET", "channels/\(id)/messages").ids.isEmpty)
            #expect(try await alice.send("GET", "channels/\(id)/messages?include_muted=1").ids == [message])
        }
    }

    @Test("{message_id} in a message's links and oembeds becomes its id")
    func templates() async throws {
        try await withAppNet { alice in
            let id = try await alice.createChannel()
            let body = """
                {"text":"x","entities":{"links":[{"pos":0,"len":1,"url":"http://example.com/{message_id}"}]},
                "annotations":[{"type":"net.app.core.oembed","value":{"type":"photo","version":"1.0","width":1,
                "height":1,"url":"http://example.com/{message_id}.png"}}]}
                """
            let message = try await alice.post("channels/\(id)/messages?include_annotations=1", body)
            let own = message["id"]?.stringValue ?? ""
            let link = message["entities"]?["links"]?.arrayValue?.first
            #expect(link?["url"]?.stringValue == "http://example.com/\(own)")
            let oembed = message["annotations"]?.arrayValue?.first?["value"]
            #expect(oembed?["url"]?.stringValue == "http://example.com/\(own).png")
        }
    }
}

@Suite("Annotations of App.net", .timeLimit(.minutes(5)))
struct AppNetAnnotationTests {
    @Test(
        "an annotation of a core type is checked against its schema",
        arguments: [
            (#"{"type":"com.example.free","value":{"any":[1,{"x":null}]}}"#, 200),
            (#"{"type":"com.example.free"}"#, 400), (#"{"type":"com.example.free","value":7}"#, 400),
            (#"{"type":"free","value":{}}"#, 400), (#"{"value":{}}"#, 400), ("7", 400),
            (#"{"type":"net.app.core.nothing","value":{}}"#, 400),
            (#"{"type":"net.app.core.geolocation","value":{"latitude":90,"longitude":-180}}"#, 200),
            (#"{"type":"net.app.core.geolocation","value":{"latitude":91,"longitude":0}}"#, 400),
            (#"{"type":"net.app.core.geolocation","value":{"latitude":1}}"#, 400),
            (#"{"type":"net.app.core.crosspost","value":{"canonical_url":"http://example.com"}}"#, 200),
            (#"{"type":"net.app.core.crosspost","value":{}}"#, 400),
            (#"{"type":"net.app.core.language","value":{"language":"de"}}"#, 200),
            (#"{"type":"net.app.core.language","value":{"language":"pt_BR"}}"#, 200),
            (#"{"type":"net.app.core.language","value":{"language":"sr_Latn"}}"#, 200),
            (#"{"type":"net.app.core.language","value":{"language":"german"}}"#, 400),
            (#"{"type":"net.app.core.language","value":{"language":"12"}}"#, 400),
            (#"{"type":"net.app.core.channel.invite","value":{"channel_id":"1"}}"#, 200),
            (#"{"type":"net.app.core.broadcast.message.metadata","value":{"subject":"s"}}"#, 400),
            (
                #"{"type":"net.app.core.oembed","value":{"type":"rich","version":"1.0","width":1,"height":1,"html":"h"}}"#,
                200
            ),
            (#"{"type":"net.app.core.oembed","value":{"type":"video","version":"1.0","width":1,"height":1}}"#, 400),
            (
                #"""
                {"type":"net.app.core.oembed","value":{"type":"photo","version":"1.0","width":1,"height":1,"url":"u",
                "thumbnail_url":null}}
                """#, 200
            ),
            (
                #"{"type":"net.app.core.channel.metadata","value":{"title":"t","description":"d","tags":null}}"#, 200
            ),
            (
                #"""
                {"type":"net.app.core.phototag","value":{"+net.app.core.user":{"user_id":"2","format":"full"},
                "x":1,"y":2}}
                """#, 400
            ),
            (#"{"type":"net.app.core.attachments","value":{}}"#, 400),
            (#"{"type":"com.example.free","value":{"+net.app.core.other":{}}}"#, 400),
            (#"{"type":"com.example.free","value":{"+net.app.core.user":{"user_id":"99","format":"basic"}}}"#, 400),
        ]
    )
    func schemas(_ annotation: String, _ status: Int) async throws {
        try await withAppNet { alice in
            let id = try await alice.createChannel()
            let body = #"{"text":"x","annotations":[\#(annotation)]}"#
            #expect(try await alice.send("POST", "channels/\(id)/messages", body).status == status, "\(annotation)")
        }
    }

    @Test("annotations of at most 8,192 bytes are accepted, in their order, also two of a type")
    func size() async throws {
        try await withAppNet { alice in
            let id = try await alice.createChannel()
            func send(_ length: Int) async throws -> RawAnswer {
                let text = String(repeating: "x", count: length)
                let list =
                    #"[{"type":"b.b","value":{"t":"\#(text)"}},{"type":"a.a","value":{}},{"type":"b.b","value":{}}]"#
                let body = #"{"text":"x","annotations":\#(list)}"#
                return try await alice.send("POST", "channels/\(id)/messages?include_annotations=1", body)
            }
            let frame = #"[{"type":"b.b","value":{"t":""}},{"type":"a.a","value":{}},{"type":"b.b","value":{}}]"#.utf8
                .count
            let types = try await send(8192 - frame).tree["data"]?["annotations"]?.arrayValue?.map { $0["type"] }
            #expect(types == ["b.b", "a.a", "b.b"])
            #expect(try await send(8193 - frame).status == 400)
        }
    }

    @Test("an annotation with a user's id is read with the members of the user beside its own")
    func users() async throws {
        try await withAppNet { alice in
            let id = try await alice.createChannel()
            let user = #""+net.app.core.user":{"user_id":"2","format":"basic"},"other":1"#
            let body = #"{"text":"x","annotations":[{"type":"com.example.a","value":{\#(user)}}]}"#
            let message = try await alice.post("channels/\(id)/messages?include_message_annotations=1", body)
            let value = message["annotations"]?.arrayValue?.first?["value"]
            #expect(value?["username"] == "bob" && value?["other"] == .integer(1) && value?["created_at"] == nil)
            #expect(value?["+net.app.core.user"] == nil)
        }
    }

    @Test("an annotation with replaced values keeps them when a client sends it back")
    func echo() async throws {
        try await withAppNet { alice in
            let user = #"{"+net.app.core.user":{"user_id":"2","format":"basic"},"x":1,"y":2}"#
            let path = "users/me?include_annotations=1"
            let values = [("net.app.core.phototag", user), ("com.example.deep", #"{"list":[[\#(user)],7]}"#)]
            for (type, value) in values {
                let list = #"{"annotations":[{"type":"\#(type)","value":\#(value)}]}"#
                let first = try await alice.data("PATCH", path, list)
                #expect(first.text.contains("bob") && !first.text.contains("+net"))
                // Its reference stays one: what the user is called now is told, not what was sent.
                let renamed = first.text.replacing(#""username":"bob""#, with: #""username":"bobby""#)
                let whole = try await alice.data("PATCH", path, renamed)
                #expect(whole["annotations"] == first["annotations"])
                // Its own members are the client's to change.
                let moved = first.text.replacing(#""x":1,"#, with: #""x":50,"note":"new","#)
                let changed = try await alice.send("PATCH", path, moved)
                #expect(changed.text.contains(#""x":50,"note":"new","#) && changed.text.contains("bob"))
                let emptied = first.text.replacing(#""y":2"#, with: #""z":2"#)
                let status = type.hasPrefix("net.app.core") ? 400 : 200
                #expect(try await alice.send("PATCH", path, emptied).status == status)
                let left = try await alice.get(path)["annotations"]?.text ?? ""
                #expect(left.contains(#""y":2"#) == (status == 400) && left.contains("bob") && !left.contains("+net"))
                _ = try await alice.data("PATCH", path, #"{"annotations":[{"type":"\#(type)"}]}"#)
            }
        }
    }

    @Test("an annotation in which a place's members replaced longer ones can be sent back")
    func shorterEcho() async throws {
        try await withAppNet { alice in
            let place = try #require(PlaceDirectory.places.first).id
            let user = #"{"+net.app.core.user":{"user_id":"@alice","format":"basic"}}"#
            let value = #"{"+net.app.core.place":{"factual_id":"\#(place)"},"categories":[\#(user),\#(user),\#(user)]}"#
            let path = "users/me?include_annotations=1"
            _ = try await alice.data("PATCH", path, #"{"annotations":[{"type":"com.example.x","value":\#(value)}]}"#)
            let ids = #"[{"id":"1"},{"id":"1"},{"id":"1"}]"#
            let back = #"{"factual_id":"\#(place)","categories":\#(ids)}"#
            let sent = try await alice.send(
                "PATCH",
                path,
                #"{"annotations":[{"type":"com.example.x","value":\#(back)}]}"#
            )
            #expect(sent.status == 200, "\(sent.text)")
            #expect(try await alice.get("users/me")["id"] != nil)
        }
    }

    @Test("a user inside an annotation of that user has no annotations")
    func ownUser() async throws {
        try await withAppNet { alice in
            let list = """
                {"annotations":[{"type":"a.b","value":{"+net.app.core.user":{"user_id":"me","format":"full"}}}]}
                """
            let user = try await alice.data("PATCH", "users/me?include_annotations=1", list)
            let value = user["annotations"]?.arrayValue?.first?["value"]
            let kept = try await alice.data("PATCH", "users/me?include_annotations=1", #"{"annotations":null}"#)
            #expect(kept["annotations"] == user["annotations"])
            #expect(value?["username"] == "alice" && value?["counts"] != nil && value?["annotations"] == nil)
        }
    }

    @Test("a client does not write the fallback URL and the tags of a broadcast channel")
    func fallback() async throws {
        try await withAppNet { alice in
            let body = """
                {"type":"net.app.core.broadcast","annotations":[
                {"type":"net.app.core.fallback_url","value":{"url":"http://example.com/mine"}},
                {"type":"net.app.core.broadcast.metadata","value":{"title":"t","description":"d","tags":["mine"]}}]}
                """
            let channel = try await alice.post("channels?include_annotations=1", body)
            #expect(channel["annotations"]?.arrayValue?.count == 2 && !channel.text.contains("mine"))
            // Nor where the whole is sent back, whose references are kept.
            let id = try #require(channel["id"]?.stringValue)
            let path = "channels/\(id)?include_annotations=1"
            let user = #"{"+net.app.core.user":{"user_id":"2","format":"basic"}}"#
            let type = "net.app.core.broadcast.metadata"
            let nested = #"{"title":"t","description":"d","z":\#(user)}"#
            let first = try await alice.data("PUT", path, #"{"annotations":[{"type":"\#(type)","value":\#(nested)}]}"#)
            let back = first.text.replacing(#""title":"t""#, with: #""title":"u","tags":["mine"]"#)
            let changed = try await alice.data("PUT", path, back)
            #expect(changed.text.contains(#""title":"u""#) && changed.text.contains("bob"))
            #expect(!changed.text.contains("mine"))
        }
    }
}
