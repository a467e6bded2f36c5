import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Posts of App.net", .timeLimit(.minutes(5)))
struct PostTests {
    @Test("a post is created with its entities, annotations, author and counts, as the first of its thread")
    func creation() async throws {
        try await withVisitors { alice, _ in
            let made = try await Self.createPost(alice)
            #expect(made.status == 200)
            let id = try #require(made["id"]?.stringValue)
            #expect(made["thread_id"]?.stringValue == id && made["reply_to"] == nil)
            #expect(made["entities", "mentions"]?.arrayValue?.first?["is_leading"] == .bool(true))
            #expect(made["entities", "hashtags"]?.arrayValue?.first?["name"] == "swift")
            #expect(made["entities", "links"]?.arrayValue?.first?["url"]?.stringValue == "http://example.com/\(id)")
            #expect(made["annotations"]?.arrayValue?.count == 1)
            #expect(made["source", "client_id"] == "helium" && made["user", "username"] == "alice")
            #expect(made["canonical_url"]?.stringValue?.hasSuffix("/alice/post/\(id)") == true)
            #expect(made["you_starred"] == .bool(false) && made["num_replies"] == .integer(0))
        }
    }

    @Test("every post of a thread has the same list of replies, and the first one their number")
    func replies() async throws {
        try await withVisitors { alice, bob in
            let id = try await alice.say("look")
            let reply = try await bob.say("seen", replyTo: id)
            let nested = try await alice.say("good", replyTo: reply)
            for member in [id, reply, nested] {
                #expect(try await bob.get("posts/\(member)/replies").ids == [nested, reply, id], "\(member)")
            }
            #expect(try await alice.get("posts/\(id)")["num_replies"] == .integer(1))
            #expect(try await bob.get("posts?ids=\(nested),999,+\(id)").ids == [nested, id])
        }
    }

    @Test("a post is read without a token, and then has nothing about the caller")
    func withoutToken() async throws {
        try await withVisitors { alice, bob in
            let id = try #require(try await Self.createPost(alice)["id"]?.stringValue)
            _ = try await bob.say("seen", replyTo: id)
            let post = try await AppNetVisitor(running: alice.running).get("posts/\(id)?include_html=0")
            #expect(post["num_replies"] == .integer(1) && post["html"] == nil)
            #expect(post["you_starred"] == nil && post["annotations"] == nil)
        }
    }

    private static func createPost(_ visitor: AppNetVisitor) async throws -> VisitorAnswer {
        try await visitor.post(
            "posts?include_annotations=1",
            [
                "text": "@bob look: http://example.com/{post_id} #Swift",
                "annotations": [["type": "com.example.note", "value": ["a": .integer(1)]]],
            ]
        )
    }

