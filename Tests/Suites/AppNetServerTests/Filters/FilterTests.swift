import HeliumJSON
import HeliumServer
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Filters of App.net", .timeLimit(.minutes(5)))
struct FilterTests {
    static let message: JSONValue = [
        "meta": ["type": "post", "id": "7"],
        "data": [
            "id": "7", "text": "a rollout", "num_stars": 3, "machine_only": .bool(false),
            "user": ["id": "12", "a/b~*": "odd", "\u{301}": "mark"],
            "entities": ["hashtags": [["name": "swift"], ["name": "rollout"]]],
        ],
    ]

    @Test(
        "a clause of a filter compares the value at its pointer",
        arguments: [
            ("/data/text", "equals", #""a rollout""#, true), ("/data/text", "equals", #""a""#, false),
            ("/data/text", "matches", #""roll""#, true), ("/data/text", "matches", #""Roll""#, false),
            ("/data/text", "matches", "\"\"", true), ("/data/text", "matches", #""a rollout""#, true),
            ("/data/text", "matches", #""a rollout!""#, false), ("/data/num_stars", "matches", "3", false),
            ("/data/entities/hashtags/*/name", "equals", #""rollout""#, true),
            ("/data/entities/hashtags/0/name", "equals", #""rollout""#, false),
            ("/data/entities/hashtags/1/name", "equals", #""rollout""#, true),
            ("/data/entities/hashtags/9/name", "equals", #""rollout""#, false),
            ("/data/user/a~1b~0~2", "equals", #""odd""#, true), ("/data/user/\u{301}", "equals", #""mark""#, true),
            ("/data/user/id", "equals", "12", true), ("/data/num_stars", "equals", #""3""#, true),
            ("/data/num_stars", "lt", "4", true), ("/data/num_stars", "lt", "3", false),
            ("/data/num_stars", "le", "3", true), ("/data/num_stars", "gt", "3", false),
            ("/data/num_stars", "ge", "3", true), ("/data/text", "ge", "0", false),
            ("/data/user/id", "one_of", #"["11", 12]"#, true), ("/data/user/id", "one_of", #"["13"]"#, false),
            ("/data/user/id", "one_of", #""$authorized_userids""#, true),
            ("/data/id", "one_of", #""$authorized_userids""#, false),
            ("/data/nothing", "equals", #""a""#, false), ("/data/machine_only", "equals", #""false""#, true),
        ]
    )
    func compares(field: String, operation: String, value: String, expected: Bool) throws {
        let clause = try FilterClause([
            "object_type": "post", "field": .string(field), "operator": .string(operation),
            "value": try #require(JSONValue.parse(value)),
        ])
        #expect(try clause.matches(FilterSubject(Self.message) { $0 == 12 }) == expected)
    }

    @Test(
        "a filter joins its clauses by its match policy",
        arguments: [
            ("include_any", true, true), ("include_all", false, true), ("exclude_any", false, false),
            ("exclude_all", true, false),
        ]
    )
    func joins(policy: String, one: Bool, both: Bool) throws {
        let hit: JSONValue = ["object_type": "post", "field": "/data/id", "operator": "equals", "value": "7"]
        let miss: JSONValue = ["object_type": "post", "field": "/data/id", "operator": "equals", "value": "8"]
        func passes(_ clauses: [JSONValue]) throws -> Bool {
            let document: JSONValue = ["match_policy": .string(policy), "clauses": .array(clauses)]
            let filter = try FilterRecord(id: 1, owner: 1, document)
            return try filter.passes(FilterSubject(Self.message) { _ in false }, type: "post")
        }
        #expect(try passes([hit, miss]) == one)
        #expect(try passes([hit, hit]) == both)
    }

    @Test("a filter that excludes lets objects pass that have no clause, and one that includes does not")
    func otherTypes() throws {
        for (policy, expected) in [("include_any", false), ("include_all", false), ("exclude_any", true)] {
            let filter = try FilterRecord(
                id: 1,
                owner: 1,
                [
                    "match_policy": .string(policy),
                    "clauses": [["object_type": "star", "field": "", "operator": "equals", "value": "7"]],
                ]
            )
            let subject = FilterSubject(Self.message) { _ in false }
            #expect(try filter.passes(subject, type: "post") == expected, "\(policy)")
        }
    }

    @Test(
        "an invalid filter is refused",
        arguments: [
            #"{}"#, #"{"match_policy":"include_any","clauses":[]}"#,
            #"{"match_policy":"any","clauses":[{"object_type":"post","field":"/a","operator":"equals","value":1}]}"#,
            #"{"match_policy":"include_any","clauses":[{"object_type":"x","field":"/a","operator":"equals","value":1}]}"#,
            #"{"match_policy":"include_any","clauses":[{"object_type":"post","field":"a","operator":"equals","value":1}]}"#,
            #"{"match_policy":"include_any","clauses":[{"object_type":"post","field":"/a","operator":"is","value":1}]}"#,
            #"{"match_policy":"include_any","clauses":[{"object_type":"post","field":"/a","operator":"equals"}]}"#,
            #"{"match_policy":"include_any","clauses":[{"object_type":"post","field":"/a","operator":"lt","value":"x"}]}"#,
            #"{"match_policy":"include_any","clauses":[{"object_type":"post","field":"/a","operator":"one_of","value":1}]}"#,
        ]
    )
    func refuses(text: String) throws {
        let document = try #require(JSONValue.parse(text))
        #expect(throws: AppNetFailure.self) { try FilterRecord(id: 1, owner: 1, document) }
    }

    @Test("the clauses of a filter and the filters of a user are limited")
    func ceilings() async throws {
        let clause: JSONValue = ["object_type": "post", "field": "/data/id", "operator": "equals", "value": "7"]
        func document(_ clauses: Int) -> JSONValue {
            ["match_policy": "include_any", "clauses": .array(Array(repeating: clause, count: clauses))]
        }
        _ = try FilterRecord(id: 1, owner: 1, document(FilterRecord.maximumClauses))
        #expect(throws: AppNetFailure.self) {
            try FilterRecord(id: 1, owner: 1, document(FilterRecord.maximumClauses + 1))
        }
        let one = try #require(TestJSON.parse(document(1).text()))
        try await withVisitors { alice, bob in
            for _ in 0..<FilterTable.maximumOfOwner {
                #expect(try await alice.post("filters", one).status == 200)
            }
            let refused = try await alice.post("filters", one)
            #expect(refused.status == 400, "\(refused.text)")
            #expect(try await bob.post("filters", one).status == 200)
            _ = try await alice.delete("filters/\(try await alice.get("filters").ids.first ?? "")")
            #expect(try await alice.post("filters", one).status == 200)
        }
    }

    @Test("a filter is stored, replaced and deleted by its owner only")
    func lifecycle() async throws {
        try await withVisitors { alice, bob async throws in
            let clause: TestJSON = [
                "object_type": "post", "field": "/data/text", "operator": "matches", "value": "swift",
            ]
            let body: TestJSON = ["name": "Swift", "match_policy": "include_any", "clauses": [clause], "id": "99"]
            let made = try await alice.post("filters", body)
            #expect(made.status == 200)
            let id = try #require(made["id"]?.stringValue)
            #expect(id != "99" && made["clauses"] == [clause] && made["owner", "username"] == "alice")
            #expect(try await bob.get("filters/\(id)").status == 404)
            #expect(try await alice.get("filters").ids == [id])
            let changed: TestJSON = ["match_policy": "exclude_all", "clauses": [clause]]
            let replaced = try await alice.send("PUT", "filters/\(id)", json: changed)
            #expect(replaced["name"] == nil && replaced["match_policy"] == "exclude_all")
            #expect(try await alice.delete("filters/\(id)").status == 200)
            #expect(try await alice.get("filters/\(id)").status == 404)
            _ = try await alice.post("filters", body)
            _ = try await alice.post("filters", body)
            #expect(try await alice.delete("filters").ids.count == 2)
            #expect(try await alice.get("filters").ids.isEmpty)
            #expect(try await alice.asApp.get("filters").status == 403)
        }
    }
}
