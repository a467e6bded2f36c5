import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Streams of App.net's posts", .timeLimit(.minutes(5)))
struct PostStreamTests {
    @Test("the personal stream has the posts of the user and of those he follows, and the unified one mentions too")
    func personal() async throws {
        try await withVisitors { alice, bob async throws in
            let mine = try await alice.say("mine")
            let mention = try await bob.say("hello @alice")
            let other = try await bob.say("unseen")
            #expect(try await alice.get("posts/stream").ids == [mine])
            #expect(try await alice.get("posts/stream/unified").ids == [mention, mine])
            #expect(try await alice.get("users/me/mentions").ids == [mention])
            _ = try await alice.post("users/@bob/follow", [:])
            #expect(try await alice.get("posts/stream").ids == [other, mention, mine])
            let reply = try await bob.say("@carol not for alice")
            #expect(try await alice.get("posts/stream").ids.first == reply, "nobody is called carol")
            let page = try await alice.get("posts/stream?count=2")
            #expect(page.meta?["more"] == .bool(true) && page.meta?["marker"]?["name"] == "my_stream")
            #expect(page.meta?["max_id"]?.stringValue == reply && page.meta?["min_id"]?.stringValue == other)
        }
    }

    @Test("the personal stream leaves out posts that are directed at strangers")
    func directed() async throws {
        let accounts = AppNetAccounts(
            users: ["alice", "bob", "carol"].map { AppNetAccounts.User(name: $0) },
            apps: [AppNetAccounts.App(clientID: "helium")]
        )
        try await withVisitors({ $0.accounts = accounts }) { alice, bob in
            _ = try await alice.post("users/@bob/follow", [:])
            let toAlice = try await bob.say("@alice hi")
            let toCarol = try await bob.say("@carol hi")
            let aboutCarol = try await bob.say("hi @carol")
            #expect(try await alice.get("posts/stream").ids == [aboutCarol, toAlice])
            let all = try await alice.get("posts/stream?include_directed_posts=1").ids
            #expect(all == [aboutCarol, toCarol, toAlice])
            #expect(try await alice.get("posts/stream/global").ids == [aboutCarol, toCarol, toAlice])
        }
    }

    @Test("the global stream leaves out reposts, bots and machine-only posts")
    func global() async throws {
        var accounts = AppNetAccounts(
            users: [AppNetAccounts.User(name: "alice"), AppNetAccounts.User(name: "robot")],
            apps: [AppNetAccounts.App(clientID: "helium")]
        )
        accounts.users[1].type = "bot"
        try await withVisitors({ $0.accounts = accounts }) { alice, robot in
            let id = try await alice.say("word")
            _ = try await robot.say("beep")
            _ = try await robot.post("posts/\(id)/repost", [:])
            let machine = try await alice.post(
                "posts",
                ["machine_only": .bool(true), "annotations": [["type": "com.example.a", "value": ["a": "b"]]]]
            )
            let anyone = AppNetVisitor(running: alice.running)
            #expect(try await anyone.get("posts/stream/global").ids == [id])
            let all = try await anyone.get("posts/stream/global?include_machine=1").ids
            #expect(all == [try #require(machine["id"]?.stringValue), id])
        }
    }

