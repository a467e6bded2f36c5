internal import HTTPTypes
internal import HeliumServerKit

/// A request as the routes receive it: with a path relative to the API's root, and with a parsed query.
struct AppNetRequest: Sendable {
    var method: HTTPRequest.Method
    var area: AppNetArea
    /// The decoded segments of the path, relative to the root.
    var segments: [String] = []
    /// Whether the path contains a malformed escape.
    var hasMalformedPath = false
    var parameters = FormFields()
    var fields: HTTPFields = [:]
    var body = AppNetBody.none
    /// The undecoded body, for routes that accept any bytes.
    var bytes: [UInt8] = []
    /// The dialect of the request.
    var dialect = Dialect.appNet
    /// The client's numeric address.
    var address = ""
    /// The server's root URL, as the client addressed it: `http://127.0.0.1:8080`.
    var root = ""
    var faults = ActiveFaults()

    /// The token from the header, the query or the body, in this order (Docs/Protocols/AppNet.md §1.2); `nil` if there
    /// is none.
    var token: String? {
        if let token = Self.bearerToken(fields) ?? parameters["access_token"] { return token }
        guard method != .get, method != .delete else { return nil }
        return body.accessToken
    }

    /// Returns the token in the `Authorization` field; `nil` if there is none.
    static func bearerToken(_ fields: HTTPFields) -> String? {
        guard let parts = fields[.authorization]?.split(separator: " ", maxSplits: 1), parts.count == 2,
            parts[0].lowercased() == "bearer"
        else { return nil }
        return parts[1].trimming()
    }
}

/// The root paths of the server's App.net.
enum AppNetArea: Hashable, Sendable {
    /// The API: `…/stream/0`.
    case api
    /// OAuth: `/oauth`.
    case oauth
    /// Files, avatars and covers, which are the targets of URLs in responses: `/appnet-content`.
    case content
    /// User streams and app streams: `/stream` (Docs/Protocols/AppNet.md §2.13, §2.14).
    case live

    /// pnut's dialect, and calls that only pnut has: `/v1` (Docs/Protocols/AppNet.md §6.2).
    case pnut

    /// The path prefix of ``pnut``.
    static let pnutPrefix = "/v1"
    /// The path prefix of ``content``.
    static let contentPrefix = "/appnet-content"

    /// The path prefix of ``live``.
    static let livePrefix = "/stream"
}
