import Foundation
import HeliumKit

/// Clients of any other API.
enum AuthorizerSamples {
    static func choices(api: URL, token: Secret, key: Secret) throws -> [Helium] {
        // sample: other-api
        let open = try Helium(baseURL: api)
        let bearer = try Helium(baseURL: api, authorizer: .bearer(token))
        let keyed = try Helium(baseURL: api, authorizer: .apiKey(key, field: "X-ApiKey"))
        // end of sample
        return [open, bearer, keyed]
    }
}

// sample: own-authorizer
protocol TokenSource: Sendable {
    func token() async throws -> String
    func replace(_ refused: String?) async throws
}

struct RenewingAuthorizer: Authorizer {
    let source: any TokenSource

    func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws {
        request.fields[.authorization] = "Bearer \(try await source.token())"
    }

    func review(_ answer: AuthorizedResponse, context: AuthorizationContext) async throws -> AuthorizationReview {
        guard context.retryReasons.isEmpty else { return .accept }  // once is enough
        try await source.replace(answer.request.fields[.authorization])
        return .retry(.credentialReplaced)
    }
}
// end of sample
