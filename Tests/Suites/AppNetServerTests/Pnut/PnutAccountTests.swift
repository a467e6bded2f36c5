import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Users, tokens, markers and settings of pnut.io", .timeLimit(.minutes(5)))
struct PnutAccountTests {
    @Test("markers of pnut.io are set in a list of ten at most")
    func markers() async throws {
        try await withPnut { alice, _ in
            let id = try await alice.room()
            let message = try await alice.write("a", in: id)
            let marked = try await alice.send(
                "POST",
                "markers",
                json: [
                    ["name": .string("channel:\(id)"), "id": .string(message), "percentage": "40"],
                    ["name": "personal", "id": "7"], ["name": "mentions", "id": "8"],
                ]
            )
            #expect(marked.status == 200)
            let names = marked.json?["data"]?.arrayValue?.compactMap { $0["name"]?.stringValue }
            #expect(names == ["channel:\(id)", "personal", "mentions"])
            #expect(marked.json?["data"]?.arrayValue?.first?["percentage"] == .integer(40))
            #expect(try await alice.post("markers", ["name": "personal", "id": "7"]).status == 400)
            let eleven = TestJSON.array((0..<11).map { _ in ["name": "global", "id": "1"] })
            #expect(try await alice.send("POST", "markers", json: eleven).status == 400)
        }
    }

    @Test("users of pnut.io have their pictures in the content and their counts beside it")
    func users() async throws {
        try await withPnut { alice, _ in
            let user = try await alice.get("users/@bob")
            #expect(user["content", "avatar_image", "url"] != nil)
            #expect(user["counts", "bookmarks"] == .integer(0))
        }
    }

    @Test("pnut.io suggests users until they are followed")
    func suggestions() async throws {
        try await withPnut { alice, _ async throws in
            #expect(try await alice.get("users/suggested").ids == ["2"])
            #expect(try await alice.send("PUT", "users/2/follow", json: [:])["you_follow"] == .bool(true))
            #expect(try await alice.get("users/suggested").ids == [])
        }
    }

    @Test("a pnut.io profile is changed by PATCH, and its picture removed by DELETE")
    func profile() async throws {
        try await withPnut { alice, _ in
            let profile = try await alice.send("PATCH", "users/me", json: ["content": ["text": "#hi"]])
            #expect(profile["content", "entities", "tags"]?.arrayValue?.count == 1)
            #expect(try await alice.delete("users/me/avatar").status == 200)
        }
    }

    @Test("presence on pnut.io is offline, or a text of at most 100 characters that others see in a list")
    func presence() async throws {
        try await withPnut { alice, bob async throws in
            #expect(try await alice.get("users/me/presence")["presence"] == "offline")
            let set = try await alice.send("PUT", "users/me/presence", json: ["presence": "in a train"])
            #expect(set["presence"] == "in a train")
            #expect(set["id"] == "1")
            #expect(try await bob.get("presence").ids == ["1"])
            #expect(try await alice.send("PUT", "users/me/presence", json: ["presence": .bool(false)]).status == 200)
            #expect(try await bob.get("presence").ids == [])
            let long = TestJSON.string(String(repeating: "x", count: 101))
            #expect(try await alice.send("PUT", "users/me/presence", json: ["presence": long]).status == 400)
        }
    }

    @Test("the configuration of pnut.io has the limits of messages and files")
    func configuration() async throws {
        try await withPnut { alice, _ in
            let configuration = try await alice.get("sys/config")
            #expect(configuration["message", "max_length"] == .integer(2048))
            #expect(configuration["file", "max_size_bytes"] == .count(AppNetMaxima().uploadBytes))
        }
    }

    @Test("the statistics of pnut.io count the users")
    func statistics() async throws {
        try await withPnut { alice, _ async throws in
            #expect(try await alice.get("sys/stats")["counts", "users"] == .integer(2))
        }
    }

    @Test("the token call of pnut.io describes the app and the storage")
    func token() async throws {
        try await withPnut { alice, _ in
            let token = try await alice.get("token")
            #expect(token["app", "id"] == "helium")
            #expect(token["storage", "total"] == .integer(500 * 1024 * 1024))
        }
    }

    @Test("the password grant of pnut.io returns the user beside the token")
    func passwordGrant() async throws {
        try await withPnut { _, bob in
            let granted = try await bob.form(
                "/v1/oauth/access_token",
                [
                    ("grant_type", "password"), ("client_id", "helium"), ("username", "alice"),
                    ("password_grant_secret", "helium-password-grant"), ("password", "alice-password"),
                    ("scope", "basic,files"),
                ]
            )
            #expect(granted.json?["username"] == "alice")
            #expect(granted.json?["user_id"] == "1")
            #expect(granted.json?["token"]?["app"]?["id"] == "helium")
        }
    }

    @Test("pnut.io processes a text: Markdown links are replaced, and mentions after a slash are copies")
    func text() async throws {
        try await withPnut { alice, _ in
            let processed = try await alice.send("POST", "text/process", json: ["text": "[a](https://example.com)"])
            #expect(processed["content", "text"]?.stringValue?.hasPrefix("a") == true)
            let copied = try await alice.send("POST", "text/process", json: ["text": "@alice /@bob"])
            let mentions = try #require(copied["content", "entities", "mentions"]?.arrayValue, "\(copied.text)")
            #expect(mentions.map { $0["is_copy"] } == [nil, .bool(true)])
        }
    }
}
