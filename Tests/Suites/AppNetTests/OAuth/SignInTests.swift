import AppNet
import Foundation
import HTTPTypes
import HeliumKit
import HeliumTesting
import Testing

@Suite("Signing in to App.net", .timeLimit(.minutes(5)))
struct SignInTests {
    private func authenticator(
        _ transport: MockTransport,
        secret: Secret? = "client-secret-1",
        dialect: AppNetDialect = .appNet
    ) throws -> AppNetAuthenticator {
        try AppNetAuthenticator(
            clientID: "client-1",
            clientSecret: secret,
            dialect: dialect,
            tokenBaseURL: dialect == .appNet ? URL(string: "https://adn.test/oauth/") : nil,
            baseURL: dialect == .appNet ? URL(string: "https://adn.test/stream/0/") : nil,
            options: {
                var options = ClientOptions()
                options.retry = .never
                return options
            }(),
            environment: ClientEnvironment(transport: transport)
        )
    }

    private func form(_ request: TransportRequest?) -> [String: String] {
        let items = (request?.bodyText ?? "").split(separator: "&").map { item in
            item.split(separator: "=", maxSplits: 1).map { String($0).removingPercentEncoding ?? "" }
        }
        return Dictionary(items.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { $1 }
    }

    @Test("the address of the sign-in page is as documented")
    func addresses() throws {
        var signIn = try WebSignIn(
            clientID: "c 1",
            redirectURI: "https://example.com/back?x=1",
            scopes: [.basic, .messages],
            state: "s&1",
            signInBaseURL: URL(string: "https://adn.test/oauth/")
        )
        #expect(
            try signIn.url().absoluteString
                == "https://adn.test/oauth/authenticate?client_id=c%201&response_type=code"
                + "&redirect_uri=https%3A%2F%2Fexample.com%2Fback%3Fx%3D1&scope=basic%20messages&state=s%261"
        )
        signIn.flow = .token
        signIn.alwaysAsks = true
        signIn.hidesSignUp = true
        signIn.state = nil
        let text = try signIn.url().absoluteString
        #expect(text.hasPrefix("https://adn.test/oauth/authorize?") && text.contains("response_type=token"))
        #expect(text.hasSuffix("&adnview=appstore") && !text.contains("state="))
        let pnut = try WebSignIn(clientID: "c", redirectURI: "x:y", scopes: [.basic, .messages], dialect: .pnut)
        #expect(
            try pnut.url().absoluteString
                == "https://pnut.io/oauth/authenticate?client_id=c&response_type=code&redirect_uri=x%3Ay"
                + "&scope=basic%2Cmessages"
        )
    }

    @Test("a code or a token is read from the address of the redirect")
    func answers() throws {
        let signIn = try WebSignIn(
            clientID: "c",
            redirectURI: "app://back",
            scopes: [.basic],
            state: "s 1",
            dialect: .pnut
        )
        let code = try signIn.code(from: try #require(URL(string: "app://back?state=s+1&code=a%2Bb&code=other")))
        #expect(code.value == "a+b", "the first counts")
        let back = try #require(URL(string: "app://back?access_token=no#access_token=a%2Bb&state=s%201&user_id=7"))
        let grant = try signIn.grant(from: back)
        #expect(grant.accessToken.value == "a+b" && grant.userID == 7)
    }

    @Test(
        "a denied sign-in, a foreign redirect and one of another sign-in are different errors",
        arguments: [
            ("app://back?state=s&error=access_denied&error_description=no+thanks", AppNetError.Kind.signInRefused),
            ("app://back?state=other&code=x", .invalidRequest), ("app://back?code=x", .invalidRequest),
            ("app://back?state=s", .invalidRequest), ("app://back?state=s&code=", .invalidRequest),
            ("app://back#state=s&code=x", .invalidRequest),
        ]
    )
    func refused(text: String, kind: AppNetError.Kind) throws {
        let signIn = try WebSignIn(
            clientID: "c",
            redirectURI: "app://back",
            scopes: [.basic],
            state: "s",
            dialect: .pnut
        )
        let url = try #require(URL(string: text))
        let error = try #require(throws: AppNetError.self) { try signIn.code(from: url) }
        #expect(error.kind == kind)
        if kind == .signInRefused {
            #expect(error.refusal == OAuthRefusal(code: "access_denied", explanation: "no thanks"))
        }
    }

    @Test("each flow of a sign-in sends the documented form and returns the token with its scopes")
    func flows() async throws {
        let body = #"{"access_token":"tok-123456","token":{"scopes":["basic"],"user":{"id":"7","username":"alice"}}}"#
        let transport = MockTransport(answers: [.json(body)])
        let authenticator = try authenticator(transport)
        let grant = try await authenticator.exchange(code: "code-1", redirectURI: "app://back")
        #expect(grant.accessToken.value == "tok-123456" && grant.userID == 7 && grant.username == "alice")
        #expect(grant.token?.scopes == [.basic])
        #expect(transport.requests.last?.url.target == "/oauth/access_token")
        #expect(transport.requests.last?.fields[.contentType] == "application/x-www-form-urlencoded")
        #expect(
            form(transport.requests.last) == [
                "client_id": "client-1", "client_secret": "client-secret-1", "code": "code-1",
                "grant_type": "authorization_code", "redirect_uri": "app://back",
            ]
        )
        _ = try await authenticator.signIn(
            username: "alice",
            password: "pass word",
            passwordGrantSecret: "grant-secret",
            scopes: [.basic, .files],
            requiresAppPassword: true
        )
        #expect(
            form(transport.requests.last) == [
                "client_id": "client-1", "grant_type": "password", "password": "pass word",
                "password_grant_secret": "grant-secret", "require_app_specific_password": "1",
                "scope": "basic files", "username": "alice",
            ]
        )
        _ = try await authenticator.appToken()
        #expect(
            form(transport.requests.last) == [
                "client_id": "client-1", "client_secret": "client-secret-1", "grant_type": "client_credentials",
            ]
        )
    }

    @Test("a token of pnut.io comes with its user")
    func pnut() async throws {
        let body = #"{"access_token":"tok-123456","user_id":7,"username":"alice"}"#
        let transport = MockTransport(answers: [.json(body)])
        let grant = try await authenticator(transport, dialect: .pnut).appToken()
        #expect(grant.userID == 7 && grant.username == "alice")
        let url = try #require(transport.requests.first?.url)
        #expect(url.origin.host == "api.pnut.io" && url.target == "/v1/oauth/access_token")
    }

    @Test("a user's token is delegated, and a delegated token is checked")
    func delegation() async throws {
        let transport = MockTransport()
        transport.on(.post, "/oauth/access_token") { _ in .json(#"{"delegate_token":"del-123456"}"#) }
        transport.on(.get, "/stream/0/token") { _ in answer(#"{"user":{"id":"7"}}"#) }
        let authenticator = try authenticator(transport)
        let delegated = try await authenticator.delegateToken(of: "user-token-1", to: "client-2")
        #expect(delegated.value == "del-123456")
        let sent = try #require(transport.requests.first)
        #expect(sent.fields[.authorization] == "Bearer user-token-1")
        #expect(form(sent) == ["delegate_client_id": "client-2", "grant_type": "delegate"])

        #expect(try await authenticator.verify(delegateToken: delegated).user?.id == 7)
        let check = try #require(transport.requests.last)
        let credential = Data("client-1:client-secret-1".utf8).base64EncodedString()
        #expect(check.fields[.authorization] == "Basic \(credential)")
        #expect(check.fields[.named("Identity-Delegate-Token")] == "del-123456")
        let error = try #require(
            await AppNetError.thrown {
                _ = try await self.authenticator(MockTransport(), dialect: .pnut).verify(delegateToken: delegated)
            }
        )
        #expect(error.kind == .unsupportedByDialect)
    }

    @Test("an error of a sign-in has the message for the user, and no secret that the service echoes")
    func refusals() async throws {
        let body = #"""
            {"error":"invalid_grant","error_description":"bad pass-word-1","error_title":"Oh",
            "error_text":"No, grant-secret-1"}
            """#
        let transport = MockTransport(answers: [.json(body, status: 400)])
        let authenticator = try authenticator(transport)
        let error = try #require(
            await AppNetError.thrown {
                _ = try await authenticator.signIn(
                    username: "alice",
                    password: "pass-word-1",
                    passwordGrantSecret: "grant-secret-1",
                    scopes: [.basic]
                )
            }
        )
        #expect(error.kind == .signInRefused && error.status == 400 && transport.requests.count == 1)
        #expect(error.refusal?.code == "invalid_grant" && error.refusal?.userTitle == "Oh")
        #expect(error.refusal?.userText == "No, [redacted]")
        var dumped = ""
        dump(error, to: &dumped)
        dump(authenticator, to: &dumped)
        let beneath = error.underlying?.description ?? ""
        #expect(beneath.contains("[redacted]") && !beneath.contains("pass-word") && !beneath.contains("grant-secret"))
        dumped += "\(authenticator)"
        #expect(!"\(error) \(dumped)".contains("pass-word") && !"\(error) \(dumped)".contains("grant-secret"))
    }

    @Test("a flow without its secret, and a response without a token, fail")
    func missing() async throws {
        let transport = MockTransport(answers: [.json("{}"), .json("[]"), .json(#"{"access_token":""}"#)])
        let bare = try authenticator(transport, secret: nil)
        let error = try #require(await AppNetError.thrown { _ = try await bare.appToken() })
        #expect(error.kind == .invalidRequest && transport.requests.isEmpty)
        let full = try authenticator(transport)
        for _ in 0..<3 {
            let error = try #require(await AppNetError.thrown { _ = try await full.appToken() })
            #expect(error.kind == .undecodable)
        }
    }

    @Test("no description of a sign-in shows a token")
    func descriptions() throws {
        let grant = AccessGrant(accessToken: "secret-token-1", username: "alice")
        var dumped = ""
        dump(grant, to: &dumped)
        #expect(!"\(grant) \(dumped)".contains("secret-token") && "\(grant)".contains("alice"))
    }

    @Test("the dialect of App.net has no default addresses, as its domain may belong to anybody")
    func noDeadHosts() throws {
        let dialect = AppNetDialect.appNet
        #expect(
            [dialect.baseURL, dialect.userStreamURL, dialect.signInBaseURL, dialect.tokenBaseURL] == [
                nil, nil, nil, nil,
            ]
        )
        func kind(_ body: () throws(AppNetError) -> Void) -> AppNetError.Kind? {
            do throws(AppNetError) { try body() } catch { return error.kind }
            return nil
        }
        let kinds = [
            kind { () throws(AppNetError) in _ = try AppNetClient(configuration: AppNetConfiguration(token: "token-1"))
            },
            kind { () throws(AppNetError) in _ = try AppNetAuthenticator(clientID: "c") },
            kind { () throws(AppNetError) in _ = try WebSignIn(clientID: "c", redirectURI: "x:y", scopes: []) },
        ]
        #expect(kinds == [.invalidConfiguration, .invalidConfiguration, .invalidConfiguration])
        let other = AppNetConfiguration(dialect: .pnut, baseURL: URL(string: "http://127.0.0.1:1/v1"))
        #expect(other.userStreamURL == nil, "another server's token is not pnut.io's")
        #expect(AppNetConfiguration(dialect: .pnut).userStreamURL?.host() == "stream.pnut.io")
    }
}
