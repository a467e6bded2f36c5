import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Revisions, bookmarks, presence, clients and explore streams of pnut.io", .timeLimit(.minutes(5)))
struct PnutServiceTests {
    /// A text of a post, and a revision of it with the same entities.
    private static let original = "#system of a duck @bob http://example.com/a"
    private static let revision: TestJSON = [
        "text": "of a down: @bob #System [a](http://example.com/a)", "is_nsfw": true,
    ]

    private static func createPost(_ visitor: AppNetVisitor, _ text: String = Self.original) async throws -> String {
        let made = try await visitor.post("posts", ["text": .string(text)])
        return try #require(made["id"]?.stringValue, "\(made.text)")
    }

    @Test("a post is revised once only, by its author")
    func revision() async throws {
        try await withPnut { alice, bob in
            let id = try await Self.createPost(alice)
            #expect(try await bob.send("PUT", "posts/\(id)", json: Self.revision).status == 403)
            let revised = try await alice.send("PUT", "posts/\(id)", json: Self.revision)
            #expect(revised.status == 201, "\(revised.text)")
            #expect(revised["id"] == .string(id) && revised["is_revised"] == .bool(true))
            #expect(revised["is_nsfw"] == .bool(true))
            #expect(revised["content", "text"] == "of a down: @bob #System a [example.com]")
            #expect(try await alice.send("PUT", "posts/\(id)", json: Self.revision).status == 400)
        }
    }

    @Test(
        "a revision of a post with other mentions, tags or links is refused",
        arguments: ["#system @bob", "#other of @bob http://example.com/a", "#system @bob http://example.com/b"]
    )
    func otherEntities(text: String) async throws {
        try await withPnut { alice, _ in
            let id = try await Self.createPost(alice)
            #expect(try await alice.send("PUT", "posts/\(id)", json: ["text": .string(text)]).status == 400)
        }
    }

    @Test("a post cannot be revised after five minutes")
    func lateRevision() async throws {
        try await withPnut { alice, _ in
            let id = try await Self.createPost(alice, "a")
            alice.running.appNet.setClockOffset(.seconds(301))
            #expect(try await alice.send("PUT", "posts/\(id)", json: ["text": "b"]).status == 400)
        }
    }

    @Test("the first version of a revised post is kept in its reposts, and listed until the post is deleted")
    func earlierVersions() async throws {
        try await withPnut { alice, bob in
            let id = try await Self.createPost(alice)
            let repost = try await bob.send("PUT", "posts/\(id)/repost", json: [:])
            _ = try await alice.send("PUT", "posts/\(id)", json: Self.revision)
            let earlier = try await bob.get("posts/\(id)/revisions").json?["data"]?.arrayValue
            #expect(earlier?.count == 1)
            #expect(earlier?.first?["content"]?["text"] == .string(Self.original))
            #expect(earlier?.first?["revision"] == .integer(0) && earlier?.first?["is_nsfw"] == nil)
            let shown = try await bob.get("posts/\(try #require(repost["id"]?.stringValue))")
            #expect(shown["repost_of", "content", "text"] == earlier?.first?["content"]?["text"])
            #expect(try await alice.delete("posts/\(id)").status == 200)
            #expect(try await bob.get("posts/\(id)/revisions").json?["data"] == [])
        }
    }

    @Test("a user stream marks the event of a revised post as a revision, until the stream is deleted")
    func revisionEvents() async throws {
        try await withPnut { alice, _ in
            let stream = try await ChunkedClient.user(alice)
            _ = try await alice.get("users/me/posts?connection_id=\(stream.connectionID)")
            let id = try #require(try await alice.post("posts", ["text": "a"])["id"]?.stringValue)
            #expect(try await stream.frame()["meta"]?["revision"] == nil)
            _ = try await alice.send("PUT", "posts/\(id)", json: ["text": "b"])
            #expect(try await stream.frame()["meta"]?["revision"] == .integer(1))
            let connection = stream.connectionID
            #expect(try await alice.delete("users/me/streams/\(connection)/none").status == 404)
            let ended = try await alice.delete("users/me/streams/\(connection)")
            #expect(ended.status == 204 && ended.text.isEmpty)
            #expect(try await stream.isEnded())
        }
    }

