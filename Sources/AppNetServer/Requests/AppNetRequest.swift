internal import HTTPTypes
internal import HeliumServerKit

/// A request as the routes see it: below the API's root, with its query read.
struct AppNetRequest: Sendable {
    var method: HTTPRequest.Method
    var area: AppNetArea
    /// The path's segments below the root, decoded.
    var segments: [String] = []
    /// Whether the path has a malformed escape.
    var hasMalformedPath = false
    var parameters = FormFields()
    var fields: HTTPFields = [:]
    var body = AppNetBody.none
    /// The body as it came, for routes that take any bytes.
    var bytes: [UInt8] = []
    /// The dialect in which it came.
    var dialect = Dialect.appNet
    /// The client's address in numbers.
    var address = ""
    /// The URL of the server's root, as the client named it: `http://127.0.0.1:8080`.
    var root = ""
    var faults = ActiveFaults()

    /// The token, from the header, the query or the body, in this order (§1.2).
    var token: String? {
        if let token = Self.bearerToken(fields) ?? parameters["access_token"] { return token }
        guard method != .get, method != .delete else { return nil }
        return body.accessToken
    }

    /// The token in the `Authorization` field; `nil` if there is none.
    static func bearerToken(_ fields: HTTPFields) -> String? {
        guard let parts = fields[.authorization]?.split(separator: " ", maxSplits: 1), parts.count == 2,
            parts[0].lowercased() == "bearer"
        else { return nil }
        return parts[1].trimming()
    }
}

/// Which of the server's App.net addresses a path is below.
enum AppNetArea: Hashable, Sendable {
    /// `…/stream/0`.
    case api
    /// `/oauth`.
    case oauth
    /// `/appnet-content`: files, avatars and covers; what the API's URLs lead to.
    case content
    /// `/stream`: user streams and app streams (§2.13, §2.14).
    case live

    /// `/v1`: pnut's dialect, and calls that only it has (§6.2).
    case pnut

    /// Where ``pnut`` is.
    static let pnutPrefix = "/v1"
    /// Where ``content`` is.
    static let contentPrefix = "/appnet-content"

    /// Where ``live`` is.
    static let livePrefix = "/stream"
}
