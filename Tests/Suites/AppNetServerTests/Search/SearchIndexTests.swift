import Foundation
import GRDB
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Full-text index of App.net's searches", .timeLimit(.minutes(5)))
struct SearchIndexTests {
    @Test("the index of an older store has its texts, except deleted, reposted and machine-only ones")
    func migration() throws {
        let database = try ServerDatabase.memory()
        let migrator = AppNetSchema.migrator
        try migrator.migrate(database, upTo: "appnet-codeTokens")
        try database.write { database in
            let entities = #"{"mentions":[{"name":"bob","id":"2","pos":4,"len":4}],"hashtags":[],"links":[]}"#
            for (text, repost, machine, deleted) in [
                ("tea @bob", nil, 0, 0), ("tea", 1, 0, 0), (nil, nil, 1, 0), (nil, nil, 0, 1), ("milk", nil, 0, 0),
            ] as [(String?, Int?, Int, Int)] {
                try database.execute(
                    sql: """
                        INSERT INTO appnet_post (user, client, created, text, entities, annotations, thread, repost_of,
                        machine_only, is_deleted) VALUES (1, 'a', 0, ?, ?, '[]', 1, ?, ?, ?)
                        """,
                    arguments: [text, entities, repost, machine, deleted]
                )
                try database.execute(
                    sql: """
                        INSERT INTO appnet_message (channel, user, client, created, text, entities, annotations, thread,
                        replies, machine_only, is_deleted) VALUES (7, 1, 'a', 0, ?, ?, '[]', 1, 0, ?, ?)
                        """,
                    arguments: [text, entities, machine, deleted]
                )
            }
            try database.execute(
                sql: """
                    INSERT INTO appnet_channel (type, owner, created, readers, writers, editors, annotations, is_inactive,
                    messages, activity) VALUES ('a.b', 1, 0, '{}', '{}', '{}',
                    '[{"type":"a.b","value":{"name":"Green tea","tags":["x"]}}]', 0, 0, 1)
                    """
            )
        }
        try migrator.migrate(database)
        try database.read { database in
            func ids(_ table: String, _ expression: String) throws -> [Int] {
                try Int.fetchAll(
                    database,
                    sql: "SELECT rowid FROM appnet_\(table)_search WHERE appnet_\(table)_search MATCH ? ORDER BY rowid",
                    arguments: [expression]
                )
            }
            #expect(try ids("post", #""tea""#) == [1] && ids("post", #""milk""#) == [5])
            #expect(try ids("post", #""@bob""#) == [1, 5])
            #expect(try ids("message", #""tea" AND "/7""#) == [1, 2] && ids("message", #""/8""#) == [])
            #expect(try ids("channel", #""tea" AND "green" AND "x""#) == [1])
            let table = PostTable(database: database)
            let window = PageWindow(isAscending: false, limit: 10)
            let terms = try #require(SearchExpression(SearchQuery("tea OR milk", findsEntities: true).alternatives))
            #expect(try table.posts(matching: terms, window).map(\.id) == [5, 1])
        }
    }

    @Test("the index is queried with quoted terms only, for any search text")
    func expressions() throws {
        func text(_ query: String) throws -> String? {
            SearchExpression(try SearchQuery(query, findsEntities: true).alternatives)?.text
        }
        #expect(try text("NEAR OR \"NOT\"") == #"(("near") OR ("not"))"#)
        #expect(try text("\"a a\" b") == #"(("a")) AND (("b"))"#)
        #expect(try text("#a_b @bob -x") == ##"(("#ab")) AND (("@bob"))"##)
        #expect(try text("caf\u{65}\u{301}") == "((\"caf\u{E9}\"))")
        #expect(try text("-x") == nil && text("#_") == nil)
        #expect(try text("a* ^b (c)") == #"(("a")) AND (("b")) AND (("c"))"#)
    }

    @Test("the index finds what a comparison of the texts finds, in every form and script")
    func forms() async throws {
        try await withVisitors { alice, _ in
            for text in [
                "Stra\u{DF}e na\u{EF}ve", "cafe\u{301} a_b 1", "日本語 テキスト", "\u{212A}elvin ﬁne ǅ",
                "x\u{200D}y z\u{327}\u{301}",
                "\(String(repeating: "w", count: 70)) end", "quote\" AND or* NEAR",
            ] {
                let made = try await alice.post("posts", ["text": .string(text)])
                let id = try #require(made["id"]?.stringValue, "\(made.text)")
                for word in SearchDocument.words(of: text) {
                    for form in [word, word.decomposedStringWithCanonicalMapping, word.uppercased()] {
                        guard SearchDocument.words(of: form) == [word] else { continue }
                        let escaped = form.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                        let found = try await alice.get("posts/search?text=%22\(escaped)%22")
                        #expect(found.ids.contains(id), "\(text): \(form)")
                    }
                }
            }
        }
    }

    @Test("the index follows revisions, changed channels and deletions")
    func changes() async throws {
        try await withVisitors { alice, _ in
            let post = try await alice.say("before")
            var pnut = alice
            pnut.base = "/v1"
            #expect(try await pnut.send("PUT", "posts/\(post)", json: ["text": "after"]).status == 201)
            #expect(try await alice.get("posts/search?query=before").ids.isEmpty)
            #expect(try await alice.get("posts/search?query=after").ids == [post])
            _ = try await alice.delete("posts/\(post)")
            #expect(try await alice.get("posts/search?query=after").ids.isEmpty)
            func annotations(_ text: String) -> TestJSON {
                [["type": "com.example.about", "value": ["name": .string(text)]]]
            }
            let made = try await alice.post(
                "channels",
                ["type": "com.example.a", "readers": ["public": true], "annotations": annotations("green")]
            )
            let channel = try #require(made["id"]?.stringValue, "\(made.text)")
            let changed = try await alice.send(
                "PUT",
                "channels/\(channel)",
                json: ["annotations": annotations("black")]
            )
            #expect(changed.status == 200, "\(changed.text)")
            #expect(try await alice.get("channels/search?q=green").ids.isEmpty)
            #expect(try await alice.get("channels/search?q=black").ids == [channel])
            let rows = try await alice.running.appNet.state.store.read { database in
                try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM appnet_post_search")
            }
            #expect(rows == 0)
        }
    }

    @Test("a search reads only objects that the index finds for its words, tags and channels")
    func candidates() async throws {
        try await withVisitors({ $0.maxima.searchedObjects = 3 }) { alice, _ in
            let (busy, quiet) = (try await alice.channel(), try await alice.channel())
            for number in 0..<6 {
                _ = try await alice.say("word \(number) #tag\(number % 2)")
                _ = try await alice.post("channels/\(busy)/messages", ["text": .string("word \(number)")])
            }
            _ = try await alice.post("channels/\(quiet)/messages", ["text": "word"])
            for query in ["query=4", "query=none", "query=word+4", "hashtags=tag0&is_reply=1", "mentions=nobody"] {
                #expect(try await alice.get("posts/search?\(query)").status == 200, "\(query)")
            }
            #expect(try await alice.get("posts/search?query=word&is_reply=1").status == 400)
            let messages = "channels/messages/search?query=word&is_reply=1&channel_ids="
            #expect(try await alice.get(messages + quiet).status == 200)
            #expect(try await alice.get(messages + busy).status == 400)
        }
    }
}
