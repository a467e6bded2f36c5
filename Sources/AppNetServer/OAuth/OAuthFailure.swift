internal import HTTPTypes
internal import HeliumJSON

/// An error of the token endpoint, which does not use an envelope (Docs/Protocols/AppNet.md §1.3).
struct OAuthFailure: Error, Hashable, Sendable {
    let status: HTTPResponse.Status
    /// The error code of RFC 6749 §5.2.
    let code: String
    let text: String
    /// The identifier of a well-known cause (Docs/Protocols/AppNet.md §1.5).
    var slug: String?
    /// Whether the flow shows its errors to users.
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

    /// The JSON document of the response.
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
