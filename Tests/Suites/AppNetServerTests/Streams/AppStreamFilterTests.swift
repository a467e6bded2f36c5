import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Filters of app streams", .timeLimit(.minutes(5)))
struct AppStreamFilterTests {
    /// The end of an app's use of a filter.
    enum Loss: String, CaseIterable, CustomTestStringConvertible {
        case isDeleted = "filters/{filter}"
        case isDeletedWithAll = "filters"
        case ownerIsGone = "token"

        var testDescription: String { rawValue }
    }

    @Test(
        "an app stream has no events after its filter is lost, until it gets another filter or none",
        arguments: Loss.allCases
    )
    func lost(loss: Loss) async throws {
        try await withVisitors { alice, bob in
            let clause: TestJSON = [
                "object_type": "post", "field": "/data/entities/hashtags/*/name", "operator": "matches",
                "value": "roll",
            ]
            let filter = try await alice.post("filters", ["match_policy": "include_any", "clauses": [clause]])
            let id = try #require(filter["id"]?.stringValue, "\(filter.text)")
            let stream = try await AppStreamTests.open(alice, ["object_types": ["post"], "filter_id": .string(id)])
            let path = "streams/\(try #require(try await alice.asApp.get("streams").ids.first))"
            let first = try await bob.say("a #rollout post")
            #expect(try await stream.frame()["data"]?["id"]?.stringValue == first)

            let target = loss.rawValue.replacing("{filter}", with: id)
            #expect(try await alice.delete(target).status == 200)
            #expect(try await alice.asApp.get(path)["filter"] == nil)
            try await bob.say("a #swift post")
            try await bob.say("another #rollout post")
            #expect(try await alice.asApp.send("PUT", path, json: ["object_types": ["post"]]).status == 200)
            let next = try await bob.say("a post after the change")
            #expect(try await stream.frame()["data"]?["id"]?.stringValue == next)
        }
    }
}
