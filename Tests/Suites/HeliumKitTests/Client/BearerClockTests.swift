import Foundation
import HeliumKit
import HeliumTesting
import Testing

@Suite("Clock of a refreshing bearer", .timeLimit(.minutes(5)))
struct BearerClockTests {
    @Test("a refreshing bearer uses the client's clock, unless the authorizer has its own", arguments: [true, false])
    func clock(isOwn: Bool) async throws {
        let clock = TestClock()
        let expiry = Date(timeIntervalSince1970: clock.wallTime / .seconds(1) + 100)
        let initial = BearerCredential(token: "old-token", expiry: expiry)
        let authorizer: RefreshingBearerAuthorizer = try .bearer(
            refreshing: initial,
            environment: isOwn ? ClientEnvironment() : nil
        ) { _ in BearerCredential(token: "new-token") }
        let transport = MockTransport(answers: [.empty()])
        let helium = try Helium(
            baseURL: #require(URL(string: "https://api.example.com")),
            authorizer: authorizer,
            environment: ClientEnvironment(transport: transport, clock: clock)
        )
        try await helium.get("/").value()
        clock.advance(by: .seconds(200))
        try await helium.get("/").value()
        // By the machine's clock the credential of 2016 expired long ago.
        let tokens = transport.requests.map { $0.fields[.authorization] }
        #expect(
            tokens == (isOwn ? ["Bearer new-token", "Bearer new-token"] : ["Bearer old-token", "Bearer new-token"])
        )
        await helium.close()
    }
}
