import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Sign-in to App.net", .timeLimit(.minutes(5)))
struct OAuthTests {
    private static let callback = "http://127.0.0.1:4000/back?a=1"

    private func authorize(_ visitor: AppNetVisitor, _ changes: [String: String?] = [:]) async throws -> VisitorAnswer {
        var values: [String: String?] = [
            "client_id": "helium", "response_type": "code", "redirect_uri": Self.callback, "state": "s&t=é",
            "scope": "stream messages", "username": "alice", "password": "alice-password",
        ]
        values.merge(changes) { $1 }
        return try await visitor.form(
            "/oauth/authorize",
            values.compactMap { name, value in value.map { (name, $0) } }.sorted { $0.0 < $1.0 }
        )
    }

    private func trade(
        _ visitor: AppNetVisitor,
        _ values: [(String, String)],
        fields: [(String, String)] = []
    ) async throws -> VisitorAnswer {
        var visitor = visitor
        visitor.token = nil
        return try await visitor.form("/oauth/access_token", values, fields: fields)
    }

    private func parameters(_ url: String?) -> [String: String] {
        guard let url, let query = url.split(separator: "?", maxSplits: 1).last else { return [:] }
        return FormFields(query: query).all
    }

    @Test("the sign-in page has a form, and escapes the parameters of its address")
    func signInPage() async throws {
        try await withVisitors { alice, _ in
            let target =
                "/oauth/authenticate?client_id=helium&response_type=code&state=%22%3E%3Cscript%3E&redirect_uri="
                + PercentEncoding.encodedFormValue(Self.callback)
            let page = try await alice.request("GET", target: target)
            #expect(page.status == 200)
            #expect(page.raw["content-type"] == "text/html; charset=utf-8")
            #expect(page.text.contains("<form method=\"post\">"))
            #expect(!page.text.contains("<script>"))
            #expect(page.text.contains("value=\"&quot;&gt;&lt;script&gt;\""))
        }
    }

    /// Signs alice in, and returns the fields that exchange her code for a token.
    private func signIn(_ alice: AppNetVisitor) async throws -> [(String, String)] {
        let back = try await authorize(alice)
        let code = try #require(parameters(back.location)["code"], "\(back.text)")
        let ready = alice.running.ready.appNet
        return [
            ("grant_type", "authorization_code"), ("client_id", ready.clientID),
            ("client_secret", ready.clientSecret), ("redirect_uri", Self.callback), ("code", code),
        ]
    }

    @Test("a sign-in redirects to the callback with a code and the state")
    func redirect() async throws {
        try await withVisitors { alice, _ in
            let back = try await authorize(alice)
            #expect(back.status == 302)
            #expect(back.location?.hasPrefix(Self.callback + "&code=") == true)
            #expect(parameters(back.location)["state"] == "s&t=é")
        }
    }

    @Test("a code is exchanged for a token of the user with the scopes that were asked for")
    func codeFlow() async throws {
        try await withVisitors { alice, _ in
            let granted = try await trade(alice, signIn(alice))
            #expect(granted.status == 200)
            #expect(granted.json?["meta"] == nil)
            #expect(granted.json?["token"]?["user"]?["username"] == "alice")
            #expect(granted.json?["token"]?["scopes"] == ["basic", "messages", "stream"])
            var signedIn = alice
            signedIn.token = granted.json?["access_token"]?.stringValue
            let token = try await signedIn.get("token")
            #expect(token.status == 200)
            #expect(token.raw["x-oauth-scopes"] == "basic,messages,stream")
        }
    }

    @Test("a code that is used twice is refused, and its token is revoked")
    func usedCode() async throws {
        try await withVisitors { alice, _ in
            let asked = try await signIn(alice)
            var signedIn = alice
            signedIn.token = try await trade(alice, asked).json?["access_token"]?.stringValue
            #expect(try await signedIn.get("token").status == 200)
            let again = try await trade(alice, asked)
            #expect(again.status == 400)
            #expect(again.json?["error"] == "invalid_grant")
            #expect(again.json?["error_slug"] == "code-used")
            // Somebody else may have the token of a code that is used twice: RFC 6749 §4.1.2.
            let ended = try await signedIn.get("token")
            #expect(ended.status == 401 && ended.meta?["error_slug"] == "not-authorized")
            #expect(try await trade(alice, asked).json?["error_slug"] == "code-used")
        }
    }

