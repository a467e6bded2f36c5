import AppNet
import Foundation
import HeliumKit
import HeliumTesting
import Testing

/// The tests are deprecated too, so that the forms they use warn of nothing.
@Suite("Deprecated forms of AppNet")
struct DeprecatedTests {
    @available(*, deprecated)
    @Test("a deprecated client with the token as a string sends it")
    func token() {
        let token: String? = "s3cret-token"
        let configuration = AppNetConfiguration(token: token, dialect: .pnut)
        #expect(configuration.token == "s3cret-token" && configuration.dialect == .pnut)
    }

    @available(*, deprecated)
    @Test("deprecated sign-in properties with URLs have the same addresses as the present ones")
    func addresses() async throws {
        let dialect = AppNetDialect.pnut
        #expect(dialect.signInURL == dialect.signInBaseURL && dialect.tokenURL == dialect.tokenBaseURL)

        let url = try #require(URL(string: "https://adn.test/oauth/"))
        var signIn = try WebSignIn(clientID: "a", redirectURI: "b:c", scopes: [.basic], signInURL: url)
        #expect(signIn.signInURL == url && signIn.signInBaseURL == url)
        signIn.signInURL = try #require(URL(string: "https://adn.test/other/"))
        #expect(signIn.signInBaseURL.path() == "/other/")

        let transport = MockTransport()
        transport.on(.post, "/oauth/access_token", times: .exactly(1)) { _ in .json(#"{"access_token":"t"}"#) }
        let environment = ClientEnvironment(transport: transport)
        _ = try await AppNetAuthenticator(clientID: "a", clientSecret: "s", tokenURL: url, environment: environment)
            .appToken()
        try transport.verify()
    }

    @available(*, deprecated)
    @Test("the deprecated call for a user's posts sends the same request")
    func posts() async throws {
        let transport = MockTransport(answers: [answer("[]")])
        let page = try await makeClient(transport).posts.of(.me).page()
        #expect(page.elements.isEmpty)
        #expect(transport.requests.first?.url.target.hasPrefix("/stream/0/users/me/posts") == true)
    }

    @available(*, deprecated)
    @Test("the items of a list")
    func items() async throws {
        let transport = MockTransport(answers: [answer("[]")])
        let items: PagedItems<Message> = try makeClient(transport).messages.list(in: 1).before()
        for try await page in items.pages { #expect(page.elements.isEmpty) }
        #expect(transport.requests.count == 1)
    }
}