    @Test("the explore streams are listed, and have the posts that they promise")
    func explore() async throws {
        try await withVisitors { alice, bob async throws in
            let plain = try await alice.say("plain")
            let directed = try await bob.say("@alice to you")
            let reply = try await bob.say("answer", replyTo: plain)
            _ = try await bob.post("posts/\(plain)/star", [:])
            let embed: TestJSON = [
                "type": "net.app.core.oembed",
                "value": [
                    "type": "photo", "version": "1.0", "width": .integer(1), "height": .integer(1),
                    "url": "http://example.com/a.png", "thumbnail_url": "http://example.com/b.png",
                    "thumbnail_width": .integer(1), "thumbnail_height": .integer(1),
                ],
            ]
            let made = try await alice.post("posts", ["text": "a photo", "annotations": [embed]])
            let photo = try #require(made["id"]?.stringValue, "\(made.text)")
            let streams = try await alice.get("posts/stream/explore")
            let slugs = streams.json?["data"]?.arrayValue?.compactMap { $0["slug"]?.stringValue }
            #expect(slugs == ["posts", "conversations", "photos", "trending", "checkins"])
            func ids(_ slug: String) async throws -> [String] {
                let answer = try await alice.get("posts/stream/explore/\(slug)")
                #expect(answer.meta?["explore_stream"]?["slug"]?.stringValue == slug)
                return answer.ids
            }
            #expect(try await ids("posts") == [photo, reply, plain])
            #expect(try await ids("conversations") == [plain])
            #expect(try await ids("trending") == [plain])
            #expect(try await ids("photos") == [photo])
            #expect(try await ids("checkins").isEmpty)
            let marker = try await alice.get("posts/stream/explore/posts").meta?["marker"]?["name"]
            #expect(marker == "explore:undirected")
            #expect(try await alice.get("posts/stream?has_oembed_photo=1").ids == [photo])
            #expect(try await alice.get("posts/stream/unified?has_oembed_photo=0").ids == [directed, plain])
        }
    }

    @Test("a stream of posts has no gap and no duplicate between pages while posts arrive")
    func paging() async throws {
        try await withVisitors { alice, _ async throws in
            var said: [String] = []
            for number in 0..<30 { said.append(try await alice.say("number \(number)")) }
            var seen: [String] = []
            var before: String?
            repeat {
                let bound = before.map { "&before_id=\($0)" } ?? ""
                let page = try await alice.get("users/me/posts?count=7\(bound)")
                seen += page.ids
                before = page.meta?["more"] == .bool(true) ? page.meta?["min_id"]?.stringValue : nil
                _ = try await alice.say("meanwhile")
            } while before != nil
            #expect(seen == said.reversed())
            let forward = try await alice.get("users/me/posts?count=-3&since_id=\(said[0])")
            #expect(forward.ids == [said[3], said[2], said[1]])
        }
    }

    @Test("interactions with the user are grouped, and those that were undone are left out")
    func interactions() async throws {
        let accounts = AppNetAccounts(
            users: ["alice", "bob", "carol"].map { AppNetAccounts.User(name: $0) },
            apps: [AppNetAccounts.App(clientID: "helium")]
        )
        try await withVisitors({ $0.accounts = accounts }) { alice, bob in
            var carol = bob
            carol.token = alice.running.ready.appNet.users[2].token
            let id = try await alice.say("like me")
            for visitor in [bob, carol] { _ = try await visitor.post("posts/\(id)/star", [:]) }
            _ = try await bob.post("posts/\(id)/repost", [:])
            _ = try await bob.post("users/@alice/follow", [:])
            let reply = try await carol.say("yes", replyTo: id)
            _ = try await alice.post("posts/\(id)/star", [:])
            func actions(_ query: String = "") async throws -> [String] {
                let answer = try await alice.get("users/me/interactions\(query)")
                return (answer.json?["data"]?.arrayValue ?? []).map { group in
                    let names = (group["users"]?.arrayValue ?? []).compactMap { $0["username"]?.stringValue }
                    return "\(group["action"]?.stringValue ?? ""): \(names.joined(separator: ", "))"
                }
            }
            #expect(try await actions() == ["reply: carol", "follow: bob", "repost: bob", "star: carol, bob"])
            #expect(try await actions("?interaction_actions=follow,star") == ["follow: bob", "star: carol, bob"])
            #expect(try await actions("?count=1") == ["reply: carol"])
            _ = try await bob.delete("posts/\(id)/star")
            _ = try await bob.delete("posts/\(id)/repost")
            _ = try await bob.delete("users/@alice/follow")
            _ = try await carol.delete("posts/\(reply)")
            #expect(try await actions() == ["star: carol"])
            #expect(try await bob.get("users/me/interactions").ids.isEmpty)
        }
    }
}