    @Test("a code is valid for one app and one address, and for ten minutes")
    func codeRules() async throws {
        try await withVisitors {
            $0.accounts.apps.append(.init(clientID: "other", clientSecret: "other-secret"))
        } _: {
            alice,
            _ async throws in
            let ready = alice.running.ready.appNet
            func code() async throws -> String {
                try #require(parameters(try await authorize(alice).location)["code"])
            }
            func trade(_ code: String, _ client: String, _ secret: String, _ uri: String?) async throws -> VisitorAnswer
            {
                var values = [
                    ("grant_type", "authorization_code"), ("client_id", client), ("client_secret", secret),
                    ("code", code),
                ]
                if let uri { values.append(("redirect_uri", uri)) }
                return try await self.trade(alice, values)
            }
            #expect(try await trade(code(), "other", "other-secret", Self.callback).json?["error"] == "invalid_grant")
            #expect(
                try await trade(code(), ready.clientID, ready.clientSecret, "http://127.0.0.1/").json?["error"]
                    == "invalid_grant"
            )
            let without = try await trade(code(), ready.clientID, ready.clientSecret, nil)
            #expect(without.json?["error_slug"] == "redirect-uri-required")
            let secret = try await trade(code(), ready.clientID, "wrong", Self.callback)
            #expect(secret.status == 401)
            #expect(secret.json?["error"] == "invalid_client")
            let late = try await code()
            alice.running.appNet.setClockOffset(.seconds(601))
            #expect(
                try await trade(late, ready.clientID, ready.clientSecret, Self.callback).json?["error"]
                    == "invalid_grant"
            )
        }
    }

    @Test("the token flow redirects with the token in the fragment")
    func tokenFlow() async throws {
        try await withVisitors { alice, _ async throws in
            let back = try await authorize(alice, ["response_type": "token", "redirect_uri": "http://localhost:1/"])
            let location = try #require(back.location)
            #expect(location.hasPrefix("http://localhost:1/#access_token="))
            let fragment = try #require(location.split(separator: "#").last)
            let values = FormFields(query: fragment)
            #expect(values["state"] == "s&t=é")
            var signedIn = alice
            signedIn.token = values["access_token"]
            #expect(try await signedIn.get("users/me")["username"] == "alice")
        }
    }

    @Test("a sign-in redirects only to addresses that the app registered")
    func noOpenRedirect() async throws {
        try await withVisitors { configuration in
            var app = AppNetAccounts.App(clientID: "strict", clientSecret: "strict-secret")
            app.redirectURIs = ["myapp://back", "https://example.com/back"]
            configuration.accounts.apps.append(app)
        } _: { alice, _ async throws in
            let refused: [(String, String)] = [
                ("helium", "https://example.com/"), ("helium", "http://127.0.0.1.example.com/"),
                ("helium", "http://localhost@example.com/"), ("helium", "//127.0.0.1/"), ("helium", "javascript:1"),
                ("helium", "http://localhost/#x"), ("helium", "http://localhost/\r\nX: 1"),
                ("strict", "http://127.0.0.1/"), ("strict", "https://example.com/back/"),
                ("strict", "https://example.com/back?x=1"), ("unknown", "http://127.0.0.1/"),
            ]
            for (client, uri) in refused {
                let answer = try await authorize(alice, ["client_id": client, "redirect_uri": uri])
                #expect(answer.status == 400, "\(uri)")
                #expect(answer.location == nil, "\(uri)")
            }
            for (client, uri) in [
                ("helium", "http://127.0.0.1"), ("helium", "https://localhost:99/x"), ("strict", "myapp://back"),
            ] {
                let answer = try await authorize(alice, ["client_id": client, "redirect_uri": uri])
                #expect(answer.status == 302)
                #expect(answer.location?.hasPrefix(uri + "?code=") == true)
            }
            #expect(try await authorize(alice, ["redirect_uri": nil]).status == 400)
        }
    }

    @Test("a wrong password shows the sign-in page again, and a denied or invalid request redirects with an error")
    func refusals() async throws {
        try await withVisitors { alice, _ async throws in
            let wrong = try await authorize(alice, ["password": "no-password-of-alice"])
            #expect(wrong.status == 401)
            #expect(wrong.text.contains("role=\"alert\""))
            #expect(!wrong.text.contains("no-password-of-alice"))
            let denied = try await authorize(alice, ["decision": "deny"])
            #expect(parameters(denied.location)["error"] == "access_denied")
            #expect(parameters(denied.location)["state"] == "s&t=é")
            let kind = try await authorize(alice, ["response_type": "magic"])
            #expect(parameters(kind.location)["error"] == "unsupported_response_type")
            let fragment = try await authorize(alice, ["response_type": "token", "decision": "deny"])
            #expect(fragment.location?.contains("#error=access_denied") == true)
        }
    }

    /// Asks for a token of bob by his password.
    private func askByPassword(_ visitor: AppNetVisitor, _ changes: [String: String?] = [:]) async throws
        -> VisitorAnswer
    {
        var values: [String: String?] = [
            "grant_type": "password", "client_id": "helium", "password_grant_secret": "helium-password-grant",
            "username": "Bob", "password": "bob-password", "scope": "files,write_post",
        ]
        values.merge(changes) { $1 }
        return try await trade(visitor, values.compactMap { name, value in value.map { (name, $0) } })
    }

    @Test("the password flow returns a token of the user with the scopes, and is not cached")
    func password() async throws {
        try await withVisitors { alice, _ in
            let granted = try await askByPassword(alice)
            #expect(granted.status == 200)
            #expect(granted.json?["token"]?["scopes"] == ["basic", "files", "write_post"])
            #expect(granted.json?["token"]?["user"]?["username"] == "bob")
            #expect(granted.raw["cache-control"] == "no-store")
        }
    }

    @Test("an invalid request of the password flow gets its error code, and an error for the user")
    func refusedPassword() async throws {
        try await withVisitors { alice, _ in
            let wrong = try await askByPassword(alice, ["password": "x"])
            #expect(wrong.status == 400)
            #expect(wrong.json?["error"] == "invalid_grant")
            #expect(wrong.json?["error_text"] != nil)
            #expect(wrong.json?["error_title"] != nil)
            let rows: [([String: String?], String)] = [
                (["username": "nobody"], "invalid_grant"), (["username": nil], "invalid_request"),
                (["password": nil], "invalid_request"), (["password_grant_secret": "x"], "unauthorized_client"),
                (["password_grant_secret": nil], "unauthorized_client"), (["client_id": "x"], "invalid_client"),
                (["grant_type": "magic"], "unsupported_grant_type"), (["grant_type": nil], "unsupported_grant_type"),
            ]
            for (changes, code) in rows {
                #expect(try await askByPassword(alice, changes).json?["error"] == .string(code), "\(changes)")
            }
            let json = try await alice.request(
                "POST",
                target: "/oauth/access_token",
                fields: [("Content-Type", "application/json")],
                body: Array(#"{"grant_type":"password"}"#.utf8)
            )
            #expect(json.status == 400)
            #expect(json.json?["error_description"] == "Unknown grant type")
        }
    }

    @Test("an app gets its token with its secret, in the form or as HTTP Basic")
    func appToken() async throws {
        try await withVisitors { alice, _ async throws in
            let ready = alice.running.ready.appNet
            let form = try await trade(
                alice,
                [
                    ("grant_type", "client_credentials"), ("client_id", ready.clientID),
                    ("client_secret", ready.clientSecret),
                ]
            )
            let pair = Data("\(ready.clientID):\(ready.clientSecret)".utf8).base64EncodedString()
            let basic = try await trade(
                alice,
                [("grant_type", "client_credentials")],
                fields: [("Authorization", "Basic \(pair)")]
            )
            for answer in [form, basic] {
                #expect(answer.status == 200)
                #expect(answer.json?["token"]?["user"] == nil)
                var app = alice
                app.token = answer.json?["access_token"]?.stringValue
                #expect(try await app.get("apps/me/tokens/user_ids").status == 200)
                #expect(try await app.get("users/me/files").status == 403)
            }
            let wrong = try await trade(alice, [("grant_type", "client_credentials"), ("client_id", ready.clientID)])
            #expect(wrong.status == 401)
        }
    }

    @Test("a delegate token identifies the user to the named app only")
    func delegation() async throws {
        try await withVisitors {
            $0.accounts.apps.append(.init(clientID: "printer", clientSecret: "printer-secret"))
            $0.accounts.apps.append(.init(clientID: "spy", clientSecret: "spy-secret"))
        } _: { alice, _ async throws in
            let asked = [("grant_type", "delegate"), ("delegate_client_id", "printer")]
            let granted = try await alice.form("/oauth/access_token", asked)
            let delegate = try #require(granted.json?["delegate_token"]?.stringValue)
            var nobody = alice
            nobody.token = nil
            func check(_ client: String, _ secret: String, _ delegate: String) async throws -> VisitorAnswer {
                let pair = Data("\(client):\(secret)".utf8).base64EncodedString()
                let fields = [("Authorization", "Basic \(pair)"), ("Identity-Delegate-Token", delegate)]
                return try await nobody.get("token", fields)
            }
            let told = try await check("printer", "printer-secret", delegate)
            #expect(told.status == 200)
            #expect(told["user", "username"] == "alice")
            let query = "token?client_id=printer&client_secret=printer-secret&delegate_token=\(delegate)"
            #expect(try await nobody.get(query)["user", "username"] == "alice")
            #expect(try await check("spy", "spy-secret", delegate).status == 401)
            #expect(try await check("printer", "wrong", delegate).status == 401)
            #expect(try await check("printer", "printer-secret", "wrong").status == 401)
            #expect(try await nobody.get("users/me", [("Authorization", "Bearer \(delegate)")]).status == 401)
            #expect(try await nobody.form("/oauth/access_token", asked).status == 401)
            #expect(
                try await alice.form("/oauth/access_token", [("grant_type", "delegate"), ("delegate_client_id", "x")])
                    .json?["error"] == "invalid_client"
            )
            _ = try await alice.delete("token")
            #expect(try await check("printer", "printer-secret", delegate).status == 401)
        }
    }

    @Test("a further token of a user for an app replaces the oldest, and the tokens of others stay valid")
    func replaced() async throws {
        try await withVisitors {
            $0.maxima.tokensPerUser = 3
        } _: { alice, bob async throws in
            var granted: [AppNetVisitor] = []
            for _ in 0..<4 {
                let answer = try await trade(
                    alice,
                    [
                        ("grant_type", "password"), ("client_id", "helium"),
                        ("password_grant_secret", "helium-password-grant"), ("username", "alice"),
                        ("password", "alice-password"),
                    ]
                )
                var visitor = alice
                visitor.token = try #require(answer.json?["access_token"]?.stringValue, "\(answer.text)")
                granted.append(visitor)
            }
            var statuses: [Int] = []
            for visitor in granted { statuses.append(try await visitor.get("token").status) }
            #expect(statuses == [401, 401, 200, 200])
            for visitor in [alice, bob, alice.asApp] { #expect(try await visitor.get("token").status == 200) }
        }
    }

    @Test("revoked tokens do not count against the limit, and only the last of them are kept")
    func endedTokens() async throws {
        try await withVisitors { alice, _ in
            let control = alice.running.server.appNet
            let (count, states) = try await control.state.store.write { database -> (Int, [AppNetToken.State?]) in
                let table = AppNetTokenTable(database: database)
                let before = try table.count()
                for number in 0..<4 {
                    let token = try table.insert(
                        AppNetToken(id: 0, secret: "t\(number)", user: 1, client: "helium", scopes: [], created: 0)
                    )
                    try table.setState(.revoked, of: token.id, keeping: 2)
                }
                return (try table.count() - before, try (0..<4).map { try table.token("t\($0)")?.state })
            } publish: { _, _ in
            }
            #expect(count == 0)
            #expect(states == [nil, nil, .revoked, .revoked])
        }
    }

    @Test("a token that has just ended is kept, and so are those of the configuration, which would be active again")
    func keptTokens() async throws {
        try await withVisitors { alice, _ in
            let control = alice.running.server.appNet
            let names = ["t0", "t1", "t2", "t3", "configured"]
            let states = try await control.state.store.write { database -> [AppNetToken.State?] in
                let table = AppNetTokenTable(database: database)
                let tokens = try names.map { name in
                    try table.insert(
                        AppNetToken(
                            id: 0,
                            secret: name,
                            user: 1,
                            client: "helium",
                            scopes: [],
                            created: 0,
                            isInitial: name == "configured"
                        )
                    )
                }
                for token in tokens.reversed() { try table.setState(.revoked, of: token.id, keeping: 2) }
                return try names.map { try table.token($0)?.state }
            } publish: { _, _ in
            }
            #expect(states == [.revoked, nil, nil, nil, .revoked])
        }
    }

    @Test("no more tokens are granted than the limit allows")
    func ceiling() async throws {
        try await withVisitors {
            $0.maxima.tokens = 4
        } _: { alice, _ async throws in
            let ready = alice.running.ready.appNet
            var codes: [TestJSON?] = []
            for _ in 0..<4 {
                codes.append(
                    try await trade(
                        alice,
                        [
                            ("grant_type", "client_credentials"), ("client_id", ready.clientID),
                            ("client_secret", ready.clientSecret),
                        ]
                    ).json?["error"]
                )
            }
            #expect(codes.last == "temporarily_unavailable")
        }
    }
}
