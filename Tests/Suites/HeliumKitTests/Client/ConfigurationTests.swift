import Foundation
import HeliumKit
import HeliumTesting
import Testing

@Suite("Configuration of HeliumKit")
struct ConfigurationTests {
    private let fake = FakeMiddleware(clock: TestClock())

    @Test(
        "an invalid configuration is refused with the name of its member",
        arguments: [
            ("", secretID, "https://a.example", "secret"), ("s", "short", "https://a.example", "secret id"),
            ("s", secretID.uppercased(), "https://a.example", "secret id"), ("s", secretID, "ftp://a", "URL"),
            ("s", secretID, "https://a.example?x", "URL"),
        ]
    )
    func refusals(secret: String, id: String, url: String, part: String) throws {
        let error = #expect(throws: HeliumError.self) {
            try makeHelium(fake, baseURL: url) {
                $0.secret = Secret(secret)
                $0.secretID = id
            }
        }
        #expect(error?.kind == .invalidConfiguration && error?.message.contains(part) == true)
    }

    @Test("the description of a configuration shows no secret")
    func redaction() throws {
        let device = DeviceConfiguration(
            url: try #require(URL(string: "https://a.example/devices")),
            info: DeviceInfo(culture: "de-DE")
        )
        let configuration = HeliumConfiguration(
            secret: Secret(secret),
            secretID: secretID,
            baseURL: try #require(URL(string: "https://a.example")),
            device: device
        )
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!dumped.contains(secret) && !"\(configuration)".contains(secret))
        var client = ""
        dump(try Helium(configuration), to: &client)
        #expect(!client.contains(secret))
    }

    @Test("other APIs have no authorization, a bearer token, an API key or an authorizer")
    func otherAPIs() async throws {
        let url = try #require(URL(string: "https://a.example/v2"))
        let transport = MockTransport(answers: [.json(#"{"ok":true}"#)])
        let environment = ClientEnvironment(transport: transport)
        _ = try await Helium(baseURL: url, environment: environment).get("/a", returning: Reply.self).value()
        _ = try await Helium(baseURL: url, authorizer: .bearer("t0ken"), environment: environment).get("/a").value()
        _ = try await Helium(baseURL: url, authorizer: .apiKey("k3y", field: "X-ApiKey"), environment: environment)
            .get("/a").value()
        _ = try await Helium(baseURL: url, authorizer: Own(), environment: environment).get("/a").value()
        let requests = transport.requests
        #expect(requests[0].fields[.authorization] == nil)
        #expect(requests[1].fields[.authorization] == "Bearer t0ken")
        #expect(requests[2].fields[try #require(HTTPField.Name("x-apikey"))] == "k3y")
        #expect(requests[3].fields[.authorization] == "Own")
        #expect(requests.allSatisfy { $0.url.target == "/v2/a" })
    }

    @Test("a credential that is invalid in a header is refused", arguments: ["", "a\r\nb", "\u{E4}"])
    func credentials(text: String) {
        #expect(throws: HeliumError.self) { try FieldAuthorizer(name: .authorization, secret: Secret(text)) }
    }

    @Test("withHelium closes the client, also if its body throws")
    func closesAfterwards() async throws {
        let transport = fake.transport
        let configuration = try makeConfiguration(transport)
        try await withHelium(configuration) { try await $0.get("/a").value() }
        #expect(transport.isShutDown)
        let second = fake.transport
        await #expect(throws: UnexpectedSuccess.self) {
            try await withHelium(makeConfiguration(second)) { _ in throw UnexpectedSuccess() }
        }
        #expect(second.isShutDown)
    }

    private func makeConfiguration(_ transport: MockTransport) throws -> HeliumConfiguration {
        var configuration = HeliumConfiguration(
            secret: Secret(secret),
            secretID: secretID,
            baseURL: try #require(URL(string: "https://a.example")),
            device: DeviceConfiguration(
                url: try #require(URL(string: "https://a.example/devices")),
                info: DeviceInfo(culture: "de-DE")
            )
        )
        configuration.environment = ClientEnvironment(transport: transport)
        configuration.environment.clock = fake.clock
        return configuration
    }
}

private struct Own: Authorizer {
    func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws {
        request.fields[.authorization] = "Own"
    }
}
