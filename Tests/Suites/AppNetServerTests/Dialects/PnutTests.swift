import HTTPTypes
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("API of pnut.io at /v1", .timeLimit(.minutes(5)))
struct PnutTests {
    @Test("chat settings of pnut.io are checked, and errors name the type as it was sent")
    func chatSettings() async throws {
        try await withPnut { alice, _ in
            func create(_ type: String, _ value: TestJSON) async throws -> VisitorAnswer {
                let raw = TestJSON.object([type: [value]])
                return try await alice.post("channels", ["type": "io.pnut.core.chat", "raw": raw])
            }
            let settings: TestJSON = ["name": "Tea", "description": ["text": "All of it"], "categories": ["lifestyle"]]
            let made = try await create("io.pnut.core.chat-settings", settings)
            #expect(made.status == 201 && made["type"] == "io.pnut.core.chat", "\(made.text)")
            let id = try #require(made["id"]?.stringValue)
            let read = try await alice.get("channels/\(id)?include_raw=1")
            #expect(read["raw", "io.pnut.core.chat-settings"] == [settings])
            for value: TestJSON in [
                [:], ["name": "a", "categories": "x"], ["name": "a", "description": "no object"],
            ] {
                let refused = try await create("io.pnut.core.chat-settings", value)
                #expect(refused.status == 400)
                #expect(refused.message?.hasPrefix("Bad Request: io.pnut.core.chat-settings needs") == true)
            }
            let unknown = try await create("io.pnut.core.nothing", ["a": "b"])
            #expect(unknown.message == "Bad Request: io.pnut.core.nothing is not a known annotation type.")
        }
    }

    @Test("{object_id} in links of pnut.io's messages and posts becomes their id")
    func templates() async throws {
        try await withPnut { alice, _ in
            let room = try await alice.room()
            for path in ["channels/\(room)/messages", "posts"] {
                let sent = try await alice.post(path, ["text": "see http://example.com/{object_id} and {object_id}"])
                let id = try #require(sent["id"]?.stringValue, "\(sent.text)")
                let links = sent["content", "entities", "links"]?.arrayValue
                #expect(links?.map { $0["url"] } == [.string("http://example.com/\(id)")], "\(sent.text)")
            }
        }
    }

    @Test("each row of pnut.io's table of calls is translated to a call of the server")
    func table() throws {
        let routes = AppNetRoutes()
        for route in PnutRoutes.all {
            let names = [
                "hashtag", "id", "key", "mid", "slug", "user", "uuid", "channel", "badge", "client", "connection",
                "subscription", "position",
            ]
            let values = names.map { ($0, "1") }
            for method in route.methods {
                let request = AppNetRequest(
                    method: route.method ?? method,
                    area: route.area,
                    segments: route.segments(Dictionary(uniqueKeysWithValues: values)),
                    parameters: FormFields(),
                    fields: [:],
                    body: .none,
                    address: "",
                    root: ""
                )
                #expect(throws: Never.self, "\(method) \(route.pattern)") { try routes.match(request) }
            }
        }
    }

    @Test("paths that pnut.io does not have are 404, and wrong methods are 405 with the allowed ones")
    func unknownCalls() async throws {
        try await withPnut { alice, _ async throws in
            for path in ["places/search", "filters", "channels/1/subscribers/ids", "feed/rss/posts/search"] {
                #expect(try await alice.get(path).status == 404, "\(path)")
            }
            let wrong = try await alice.post("channels/1/subscribe", [:])
            #expect(wrong.status == 405)
            #expect(wrong.raw["allow"] == "PUT,DELETE")
        }
    }

    @Test("errors of pnut.io have a code and a message, and no slug or id")
    func errors() async throws {
        try await withPnut { alice, _ in
            var stranger = alice
            stranger.token = "nobody's"
            let refused = try await stranger.get("token")
            #expect(refused.status == 401)
            #expect(refused.meta?["code"] == .integer(401))
            #expect(refused.meta?["error_message"] != nil)
            #expect(refused.meta?["error_slug"] == nil)
            #expect(refused.meta?["error_id"] == nil)
        }
    }

    @Test("a call over pnut.io's rate limit gets the delay in the body's meta data")
    func rateLimit() async throws {
        try await withPnut { alice, _ in
            alice.running.appNet.setRateLimitExhausted(true)
            let limited = try await alice.get("token")
            #expect(limited.status == 429)
            #expect(limited.meta?["retry_in"] == .integer(1))
        }
    }

    @Test("responses of pnut.io are indented if X-Pretty-Json asks for it")
    func prettyResponses() async throws {
        try await withPnut { alice, _ in
            let pretty = try await alice.get("token", [("X-Pretty-Json", "1")])
            #expect(pretty.text.hasPrefix("{\n"))
        }
    }
}