    @Test("a subscription of a pnut.io user stream is deleted by its id")
    func subscriptions() async throws {
        try await withPnut { alice, _ in
            let stream = try await ChunkedClient.user(alice)
            let connection = stream.connectionID
            _ = try await alice.get("posts/streams/me?connection_id=\(connection)&subscription_id=s")
            #expect(try await alice.delete("users/me/streams/\(connection)/s").status == 204)
            #expect(try await alice.delete("users/me/streams/\(connection)/s").status == 404)
        }
    }

    @Test("posts and messages are not safe for work by a flag, or by the tag #nsfw if there is no flag")
    func nsfw() async throws {
        try await withPnut { alice, bob in
            let room = try await alice.room()
            for path in ["posts", "channels/\(room)/messages"] {
                for (text, flag, isMarked) in [
                    ("a", true, true), ("b", nil, false), ("c #NSFW", nil, true), ("d #nsfw", false, false),
                ] as [(String, Bool?, Bool)] {
                    var body: TestJSON = ["text": .string(text)]
                    body["is_nsfw"] = flag.map(TestJSON.bool)
                    let made = try await alice.post(path, body)
                    let expected: TestJSON? = isMarked ? .bool(true) : nil
                    #expect(made["is_nsfw"] == expected, "\(path) \(text)")
                    let id = try #require(made["id"]?.stringValue)
                    #expect(try await alice.get("\(path)/\(id)")["is_nsfw"] == expected, "\(path) \(text)")
                }
            }
            let post = try #require(try await alice.post("posts", ["text": "e"])["id"]?.stringValue)
            let repost = try await bob.send("PUT", "posts/\(post)/repost", json: ["is_nsfw": true])
            #expect(repost.status == 201 && repost["is_nsfw"] == .bool(true))
            #expect(repost["repost_of", "is_nsfw"] == nil)
        }
    }

    @Test("a bookmark's note is shown only to the user who wrote it")
    func notes() async throws {
        try await withPnut { alice, bob in
            let id = try #require(try await alice.post("posts", ["text": "a"])["id"]?.stringValue)
            let long = TestJSON.string(String(repeating: "x", count: 129))
            #expect(try await bob.send("PUT", "posts/\(id)/bookmark", json: ["note": long]).status == 400)
            let marked = try await bob.send("PUT", "posts/\(id)/bookmark", json: ["note": "Good <one>"])
            #expect(marked["you_bookmarked"] == .bool(true) && marked["note"] == nil, "\(marked.text)")
            func note(_ visitor: AppNetVisitor, _ user: String) async throws -> TestJSON? {
                try await visitor.get("users/\(user)/bookmarks").json?["data"]?.arrayValue?.first?["note"]
            }
            #expect(try await note(bob, "me") == "Good <one>")
            #expect(try await note(bob, "@bob") == "Good <one>")
            #expect(try await note(alice, "@bob") == nil)
            _ = try await bob.delete("posts/\(id)/bookmark")
            _ = try await bob.request("PUT", target: "/v1/posts/\(id)/bookmark")
            #expect(try await bob.get("users/me/bookmarks").ids == [id])
            #expect(try await note(bob, "me") == nil)
        }
    }

