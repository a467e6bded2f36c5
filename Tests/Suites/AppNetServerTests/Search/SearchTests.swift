import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Searches of App.net", .timeLimit(.minutes(5)))
struct SearchTests {
    @Test("a search finds posts by each of its parameters")
    func posts() async throws {
        try await withVisitors { alice, bob in
            let swift = try await alice.say("Swift is fun #code http://www.example.com/a")
            let reply = try await bob.say("@alice it is, swift and fun, and fun", replyTo: swift)
            let embed: TestJSON = ["type": "net.app.core.language", "value": ["language": "de"]]
            let made = try await alice.post("posts", ["text": "schnell", "annotations": [embed]])
            let german = try #require(made["id"]?.stringValue, "\(made.text)")
            let gone = try await alice.say("swift but gone")
            _ = try await alice.delete("posts/\(gone)")
            let aliceID = try await alice.myID()
            for (query, expected) in [
                ("query=swift", [reply, swift]), ("query=%23code", [swift]), ("text=%22is+fun%22", [swift]),
                ("query=swift+-it", [swift]), ("query=schnell+OR+it", [german, reply]), ("hashtags=code", [swift]),
                ("link_domains=example.com", [swift]), ("links=http://www.example.com/a", [swift]),
                ("mentions=alice", [reply]), ("leading_mentions=alice", [reply]), ("mentions=bob", []),
                ("is_reply=1", [reply]), ("is_reply=0", [german, swift]), ("is_directed=1", [reply]),
                ("creator_id=\(aliceID)", [german, swift]), ("creator_id=x", []), ("reply_to=\(swift)", [reply]),
                ("thread_id=\(swift)", [reply, swift]), ("annotation_types=net.app.core.language", [german]),
                ("language=de", [german]), ("language=en", []), ("client_id=helium&text=swift", [reply, swift]),
                ("client_id=other", []), ("has_checkin=0&query=schnell", [german]), ("has_oembed_photo=1", []),
                ("order=score&query=fun", [reply, swift]), ("query=swift&count=1", [reply]),
                ("query=swift&before_id=\(reply)", [swift]),
            ] {
                let answer = try await bob.get("posts/search?\(query)")
                #expect(answer.status == 200 && answer.ids == expected, "\(query): \(answer.ids)")
            }
            for query in ["", "order=score&hashtags=code", "order=age&query=a", "index=some&query=a", "query=!!!"] {
                #expect(try await bob.get("posts/search?\(query)").status == 400, "\(query)")
            }
            let anyone = AppNetVisitor(running: alice.running)
            #expect(try await anyone.get("posts/search?query=swift").status == 401)
        }
    }

    @Test("pages of a search by score follow each other without gap, in either direction")
    func rankedPages() async throws {
        try await withVisitors { alice, _ in
            var expected: [String] = []
            for number in 0..<30 {
                let text = Array(repeating: "tea", count: number % 3 + 1).joined(separator: " ")
                let post = try await alice.say("\(text) \(number)")
                expected.append(post)
            }
            expected = (0..<3).reversed().flatMap { rank in
                expected.indices.reversed().filter { $0 % 3 == rank }.map { expected[$0] }
            }
            var found: [String] = []
            var bound = ""
            var pages = 0
            repeat {
                let page = try await alice.get("posts/search?query=tea&order=score&count=7\(bound)")
                found += page.ids
                pages += 1
                let isLast = page.meta?["more"] == .bool(false)
                guard !isLast, pages < 10, let next = page.meta?["min_id"]?.stringValue else { break }
                bound = "&before_id=\(next)"
            } while true
            #expect(found == expected && pages == 5)
            let whole = try await alice.get("posts/search?query=tea&order=score&count=200")
            let last = try #require(whole.meta?["min_id"]?.stringValue)
            let back = try await alice.get("posts/search?query=tea&order=score&count=-7&since_id=\(last)")
            #expect(back.ids == Array(expected.suffix(8).prefix(7)) && back.meta?["more"] == .bool(true))
        }
    }

    @Test("a search finds messages only in channels that the caller reads")
    func messages() async throws {
        try await withVisitors { alice, bob in
            let open = try await alice.channel()
            let made = try await alice.post("channels", ["type": "com.example.secret"])
            let secret = try #require(made["id"]?.stringValue)
            func send(_ channel: String, _ text: String) async throws -> String {
                let answer = try await alice.post("channels/\(channel)/messages", ["text": .string(text)])
                return try #require(answer["id"]?.stringValue)
            }
            let first = try await send(open, "tea #time")
            let hidden = try await send(secret, "tea in secret")
            let sent = try await alice.post(
                "channels/pm/messages",
                ["text": "private tea", "destinations": ["@bob"]]
            )
            let pm = try #require(sent["id"]?.stringValue, "\(sent.text)")
            let both = "channel_ids=\(open),\(secret)&query=tea"
            #expect(try await alice.get("channels/messages/search?\(both)").ids == [hidden, first])
            #expect(try await bob.get("channels/messages/search?\(both)").ids == [first])
            #expect(try await bob.get("channels/messages/search?channel_ids=pm&query=tea").ids == [pm])
            #expect(try await bob.get("channels/messages/search?channel_ids=\(open)&hashtags=time").ids == [first])
            #expect(try await bob.get("channels/messages/search?query=tea").status == 400)
            #expect(try await bob.get("channels/messages/search?channel_ids=broadcast&query=tea").ids.isEmpty)
        }
    }

    @Test("a search finds channels by type, creator, words and tags, in three orders")
    func channels() async throws {
        try await withVisitors { alice, bob in
            func make(_ type: String, _ text: String, isPublic: Bool) async throws -> String {
                let answer = try await alice.post(
                    "channels",
                    [
                        "type": .string(type), "readers": ["public": .bool(isPublic)],
                        "annotations": [
                            ["type": "com.example.about", "value": ["name": .string(text), "tags": ["Tea", "talk"]]]
                        ],
                    ]
                )
                return try #require(answer["id"]?.stringValue, "\(answer.text)")
            }
            let quiet = try await make("com.example.a", "green tea", isPublic: true)
            let popular = try await make("com.example.b", "black tea", isPublic: true)
            let secret = try await make("com.example.a", "secret tea", isPublic: false)
            _ = try await bob.post("channels/\(popular)/subscribe", [:])
            _ = try await alice.post("channels/\(quiet)/messages", ["text": "busy now"])
            for (query, expected) in [
                ("q=tea", [popular, quiet]), ("q=tea&order=id", [popular, quiet]),
                ("q=tea&order=activity", [quiet, popular]), ("type=com.example.a", [quiet]), ("q=coffee", []),
                ("tags=tea", [popular, quiet]), ("tags=tea+milk", []), ("is_public=0", []), ("is_private=1", []),
                ("creator_id=x", []), ("q=tea&count=1", [popular]),
            ] {
                let answer = try await bob.get("channels/search?\(query)")
                #expect(answer.status == 200 && answer.ids == expected, "\(query): \(answer.ids)")
            }
            #expect(try await alice.get("channels/search?is_private=1").ids == [secret])
            for query in ["order=age", "q=((((", "q=%ff%fe", "q=%00", "q=((((&type=com.example.a"] {
                #expect(try await bob.get("channels/search?\(query)").status == 400, "\(query)")
            }
        }
    }
}