    @Test(
        "a post with a missing or invalid member is refused",
        arguments: [
            ("{}", 400), (#"{"text":""}"#, 400), (#"{"text":"a","reply_to":"99"}"#, 400),
            (#"{"machine_only":true,"text":"a"}"#, 400), (#"{"machine_only":true}"#, 400),
            (#"{"text":"a","annotations":[{"type":"x"}]}"#, 400), ("[]", 400), ("{", 400),
        ]
    )
    func refused(body: String, status: Int) async throws {
        try await withVisitors { alice, _ async throws in
            let answer = try await alice.send("POST", "posts", "application/json", Array(body.utf8))
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.message != nil)
        }
    }

    @Test("a post has at most 256 code points, and is also created by a form")
    func length() async throws {
        try await withVisitors { alice, _ async throws in
            #expect(try await alice.post("posts", ["text": .string(String(repeating: "👋🏽", count: 128))]).status == 200)
            #expect(try await alice.post("posts", ["text": .string(String(repeating: "a", count: 257))]).status == 400)
            let form = try await alice.form("/stream/0/posts", [("text", "from a form")])
            #expect(form.status == 200 && form["text"] == "from a form")
        }
    }

    @Test("a tag with an accent is found in composed and in decomposed form")
    func accentedTags() async throws {
        try await withVisitors { alice, _ async throws in
            let ids = [try await alice.say("#cafe\u{301} one"), try await alice.say("#caf\u{E9} two")]
            for tag in ["caf%C3%A9", "cafe%CC%81", "Cafe%CC%81"] {
                #expect(Set(try await alice.get("posts/tag/\(tag)").ids) == Set(ids), "\(tag)")
            }
            #expect(try await alice.get("posts/tag/cafe").ids.isEmpty)
        }
    }

    @Test("a deleted post stays in lists without its text, and its reposts are deleted")
    func delete() async throws {
        try await withVisitors { alice, bob async throws in
            let id = try await alice.say("soon gone #tag")
            let repost = try #require(try await bob.post("posts/\(id)/repost", [:])["id"]?.stringValue)
            #expect(try await bob.delete("posts/\(id)").status == 403)
            let deleted = try await alice.delete("posts/\(id)")
            #expect(deleted["is_deleted"] == .bool(true) && deleted["text"] == nil && deleted["html"] == nil)
            #expect(deleted["entities"] == ["mentions": [], "hashtags": [], "links": []])
            #expect(try await alice.get("posts/tag/tag").ids == [id])
            #expect(try await alice.get("posts/tag/tag?include_deleted=0").ids.isEmpty)
            #expect(try await bob.get("posts/\(repost)")["is_deleted"] == .bool(true))
            #expect(try await alice.delete("posts/\(id)").status == 400)
            let star = try await bob.post("posts/\(id)/star", [:])
            #expect(star.status == 400 && star.message == "Bad Request: You cannot star a deleted post")
            #expect(try await bob.post("posts", ["text": "a", "reply_to": .string(id)]).status == 400)
        }
    }

    @Test("a post is starred once by a user, who is listed, counted and removed again")
    func stars() async throws {
        try await withVisitors { alice, bob in
            let id = try await alice.say("fine #words")
            for _ in 1...2 {
                let starred = try await bob.post("posts/\(id)/star", [:])
                #expect(starred["you_starred"] == .bool(true) && starred["num_stars"] == .integer(1))
            }
            let bobID = try await bob.myID()
            #expect(try await alice.get("posts/\(id)/stars").ids == [bobID])
            #expect(try await alice.get("users/@bob/stars").ids == [id])
            #expect(try await alice.get("posts/\(id)?include_starred_by=1")["starred_by"]?.arrayValue?.count == 1)
            #expect(try await bob.get("users/me")["counts", "stars"] == .integer(1))
            let unstarred = try await bob.delete("posts/\(id)/star")
            #expect(unstarred["num_stars"] == .integer(0) && unstarred["you_starred"] == .bool(false))
        }
    }

    @Test("a repost quotes the author and the text, and has the original with its entities")
    func repost() async throws {
        try await withVisitors { alice, bob in
            let id = try await alice.say("fine #words")
            let reposted = try await bob.post("posts/\(id)/repost", [:])
            #expect(reposted["text"] == ">> @alice: fine #words")
            #expect(reposted["repost_of", "id"]?.stringValue == id)
            #expect(reposted["repost_of", "you_reposted"] == .bool(true))
            let entities = try #require(reposted["entities"])
            #expect(entities["mentions"]?.arrayValue?.first?["pos"] == .integer(3))
            #expect(entities["hashtags"]?.arrayValue?.first?["pos"] == .integer(16))
        }
    }

    @Test("a post is reposted once by a user, who is listed, counted and removed again")
    func reposters() async throws {
        try await withVisitors { alice, bob in
            let id = try await alice.say("fine #words")
            let bobID = try await bob.myID()
            let repost = try #require(try await bob.post("posts/\(id)/repost", [:])["id"]?.stringValue)
            #expect(try await bob.post("posts/\(id)/repost", [:])["id"]?.stringValue == repost)
            #expect(try await alice.get("posts/\(id)/reposters").ids == [bobID])
            let original = try await alice.get("posts/\(id)?include_reposters=1")
            #expect(original["reposters"]?.arrayValue?.count == 1)
            #expect(original["num_reposts"] == .integer(1))
            let left = try await bob.delete("posts/\(id)/repost")
            #expect(left["id"]?.stringValue == id && left["num_reposts"] == .integer(0))
        }
    }

    @Test("a repost is neither starred, reposted nor replied to, and a user does not repost a post of his own")
    func refusedReposts() async throws {
        try await withVisitors { alice, bob in
            let id = try await alice.say("fine #words")
            let repost = try #require(try await bob.post("posts/\(id)/repost", [:])["id"]?.stringValue)
            for verb in ["star", "repost"] {
                #expect(try await alice.post("posts/\(repost)/\(verb)", [:]).status == 400)
            }
            #expect(try await alice.post("posts/\(id)/repost", [:]).status == 400)
            #expect(try await alice.post("posts", ["text": "a", "reply_to": .string(repost)]).status == 400)
        }
    }

    @Test("reporting a post mutes its author for the user")
    func report() async throws {
        try await withVisitors { alice, bob async throws in
            let id = try await alice.say("bad")
            #expect(try await alice.post("posts/\(id)/report", [:]).status == 400)
            #expect(try await bob.post("posts/\(id)/report", [:]).status == 200)
            #expect(try await bob.get("users/@alice")["you_muted"] == .bool(true))
            #expect(try await bob.get("posts/stream/global").ids.isEmpty)
            #expect(try await bob.get("posts/stream/global?include_muted=1").ids == [id])
            #expect(try await bob.get("users/@alice/posts").ids == [id])
        }
    }

    @Test(
        "calls of posts need a token and a scope as documented",
        arguments: [
            ("POST", "posts", 401), ("DELETE", "posts/1", 401), ("GET", "posts?ids=1", 401),
            ("GET", "posts/1/replies", 401), ("GET", "posts/stream", 401), ("GET", "posts/stream/unified", 401),
            ("GET", "posts/search?query=a", 401), ("GET", "users/me/interactions", 401), ("GET", "filters", 401),
            ("GET", "streams", 401), ("GET", "posts/stream/global", 200), ("GET", "users/@alice/posts", 200),
            ("GET", "users/@alice/stars", 200), ("GET", "posts/tag/a", 200), ("GET", "posts/stream/explore", 200),
            ("GET", "posts/stream/explore/posts", 200), ("GET", "posts/stream/explore/none", 404),
            ("GET", "posts/1", 404), ("PATCH", "posts/1", 405),
        ]
    )
    func tokens(method: String, path: String, status: Int) async throws {
        try await withVisitors { alice, _ async throws in
            let anyone = AppNetVisitor(running: alice.running)
            let answer = try await anyone.request(method, target: "/stream/0/\(path)")
            #expect(answer.status == status)
        }
    }
}
