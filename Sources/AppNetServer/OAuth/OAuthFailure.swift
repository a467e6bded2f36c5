internal import HTTPTypes
internal import HeliumJSON

/// A refusal of the token endpoint, which has no envelope (§1.3).
struct OAuthFailure: Error, Hashable, Sendable {
    let status: HTTPResponse.Status
    /// A code of RFC 6749, section 5.2.
    let code: String
    let text: String
    /// For errors with a well-known cause (§1.5).
    var slug: String?
    /// Whether the flow shows its errors to people.
    var isShown = false

    init(_ code: String, _ text: String, status: HTTPResponse.Status = .badRequest, slug: String? = nil) {
        self.status = status
        self.code = code
        self.text = text
        self.slug = slug
    }

    static let unknownClient = Self("invalid_client", "The client or its secret is unknown.", status: .unauthorized)
    static let unknownGrant = Self("unsupported_grant_type", "Unknown grant type")

    static func missing(_ name: String) -> Self { Self("invalid_request", "\(name) is missing.") }

    /// The document of the answer.
    var document: JSONValue {
        var members: JSONObject = ["error": .string(code), "error_description": .string(text)]
        if isShown {
            members["error_text"] = .string(text)
            members["error_title"] = .string("Cannot sign in")
        }
        if let slug { members["error_slug"] = .string(slug) }
        return .object(members)
    }
}