    @Test("a file of pnut.io lists the posts and messages it is attached to, for its owner only")
    func attachments() async throws {
        try await withPnut { alice, bob in
            let parts = [FormPart("type", "a.b"), FormPart("content", "x", file: "x.txt", type: "text/plain")]
            let file = try await alice.multipart("POST", "files", parts)
            let (id, token) = (try #require(file["id"]?.stringValue), file["file_token"] ?? .null)
            let value: TestJSON = [
                "+io.pnut.core.file": ["file_id": .string(id), "file_token": token, "format": "metadata"]
            ]
            let raw: TestJSON = ["io.pnut.core.attachments": [value]]
            #expect(try await alice.get("files/\(id)")["attached_to"] == nil)
            let post = try await alice.post("posts", ["text": "see", "raw": raw])
            let room = try await alice.room()
            let message = try await alice.post("channels/\(room)/messages", ["text": "see", "raw": raw])
            let (postID, messageID) = (post["id"] ?? .null, message["id"] ?? .null)
            #expect(try await alice.get("files/\(id)")["attached_to"] == ["messages": [messageID], "posts": [postID]])
            #expect(try await alice.onAppNet.get("files/\(id)")["attached_to"] == nil)
            let read = try await bob.get("files/\(id)?file_token=\(token.stringValue ?? "")")
            #expect(read["attached_to"] == nil)
            _ = try await alice.delete("posts/\(postID.stringValue ?? "")")
            #expect(try await alice.get("files/\(id)")["attached_to"] == ["messages": [messageID]])
        }
    }

    @Test("a user's presence in a channel is offline at first, with the user's name and picture")
    func unsetPresence() async throws {
        try await withPnut { alice, _ in
            let room = try await alice.room()
            let never = try await alice.get("users/me/presence/channels/\(room)")
            #expect(never["presence"] == "offline" && never["last_seen_at"] == nil)
            #expect(never["username"] == "alice" && never["avatar_image"]?.stringValue?.hasPrefix("http") == true)
            #expect(try await alice.get("channels/99/presence").status == 404)
        }
    }

    @Test("a presence that is set in a channel is not the user's presence elsewhere")
    func channelPresence() async throws {
        try await withPnut { alice, bob in
            let room = try await alice.room()
            let mine = "users/me/presence/channels/\(room)"
            #expect(try await alice.send("PUT", mine, json: ["presence": "tea"])["presence"] == "tea")
            _ = try await bob.send("PUT", "channels/\(room)/subscribe", json: [:])
            #expect(try await alice.get("channels/\(room)/presence").ids == ["1"])
            #expect(try await alice.get("presence").ids == [])
            #expect(try await alice.get("users/me/presence")["presence"] == "offline")
        }
    }

    @Test("a presence of 1 or of nothing is online, and 0 is offline")
    func shortPresence() async throws {
        try await withPnut { alice, _ in
            let room = try await alice.room()
            let mine = "users/me/presence/channels/\(room)"
            for (sent, expected) in [("1", "online"), ("0", "offline"), ("", "online")] as [(TestJSON, TestJSON)] {
                #expect(try await alice.send("PUT", mine, json: ["presence": sent])["presence"] == expected)
            }
            #expect(
                try await alice.request("PUT", target: "/v1/users/me/presence?presence=query")["presence"] == "query"
            )
            #expect(try await alice.request("PUT", target: "/v1/users/me/presence")["presence"] == "online")
        }
    }

    @Test("a presence ends at its expiration, a week from now at the latest")
    func presenceExpiration() async throws {
        try await withPnut { alice, bob in
            let room = try await alice.room()
            let mine = "users/me/presence/channels/\(room)"
            #expect(try await alice.request("PUT", target: "/v1/users/me/presence")["presence"] == "online")
            #expect(try await alice.send("PUT", mine, json: ["expiration": 1])["presence"] == "offline")
            #expect(try await alice.send("PUT", mine, json: ["expiration": "soon"]).status == 400)
            _ = try await alice.send("PUT", "users/me/presence", json: ["expiration": .integer(1 << 40)])
            alice.running.appNet.setClockOffset(.seconds(901))
            #expect(try await bob.get("presence").ids == ["1"])
            alice.running.appNet.setClockOffset(.seconds(604_802))
            #expect(try await bob.get("presence").ids == [])
            #expect(try await bob.get("users/1/presence")["last_seen_at"] != nil)
        }
    }

    @Test("the clients of a user are those that the user posted with")
    func clients() async throws {
        try await withPnut { alice, _ in
            _ = try await alice.post("posts", ["text": "one"])
            let all = try await alice.get("users/1/clients")
            #expect(all.json?["data"] == [["id": "helium", "name": "helium", "url": "https://example.com"]])
            #expect(try await alice.get("users/2/clients").json?["data"] == [])
            let client = try await alice.get("clients/helium")
            #expect(client["posts"] == .integer(1) && client["user", "username"] == "alice", "\(client.text)")
            #expect(client["content", "entities", "tags"] == [] && client["created_at"] != nil)
            #expect(try await alice.get("clients/none").status == 404)
        }
    }

