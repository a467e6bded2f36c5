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

    private struct SignIn {
        let url: URL

        func renew(_ refreshToken: Secret?) async throws -> Grant {
            #expect(refreshToken == nil || refreshToken == "refresh-token")
            return try await withHelium(baseURL: url) { try await $0.post("/token", returning: Grant.self).value() }
        }
    }

    @Test("sample of bearer tokens: a token is refreshed once for all calls")
    func refreshing() async throws {
        try await withServer { server, url in
            let stored = BearerCredential(token: "first-token", refreshToken: "refresh-token")
            let signIn = SignIn(url: url)
            // sample
            let helium = try Helium(
                baseURL: url,
                authorizer: .bearer(refreshing: stored) { request in
                    let grant = try await signIn.renew(request.current?.refreshToken)
                    return BearerCredential(token: Secret(grant.token), expiry: grant.expiry)
                }
            )
            // end of sample
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 { group.addTask { try await helium.get("/a").value() } }
                try await group.waitForAll()
            }
            let response = try await helium.get("/a").response()
            #expect(response.attempts.count == 1)
            await helium.close()
            #expect(server.requests.filter { $0.lines.first?.hasPrefix("POST /token") == true }.count == 1)
        }
    }

    @Test("sample of bearer tokens: a client for a closure has a refreshing authorizer")
    func closure() async throws {
        try await withServer { _, url in
            let signIn = SignIn(url: url)
            let status = try await withHelium(
                baseURL: url,
                authorizer: .bearer { request in
                    let grant = try await signIn.renew(request.current?.refreshToken)
                    return BearerCredential(token: Secret(grant.token), expiry: grant.expiry)
                }
            ) { helium in try await helium.get("/a").response().status }
            #expect(status == 200)
        }
    }

    @Test("sample of bearer tokens: a user signs in again after a permanent failure")
    func signIn() async throws {
        try await withServer { _, url in
            let stored: BearerCredential? = nil
            let token = "second-token"
            @Sendable func renew(_ request: BearerRefreshRequest) async throws -> BearerCredential {
                throw BearerRefreshFailure.rejected
            }
            // sample
            let authorizer = try RefreshingBearerAuthorizer(initial: stored) { request in try await renew(request) }
            let helium = try Helium(baseURL: url, authorizer: authorizer)
            // end of sample
            let error = try await failure(of: { try await helium.get("/a").value() })
            #expect(error.kind == .authorizationFailed)
            // sample
            try authorizer.update(BearerCredential(token: Secret(token)))
            // end of sample
            try await helium.get("/a").value()
            await helium.close()
        }
    }
}
