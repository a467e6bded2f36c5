import Foundation
import GRDB
import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
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

    /// The state of a filter in a store that an earlier version wrote.
    enum OlderFilter: String, CaseIterable, CustomTestStringConvertible {
        case isMissing = "DELETE FROM appnet_filter"
        case isUnreadable = "UPDATE appnet_filter SET document = '{'"
        case isInvalid = "UPDATE appnet_filter SET document = '{\"match_policy\":\"none\"}'"

        var testDescription: String { rawValue }
    }

    @Test("an app stream of an older store has no events if its filter does not exist", arguments: OlderFilter.allCases)
    func older(filter: OlderFilter) async throws {
        try await withTemporaryFolder { folder in
            var configuration = EmbeddedServerConfiguration()
            let path = folder.appendingPathComponent("server.sqlite").path
            configuration.store = path
            let target = try await withEmbeddedServer(configuration) { running in
                let alice = AppNetVisitor(running: running, token: running.ready.appNet.users[0].token)
                let clause: TestJSON = [
                    "object_type": "post", "field": "/data/text", "operator": "matches", "value": "hello",
                ]
                let filter = try await alice.post("filters", ["match_policy": "include_any", "clauses": [clause]])
                let id = try #require(filter["id"]?.stringValue, "\(filter.text)")
                let made = try await alice.asApp.post("streams", ["object_types": ["post"], "filter_id": .string(id)])
                return "streams/\(try #require(made["id"]?.stringValue, "\(made.text)"))"
            }
            let store = try DatabaseQueue(path: path)
            try await store.write { try $0.execute(sql: filter.rawValue) }
            try store.close()
            try await withEmbeddedServer(configuration) { running async throws in
                let alice = AppNetVisitor(running: running, token: running.ready.appNet.users[0].token)
                let endpoint = target.replacing("streams/", with: "/stream/app/")
                let stream = try await ChunkedClient(alice.asApp, endpoint)
                #expect(try await alice.asApp.get(target)["filter"] == nil)
                try await alice.say("hello before the change")
                #expect(try await alice.asApp.send("PUT", target, json: ["object_types": ["post"]]).status == 200)
                let next = try await alice.say("hello after the change")
                #expect(try await stream.frame()["data"]?["id"]?.stringValue == next)
            }
        }
    }
}