    @Test("a badge is described by its id")
    func badges() async throws {
        try await withPnut { alice, _ async throws in
            #expect(try await alice.get("badges/2")["name"] == "Oak")
            #expect(try await alice.get("badges/9").status == 404)
        }
    }

    @Test("oEmbed describes a post by its web address, and no other address")
    func oEmbed() async throws {
        try await withPnut { alice, _ in
            _ = try await alice.post("posts", ["text": "one"])
            let page = try await alice.get("oembed?url=https://posts.pnut.io/1")
            #expect(page.json?["type"] == "rich" && page.json?["author_name"] == "@alice", "\(page.text)")
            for url in ["https://posts.pnut.io/99", "https://example.com/1", "https://posts.pnut.io/x", "1"] {
                #expect(try await alice.get("oembed?url=\(url)").status == 404, "\(url)")
            }
            #expect(try await alice.get("oembed").status == 400)
        }
    }

    @Test("the explore streams of chat rooms select by activity, age, topics and popularity")
    func explore() async throws {
        try await withPnut { alice, bob in
            let streams = try await alice.get("channels/streams/explore").json?["data"]?.arrayValue
            #expect(streams?.map { $0["slug"] } == ["conversations", "new", "topical", "trending"])
            #expect(streams?.first?["url"]?.stringValue == "\(alice.root)/v1/channels/streams/explore/conversations")
            let posts = try await alice.get("posts/streams/explore").json?["data"]?.arrayValue?.first?["url"]
            #expect(posts?.stringValue == "\(alice.root)/v1/posts/streams/explore/posts")
            func room(_ categories: TestJSON, _ isPublic: Bool = true) async throws -> String {
                let settings: TestJSON = ["name": "Tea", "categories": categories]
                let acl: TestJSON = ["read": ["public": .bool(isPublic)], "write": ["any_user": .bool(isPublic)]]
                let raw: TestJSON = ["io.pnut.core.chat-settings": [settings]]
                let made = try await alice.post("channels", ["type": "io.pnut.core.chat", "acl": acl, "raw": raw])
                return try #require(made["id"]?.stringValue, "\(made.text)")
            }
            let (tea, quiet) = (try await room(["lifestyle"]), try await room([]))
            _ = try await room(["music"], false)
            _ = try await alice.write("hello", in: tea)
            _ = try await bob.send("PUT", "channels/\(quiet)/subscribe", json: [:])
            func ids(_ slug: String) async throws -> [String] {
                try await bob.get("channels/streams/explore/\(slug)").ids
            }
            #expect(try await ids("conversations") == [tea])
            #expect(try await ids("new") == [tea])
            #expect(try await ids("topical") == [tea])
            #expect(try await ids("trending") == [quiet, tea])
            #expect(try await bob.get("channels/streams/explore/none").status == 404)
        }
    }

    @Test("tags of pnut.io are found whatever their letter case and underscores, unlike App.net's")
    func tags() async throws {
        try await withPnut { alice, _ in
            let made = try await alice.post("posts", ["text": "see #the_Lost_children"])
            let id = try #require(made["id"]?.stringValue)
            let tags = made["content", "entities", "tags"]?.arrayValue
            #expect(tags?.map { $0["text"] } == ["the_Lost_children"])
            for tag in ["theLostChildren", "thelostchildre_n", "the_lost_children"] {
                #expect(try await alice.get("posts/tags/\(tag)").ids == [id], "\(tag)")
                #expect(try await alice.get("posts/search?tags=\(tag)").ids == [id], "\(tag)")
            }
            #expect(try await alice.get("posts/search?q=%23thelostchildren").ids == [id])
            #expect(try await alice.onAppNet.get("posts/tag/thelostchildren").ids == [])
            #expect(try await alice.onAppNet.get("posts/tag/the_lost_children").ids == [id])
            let accented = try #require(try await alice.post("posts", ["text": "#cafe\u{301}_au"])["id"]?.stringValue)
            for tag in ["caf%C3%A9au", "cafe%CC%81_au"] {
                #expect(try await alice.get("posts/tags/\(tag)").ids == [accented], "\(tag)")
            }
        }
    }
}
