import Foundation
import HeliumKit
import Testing

/// The tests are deprecated too, so that the forms they use warn of nothing.
@Suite("Deprecated forms of HeliumKit")
struct DeprecatedTests {
    private let text = "s3cret-text"

    @available(*, deprecated)
    @Test("credentials as strings")
    func authorizers() throws {
        #expect(try FieldAuthorizer.bearer(text).secrets == [text])
        #expect(try FieldAuthorizer.apiKey(text).description == "FieldAuthorizer(X-API-Key)")
        let authorizer = try FieldAuthorizer.apiKey(text, header: "X-Former")
        #expect(authorizer.secrets == [text] && authorizer.description == "FieldAuthorizer(X-Former)")
    }

    @available(*, deprecated)
    @Test("secrets of the middleware as strings")
    func middleware() throws {
        let url = try #require(URL(string: "https://a.example"))
        let device = DeviceConfiguration(url: url, info: DeviceInfo(culture: "de-DE"))
        let configuration = HeliumConfiguration(secret: text, secretID: secretID, baseURL: url, device: device)
        #expect(configuration.secret == Secret(text) && configuration.baseURL == url)
    }
}
