import HeliumJSON
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Responses of App.net", .timeLimit(.minutes(5)))
struct AppNetEnvelopeTests {
    @Test("a response of App.net has an envelope, the caller's scopes, and the rate limits")
    func envelope() async throws {
        try await withAppNet { alice in
            let answer = try await alice.send("GET", "users/me")
            #expect(answer.meta == ["code": .integer(200)])
            #expect(answer["content-type"] == "application/json")
            #expect(answer["x-adn-migrations-enabled"] == "")
            #expect(answer["x-oauth-scopes"] == Set.all.list)
            #expect(answer["x-ratelimit-limit"] == "5000" && answer["x-ratelimit-remaining"] == "5000")
            #expect(try await alice.send("PATCH", "users/me", "{}")["x-ratelimit-limit"] == "20")
            #expect(try await alice.anonymous.send("GET", "users/1")["x-ratelimit-limit"] == "50")
            #expect(try await alice.send("GET", "config")["x-ratelimit-limit"] == nil)
            #expect(try await alice.send("GET", "users/99")["x-ratelimit-limit"] == nil)
        }
    }

    @Test("a response that is an object is bounded like a list")
    func size() throws {
        let text = JSONValue.string(String(repeating: "x", count: AnswerLimits.bytes))
        for content: JSONValue in [["a": text], [text]] {
            #expect(throws: AppNetFailure.self) { try AppNetResponse.data(content).checkSize() }
        }
        try AppNetResponse.data(["a": "x"]).checkSize()
    }

    @Test("pages of allowed origins read App.net's responses, and by default no page does")
    func origins() async throws {
        let origin = "http://localhost:3000"
        for (allowed, shown) in [
            ([], [nil, nil]), ([origin], [origin, nil]), (["*"], ["*", "*"]),
        ] as [(Set<String>, [String?])] {
            try await withAppNet {
                $0.allowedOrigins = allowed
            } _: { alice in
                for (asked, expected) in zip([origin, "http://evil.test"], shown) {
                    for path in ["users/me", "/oauth/access_token", "/v1/users/me"] {
                        let answer = try await alice.send("GET", path, fields: [("Origin", asked)])
                        #expect(answer["access-control-allow-origin"] == expected, "\(allowed) \(asked) \(path)")
                        // A cache must not answer another origin with it.
                        let vary = allowed == [origin] ? "Origin, Accept-Encoding" : "Accept-Encoding"
                        #expect(answer["vary"] == vary, "\(allowed) \(asked) \(path)")
                    }
                    let preflight = try await alice.send("OPTIONS", "users/me", fields: [("Origin", asked)])
                    #expect(preflight["access-control-allow-origin"] == expected)
                }
            }
        }
        var configuration = EmbeddedServerConfiguration()
        configuration.appNet.allowedOrigins = ["localhost:3000"]
        #expect(throws: EmbeddedServerError.self) { try EmbeddedServer(configuration) }
    }

    @Test("App.net's calls are served below any base that ends in /stream/0")
    func bases() async throws {
        try await withAppNet { alice async throws in
            #expect(try await alice.send("GET", "/some/where/stream/0/users/me").status == 200)
            #expect(try await alice.send("GET", "/stream/01/users/me").status == 404)
        }
    }

    @Test("an error response of App.net has a message, a slug and an id")
    func refusals() async throws {
        try await withAppNet { alice in
            let missing = try await alice.send("GET", "nothing/here")
            #expect(missing.status == 404 && missing.meta["code"] == .integer(404) && missing.tree["data"] == nil)
            #expect(missing.meta["error_id"]?.stringValue?.count == 32 && !missing.message.isEmpty)
            let method = try await alice.send("GET", "channels/1/mute")
            #expect(method.status == 405 && method["allow"] == "POST,DELETE")
            #expect(method.message == "Method not allowed. Please use: POST,DELETE")
            #expect(try await alice.send("POST", "channels", "{").status == 400)
            #expect(try await alice.send("POST", "channels", "[]").status == 400)
            #expect(try await alice.send("GET", "users/%zz").status == 400)
        }
    }

