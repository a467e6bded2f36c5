// A client of a service with bearer tokens. A rejected token is refreshed once for all calls that need the new one, and calls
// are repeated while the service is busy.
//
//     swift run ServiceClient
//
// It runs against a server of this program. For a real service, change the URL and the request for a token.
import Foundation
import HeliumKit
import HeliumTesting
import Synchronization

@main
struct ServiceClient {
    static func main() async {
        let service = TokenService()
        do {
            try await FaultServer.run {
                service.respond(to: $0)
            } during: { server in
                guard let url = URL(string: server.url) else { fail("\(server.url) is not a URL") }
                try await call(url) { service.expireToken() }
            }
        } catch {
            fail("\(error)")
        }
        guard service.tokenCount == 2 else { fail("the service issued \(service.tokenCount) tokens instead of 2") }
        print("6 calls with 2 tokens: 5 calls shared one refresh")
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("ServiceClient: \(message)\n".utf8))
        exit(1)
    }

    /// Makes one call and, after `pause`, five more at the same time.
    private static func call(_ api: URL, pause: @Sendable () -> Void) async throws {
        // The client credentials grant (RFC 6749 §4.4). Without an expiry the token is used until the service rejects it.
        let authorizer = try RefreshingBearerAuthorizer { request in
            print("requesting a token (reason: \(request.reason))")
            let form: QueryParameters = [
                "grant_type": "client_credentials", "client_id": "demo", "client_secret": "demo",
            ]
            let grant = try await withHelium(baseURL: api) { login in
                try await login.post("/token", body: .form(form), returning: Grant.self).value()
            }
            return BearerCredential(token: Secret(grant.token))
        }
        try await withHelium(baseURL: api, authorizer: authorizer) { helium in
            print(try await report(1, from: helium))
            pause()
            try await withThrowingTaskGroup(of: String.self) { group in
                for number in 2...6 { group.addTask { try await report(number, from: helium) } }
                for try await line in group { print(line) }
            }
        }
    }

    /// GET is idempotent, so it is repeated by default. A POST is repeated only with an idempotency key.
    private static func report(_ number: Int, from helium: Helium) async throws -> String {
        let response = try await helium.get("/reports/:number", returning: String.self)
            .pathReplacements(["number": number]).retry(.attempts(5)).timeout(.seconds(30)).response()
        return "\(response.value), attempts: \(response.attempts.map(\.description).joined(separator: ", "))"
    }
}

/// The response to a token request (RFC 6749 §5.1).
private struct Grant: Decodable, Sendable {
    let token: String

    private enum CodingKeys: String, CodingKey { case token = "access_token" }
}

/// The service of the demonstration. It accepts the newest token until that expires, and it is busy once.
private final class TokenService: Sendable {
    private let state = Mutex((tokenCount: 0, isExpired: false, isBusy: true))

    var tokenCount: Int { state.withLock { $0.tokenCount } }

    func expireToken() { state.withLock { $0.isExpired = true } }

    func respond(to request: FaultServer.ReceivedRequest) -> [FaultServer.Action] {
        state.withLock { state -> [FaultServer.Action] in
            if request.path == "/token" {
                state.tokenCount += 1
                state.isExpired = false
                return [.answer(body: #"{"access_token":"token-\#(state.tokenCount)"}"#)]
            }
            let isAuthorized = request.values(of: "Authorization") == ["Bearer token-\(state.tokenCount)"]
            guard isAuthorized, !state.isExpired else { return [.answer(401)] }
            defer { state.isBusy = false }
            return [state.isBusy ? .answer(503, fields: ["Retry-After: 0"]) : .answer(body: "report \(request.path)")]
        }
    }
}
