import HeliumJSON
import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Cost of the filters of app streams", .timeLimit(.minutes(5)))
struct FilterCostTests {
    @Test(
        "a part of a text is found in either form of its letters",
        arguments: [
            ("abab", "xababc", true), ("aab", "aaaaab", true), ("aab", "aaaaa", false), ("abcabd", "abcabcabd", true),
            ("é", "cafe\u{301}s", true), ("e\u{301}s", "cafés", true), ("", "", true), ("a", "", false),
        ]
    )
    func parts(part: String, text: String, expected: Bool) {
        let subject = FilterSubject(.null) { _ in false }
        #expect(subject.has(FilterPart(part), in: text) == expected)
        // The second time it is known.
        #expect(subject.has(FilterPart(part), in: text) == expected)
    }

    @Test("an app's question about a user is asked once for an event, however many clauses ask it")
    func authorizedUsers() throws {
        let clause: JSONValue = [
            "object_type": "post", "field": "/ids/*", "operator": "one_of", "value": "$authorized_userids",
        ]
        let filter = try FilterRecord(
            id: 1,
            owner: 1,
            ["match_policy": "include_any", "clauses": .array(Array(repeating: clause, count: 50))]
        )
        var asked: [Int64] = []
        let subject = FilterSubject(["ids": [1, 2, 3]]) { user in
            asked.append(user)
            return false
        }
        #expect(try !filter.passes(subject, type: "post"))
        #expect(asked == [1, 2, 3])
    }

    private static func clause(_ value: String) -> TestJSON {
        ["object_type": "post", "field": "/data/text", "operator": "matches", "value": .string(value)]
    }

    /// A filter of some 100 KB for each 25 clauses.
    private static func filter(clauses: Int) -> TestJSON {
        let long = String(repeating: "x", count: 4_000)
        return ["match_policy": "include_any", "clauses": .array(Array(repeating: clause(long), count: clauses))]
    }

    @Test("a filter is decoded once, and again after it was changed")
    func decodedOnce() async throws {
        try await withVisitors { alice, bob in
            let filters = alice.running.server.appNet.state.events.filters
            let body: TestJSON = ["match_policy": "include_any", "clauses": [Self.clause("one")]]
            let id = try #require(try await alice.post("filters", body)["id"]?.stringValue)
            let stream = try await AppStreamTests.open(alice, ["object_types": ["post"], "filter_id": .string(id)])
            for _ in 0..<3 {
                let post = try await bob.say("one")
                #expect(try await stream.frame()["data"]?["id"]?.stringValue == post)
            }
            #expect(filters.decodedCount == 1)
            let changed: TestJSON = ["match_policy": "include_any", "clauses": [Self.clause("two")]]
            #expect(try await alice.send("PUT", "filters/\(id)", json: changed).status == 200)
            try await bob.say("one")
            let post = try await bob.say("two")
            #expect(try await stream.frame()["data"]?["id"]?.stringValue == post)
            #expect(filters.decodedCount == 2)
            #expect(try await alice.delete("filters/\(id)").status == 200)
            try await bob.say("two")
            #expect(filters.bytes == 0)
        }
    }

    @Test("decoded filters that do not fit together make room for each other")
    func bounded() async throws {
        try await withAppNet { alice async throws in
            let document = try #require(JSONValue.parse(Self.filter(clauses: 1).text))
            try await alice.running.server.appNet.state.store.write { database in
                let table = FilterTable(database: database)
                let ids = try (0..<3).map { _ in
                    try table.insert(FilterRecord(id: 0, owner: 1, document)).id
                }
                let size = try table.size(of: ids[0])
                let cache = FilterCache(maximumBytes: 2 * size)
                for id in ids { #expect(try cache.filter(id, in: table)?.clauses.count == 1) }
                #expect(cache.bytes == 2 * size && cache.decodedCount == 3)
                #expect(try cache.filter(ids[2], in: table)?.id == ids[2] && cache.decodedCount == 3)
                let small = FilterCache(maximumBytes: size - 1)
                #expect(try small.filter(ids[0], in: table) != nil && small.bytes == 0)
            } publish: { _, _ in
            }
        }
    }

    @Test("the filters of an app's streams have a limit together, which a stream and a longer filter keep")
    func limit() async throws {
        try await withVisitors { alice, _ in
            var ids: [TestJSON] = []
            for _ in 0..<3 {
                ids.append(try #require(try await alice.post("filters", Self.filter(clauses: 95))["id"]))
            }
            func stream(_ filter: TestJSON) -> TestJSON { ["object_types": ["post"], "filter_id": filter] }
            #expect(try await alice.asApp.post("streams", stream(ids[0])).status == 200)
            let second = try await alice.asApp.post("streams", stream(ids[1]))
            #expect(second.status == 200)
            let refused = try await alice.asApp.post("streams", stream(ids[2]))
            #expect(refused.status == 400 && refused.text.contains("1048576 bytes"), "\(refused.status)")
            // A filter of several streams counts once, and one that is replaced does not count.
            #expect(try await alice.asApp.post("streams", stream(ids[1])).status == 200)
            let path = "streams/\(try #require(second["id"]?.stringValue))"
            #expect(try await alice.asApp.send("PUT", path, json: stream(ids[0])).status == 200)
            let third = try #require(ids[2].stringValue)
            #expect(try await alice.send("PUT", "filters/\(third)", json: Self.filter(clauses: 5)).status == 200)
            #expect(try await alice.asApp.post("streams", stream(ids[2])).status == 200)
            #expect(try await alice.send("PUT", "filters/\(third)", json: Self.filter(clauses: 95)).status == 400)
            #expect(try await alice.send("PUT", "filters/\(third)", json: Self.filter(clauses: 4)).status == 200)
        }
    }
}
