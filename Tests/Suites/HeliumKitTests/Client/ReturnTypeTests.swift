import Foundation
import HeliumCore
import HeliumKit
import HeliumTesting
import Testing

/// The test is deprecated too, so that the forms it uses warn of nothing.
@Suite("The label of the original library")
struct ReturnTypeTests {
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
