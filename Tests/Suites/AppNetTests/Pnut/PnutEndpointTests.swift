import Foundation
import HTTPTypes
import HeliumKit
import HeliumServer
import HeliumServerTesting
import Testing

@testable import AppNet

@Suite("Every endpoint of pnut.io's API description", .timeLimit(.minutes(5)))
struct PnutEndpointTests {
    private static func key(_ method: String, _ path: String) -> String {
        let parts = path.split(separator: "/").map { $0.hasPrefix(":") ? "*" : String($0) }
        return "\(method) \(parts.joined(separator: "/"))"
    }

    @Test("every endpoint of pnut.io's description has a call of the client, and every call an endpoint")
    func calls() {
        let calls = Set(CallTable.all.compactMap(\.pnut).map { Self.key($0.method.rawValue, $0.path) })
        let described = Set(PnutEndpoint.all.filter { $0.absence == nil }.map { "\($0.method) \($0.shape)" })
        #expect(described.subtracting(calls).isEmpty, "described without a call")
        #expect(calls.subtracting(described).isEmpty, "a call that is not described")
        #expect(Set(PnutEndpoint.all).count == PnutEndpoint.all.count)
    }

    @Test("every endpoint of pnut.io's description has a route of the server, which needs a valid token")
    func routes() async throws {
        try await withEmbeddedServer { server in
            let root = server.ready.appNet.pnut
            let helium = try Helium(baseURL: root)
            for endpoint in PnutEndpoint.all where endpoint.absence != .page {
                let method = try #require(HTTPRequest.Method(endpoint.method))
                let path = "/" + endpoint.path.replacing("{", with: "").replacing("}", with: "")
                let error = await #expect(throws: HeliumError.self, "\(endpoint)") {
                    try await helium.request(method, path)
                        .parameters(["ids": "1"])
                        .field(.authorization, "Bearer nobody's")
                        .response()
                }
                let expected = endpoint.absence == .rss ? [404] : [400, 401]
                #expect(expected.contains(error?.status ?? 0), "\(endpoint): \(error as Any)")
            }
        }
    }
}