    @Test("an error response of App.net has the scopes of the token, also if it comes before the call is known")
    func scopes() async throws {
        try await withAppNet { alice in
            for (path, status) in [
                ("nothing/here", 404), ("channels/1/mute", 405), ("users/%zz", 400), ("users/%00", 400),
                ("users/99", 404),
            ] {
                let answer = try await alice.send("GET", path)
                #expect(answer.status == status && answer["x-oauth-scopes"] == Set.all.list, "\(path)")
                #expect(try await alice.anonymous.send("GET", path)["x-oauth-scopes"] == nil, "\(path)")
            }
            #expect(try await alice.with("nobody's").send("GET", "nothing/here")["x-oauth-scopes"] == nil)
            // In pnut's form errors have no number.
            let pnut = try await alice.send("GET", "/v1/users/%zz")
            #expect(pnut.status == 400 && !pnut.message.isEmpty && pnut.meta["error_id"] == nil)
            alice.running.appNet.setRateLimitExhausted(true)
            let limited = try await alice.send("GET", "users/me")
            #expect(limited.status == 429 && limited["x-oauth-scopes"] == Set.all.list)
        }
    }

    @Test("responses of App.net are indented on request, and padded for scripts without a token")
    func forms() async throws {
        try await withAppNet { alice in
            let pretty = try await alice.send("GET", "users/me", fields: [("X-ADN-Pretty-JSON", "1")])
            #expect(pretty.text.hasSuffix("}\n") && pretty.text.contains("\n    \"meta\": {\n        \"code\": 200"))
            #expect(pretty.tree["data"]?["username"] == "alice")
            let padded = try await alice.anonymous.send("GET", "users/99?callback=on.user")
            #expect(padded.status == 200 && padded.text.hasPrefix(#"on.user({"meta":{"code":404"#))
            #expect(padded.text.hasSuffix(")"))
            #expect(try await alice.send("GET", "users/me?callback=x").text.hasPrefix("{"))
            #expect(try await alice.anonymous.send("GET", "users/1?callback=alert(1)//").text.hasPrefix("{"))
        }
    }

    @Test("faults delay, damage, cut or drop responses of App.net")
    func faults() async throws {
        try await withAppNet { alice in
            let faults = alice.running.faults
            faults.inject(.status(503), .next(1))
            #expect(try await alice.send("GET", "users/me").meta["code"] == .integer(503))
            faults.inject(.status(429), .next(1))
            #expect(try await alice.send("GET", "users/me")["retry-after"] == "1")
            faults.inject(.brokenDocument, .next(1))
            let broken = try await alice.send("GET", "users/me")
            #expect(broken.status == 200 && !broken.text.isEmpty && TestJSON.parse(broken.text) == nil)
            faults.inject(.cut, .next(1))
            await #expect(throws: RawConnection.Failure.self) { try await alice.send("GET", "users/me") }
            #expect(try await alice.send("GET", "users/me").status == 200)
        }
    }

    @Test("a call beyond App.net's rate limit is 429 with the delay, if limits are enforced")
    func limits() async throws {
        try await withAppNet { configuration in
            configuration.rateLimits.isEnforced = true
            configuration.rateLimits.writes.requests = 2
            configuration.rateLimits.anonymous.requests = 1
            configuration.clock = .fixed(milliseconds: 90_000)
        } _: { alice in
            let first = try await alice.send("PATCH", "users/me", "{}")
            #expect(first["x-ratelimit-limit"] == "2" && first["x-ratelimit-remaining"] == "1")
            #expect(first["x-ratelimit-reset"] == "30")
            #expect(try await alice.send("PATCH", "users/me", "{}").status == 200)
            let refused = try await alice.send("PATCH", "users/me", "{}")
            #expect(refused.status == 429 && refused["retry-after"] == "30")
            #expect(try await alice.send("POST", "text/process", #"{"text":"x"}"#).status == 200)
            #expect(try await alice.user(1).send("PATCH", "users/me", "{}").status == 200)
            #expect(try await alice.anonymous.send("GET", "users/1").status == 200)
            #expect(try await alice.anonymous.send("GET", "users/1").status == 429)
            #expect(try await alice.anonymous.send("GET", "users/1/avatar").status == 302)
            alice.running.appNet.setRateLimitExhausted(true)
            #expect(try await alice.send("GET", "users/me").status == 429)
        }
    }
}
