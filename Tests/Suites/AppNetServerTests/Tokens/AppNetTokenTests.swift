import GRDB
import HeliumCore
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Tokens of App.net", .timeLimit(.minutes(5)))
struct AppNetTokenTests {
    @Test("a token of App.net is read from the header, the query or the body")
    func places() async throws {
        try await withAppNet { alice async throws in
            let token = alice.token ?? ""
            #expect(try await alice.get("token")["user"]?["username"] == "alice")
            #expect(try await alice.anonymous.get("token?access_token=\(token)")["user"]?["username"] == "alice")
            let json = #"{"text":"x","access_token":"\#(token)"}"#
            #expect(try await alice.anonymous.send("POST", "text/process", json).status == 200)
            let form = "text=x&access_token=\(token)"
            let type = "application/x-www-form-urlencoded; charset=utf-8"
            #expect(try await alice.anonymous.send("POST", "text/process", form, type: type).status == 200)
            #expect(try await alice.anonymous.send("POST", "text/process", #"{"text":"x"}"#).status == 401)
        }
    }

    @Test("an unknown, revoked or expired token of App.net is refused with a slug of its own")
    func refusals() async throws {
        try await withAppNet { alice in
            let token = try #require(alice.token)
            #expect(try await alice.with("nobody's").send("GET", "users/me").slug == "invalid-token")
            #expect(try await alice.with("nobody's").send("GET", "config").status == 401)
            try await alice.running.appNet.setToken(token, .expired)
            #expect(try await alice.send("GET", "token").slug == "token-expired")
            try await alice.running.appNet.setToken(token, .active)
            #expect(try await alice.send("DELETE", "token").status == 200)
            let refused = try await alice.send("GET", "token")
            #expect(refused.status == 401 && refused.slug == "not-authorized")
            #expect(!refused.text.contains(token))
        }
    }

    @Test(
        "a token opens the calls of its kind: none, user, app or either",
        arguments: [
            ("GET", "config", [200, 200, 200]), ("GET", "users/1", [200, 200, 200]),
            ("GET", "users/me", [401, 200, 403]),
            ("GET", "token", [401, 200, 200]), ("GET", "apps/me/tokens", [401, 403, 200]),
            ("GET", "apps/me/tokens/user_ids", [401, 403, 200]), ("GET", "users?ids=1", [401, 200, 200]),
            ("GET", "channels", [401, 200, 403]), ("GET", "channels?ids=1", [401, 200, 200]),
            ("GET", "users/me/channels", [401, 200, 403]), ("POST", "channels", [401, 400, 403]),
            ("PATCH", "users/me", [401, 200, 403]), ("POST", "users/2/follow", [401, 200, 403]),
            ("GET", "users/muted/ids", [401, 403, 200]), ("GET", "users/2/avatar", [302, 302, 302]),
            ("GET", "channels/1", [404, 404, 404]),
        ]
    )
    func kinds(_ method: String, _ path: String, _ statuses: [Int]) async throws {
        try await withAppNet { alice async throws in
            let body = method == "GET" ? nil : "{}"
            for (peer, status) in zip([alice.anonymous, alice, alice.app], statuses) {
                #expect(try await peer.send(method, path, body).status == status, "\(method) \(path)")
            }
        }
    }

    @Test(
        "a token opens the calls that its scopes allow",
        arguments: [
            ("POST", "users/2/follow", "follow"), ("POST", "users/2/mute", "follow"),
            ("PATCH", "users/me", "update_profile"),
            ("GET", "channels", "public_messages"), ("GET", "channels", "messages"),
            ("GET", "users/me/messages", "messages"), ("GET", "users/me/channels/pm/num_unread", "messages"),
        ]
    )
    func scopes(_ method: String, _ path: String, _ scope: String) async throws {
        let user = AppNetAccounts.User(name: "dave", scopes: [scope], tokens: ["with-scope"])
        let other = AppNetAccounts.User(name: "erin", scopes: ["basic"], tokens: ["basic-only"])
        try await withAppNet { configuration in
            configuration.accounts.users = [user, other]
        } _: { peer in
            let body = method == "GET" ? nil : "{}"
            #expect(try await peer.with("with-scope").send(method, path, body).status == 200)
            let refused = try await peer.with("basic-only").send(method, path, body)
            #expect(refused.status == 403 && refused.message.contains(scope))
            #expect(refused["x-oauth-scopes"] == "basic")
        }
    }

    @Test("a token of the configuration whose row cannot be read does not stop a start")
    func unreadable() async throws {
        try await withAppNet { alice in
            let secret = try #require(alice.token)
            var accounts = AppNetAccounts.standard
            accounts.users[0].tokens = [secret]
            let started = try await alice.running.server.appNet.state.store.write { [accounts] database in
                try database.execute(
                    sql: "UPDATE appnet_token SET state = 'planted' WHERE secret = ?",
                    arguments: [secret]
                )
                return try AppNetCredentials.prepare(accounts, database: database, random: .system, now: 0)
            } publish: { _, _ in
            }
            #expect(started.users.first?.token == secret)
        }
    }

    @Test("a token's document has its scopes, user, app and storage, and an app lists those of its users")
    func documents() async throws {
        try await withAppNet { alice in
            let token = try await alice.get("token")
            #expect(token["scopes"]?.arrayValue?.count == AppNetScope.allCases.count)
            #expect(token["app"]?["client_id"] == "helium" && token["storage"]?["used"] == .integer(0))
            #expect(try await alice.app.get("token")["user"] == nil)
            #expect(try await alice.app.get("apps/me/tokens/user_ids") == ["1", "2", "3"])
            let page = try await alice.app.send("GET", "apps/me/tokens?count=2")
            #expect(page.tree["data"]?.arrayValue?.count == 2 && page.meta["more"] == .bool(true))
            #expect(!page.text.contains(alice.token ?? ""))
        }
    }
}
