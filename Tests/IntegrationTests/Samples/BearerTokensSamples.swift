import Foundation
import HeliumKit
import HeliumTesting
import Testing

/// The samples of the article on bearer tokens, over real sockets.
@Suite("Samples: bearer tokens", .timeLimit(.minutes(5)))
struct BearerTokensSamples {
    private struct Grant: Decodable, Sendable {
        let token: String
        let expiry: Date
    }

    /// Takes `second-token` only, and hands it out at `/token`.
    private func withServer(_ body: (FaultServer, URL) async throws -> Void) async throws {
        try await FaultServer.run { request in
            if request.lines.first?.hasPrefix("POST /token") == true {
                return [.answer(body: #"{"token":"second-token","expiry":"2100-01-01T00:00:00Z"}"#)]
            }
            return request.lines.contains { $0.lowercased() == "authorization: bearer second-token" }
                ? [.answer(body: "{}")]
                : [.answer(401, fields: [#"WWW-Authenticate: Bearer error="invalid_token""#])]
        } during: { server in
            try await body(server, try #require(URL(string: server.url)))
        }
    }

    private func renew(_ url: URL) async throws -> Grant {
        try await withHelium(baseURL: url) { try await $0.post("/token", returning: Grant.self).value() }
    }

    @Test("a token is refreshed when a server refuses it, once for all calls")
    func refreshing() async throws {
        try await withServer { server, url in
            let stored = BearerCredential(token: "first-token", refreshToken: "refresh-token")
            let authorizer = try RefreshingBearerAuthorizer.bearer(refreshing: stored) { request in
                #expect(request.current?.refreshToken == "refresh-token" && request.reason == .rejected)
                let grant = try await renew(url)
                return BearerCredential(token: Secret(grant.token), expiry: grant.expiry)
            }
            try await withHelium(baseURL: url, authorizer: authorizer) { helium in
                try await withThrowingTaskGroup { group in
                    for _ in 0..<20 { group.addTask { try await helium.get("/a").value() } }
                    try await group.waitForAll()
                }
                let response = try await helium.get("/a").response()
                #expect(response.attempts.count == 1)
            }
            #expect(server.requests.filter { $0.lines.first?.hasPrefix("POST /token") == true }.count == 1)
            #expect(authorizer.credential?.version == 2)
            #expect(authorizer.credential?.refreshToken == "refresh-token")
        }
    }

    @Test("somebody signs in again after a failure for good")
    func signIn() async throws {
        try await withServer { _, url in
            let authorizer = try RefreshingBearerAuthorizer { _ in throw BearerRefreshFailure.rejected }
            try await withHelium(baseURL: url, authorizer: authorizer) { helium in
                let error = try await failure(of: { try await helium.get("/a").value() })
                #expect(error.kind == .authorizationFailed)
                try authorizer.update(BearerCredential(token: "second-token"))
                try await helium.get("/a").value()
            }
        }
    }
}
