import Foundation
import HeliumCore
import HeliumKit
import HeliumTesting
import Testing

/// The tests are deprecated too, so that the forms they use warn of nothing.
@Suite("Deprecated forms of HeliumKit")
struct DeprecatedTests {
    private let text = "s3cret-text"

    @available(*, deprecated)
    @Test("deprecated credentials as strings are sent")
    func authorizers() throws {
        #expect(try FieldAuthorizer.bearer(text).secrets == [text])
        #expect(try FieldAuthorizer.apiKey(text).description == "FieldAuthorizer(X-API-Key)")
        let authorizer = try FieldAuthorizer.apiKey(text, header: "X-Former")
        #expect(authorizer.secrets == [text] && authorizer.description == "FieldAuthorizer(X-Former)")
    }

    @available(*, deprecated)
    @Test("deprecated secrets of the middleware as strings are used")
    func middleware() throws {
        let url = try #require(URL(string: "https://a.example"))
        let device = DeviceConfiguration(url: url, info: DeviceInfo(culture: "de-DE"))
        let configuration = HeliumConfiguration(secret: text, secretID: secretID, baseURL: url, device: device)
        #expect(configuration.secret == Secret(text) && configuration.baseURL == url)
    }

    @available(*, deprecated)
    @Test("the deprecated label of the original library works")
    func returnType() async throws {
        let transport = MockTransport(answers: [.json("[1]"), .json("[2]"), .json("[3]"), .json("[4]")])
        let url = try #require(URL(string: "https://a.example"))
        let helium = try Helium(baseURL: url, environment: ClientEnvironment(transport: transport))
        #expect(try await helium.get("/a", returnType: [Int].self).value() == [1])
        #expect(try await helium.delete("/a", returnType: [Int].self).value() == [2])
        #expect(try await helium.post("/a", body: [0], returnType: [Int].self).value() == [3])
        #expect(try await helium.put("/a", body: [0], returnType: [Int].self).value() == [4])
    }
}
